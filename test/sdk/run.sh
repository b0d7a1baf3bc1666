#!/usr/bin/env bash
# Has the clients of the official TypeScript SDK do the demo over every
# transport. Needs Go, and npm to fetch what is pinned in package.json; see
# test/README.md. MCP_MEMORY_BIN names a binary that is built already.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=test/node.sh
source "$here/../node.sh"

prepare_node sdk "$here"
need_binary "$here/../.."

node "$here/demo.mjs" "$binary" "$packages/node_modules" "$work"
