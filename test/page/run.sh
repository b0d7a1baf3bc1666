#!/usr/bin/env bash
# Looks at the page in a real browser: every page at four widths, light and dark, its flows, its
# keyboard, without a script, with axe-core. Needs Go, npm to fetch what is pinned in package.json, and
# Chromium, which root installs from the distribution; see test/README.md. MCP_MEMORY_BIN names a
# binary that is built already. With a folder as argument it takes the pictures of docs/web.md instead, into
# that folder.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=test/node.sh
source "$here/../node.sh"

if ! command -v chromium >/dev/null; then
	if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
		apt-get update -qq >&2 && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium >&2
	else
		echo "chromium is missing: install it" >&2
		exit 1
	fi
fi

prepare_node page "$here"
need_binary "$here/../.."

program=page.mjs
[ $# = 0 ] || program=pictures.mjs
node "$here/$program" "$binary" "$packages/node_modules" "$work" "$@"
