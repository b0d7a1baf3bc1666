#!/usr/bin/env bash
# Has the clients of the official TypeScript SDK do the demo over every
# transport. Needs Go, and npm to fetch what is pinned in package.json; see
# test/README.md. MCP_MEMORY_BIN names a binary that is built already.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=test/node.sh
source "$here/../node.sh"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

need_node

key=$(cat "$here/package.json" "$here/package-lock.json" | git hash-object --stdin)
sdk="$ci_cache/sdk-${key:0:12}"
FILES="$here" install_npm "$sdk"

binary=${MCP_MEMORY_BIN:-}
if [ -z "$binary" ]; then
	binary="$work/mcp-memory"
	(cd "$here/../.." && CGO_ENABLED=0 go build -o "$binary" ./cmd/mcp-memory)
fi

node "$here/demo.mjs" "$binary" "$sdk/node_modules" "$work"
