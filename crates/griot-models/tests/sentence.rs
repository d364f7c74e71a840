//! Sentence encoders against other ways to the same vectors: the textbook on a small random model, and
//! PyTorch on the real one.

use std::io::Write;
use std::path::{Path, PathBuf};

use griot::embed::Embedder;
use griot_models::{Prefixes, SentenceEncoder};
use tempfile::TempDir;

const SMALL: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/textbook");

/// A copy of the small random model of `data/textbook.py`.
fn model() -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    std::fs::create_dir(folder.path().join("1_Pooling")).expect("a new folder");
    for name in ["config.json", "vocab.txt", "model.safetensors", "1_Pooling/config.json"] {
        std::fs::copy(Path::new(SMALL).join(name), folder.path().join(name)).expect("copied");
    }
    folder
}

/// The same, pooled by the first token instead of the mean.
fn model_by_first() -> TempDir {
    let folder = model();
    let pooling = "{\"pooling_mode_cls_token\": true}";
    std::fs::write(folder.path().join("1_Pooling/config.json"), pooling).expect("written");
    folder
}

fn open(folder: &TempDir) -> SentenceEncoder {
    SentenceEncoder::open(folder.path(), &Prefixes::default()).expect("a whole model")
}

/// What `data/textbook.py` computes with it: a vector for each text, by the way of pooling.
#[derive(serde::Deserialize)]
struct Textbook {
    texts: Vec<String>,
    mean: Vec<Option<Vec<f64>>>,
    first: Vec<Option<Vec<f64>>>,
}

fn textbook() -> Textbook {
    serde_json::from_str(include_str!("data/textbook.json")).expect("JSON")
}

fn embed(encoder: &SentenceEncoder, texts: &[impl AsRef<str>]) -> Vec<Option<Vec<f32>>> {
    let texts: Vec<&str> = texts.iter().map(AsRef::as_ref).collect();
    encoder.embed(&texts).expect("a forward pass cannot fail")
}

#[test]
fn vectors_are_those_of_the_textbook() {
    let Textbook { texts, mean, first } = textbook();
    for (folder, expected) in [(model(), mean), (model_by_first(), first)] {
        let encoder = open(&folder);
        let vectors = embed(&encoder, &texts);
        for ((text, vector), expected) in texts.iter().zip(&vectors).zip(expected) {
            let (vector, expected) = match (vector, expected) {
                (Some(vector), Some(expected)) => (vector, expected),
                (vector, expected) => {
                    assert!(vector.is_none() && expected.is_none(), "{text:?}: {vector:?}, {expected:?}");
                    continue;
                }
            };
            assert_eq!((vector.len(), expected.len()), (16, 16));
            for (value, expected) in vector.iter().zip(expected) {
                assert!((f64::from(*value) - expected).abs() < 2e-6, "{text:?}: {value}, not {expected}");
            }
        }
        assert_eq!(vectors.iter().filter(|v| v.is_none()).count(), 3);
    }
}

#[test]
fn a_text_has_one_vector_whatever_stands_beside_it() {
    let folder = model();
    let (encoder, texts) = (open(&folder), textbook().texts);
    let many: Vec<&String> = texts.iter().cycle().take(200).collect();
    let together = embed(&encoder, &many);
    for (text, vector) in texts.iter().zip(together) {
        assert_eq!(embed(&encoder, &[text]).remove(0), vector, "{text:?}");
    }
    assert_eq!(embed(&encoder, &[""; 0]), Vec::<Option<Vec<f32>>>::new());
}

#[test]
fn a_long_text_is_cut_to_what_the_model_takes() {
    let folder = model();
    let encoder = open(&folder);
    let words = |count| "red kettle ".repeat(count);
    // 16 tokens with both ends: seven pairs are all it sees.
    assert_eq!(embed(&encoder, &[words(50)]), embed(&encoder, &[words(7)]));
    assert_ne!(embed(&encoder, &[words(6)]), embed(&encoder, &[words(7)]));
}

#[test]
fn another_model_has_another_name() {
    let other = model();
    let path = other.path().join("model.safetensors");
    let mut weights = std::fs::read(&path).expect("it is there");
    *weights.last_mut().expect("a weight") ^= 0x80;
    std::fs::write(&path, weights).expect("written");
    let with_lines = |change: fn(String) -> String| {
        let folder = model();
        let path = folder.path().join("vocab.txt");
        let lines = std::fs::read_to_string(&path).expect("it is there");
        std::fs::write(path, change(lines)).expect("written");
        folder
    };
    let swapped = with_lines(|lines| {
        lines.replace("kettle", "KETTLE").replace("red", "kettle").replace("KETTLE", "red")
    });
    // Other ends of lines are no other vocabulary.
    let same = with_lines(|lines| lines.replace('\n', "\r\n"));
    let folders = [model(), model_by_first(), other, swapped, model(), same];
    let names = folders.map(|folder| open(&folder).name().to_string());
    assert!((1..4).all(|at| !names[..at].contains(&names[at])), "{names:?}");
    assert!(names[4..].iter().all(|name| *name == names[0]), "{names:?}");
    assert!(names[0].starts_with("bert-2x16-"), "{names:?}");
}

#[test]
fn what_cannot_be_computed_is_refused_with_a_reason() {
    let refused = |folder: TempDir| {
        let error = SentenceEncoder::open(folder.path(), &Prefixes::default()).err().expect("it is refused");
        assert!(error.what.starts_with("load the embedder from `"), "{error}");
        error.why
    };
    let cases = [
        (
            "config.json",
            "\"bert\"",
            "\"mpnet\"",
            "its model_type is `mpnet`, and only `bert`, `roberta` or `xlm-roberta` is known",
        ),
        ("config.json", "\"gelu\"", "\"relu\"", "its hidden_act is `relu`, and only `gelu` is known"),
        ("config.json", "heads\": 2", "heads\": 3", "3 heads do not divide its width 16"),
        ("config.json", "size\": 24", "size\": 0", "its config.json gives something the size 0"),
        (
            "config.json",
            "layers\": 2",
            "layers\": 3",
            "model.safetensors has no floats called `encoder.layer.2.attention.self.query.weight`",
        ),
        (
            "config.json",
            "\"intermediate_size\": 24",
            "\"intermediate_size\": 32",
            "`encoder.layer.0.intermediate.dense.weight` has the shape [24, 16] instead of [32, 16]",
        ),
        ("config.json", "\"hidden_size\": 16,", "", "config.json cannot be read: missing field"),
        (
            "1_Pooling/config.json",
            "max_tokens\": false",
            "max_tokens\": true",
            "it pools in several ways at once",
        ),
        (
            "1_Pooling/config.json",
            "mean_tokens",
            "lasttoken",
            "it pools in another way than by the mean or the first token",
        ),
        ("vocab.txt", "[CLS]", "[cls]", "its vocabulary lacks [CLS], [SEP] or [UNK]"),
        ("vocab.txt", "kettle", "kettle\npot", "its vocabulary has 16 entries, its weights 15"),
    ];
    for (file, from, to, why) in cases {
        let folder = model();
        let path = folder.path().join(file);
        let text = std::fs::read_to_string(&path).expect("it is there");
        assert!(text.contains(from), "{file} has no {from}");
        std::fs::write(path, text.replace(from, to)).expect("written");
        let refusal = refused(folder);
        assert!(refusal.starts_with(why), "{refusal}, not {why}");
    }
    let folder = model();
    std::fs::write(folder.path().join("tokenizer_config.json"), "{\"do_lower_case\":false}")
        .expect("written");
    assert_eq!(refused(folder), "its vocabulary has upper and lower case, and only uncased ones are known");
    let folder = model();
    let path = folder.path().join("model.safetensors");
    let bytes = std::fs::read(&path).expect("it is there");
    std::fs::write(path, &bytes[..bytes.len() - 100]).expect("written");
    let torn = refused(folder);
    assert!(torn.starts_with("model.safetensors cannot be read: "), "{torn}");
    let error = SentenceEncoder::open(Path::new("no/such/folder"), &Prefixes::default()).err();
    let error = error.expect("it is refused");
    assert_eq!(error.to_string(), "cannot load the embedder from `no/such/folder`: there is no such folder");
}

#[test]
fn the_vocabulary_may_come_from_the_tokeniser_file() {
    let (folder, texts) = (model(), textbook().texts);
    let before = open(&folder);
    let lines = std::fs::read_to_string(folder.path().join("vocab.txt")).expect("it is there");
    let vocabulary: std::collections::BTreeMap<&str, usize> = lines.lines().zip(0..).collect();
    let file = serde_json::json!({ "model": { "vocab": vocabulary } });
    std::fs::write(folder.path().join("tokenizer.json"), file.to_string()).expect("written");
    std::fs::remove_file(folder.path().join("vocab.txt")).expect("it was there");
    let after = open(&folder);
    assert_eq!((after.name(), embed(&after, &texts)), (before.name(), embed(&before, &texts)));
}

#[test]
fn weights_may_come_from_an_onnx_file() {
    let (folder, texts) = (model(), textbook().texts);
    let before = open(&folder);
    std::fs::remove_file(folder.path().join("model.safetensors")).expect("it was there");
    let refused = SentenceEncoder::open(folder.path(), &Prefixes::default()).err().expect("it is refused");
    assert_eq!(refused.why, "it holds neither model.safetensors nor model.onnx");
    for place in ["model.onnx", "onnx/model.onnx"] {
        let _ = std::fs::remove_file(folder.path().join("model.onnx"));
        std::fs::create_dir_all(folder.path().join("onnx")).expect("a new folder");
        std::fs::copy(Path::new(SMALL).join("model.onnx"), folder.path().join(place)).expect("copied");
        let after = open(&folder);
        assert_eq!((after.name(), embed(&after, &texts)), (before.name(), embed(&before, &texts)));
    }
}

#[test]
fn questions_and_texts_get_what_the_model_wants_before_them() {
    let folder = model();
    let plain = open(&folder);
    let vector = |text: &str| embed(&plain, &[text]).remove(0);
    let prefixes = |query: &str, passage: &str| Prefixes { query: query.into(), passage: passage.into() };
    let with = |asked: &Prefixes| SentenceEncoder::open(folder.path(), asked).expect("a whole model");
    let both = with(&prefixes("the ", "a "));
    let check = |encoder: &SentenceEncoder, question: &str, text: &str| {
        assert_eq!(encoder.embed_question("red kettle").expect("it is computed"), vector(question));
        assert_eq!(embed(encoder, &["red kettle", "", "unknown"]), [vector(text), None, None]);
        assert_eq!(encoder.embed_question("").expect("it is computed"), None);
    };
    check(&plain, "red kettle", "red kettle");
    check(&both, "the red kettle", "a red kettle");
    let others = [with(&prefixes("the ", "")), with(&prefixes("", "a "))];
    let names = [&plain, &both, &others[0], &others[1]].map(|encoder| encoder.name());
    // Only what is before a text changes what is stored.
    assert!(names[0] == names[2] && names[1] == names[3] && names[0] != names[1], "{names:?}");

    // The folder may say them, and what is asked for comes before it.
    let file = |text: &str| {
        std::fs::write(folder.path().join("config_sentence_transformers.json"), text).expect("written");
    };
    file(r#"{"prompts": {"query": "the ", "document": "a "}}"#);
    assert_eq!(with(&Prefixes::default()).name(), both.name());
    check(&with(&Prefixes::default()), "the red kettle", "a red kettle");
    check(&with(&prefixes("a ", "")), "a red kettle", "a red kettle");
    file(r#"{"prompts": {"query": "the ", "all": "is "}, "default_prompt_name": "all"}"#);
    check(&with(&Prefixes::default()), "the red kettle", "is red kettle");
    file(r#"{"prompts": {}, "default_prompt_name": null}"#);
    assert_eq!(with(&Prefixes::default()).name(), plain.name());
}

#[test]
fn the_modules_of_a_folder_say_where_its_pooling_is() {
    let (folder, texts) = (model(), textbook().texts);
    std::fs::create_dir(folder.path().join("last")).expect("a new folder");
    std::fs::write(folder.path().join("last/config.json"), r#"{"pooling_mode": "cls"}"#).expect("written");
    let modules = |class: &str| {
        let modules = serde_json::json!([
            { "path": "", "type": "sentence_transformers.models.Transformer" },
            { "path": "last", "type": "sentence_transformers.models.Pooling" },
            { "path": "2", "type": format!("sentence_transformers.models.{class}") },
        ]);
        std::fs::write(folder.path().join("modules.json"), modules.to_string()).expect("written");
    };
    modules("Normalize");
    let (by_modules, by_first) = (open(&folder), model_by_first());
    assert_eq!(by_modules.name(), open(&by_first).name());
    assert_eq!(embed(&by_modules, &texts), embed(&open(&by_first), &texts));
    modules("Dense");
    let refused = SentenceEncoder::open(folder.path(), &Prefixes::default()).err().expect("it is refused");
    assert_eq!(refused.why, "it has the module `sentence_transformers.models.Dense`, which is not known");
}

/// The same model once more, as RoBERTa with a vocabulary of SentencePiece: the same tokens for the same
/// words, and positions that begin behind that of the padding.
#[test]
fn roberta_with_pieces_of_sentences_is_the_same_model() {
    let folder = model();
    let path = folder.path().join("model.safetensors");
    let bytes = std::fs::read(&path).expect("it is there");
    let weights = safetensors::SafeTensors::deserialize(&bytes).expect("weights");
    let moved: Vec<(String, Vec<usize>, Vec<u8>)> = weights
        .tensors()
        .into_iter()
        .map(|(name, view)| {
            let (mut shape, mut values) = (view.shape().to_vec(), view.data().to_vec());
            if name == "embeddings.position_embeddings.weight" {
                shape[0] += 2;
                values.splice(0..0, [0x7f; 2 * 16 * 4]);
            }
            if name == "embeddings.token_type_embeddings.weight" {
                shape[0] = 1;
                values.truncate(16 * 4);
            }
            (format!("roberta.{name}"), shape, values)
        })
        .collect();
    let views = moved.iter().map(|(name, shape, values)| {
        let view = safetensors::tensor::TensorView::new(safetensors::Dtype::F32, shape.clone(), values);
        (name.as_str(), view.expect("as many values as before"))
    });
    std::fs::write(&path, safetensors::serialize(views, None).expect("bytes")).expect("written");
    let path = folder.path().join("config.json");
    let mut config: serde_json::Value =
        serde_json::from_slice(&std::fs::read(&path).expect("it is there")).expect("JSON");
    config["model_type"] = "xlm-roberta".into();
    config["max_position_embeddings"] = 18.into();
    config["type_vocab_size"] = 1.into();
    config["pad_token_id"] = 1.into();
    std::fs::write(&path, config.to_string()).expect("written");
    let lines = std::fs::read_to_string(folder.path().join("vocab.txt")).expect("it is there");
    std::fs::remove_file(folder.path().join("vocab.txt")).expect("it was there");
    let pieces: Vec<(String, f64)> = lines
        .lines()
        .map(|line| match line {
            "[CLS]" => ("<s>".to_string(), 0.0),
            "[SEP]" => ("</s>".to_string(), 0.0),
            word => (format!("▁{word}"), -1.0),
        })
        .collect();
    let tokeniser = |kind: &str| {
        let file = serde_json::json!({
            "normalizer": { "type": "NFKC" },
            "pre_tokenizer": { "type": "Metaspace", "replacement": "▁", "prepend_scheme": "always" },
            "model": { "type": kind, "unk_id": 1, "vocab": pieces },
        });
        std::fs::write(folder.path().join("tokenizer.json"), file.to_string()).expect("written");
    };
    tokeniser("Unigram");
    let plain = model();
    let [plain, roberta] = [&plain, &folder].map(open);
    // Of more than 16 tokens, and without words that begin with a known piece.
    let long = "the kettle is on the red door , the door is red , the one is red the kettle";
    for text in
        ["a red kettle", "red", "unknown", "", "\u{0}\u{200b} \n", "the kettle is on the red door", long]
    {
        assert_eq!(embed(&roberta, &[text]), embed(&plain, &[text]), "{text:?}");
    }
    tokeniser("BPE");
    let refused = SentenceEncoder::open(folder.path(), &Prefixes::default()).err().expect("it is refused");
    assert_eq!(refused.why, "its tokeniser is `BPE`, and only `WordPiece` or `Unigram` is known");
}

/// Where a real model is; `cargo xtask test` installs it. Says so past the capture of test output if it is
/// missing.
fn real(variable: &str) -> Option<PathBuf> {
    let folder = std::env::var_os(variable).filter(|folder| !folder.is_empty());
    if folder.is_none() {
        let text = format!(
            "\nSKIPPED: {variable} names no folder, so the real model was not compared with others\n"
        );
        let _ = std::io::stderr().write_all(text.as_bytes());
    }
    folder.map(PathBuf::from)
}

#[test]
fn minilm_gives_the_vectors_of_pytorch() {
    let Some(folder) = real("GRIOT_TEST_MINILM") else { return };
    let encoder = SentenceEncoder::open(&folder, &Prefixes::default()).expect("the folder of the package");
    assert_eq!(encoder.name(), "all-minilm-l6-v2");
    for line in include_str!("data/minilm.tsv").lines().filter(|line| !line.starts_with('#')) {
        let (text, expected) = line.split_once('\t').expect("two columns");
        let text: String = serde_json::from_str(text).expect("a string of JSON");
        let vector = embed(&encoder, &[&text]).remove(0).expect("it knows the words");
        let expected: Vec<f32> = expected.split(' ').map(|value| value.parse().expect("a number")).collect();
        assert_eq!((vector.len(), expected.len()), (384, 8));
        for (value, expected) in vector.iter().zip(expected) {
            assert!((value - expected).abs() < 2e-6, "{text}: {value}, not {expected}");
        }
    }
}

#[test]
fn bge_gives_the_vectors_of_onnxruntime() {
    let Some(folder) = real("GRIOT_TEST_BGE") else { return };
    let encoder = SentenceEncoder::open(&folder, &Prefixes::default()).expect("what xtask installed");
    assert_eq!(encoder.name(), "bge-small-en-v1.5");
    for line in include_str!("data/bge-small-en-v1.5.tsv").lines().filter(|line| !line.starts_with('#')) {
        let [read_as, text, expected] = line.splitn(3, '\t').collect::<Vec<_>>()[..] else {
            panic!("three columns: {line}")
        };
        let text: String = serde_json::from_str(text).expect("a string of JSON");
        let vector = match read_as {
            "question" => encoder.embed_question(&text).expect("a forward pass cannot fail"),
            _ => embed(&encoder, &[&text]).remove(0),
        };
        let vector = vector.expect("it knows the words");
        assert_eq!(vector.len(), 384);
        for (value, expected) in vector.iter().zip(expected.split(' ')) {
            let expected: f32 = expected.parse().expect("a number");
            assert!((value - expected).abs() < 2e-6, "{text}: {value}, not {expected}");
        }
    }
}
