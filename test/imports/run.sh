#!/usr/bin/env bash
# Has other memory programs write data, and imports it. Needs Go, and npm to fetch
# what is pinned in package.json and packages; see test/README.md. MCP_MEMORY_BIN
# names a binary that is built already.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=test/node.sh
source "$here/../node.sh"

# files sets files to a folder with what packages lists: their own files in
# node_modules, none of the hundreds of packages that they depend on.
files() {
	local key name version hash part tarball
	key=$(git hash-object "$here/packages")
	files="$ci_cache/imports-files-${key:0:12}"
	[ -d "$files" ] && return
	part=$(mktemp -d "$files.XXXXXX")
	grep -v '^#' "$here/packages" | while read -r name version hash; do
		tarball=$(cd "$part" && npm pack --silent --ignore-scripts "$name@$version")
		if [ "sha512-$(openssl dgst -sha512 -binary "$part/$tarball" | base64 -w0)" != "$hash" ]; then
			echo "$name $version is not what was pinned" >&2
			exit 1
		fi
		mkdir -p "$part/node_modules/$name"
		tar -xzf "$part/$tarball" -C "$part/node_modules/$name" --strip-components=1
		rm "$part/$tarball"
	done
	mv "$part" "$files"
}

prepare_node imports "$here"
files
need_binary "$here/../.."

node "$here/imports.mjs" "$binary" "$packages/node_modules" "$files/node_modules" "$work"
