#!/bin/sh
# completions.sh DIR writes the completions of the shells there.
set -eu
mkdir -p "$1"
program=$(mktemp)
trap 'rm -f "$program"' EXIT
CGO_ENABLED=0 go build -trimpath -o "$program" ./cmd/mcp-memory
for shell in bash zsh fish; do
	MCP_MEMORY_DATA_DIR="$1/none" "$program" completion "$shell" >"$1/mcp-memory.$shell"
done
