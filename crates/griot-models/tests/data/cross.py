"""Writes two small random cross-encoders into `cross/`, one of the family of BERT and one of XLM-RoBERTa, and
`cross.json`: what transformers computes with them. The tests of the crate compare with it. Weights are in
half precision, to be small; those of BERT also in single precision as ONNX, as PyTorch exports them.

$ pip install torch==2.15.0 transformers==5.24.0 onnx==1.23.2
$ python3 crates/griot-models/tests/data/cross.py
"""

import json
import shutil
from pathlib import Path

import torch
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors
from transformers import (
    BertConfig, BertForSequenceClassification, BertTokenizerFast, PreTrainedTokenizerFast,
    XLMRobertaConfig, XLMRobertaForSequenceClassification,
)

FOLDER = Path(__file__).parent / "cross"
LENGTH = 32
WORDS = (
    "a the is was in of and to it on at for with how where what who why large small red blue old new cache "
    "reader archive size kettle door house river boat lunch noon friday march city harbour locker number key "
    "moved slow fast day week year megabytes 64 7 42 , . ! ? ' - caf er s"
).split()
QUESTION = "how large is the cache of the reader?"
TEXTS = [
    "The cache of the reader has a size of 64 megabytes.",
    "The cache of the reader was large in March.",
    "The reader has a cache.",
    "A large cache, and the reader of the archive is fast!",
    "Lunch is at noon on Fridays.",
    "Café, kettles: old and new.",
    " ",
    "unknown",
    "the boat moved to the harbour and the locker was in the old house on the river " * 3,
]
SHAPE = dict(
    hidden_size=32, num_hidden_layers=2, num_attention_heads=4, intermediate_size=24, num_labels=1,
    hidden_dropout_prob=0.0, attention_probs_dropout_prob=0.0,
)


def randomise(model):
    """Weights large enough that the logits of different texts differ."""
    for name, weight in model.named_parameters():
        middle = 1.0 if name.endswith("LayerNorm.weight") else 0.0
        spread = 0.3 if name.endswith("bias") or "LayerNorm" in name else 0.5
        torch.nn.init.uniform_(weight, middle - spread, middle + spread)
        # As they are in the file.
        weight.data = weight.data.half().float()
    return model.eval()


def bert():
    folder = FOLDER / "bert"
    folder.mkdir(parents=True)
    pieces = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *WORDS, "##e", "##s", "##er"]
    (folder / "vocab.txt").write_text("\n".join(pieces) + "\n")
    config = BertConfig(vocab_size=len(pieces), max_position_embeddings=LENGTH, **SHAPE)
    tokenizer = BertTokenizerFast(vocab={piece: at for at, piece in enumerate(pieces)})
    return folder, randomise(BertForSequenceClassification(config)), tokenizer


def roberta():
    folder = FOLDER / "roberta"
    folder.mkdir(parents=True)
    marks = ["<s>", "<pad>", "</s>", "<unk>"]
    pieces = [(mark, 0.0) for mark in marks]
    pieces += [("▁", -3.0), *((f"▁{word}", -5.0) for word in WORDS), *((end, -6.0) for end in "es?.")]
    tokenizer = Tokenizer(models.Unigram(pieces, unk_id=3))
    tokenizer.normalizer = normalizers.NFKC()
    steps = [pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Metaspace()]
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(steps)
    tokenizer.add_special_tokens(marks)
    tokenizer.post_processor = processors.TemplateProcessing(
        single="<s> $A </s>", pair="<s> $A </s> </s> $B </s>", special_tokens=[("<s>", 0), ("</s>", 2)]
    )
    tokenizer.save(str(folder / "tokenizer.json"), pretty=False)
    config = XLMRobertaConfig(
        vocab_size=len(pieces), max_position_embeddings=LENGTH + 2, type_vocab_size=1, pad_token_id=1,
        bos_token_id=0, eos_token_id=2, **SHAPE,
    )
    wrapped = PreTrainedTokenizerFast(tokenizer_object=tokenizer, pad_token="<pad>")
    return folder, randomise(XLMRobertaForSequenceClassification(config)), wrapped


def logit(model, tokenizer, text):
    """The whole question, and as much of the text as the model takes."""
    pair = tokenizer(QUESTION, text, truncation="only_second", max_length=LENGTH, return_tensors="pt")
    taken = {name: pair[name] for name in ("input_ids", "attention_mask", "token_type_ids") if name in pair}
    if isinstance(model, XLMRobertaForSequenceClassification):
        # Its own tokeniser gives none.
        taken.pop("token_type_ids", None)
    print(text[:30], tokenizer.convert_ids_to_tokens(pair["input_ids"][0]))
    return round(model(**taken).logits.item(), 6)


def export(model, tokenizer, path):
    class Logits(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.bert = model.bert
            self.classifier = model.classifier

        def forward(self, input_ids, attention_mask, token_type_ids):
            return self.classifier(self.bert(input_ids, attention_mask, token_type_ids).pooler_output)

    pair = tokenizer(QUESTION, TEXTS[0], return_tensors="pt")
    inputs = tuple(pair[name] for name in ("input_ids", "attention_mask", "token_type_ids"))
    names = {"input_names": ["input_ids", "attention_mask", "token_type_ids"], "output_names": ["logits"]}
    torch.onnx.export(Logits(), inputs, str(path), dynamo=False, opset_version=17, **names)


def main():
    torch.manual_seed(7)
    if FOLDER.exists():
        shutil.rmtree(FOLDER)
    logits = {}
    with torch.no_grad():
        for folder, model, tokenizer in (bert(), roberta()):
            logits[folder.name] = [logit(model, tokenizer, text) for text in TEXTS]
            if folder.name == "bert":
                export(model, tokenizer, folder / "model.onnx")
            model.half().save_pretrained(folder)
            # So that everyone may read it, as the other files.
            (folder / "model.safetensors").chmod(0o644)
    file = {"question": QUESTION, "texts": TEXTS, **logits}
    (FOLDER.parent / "cross.json").write_text(json.dumps(file, indent=1, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
