#!/usr/bin/env bash
# Installs the Debian package below a directory, runs the demo with it, and
# removes it again. Nothing of this machine is changed, and no service started.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

deb=$(one "$dist"/goreleaser/mcp-memory_"$version"_amd64.deb)
root="$work/root"
mkdir -p "$root"/var/lib/dpkg/{info,updates,triggers} "$root/etc" "$root/var/log"
touch "$root"/var/lib/dpkg/{status,available}
PATH="$PATH:/usr/sbin:/sbin"
package() {
	dpkg --root="$root" --force-not-root --force-script-chrootless --force-bad-path --log="$work/dpkg.log" "$@"
}

package -i "$deb"
package -s mcp-memory | grep -qx "Status: install ok installed"
package -s mcp-memory | grep -qx "Version: $version"
demo "$root/usr/bin/mcp-memory"
"$root/usr/bin/mcp-memory" version | grep -q "^mcp-memory $version"

unit=usr/lib/systemd/system/mcp-memory.service
for file in $unit usr/lib/sysusers.d/mcp-memory.conf usr/share/doc/mcp-memory/copyright usr/share/doc/mcp-memory/deployment.md \
	usr/share/bash-completion/completions/mcp-memory usr/share/zsh/vendor-completions/_mcp-memory usr/share/fish/vendor_completions.d/mcp-memory.fish; do
	[ -s "$root/$file" ] || fail "the package has no $file"
done
cmp "$root/$unit" "$top/deploy/mcp-memory.service"
[ -z "$(find "$root/etc" -path '*systemd*' -type l)" ] || fail "the package has enabled the service"
if command -v systemd-sysusers >/dev/null; then
	grep -q '^mcp-memory:' "$root/etc/passwd" || fail "the user of the service was not made"
fi
if command -v systemd-analyze >/dev/null; then
	# Of a system that is not there it misses the targets; of the unit itself it must say nothing.
	systemd-analyze verify --man=no --root="$root" mcp-memory.service >"$work/verify" 2>&1 || true
	if grep -E 'mcp-memory.service:[0-9]+:|Unknown|not executable|Failed to parse' "$work/verify"; then fail "systemd does not like the unit"; fi
fi

mkdir -p "$root/var/lib/mcp-memory"
echo keep >"$root/var/lib/mcp-memory/memory.db"
package -P mcp-memory
left=$(find "$root" -path "$root/var" -prune -o -name '*mcp-memory*' -print)
[ -z "$left" ] || fail "left behind: $left"
[ -s "$root/var/lib/mcp-memory/memory.db" ] || fail "removing the package removed memories"
