#!/usr/bin/env bash
# Builds the program from a clone elsewhere: the same commit gives the same bytes.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

[ -z "$(git -C "$top" status --porcelain)" ] || fail "commit or drop what is uncommitted first: the program notes that the tree is changed"
made=$(one "$dist"/goreleaser/mcp-memory_linux_amd64_*/mcp-memory)
# Of a linked worktree Go notes no commit.
noted=true
go version -m "$made" | grep -q vcs.revision || noted=false
git clone -q "$top" "$work/elsewhere"
git -C "$work/elsewhere" checkout -q "$(git -C "$top" rev-parse HEAD)"
(cd "$work/elsewhere" && GOOS=linux GOARCH=amd64 CGO_ENABLED=0 go build -trimpath -buildvcs=$noted -ldflags="-s -w" -o "$work/again" ./cmd/mcp-memory)
cmp "$work/again" "$made" || fail "two builds of one commit differ (or dist/ was made of another commit)"
