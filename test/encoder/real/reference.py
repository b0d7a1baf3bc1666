"""Writes what ONNX Runtime and the library tokenizers make of texts by real models:

    reference.py CATALOGUE SETS COUNT DIR OUT

DIR has a folder for each model (unpack.py makes them), of which model.onnx and
tokenizer.json are read. How a model is used is what CATALOGUE (models.json) says.
The texts are the odd ones below and as many of every file of SETS.
"""

import json
import sys
from itertools import zip_longest
from pathlib import Path

import numpy
import onnxruntime
from tokenizers import Tokenizer

# Each is what some rule of a tokenizer is for, or what people paste.
ODD = [
    "", " ", "\n", "\t \r\n", "a", "A", "?", "...", "?!?!?!", "-", "##", "##ing", "# heading", "I", "İstanbul İZMİR", "ıIiİ",
    "[CLS]", "[MASK] of [SEP]", "[UNK] [PAD]", "<s>hello</s>", "{\"key\": [1, 2.5e-3, null]}", "<div class='x'>text</div>",
    "naïve café résumé", "nai\u0308ve cafe\u0301", "Ångström ǅungla ǆ ß ẞ STRASSE", "ﬁne ﬂow ﬀ", "Ⅷ ½ ² ₃ ① ⓐ Ａｂｃ １２３", "ΑΣΣ Σίσυφος ΟΔΟΣ ς",
    "\x00null\x00", "a\u00adb soft\u00adhyphen", "zero\u200bwidth\u200djoin\ufeff", "\u202eright\u202c to left", "a\u00a0b\u2003c\u3000d\u2028e\u2029f\u0085g\u000bh\u000ci\u1680j",
    "\ufffd \ue000 \U000f0000 \U0010ffff", "control \x01\x02\x7f\x80\x9f end", "😀 👩‍👩‍👧‍👦 🇩🇪 👍🏽 ❤️", "☃ ★ → ∑ ≤ € £ ¥ © ® ™ ° § ¶ • ‰", "“curly” ‘quotes’ «guillemets» – — … ‐ ‑",
    "谁对花生过敏？", "東京都庁は新宿にあります", "ｶﾀｶﾅ カタカナ ひらがな が か\u3099", "결제 모듈은 Toss를 쓴다", "한글 \u1112\u1161\u11ab", "ฉันไม่กินเผ็ด", "हिन्दी में लिखा", "தமிழ் மொழி", "বাংলা ভাষা", "ພາສາລາວ",
    "مرحبا بالعالم مُحَمَّد", "שָׁלוֹם עולם", "Привет, мир! Ёлка й", "Ελληνικά ά έ ή", "Հայերեն ԵՎ", "ქართული", "አማርኛ", "Tiếng Việt có dấu", "Zażółć gęślą jaźń", "Øl på Ærø", "ł Ł đ Đ ħ ŋ",
    "\U00020000\U0002a700\U0002b820\U0002b920\U0002ceb0\U00030000 𠮷野家", "𝒳 𝔘𝔫𝔦 𝐁𝐨𝐥𝐝", "𐐀𐐨 Ꭰꭰ ᏸ Ა", "\u0345 \u0301 a\u0301\u0302\u0323", "\u1ab0\u20dd\ufe0f", "\u0903 \u0e31 \u0eb1 \u0f71",
    "x" * 99, "x" * 100, "x" * 101, "x" * 300, "a" * 50 + "é" * 60, "ab" * 600, "!" * 70, "1234567890" * 30, "的" * 80, "word " * 80, "e\u0301" * 101, "😀" * 120,
    "https://example.com/a_b-c?d=e&f=%20#g", "user.name+tag@example.co.uk", "C:\\Users\\x\\file.txt", "/usr/local/bin", "192.168.0.1:8080", "fe80::1%eth0", "v1.2.3-rc.1+build.5", "E0308: E_TIMEOUT", "0x7ffe1234", "3fa85f64-5717-4562-b3fc-2c963f66afa6",
    "parse_invoice_lines() -> Option<&'a str>", "xFennickRegion snake_case kebab-case camelCase SCREAMING_CASE", "SELECT * FROM t WHERE a='b';", "don't won't it's I'm they'd've", "O'Brien's rock'n'roll", "1,234.56 + 7/8 = 10%", "$100 ^caret `tick` ~tilde |pipe|", "a.b.c", "U.S.A. e.g. i.e.", "2024-03-05T10:15:00Z", "multi\nline\ttext\r\nhere", "  leading and trailing  ", "trailing space ",
    "query: what is it", "passage: it is", "Represent this sentence for searching relevant passages: x",
]


def main(catalogue, sets, count, models, to):
    known = {model["name"]: model["encoder"] for model in json.loads(Path(catalogue).read_text()) if "encoder" in model}
    texts = choose(Path(sets), int(count))
    made = {}
    for folder in sorted(Path(models).iterdir()):
        made[folder.name] = run(folder, known[folder.name], texts)
    Path(to).write_text(json.dumps(made))


def choose(sets, count):
    """Returns the odd texts and, in turn, one of each file, spread over the file."""
    files = []
    for path in sorted([*sets.glob("*.jsonl"), *sets.glob("facts/*.jsonl"), *sets.glob("unseen/*.jsonl")]):
        lines = [json.loads(line) for line in path.read_text().splitlines() if line]
        texts = [text for line in lines if (text := line.get("text") or line.get("content") or line.get("question"))]
        files.append(texts[::7] + [text for i, text in enumerate(texts) if i % 7])
    in_turn = [text for row in zip_longest(*files) for text in row if text]
    # One that no network reads whole: a long one takes as long as a hundred others.
    return list(dict.fromkeys([*ODD, " ".join(in_turn[:100]), *in_turn]))[:count]


def run(folder, use, texts):
    tokens = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokens.no_truncation()
    tokens.no_padding()
    tokens.encode_special_tokens = True  # a text's own "[MASK]" is text
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3
    session = onnxruntime.InferenceSession(str(folder / "model.onnx"), options, providers=["CPUExecutionProvider"])
    first, last = tokens.encode("").ids
    made = []
    for i, text in enumerate(texts):
        inner = tokens.encode(use.get("query_prefix", "") + text, add_special_tokens=False).ids
        question = True
        if i % 2:  # Of a memory only one is read that is no longer than a network reads.
            memory = tokens.encode(use.get("document_prefix", "") + text, add_special_tokens=False).ids
            if len(memory) <= use["max_pieces"] - 2:
                inner, question = memory, False
        pieces = [first, *inner[: use["max_pieces"] - 2], last]
        row = numpy.array([pieces])
        hidden = session.run(None, {"input_ids": row, "attention_mask": row * 0 + 1, "token_type_ids": row * 0})[0][0]
        vector = hidden[0] if use["pooling"] == "cls" else hidden.mean(0)
        vector = vector / numpy.linalg.norm(vector)
        made.append({"text": text, "question": question, "pieces": pieces, "vector": [round(float(x), 6) for x in vector]})
    return made


if __name__ == "__main__":
    main(*sys.argv[1:])
