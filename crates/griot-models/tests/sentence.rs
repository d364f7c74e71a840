//! Sentence encoders against other ways to the same vectors: a slow implementation of the textbook on a small
//! random model, and PyTorch on the real one.

mod reference;

use std::io::Write;
use std::path::{Path, PathBuf};

use griot::embed::Embedder;
use griot_models::SentenceEncoder;
use reference::RandomModel;

fn embed(encoder: &SentenceEncoder, texts: &[&str]) -> Vec<Option<Vec<f32>>> {
    encoder.embed(texts).expect("a forward pass cannot fail")
}

const TEXTS: [&str; 7] = [
    "a red kettle",
    "red",
    "",
    "\u{0}\u{200b} \n",
    "the kettle is on the red door and the door is a kettle , the red one",
    "Café, KETTLE!",
    "unknown words only",
];

#[test]
fn vectors_are_those_of_the_textbook() {
    for first in [false, true] {
        let model = RandomModel::new(7, first);
        let encoder = SentenceEncoder::open(model.folder.path()).expect("a whole model");
        assert_eq!(encoder.dimensions(), reference::WIDTH);
        let vectors = embed(&encoder, &TEXTS);
        for (text, vector) in TEXTS.iter().zip(&vectors) {
            let tokens = model.tokens(text);
            let Some(tokens) = tokens else {
                assert_eq!(*vector, None, "{text:?}");
                continue;
            };
            let vector = vector.as_ref().unwrap_or_else(|| panic!("{text:?} has no vector"));
            for (value, expected) in vector.iter().zip(model.vector(&tokens)) {
                assert!((f64::from(*value) - expected).abs() < 2e-6, "{text:?}: {value}, not {expected}");
            }
        }
        assert_eq!(vectors.iter().filter(|v| v.is_none()).count(), 3);
    }
}

#[test]
fn a_text_has_one_vector_whatever_stands_beside_it() {
    let model = RandomModel::new(8, false);
    let encoder = SentenceEncoder::open(model.folder.path()).expect("a whole model");
    let many: Vec<&str> = TEXTS.iter().cycle().take(200).copied().collect();
    let together = embed(&encoder, &many);
    for (text, vector) in many.iter().zip(together).take(TEXTS.len()) {
        assert_eq!(embed(&encoder, &[text]).remove(0), vector, "{text:?}");
    }
    assert_eq!(embed(&encoder, &[]), Vec::<Option<Vec<f32>>>::new());
}

#[test]
fn a_long_text_is_cut_to_what_the_model_takes() {
    let model = RandomModel::new(9, false);
    let encoder = SentenceEncoder::open(model.folder.path()).expect("a whole model");
    let words = |count| "red kettle ".repeat(count);
    // 16 tokens with both ends: seven pairs are all it sees.
    assert_eq!(embed(&encoder, &[&words(50)]), embed(&encoder, &[&words(7)]));
    assert_ne!(embed(&encoder, &[&words(6)]), embed(&encoder, &[&words(7)]));
}

#[test]
fn another_model_has_another_name() {
    let names: Vec<String> = [(1, false), (1, true), (2, false)]
        .iter()
        .map(|&(seed, first)| {
            let model = RandomModel::new(seed, first);
            SentenceEncoder::open(model.folder.path()).expect("a whole model").name().to_string()
        })
        .collect();
    assert!(names[0] != names[1] && names[0] != names[2], "{names:?}");
    let again = RandomModel::new(1, false);
    assert_eq!(SentenceEncoder::open(again.folder.path()).expect("a whole model").name(), names[0]);
    assert!(names[0].starts_with("bert-2x16-"), "{names:?}");
}

#[test]
fn what_cannot_be_computed_is_refused_with_a_reason() {
    let refused = |change: &dyn Fn(&Path)| {
        let model = RandomModel::new(3, false);
        change(model.folder.path());
        let error = SentenceEncoder::open(model.folder.path()).err().expect("it is refused");
        assert!(error.what.starts_with("load the embedder from `"), "{error}");
        error.why
    };
    let replace = |folder: &Path, file: &str, from: &str, to: &str| {
        let path = folder.join(file);
        let text = std::fs::read_to_string(&path).expect("it is there");
        assert!(text.contains(from));
        std::fs::write(path, text.replace(from, to)).expect("written");
    };
    let config =
        |from: &'static str, to: &'static str| refused(&|folder| replace(folder, "config.json", from, to));
    assert_eq!(config("\"bert\"", "\"mpnet\""), "its model_type is `mpnet`, and only `bert` is known");
    assert_eq!(config("\"gelu\"", "\"relu\""), "its hidden_act is `relu`, and only `gelu` is known");
    assert_eq!(
        config("\"num_attention_heads\":2", "\"num_attention_heads\":3"),
        "3 heads do not divide its width 16"
    );
    assert_eq!(
        config("\"num_hidden_layers\":2", "\"num_hidden_layers\":3"),
        "model.safetensors has no floats called `encoder.layer.2.attention.self.query.weight`"
    );
    assert_eq!(
        config("\"intermediate_size\":24", "\"intermediate_size\":32"),
        "`encoder.layer.0.intermediate.dense.weight` has the shape [24, 16] instead of [32, 16]"
    );
    assert!(config("\"hidden_size\":16,", "").starts_with("config.json cannot be read: missing field"));
    assert_eq!(
        refused(&|folder| replace(
            folder,
            "1_Pooling/config.json",
            "\"pooling_mode_max_tokens\":false",
            "\"pooling_mode_max_tokens\":true"
        )),
        "it pools in another way than by the mean or the first token"
    );
    assert_eq!(
        refused(&|folder| replace(folder, "vocab.txt", "[CLS]", "[cls]")),
        "its vocabulary lacks [CLS], [SEP] or [UNK]"
    );
    assert_eq!(
        refused(&|folder| replace(folder, "vocab.txt", "kettle", "kettle\npot")),
        "its vocabulary has 16 entries, its weights 15"
    );
    assert_eq!(
        refused(&|folder| std::fs::write(folder.join("tokenizer_config.json"), "{\"do_lower_case\":false}")
            .expect("written")),
        "its vocabulary tells upper from lower case, and only uncased ones are known"
    );
    let torn = refused(&|folder| {
        let path = folder.join("model.safetensors");
        let bytes = std::fs::read(&path).expect("it is there");
        std::fs::write(path, &bytes[..bytes.len() - 100]).expect("written");
    });
    assert!(torn.starts_with("model.safetensors cannot be read: "), "{torn}");
    let error = SentenceEncoder::open(Path::new("no/such/folder")).err().expect("it is refused");
    assert_eq!(error.to_string(), "cannot load the embedder from `no/such/folder`: there is no such folder");
}

#[test]
fn the_vocabulary_may_come_from_the_tokeniser_file() {
    let model = RandomModel::new(4, false);
    let before = embed(&SentenceEncoder::open(model.folder.path()).expect("a whole model"), &TEXTS);
    let lines = std::fs::read_to_string(model.folder.path().join("vocab.txt")).expect("it is there");
    let vocabulary: std::collections::BTreeMap<&str, usize> = lines.lines().zip(0..).collect();
    let file = serde_json::json!({ "model": { "vocab": vocabulary } });
    std::fs::write(model.folder.path().join("tokenizer.json"), file.to_string()).expect("written");
    std::fs::remove_file(model.folder.path().join("vocab.txt")).expect("it was there");
    assert_eq!(embed(&SentenceEncoder::open(model.folder.path()).expect("a whole model"), &TEXTS), before);
}

/// Where all-MiniLM-L6-v2 is; `cargo xtask test` installs it. Says so past the capture of test output if it
/// is missing.
fn minilm() -> Option<PathBuf> {
    let folder = std::env::var_os("GRIOT_TEST_MINILM").filter(|folder| !folder.is_empty());
    if folder.is_none() {
        let text =
            "\nSKIPPED: GRIOT_TEST_MINILM names no folder, so the real model was not compared with PyTorch\n";
        let _ = std::io::stderr().write_all(text.as_bytes());
    }
    folder.map(PathBuf::from)
}

#[test]
fn minilm_gives_the_vectors_of_pytorch() {
    let Some(folder) = minilm() else { return };
    let encoder = SentenceEncoder::open(&folder).expect("the folder of the package");
    assert_eq!((encoder.name(), encoder.dimensions()), ("all-minilm-l6-v2", 384));
    for line in include_str!("data/minilm.tsv").lines().filter(|line| !line.starts_with('#')) {
        let (text, expected) = line.split_once('\t').expect("two columns");
        let text: String = serde_json::from_str(text).expect("a string of JSON");
        let vector = embed(&encoder, &[&text]).remove(0).expect("it knows the words");
        let expected: Vec<f32> = expected.split(' ').map(|value| value.parse().expect("a number")).collect();
        assert_eq!(expected.len(), 8);
        for (value, expected) in vector.iter().zip(expected) {
            assert!((value - expected).abs() < 2e-6, "{text}: {value}, not {expected}");
        }
    }
}
