# Sourced by the scripts of this folder, which run.sh calls. Each of them can be
# called by itself once `go run ./build/release make` has filled dist/.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
top=$(cd "$here/../.." && pwd)
# shellcheck source=test/node.sh
source "$here/../node.sh"
prepare_node packages "$here" # sets work and packages
modules="$packages/node_modules"
dist="$top/dist"
version=$(sed -n 's/^\tVersion = "\(.*\)"$/\1/p' "$top/internal/product/product.go")

# A home of its own, so that nothing of the user's is read or written but what Go
# has compiled.
for name in GOPATH GOCACHE GOMODCACHE; do export "$name=$(go env "$name")"; done
export HOME="$work/home" XDG_DATA_HOME="$work/home/data" XDG_CONFIG_HOME="$work/home/config"
mkdir -p "$HOME"

fail() {
	echo "$@" >&2
	exit 1
}

# one prints the only file that fits the pattern.
one() {
	local found=("$@")
	[ ${#found[@]} = 1 ] && [ -f "${found[0]}" ] || fail "not one file: $*"
	echo "${found[0]}"
}

# demo runs the demo of a program and wants it to end well.
demo() {
	"$@" demo >"$work/demo" 2>&1 || { cat "$work/demo"; fail "the demo failed: $*"; }
	grep -q "The second server found what the first one had been told" "$work/demo" || { cat "$work/demo"; fail "the demo says something else"; }
}
