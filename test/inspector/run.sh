#!/usr/bin/env bash
# Calls every tool through the MCP Inspector, over every transport, in both eras
# of the protocol. Needs Go, and npm to fetch what is pinned in package.json; see
# test/README.md. MCP_MEMORY_BIN names a binary that is built already.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=test/node.sh
source "$here/../node.sh"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

need_node

# One folder for each lock file, so that a change of versions is a new folder.
key=$(cat "$here/package.json" "$here/package-lock.json" | git hash-object --stdin)
inspector="$ci_cache/inspector-${key:0:12}"
FILES="$here" install_npm "$inspector"

binary=${MCP_MEMORY_BIN:-}
if [ -z "$binary" ]; then
	binary="$work/mcp-memory"
	(cd "$here/../.." && CGO_ENABLED=0 go build -o "$binary" ./cmd/mcp-memory)
fi

node "$here/inspect.mjs" "$binary" "$inspector/node_modules" "$work"
