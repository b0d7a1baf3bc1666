#!/usr/bin/env bash
# Has other memory programs write data, and imports it. Needs Go, and npm to fetch
# what is pinned in package.json; see test/README.md. MCP_MEMORY_BIN names a
# binary that is built already.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=test/node.sh
source "$here/../node.sh"

prepare_node imports "$here"
need_binary "$here/../.."

node "$here/imports.mjs" "$binary" "$packages/node_modules" "$work"
