"""Writes the small random BERT in `textbook/`, its weights once as safetensors and once as ONNX, and
`textbook.json`: vectors of a few texts by the textbook's
formulas, in double precision, one value at a time. The tests of the crate compare with them.

$ python3 crates/griot-models/tests/data/textbook.py
"""

import json
import math
import random
import struct
from pathlib import Path

WIDTH, WIDE, HEADS, LAYERS, POSITIONS, EPSILON = 16, 24, 2, 2, 16, 1e-12
WORDS = "[PAD] [UNK] [CLS] [SEP] a red kettle the is door , ! ca ##fe ##s".split()
TEXTS = [
    "a red kettle",
    "red",
    "",
    "\u0000\u200b \n",
    "the kettle is on the red door and the door is a kettle , the red one",
    "Café, KETTLE!",
    "unknown words only",
]


def single(value):
    """The nearest float of single precision."""
    return struct.unpack("<f", struct.pack("<f", value))[0]


def random_model(seed):
    """Tensors by name: rows of values."""
    draw = random.Random(seed)
    tensors = {}

    def add(name, rows, columns, middle, spread):
        value = lambda: single(middle + spread * draw.uniform(-1, 1))
        tensors[name] = [[value() for _ in range(columns)] for _ in range(rows)]

    def norm(name):
        add(f"{name}.weight", 1, WIDTH, 1.0, 0.3)
        add(f"{name}.bias", 1, WIDTH, 0.0, 0.3)

    add("embeddings.word_embeddings.weight", len(WORDS), WIDTH, 0.0, 1.0)
    add("embeddings.position_embeddings.weight", POSITIONS, WIDTH, 0.0, 0.3)
    add("embeddings.token_type_embeddings.weight", 2, WIDTH, 0.0, 0.3)
    norm("embeddings.LayerNorm")
    for layer in range(LAYERS):
        part = f"encoder.layer.{layer}."
        for name, outputs, inputs in [
            ("attention.self.query", WIDTH, WIDTH),
            ("attention.self.key", WIDTH, WIDTH),
            ("attention.self.value", WIDTH, WIDTH),
            ("attention.output.dense", WIDTH, WIDTH),
            ("intermediate.dense", WIDE, WIDTH),
            ("output.dense", WIDTH, WIDE),
        ]:
            add(f"{part}{name}.weight", outputs, inputs, 0.0, 0.8)
            add(f"{part}{name}.bias", 1, outputs, 0.0, 0.2)
        norm(f"{part}attention.output.LayerNorm")
        norm(f"{part}output.LayerNorm")
    return tensors


def write_model(folder, tensors):
    header, content = {}, b""
    for name, rows in tensors.items():
        values = [value for row in rows for value in row]
        vector = name.endswith("bias") or "LayerNorm" in name
        shape = [len(values)] if vector else [len(rows), len(rows[0])]
        start = len(content)
        content += struct.pack(f"<{len(values)}f", *values)
        header[name] = {"dtype": "F32", "shape": shape, "data_offsets": [start, len(content)]}
    head = json.dumps(header).encode()
    head += b" " * (-len(head) % 8)
    (folder / "1_Pooling").mkdir(parents=True, exist_ok=True)
    (folder / "model.safetensors").write_bytes(struct.pack("<Q", len(head)) + head + content)
    (folder / "vocab.txt").write_text("\n".join(WORDS) + "\n")
    (folder / "model.onnx").write_bytes(onnx(tensors))
    write_json(folder / "config.json", {
        "model_type": "bert", "hidden_act": "gelu", "hidden_size": WIDTH, "intermediate_size": WIDE,
        "num_attention_heads": HEADS, "num_hidden_layers": LAYERS, "max_position_embeddings": POSITIONS,
        "layer_norm_eps": EPSILON, "vocab_size": len(WORDS),
    })
    write_json(folder / "1_Pooling/config.json", {
        "pooling_mode_cls_token": False, "pooling_mode_mean_tokens": True, "pooling_mode_max_tokens": False,
    })


def onnx(tensors):
    """The weights as PyTorch exports them: matrices of linear maps turned and numbered, and after each
    product the bias that names it. Numbers of fields are those of onnx.proto."""

    def varint(number):
        return bytes([number]) if number < 128 else bytes([number & 127 | 128]) + varint(number >> 7)

    def field(number, value):
        if isinstance(value, int):
            return varint(number << 3) + varint(value)
        value = value.encode() if isinstance(value, str) else value
        return varint(number << 3 | 2) + varint(len(value)) + value

    def node(operation, inputs, output):
        return field(1, b"".join(field(1, name) for name in inputs) + field(2, output) + field(4, operation))

    def initialiser(name, rows, shape):
        values = [value for row in rows for value in row]
        content = b"".join(field(1, side) for side in shape) + field(2, 1) + field(8, name)
        return field(5, content + field(9, struct.pack(f"<{len(values)}f", *values)))

    nodes, initialisers = b"", b""
    for number, (name, rows) in enumerate(tensors.items()):
        stem, kind = name.rsplit(".", 1)
        if kind == "bias" or "LayerNorm" in name:
            initialisers += initialiser(name, rows, [len(rows[0])])
        elif "embeddings" in name:
            initialisers += initialiser(name, rows, [len(rows), len(rows[0])])
        else:
            matrix, product = f"onnx::MatMul_{number}", f"/{stem}/MatMul_output_0"
            initialisers += initialiser(matrix, zip(*rows), [len(rows[0]), len(rows)])
            nodes += node("MatMul", ["x", matrix], product) + node("Add", [f"{stem}.bias", product], stem)
    return field(1, 6) + field(7, nodes + initialisers)


def write_json(path, value):
    path.write_text(json.dumps(value, indent=1, ensure_ascii=False) + "\n")


def tokens(text):
    """Tokens of a text, ASCII but for é; None without a known word."""
    text = text.lower().replace("é", "e").replace("\u0000", "").replace("\u200b", "")
    words = text.replace(",", " , ").replace("!", " ! ").split()
    pieces = [piece for word in words for piece in (["ca", "##fe"] if word == "cafe" else [word])]
    found = [WORDS.index(piece) if piece in WORDS else 1 for piece in pieces]
    known = any(token != 1 for token in found)
    return [2, *found[: POSITIONS - 2], 3] if known else None


def dot(a, b):
    return math.fsum(x * y for x, y in zip(a, b))


def add(a, b):
    return [[x + y for x, y in zip(one, other)] for one, other in zip(a, b)]


def encode(model, tokens):
    """The rows of the last layer: all steps one after another."""

    def linear(name, rows):
        weights, bias = model[f"{name}.weight"], model[f"{name}.bias"][0]
        return [[dot(weight, row) + b for weight, b in zip(weights, bias)] for row in rows]

    def norm(name, rows):
        gain, bias = model[f"{name}.weight"][0], model[f"{name}.bias"][0]
        return [[unit * g + b for unit, g, b in zip(units(row), gain, bias)] for row in rows]

    def units(row):
        mean = math.fsum(row) / WIDTH
        variance = math.fsum((value - mean) ** 2 for value in row) / WIDTH
        return [(value - mean) / math.sqrt(variance + EPSILON) for value in row]

    words, positions, types = (
        model[f"embeddings.{part}_embeddings.weight"] for part in ("word", "position", "token_type")
    )
    rows = [
        [w + p + t for w, p, t in zip(words[token], positions[at], types[0])]
        for at, token in enumerate(tokens)
    ]
    rows = norm("embeddings.LayerNorm", rows)
    size = WIDTH // HEADS
    for layer in range(LAYERS):
        part = f"encoder.layer.{layer}."
        parts = (f"{part}attention.self.{name}" for name in ("query", "key", "value"))
        query, key, value = (linear(name, rows) for name in parts)
        joined = [[0.0] * WIDTH for _ in rows]
        for own in (range(head * size, (head + 1) * size) for head in range(HEADS)):
            for token, asked in enumerate(query):
                scores = [math.exp(math.fsum(asked[d] * k[d] for d in own) / math.sqrt(size)) for k in key]
                for d in own:
                    joined[token][d] = dot(scores, [v[d] for v in value]) / math.fsum(scores)
        attended = add(rows, linear(f"{part}attention.output.dense", joined))
        rows = norm(f"{part}attention.output.LayerNorm", attended)
        wide = linear(f"{part}intermediate.dense", rows)
        wide = [[0.5 * x * (1 + math.erf(x / math.sqrt(2))) for x in row] for row in wide]
        rows = norm(f"{part}output.LayerNorm", add(rows, linear(f"{part}output.dense", wide)))
    return rows


def vector(pool, rows):
    """Of length 1, from the first row or the mean of all."""
    of = rows[0] if pool == "first" else [math.fsum(column) / len(rows) for column in zip(*rows)]
    return [round(value / math.sqrt(dot(of, of)), 9) for value in of]


def main():
    folder = Path(__file__).parent
    model = random_model(7)
    write_model(folder / "textbook", model)
    rows = [known and encode(model, known) for known in map(tokens, TEXTS)]
    pooled = {pool: [of and vector(pool, of) for of in rows] for pool in ("mean", "first")}
    write_json(folder / "textbook.json", {"texts": TEXTS, **pooled})


if __name__ == "__main__":
    main()
