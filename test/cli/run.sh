#!/usr/bin/env bash
# Uses the program by hand, as people do: tab completion in bash, zsh and fish, colours, widths and
# the pager on a pseudo terminal, pipes, locales, exit codes and Ctrl-C. Needs Go, zsh, fish,
# bash-completion and script, which root installs from the distribution; see test/README.md.
# MCP_MEMORY_BIN names a binary that is built already.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=test/node.sh
source "$here/../node.sh"

needed=()
command -v zsh >/dev/null || needed+=(zsh)
command -v fish >/dev/null || needed+=(fish)
command -v script >/dev/null || needed+=(bsdutils)
[ -e /usr/share/bash-completion/bash_completion ] || needed+=(bash-completion)
if [ ${#needed[@]} -gt 0 ]; then
	if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
		apt-get update -qq >&2 && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${needed[@]}" >&2
	else
		echo "missing: ${needed[*]}" >&2
		exit 1
	fi
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
need_binary "$here/../.."

# A machine of its own: nothing of the user's is read or written.
mkdir "$work/bin" "$work/home" "$work/there"
ln -s "$(realpath "$binary")" "$work/bin/mcp-memory"
cd "$work/there"
here_env=(HOME="$work/home" XDG_DATA_HOME="$work/home/data" PATH="$work/bin:$PATH" TERM=xterm-256color LANG=C.UTF-8 TMPDIR="$work")
run() { env -i "${here_env[@]}" "$@"; }

checks=0 failures=0
# wants NAME COMMAND... counts a check that holds if the command does.
wants() {
	local name=$1
	shift
	checks=$((checks + 1))
	if ! "$@"; then
		failures=$((failures + 1))
		echo "FAILED: $name" >&2
		if [ -e "$work/seen" ]; then head -c 2000 "$work/seen" | cat -v >&2 && echo >&2; fi
	fi
}
# has TEXT and lacks TEXT look into what was seen last; has_line wants a whole line.
has() { grep -qaF -- "$1" "$work/seen"; }
lacks() { ! has "$1"; }
has_line() { grep -qxF -- "$1" "$work/seen"; }
see() { "$@" >"$work/seen" 2>&1 || true; }

# on_terminal COLUMNS COMMAND runs a command line on a terminal of so many columns.
on_terminal() {
	printf 'stty cols %s rows 400 -echo\n%s\n' "$1" "$2" >"$work/line"
	run script -qec "sh $work/line" /dev/null </dev/null | tr -d '\r' >"$work/seen" || true
}

run mcp-memory save "The harbour office opens at six and closes at nine in the evening, but on Sundays nobody is there before noon." --category technical >/dev/null
run mcp-memory save "東京は日本の首都であり、最大の都市である。春には上野公園で桜が咲き、多くの人が花見に訪れるので、宿は早めに予約しておくこと。" >/dev/null
run mcp-memory save "Anna drinks tea." --project garden --category preference >/dev/null
run mcp-memory list --project garden --json >"$work/list"
id=$(sed -n 's/.*"id": "\([^"]*\)".*/\1/p' "$work/list" | head -n 1)
[ ${#id} = 36 ]

# shellcheck source=test/cli/completion.sh
source "$here/completion.sh"
# shellcheck source=test/cli/terminal.sh
source "$here/terminal.sh"
# shellcheck source=test/cli/ends.sh
source "$here/ends.sh"

echo "cli: $((checks - failures)) of $checks checks hold"
[ "$failures" = 0 ]
