#!/usr/bin/env bash
# Runs the official conformance suite against the server with the suite's
# fixtures, and what needs no fixtures against the product. Needs Go, and npm
# to fetch what is pinned in package.json; see test/README.md. MCP_MEMORY_BIN
# names a binary of the product that is built already.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=test/node.sh
source "$here/../node.sh"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

need_node

key=$(cat "$here/package.json" "$here/package-lock.json" | git hash-object --stdin)
suite="$ci_cache/conformance-${key:0:12}"
FILES="$here" install_npm "$suite"

cd "$here/../.."
go vet -tags conformance ./test/conformance/...
CGO_ENABLED=0 go build -tags conformance -o "$work/fixtures" ./test/conformance/fixtures
binary=${MCP_MEMORY_BIN:-}
if [ -z "$binary" ]; then
	binary="$work/mcp-memory"
	CGO_ENABLED=0 go build -o "$binary" ./cmd/mcp-memory
fi

node "$here/conform.mjs" "$suite/node_modules" "$work" "$work/fixtures" "$binary"
