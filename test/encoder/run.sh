#!/usr/bin/env bash
# Compares encoders of the family of BERT with ONNX Runtime, run by Node.js: small ones
# with random weights, their pieces and their vectors by floats and by 8 bits, in assembly
# and in plain Go; and three with the real weights, of which the one in the program is made
# (real/run.sh). On amd64 the kernels of arm64 are run too, where
# qemu-aarch64 is or can be installed. Needs Go, npm, Python and Maven.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=test/node.sh
source "$here/../node.sh"
texts=500

prepare_node encoder "$here"
cd "$here/../.."

# Facts, questions, typing errors, identifiers and other scripts.
cat eval/sets/*.corpus.jsonl eval/sets/*.queries.jsonl |
	node -e '
		const lines = require("fs").readFileSync(0, "utf8").split("\n").filter(Boolean).map((line) => JSON.parse(line));
		for (const line of lines) console.log((line.text ?? line.question).replace(/\n/g, " ").slice(0, 700));' >"$work/texts"

go build -o "$work/bert" ./test/encoder/bert
"$work/bert" write "$work/models"
node "$here/bert.mjs" "$packages/node_modules" "$work/models" "$work/texts" "$texts" "$work/bert.json"
"$work/bert" compare "$work/models" "$work/bert.json"
GODEBUG=cpu.avx2=off "$work/bert" compare "$work/models" "$work/bert.json"

bash "$here/real/run.sh"

qemu=
if [ "$(go env GOHOSTARCH)" = amd64 ] && [ "$(uname -s)" = Linux ]; then
	if ! command -v qemu-aarch64 >/dev/null && [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
		apt-get update -qq >&2 && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends qemu-user >&2 || true
	fi
	qemu=$(command -v qemu-aarch64 || true)
fi
if [ -n "$qemu" ]; then
	GOARCH=arm64 go test -c -o "$work/encoder.test" ./embed/encoder
	"$qemu" "$work/encoder.test" -test.v | grep -E 'multiplies by neon' >/dev/null
	"$qemu" "$work/encoder.test" >/dev/null
	echo "encoder: the kernels of arm64 pass under qemu"
else
	echo "encoder: the kernels of arm64 were not run: there is no qemu-aarch64"
fi
