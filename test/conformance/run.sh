#!/usr/bin/env bash
# Runs the official conformance suite against the server with the suite's
# fixtures, and what needs no fixtures against the product. Needs Go, and npm
# to fetch what is pinned in package.json; see test/README.md. MCP_MEMORY_BIN
# names a binary of the product that is built already.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=test/node.sh
source "$here/../node.sh"

prepare_node conformance "$here"

cd "$here/../.."
go vet -tags conformance ./test/conformance/...
CGO_ENABLED=0 go build -tags conformance -o "$work/fixtures" ./test/conformance/fixtures
need_binary .

node "$here/conform.mjs" "$packages/node_modules" "$work" "$work/fixtures" "$binary"
