#!/usr/bin/env bash
# Installs the memory into real hosts, has them list it, runs whole sessions of them against a
# model on loopback that follows a script, and takes it out again. Needs Go, and npm to fetch what is
# pinned in package.json; see test/README.md. MCP_MEMORY_BIN names a binary that is built already.
# With names of hosts as arguments only those; with "picture FILE" it draws the picture of the README there instead.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=test/node.sh
source "$here/../node.sh"

prepare_node hosts "$here"
need_binary "$here/../.."

mkdir "$work/bin"
cp "$binary" "$work/bin/mcp-memory" # hosts' entries are known by this name

program=hosts.mjs
if [ "${1:-}" = picture ]; then
	program=picture.mjs
	shift
fi
node "$here/$program" "$work/bin" "$packages/node_modules" "$work" "$@"
