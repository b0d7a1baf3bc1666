#!/usr/bin/env bash
# Calls every tool through the MCP Inspector, over every transport, in both eras
# of the protocol. Needs Go, and npm to fetch what is pinned in package.json; see
# test/README.md. MCP_MEMORY_BIN names a binary that is built already.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=test/node.sh
source "$here/../node.sh"

prepare_node inspector "$here"
need_binary "$here/../.."

node "$here/inspect.mjs" "$binary" "$packages/node_modules" "$work"
