#!/usr/bin/env bash
# Compares the archives with their checksums, unpacks the one for Linux and runs
# the demo with it, and reads the Homebrew cask and the Scoop manifest.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

made="$dist/goreleaser"
mkdir "$work/all" "$work/unpacked"
windows="$made/mcp-memory_${version}_windows_amd64.zip" # unless PACKAGES_FOR leaves Windows out
zips=()
if [ -f "$windows" ]; then zips=("$made"/*.zip); fi
cp "$made"/*.{tar.gz,deb,rpm} ${zips[@]+"${zips[@]}"} "$made"/*.cdx.json "$dist"/bundles/*.mcpb "$work/all"
(cd "$work/all" && sha256sum --quiet --strict -c "$made/checksums.txt")
[ "$(wc -l <"$made/checksums.txt")" -ge "$(find "$work/all" -type f | wc -l)" ] || fail "checksums.txt does not name every file"

archive=$(one "$made"/mcp-memory_"$version"_linux_amd64.tar.gz)
tar -xzf "$archive" -C "$work/unpacked"
for file in LICENSE README.md CHANGELOG.md docs/deployment.md deploy/mcp-memory.service completions/mcp-memory.bash; do
	[ -s "$work/unpacked/$file" ] || fail "the archive has no $file"
done
demo "$work/unpacked/mcp-memory"
python=$(command -v python3 || true)
if [ -f "$windows" ] && [ -n "$python" ]; then
	"$python" -m zipfile -l "$windows" | grep -q '^mcp-memory\.exe ' || fail "the archive for Windows has no program"
fi

scoop="$made/scoop/mcp-memory.json"
cask="$made/homebrew/Casks/mcp-memory.rb"
if [ -f "$windows" ]; then
	sum=$(sha256sum "$windows" | cut -d' ' -f1)
	grep -q "$sum" "$scoop" || fail "the Scoop manifest names another hash"
	node -e 'const m = JSON.parse(require("fs").readFileSync(process.argv[1])); if (m.version !== process.argv[2]) process.exit(1)' "$scoop" "$version"
elif [[ "${PACKAGES_FOR:-windows}" == *windows* ]]; then
	fail "there is no archive for Windows"
fi
sum=$(sha256sum "$archive" | cut -d' ' -f1)
grep -q "$sum" "$cask" || fail "the Homebrew cask names another hash"
if command -v ruby >/dev/null; then ruby -c "$cask" >/dev/null; fi
