#!/usr/bin/env bash
# Counts the steps of every pass over text, known hostile patterns and some that are drawn: none takes more steps a
# byte in a long text than in a short one. A pass that is known to do so has to be found. Needs Go.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
go build -o "$work/steps" -cover -covermode=atomic \
	-coverpkg=mcp-memory/eval/steps,mcp-memory/text/...,strings,slices,regexp,unicode,unicode/utf8 ./eval/steps
"$work/steps" --random 20 --seed 30 --size 2048 >"$work/counted" || { cat "$work/counted"; exit 1; }
if "$work/steps" --size 64 --only "a square, to try the counters with" >"$work/square" 2>&1 || ! grep -q "take too many steps" "$work/square"; then
	echo "a square is not found:"
	cat "$work/square"
	exit 1
fi
echo "steps: $(cut -c 1-26 "$work/counted" | sort -u | wc -l) passes take no more than a text is long"
