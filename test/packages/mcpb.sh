#!/usr/bin/env bash
# Validates and unpacks every .mcpb bundle with the tool of its format, and
# starts the server of the one for this platform as a desktop application does,
# with the form left empty in both ways.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

mcpb() { node "$modules/@anthropic-ai/mcpb/dist/cli/cli.js" "$@"; }
count=0
for bundle in "$dist"/bundles/*.mcpb; do
	name=$(basename "$bundle" .mcpb)
	mcpb unpack "$bundle" "$work/$name" >"$work/log" 2>&1 || { cat "$work/log"; fail "$name cannot be unpacked"; }
	mcpb validate "$work/$name/manifest.json" >"$work/log" 2>&1 || { cat "$work/log"; fail "$name is not valid"; }
	entry=$(node -p 'JSON.parse(require("fs").readFileSync(process.argv[1])).server.entry_point' "$work/$name/manifest.json")
	[ -x "$work/$name/$entry" ] || fail "$name: $entry cannot be executed"
	case $name in *_windows_*) [[ $entry == *.exe ]] ;; *) [[ $entry != *.exe ]] ;; esac || fail "$name starts $entry"
	count=$((count + 1))
done
[ "$count" -gt 0 ] || fail "there is no bundle"

# fill prints the environment of the manifest with the form filled by VALUE, or by its defaults.
fill() {
	node -e '
		const manifest = JSON.parse(require("fs").readFileSync(process.argv[1]));
		for (const [name, text] of Object.entries(manifest.server.mcp_config.env))
			console.log(name + "=" + text.replace(/\$\{user_config\.(\w+)\}/g, (whole, key) =>
				manifest.user_config[key].default ?? (process.argv[2] === "literal" ? whole : "")));' "$@"
}
unpacked="$work/mcp-memory_${version}_linux_amd64"
for left in literal empty; do
	rm -rf "$XDG_DATA_HOME"
	mapfile -t settings < <(fill "$unpacked/manifest.json" "$left")
	(cd "$HOME" && env "${settings[@]}" node "$here/mcp.mjs" "$unpacked/server/mcp-memory" serve) >"$work/tools"
	grep -qx memory_recall "$work/tools" || fail "the bundle's server lists: $(cat "$work/tools")"
	[ -n "$(find "$XDG_DATA_HOME/mcp-memory" -name '*.db')" ] || fail "the memory is not in the usual place when the form is left $left"
	[ -z "$(find "$work" -name '*user_config*')" ] || fail "a directory was named after the form"
done
