//! Cross-encoders from a folder against transformers, on small random models (`data/cross.py`).

use std::path::Path;
use std::sync::Arc;

use griot::engine::{Access, Engine, RerankProvider, RerankerSettings, Settings};
use griot::model::{Scope, Timestamp};
use griot::recall::{Query, Recall, Reranker};
use griot::remember::Draft;
use griot_models::CrossEncoder;
use tempfile::TempDir;

const MODELS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/cross");
const FAMILIES: [(&str, &str); 2] = [("bert", "vocab.txt"), ("roberta", "tokenizer.json")];

/// A copy of the model of this family.
fn model(family: &str) -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (_, vocabulary) = FAMILIES.iter().find(|(name, _)| *name == family).expect("a family");
    for name in ["config.json", vocabulary, "model.safetensors"] {
        std::fs::copy(Path::new(MODELS).join(family).join(name), folder.path().join(name)).expect("copied");
    }
    folder
}

fn settings(folder: &Path) -> RerankerSettings {
    RerankerSettings {
        provider: RerankProvider::Minilm,
        path: folder.to_path_buf(),
        timeout_ms: 600_000,
        ..RerankerSettings::default()
    }
}

fn open(folder: &TempDir) -> CrossEncoder {
    CrossEncoder::open(&settings(folder.path())).expect("a whole model")
}

fn relevance(encoder: &CrossEncoder, question: &str, texts: &[&str]) -> Vec<f32> {
    let texts: Vec<String> = texts.iter().map(|text| text.to_string()).collect();
    encoder.relevance(question, &texts).expect("it has the time")
}

/// What transformers computes, with the whole question and as much of each text as the model takes.
#[derive(serde::Deserialize)]
struct Expected {
    question: String,
    texts: Vec<String>,
    bert: Vec<f32>,
    roberta: Vec<f32>,
}

fn expected() -> Expected {
    serde_json::from_str(include_str!("data/cross.json")).expect("JSON")
}

fn order(numbers: &[f32]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..numbers.len()).collect();
    order.sort_by(|a, b| numbers[*b].total_cmp(&numbers[*a]));
    order
}

#[test]
fn numbers_are_those_of_transformers_in_every_batch() {
    let Expected { question, texts, bert, roberta } = expected();
    let of_onnx = model("bert");
    std::fs::remove_file(of_onnx.path().join("model.safetensors")).expect("it was there");
    std::fs::copy(Path::new(MODELS).join("bert/model.onnx"), of_onnx.path().join("model.onnx"))
        .expect("copied");
    for (folder, expected) in [(model("bert"), &bert), (of_onnx, &bert), (model("roberta"), &roberta)] {
        let encoder = open(&folder);
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let found = relevance(&encoder, &question, &texts);
        for ((text, number), expected) in texts.iter().zip(&found).zip(expected) {
            assert!((number - expected).abs() < 1e-4, "{text:?}: {number}, not {expected}");
        }
        assert_eq!(order(&found), order(expected));
        // To the same bits beside others, and alone.
        let many: Vec<&str> = texts.iter().copied().cycle().take(120).collect();
        assert!(found.iter().cycle().zip(relevance(&encoder, &question, &many)).all(|(a, b)| *a == b));
        assert_eq!(relevance(&encoder, &question, &texts[..1]), found[..1]);
        assert_eq!(relevance(&encoder, &question, &[]), Vec::<f32>::new());
    }
}

#[test]
fn the_text_is_cut_first_and_the_question_leaves_it_a_quarter() {
    for (family, marks) in [("bert", 3), ("roberta", 4)] {
        let folder = model(family);
        let encoder = open(&folder);
        let room = 32 - marks;
        let of = |question: usize, text: usize| {
            let (question, text) = ("house ".repeat(question), "river boat ".repeat(text / 2));
            relevance(&encoder, &question, &[&text])[0]
        };
        let least = room / 4 / 2 * 2;
        // The question is whole until the text has a quarter.
        assert_eq!(of(8, 200), relevance(&encoder, &"house ".repeat(8), &[&long(room - 8)])[0], "{family}");
        assert_ne!(of(8, 200), of(8, 2), "{family}");
        assert_eq!(
            of(200, 200),
            relevance(&encoder, &"house ".repeat(room - room / 4), &[&long(room / 4)])[0]
        );
        assert_ne!(of(200, least), of(200, least - 2), "{family}");
        // A short text leaves its part to the question.
        assert_ne!(of(room - 2, 2), of(room - 3, 2), "{family}");
        assert_eq!(of(room, 2), of(room - 2, 2), "{family}");

        let mut settings = settings(folder.path());
        // Three bytes each.
        settings.text_tokens = 18;
        let cut = CrossEncoder::open(&settings).expect("a whole model");
        let text = long(12);
        assert_eq!(relevance(&cut, "house", &[&text]), relevance(&encoder, "house", &[&text[..54]]));
        assert_ne!(relevance(&cut, "house", &[&text]), relevance(&encoder, "house", &[&text]));
    }

    /// A text of so many words.
    fn long(words: usize) -> String {
        ["river", "boat"].iter().cycle().take(words).copied().collect::<Vec<_>>().join(" ")
    }
}

#[test]
fn the_tokeniser_says_how_long_pairs_are_and_whether_they_have_kinds() {
    let Expected { question, texts, .. } = expected();
    let of = |folder: &TempDir| relevance(&open(folder), &question, &[&texts[0]])[0];
    let configured = |file: &str| {
        let folder = model("bert");
        std::fs::write(folder.path().join("tokenizer_config.json"), file).expect("written");
        folder
    };
    let plain = of(&model("bert"));
    for same in [r#"{"model_max_length": 1000000000000000019884624838656}"#, r#"{"model_max_length": 512}"#] {
        assert_eq!(of(&configured(same)), plain, "{same}");
    }
    let short = configured(r#"{"model_max_length": 20}"#);
    let long = texts[0].split(' ').take(8).collect::<Vec<_>>().join(" ");
    assert_eq!(of(&short), relevance(&open(&model("bert")), &question, &[&long])[0]);
    let with_kinds =
        configured(r#"{"model_input_names": ["input_ids", "token_type_ids", "attention_mask"]}"#);
    assert_eq!(of(&with_kinds), plain);
    assert_ne!(of(&configured(r#"{"model_input_names": ["input_ids", "attention_mask"]}"#)), plain);
}

#[test]
fn a_folder_of_another_kind_is_refused_with_a_reason() {
    let refused = |folder: &Path, why: &str| {
        let error = CrossEncoder::open(&settings(folder)).err().expect("it is refused");
        assert_eq!(error.what, format!("load the reranker from `{}`", folder.display()));
        assert!(error.why.starts_with(why), "{error}, not {why}");
        assert!(error.hint.is_some_and(|hint| hint.contains("cross-encoder")));
    };
    for (file, from, to, why) in [
        ("config.json", "\"bert\"", "\"mpnet\"", "its model_type is `mpnet`, and only `bert`, "),
        (
            "config.json",
            "\"bert\"",
            "\"roberta\"",
            "it is no cross-encoder: its weights have no `classifier.out_proj",
        ),
        (
            "config.json",
            "\"hidden_size\": 32",
            "\"hidden_size\": 36",
            "`encoder.layer.0.attention.self.query.",
        ),
        (
            "config.json",
            "\"max_position_embeddings\": 32",
            "\"max_position_embeddings\": 6",
            "question and text may have 6 tokens, ",
        ),
        (
            "config.json",
            "\"type_vocab_size\": 2",
            "\"type_vocab_size\": 1",
            "its tokeniser distinguishes two kinds of text, its weights one",
        ),
        ("vocab.txt", "[SEP]", "[sep]", "its vocabulary lacks [CLS], [SEP] or [UNK]"),
    ] {
        let folder = model("bert");
        let path = folder.path().join(file);
        let text = std::fs::read_to_string(&path).expect("it is there");
        assert!(text.contains(from), "{file} has no {from}");
        std::fs::write(path, text.replace(from, to)).expect("written");
        refused(folder.path(), why);
    }
    for (file, why) in [
        ("config.json", "it holds no config.json"),
        ("vocab.txt", "there is no vocab.txt, and it holds no tokenizer.json"),
        ("model.safetensors", "it holds neither model.safetensors nor model.onnx"),
    ] {
        let folder = model("bert");
        std::fs::remove_file(folder.path().join(file)).expect("it was there");
        refused(folder.path(), why);
    }
    refused(Path::new("no/such/folder"), "there is no such folder");
    // A sentence encoder.
    let textbook = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/textbook");
    refused(&textbook, "it is no cross-encoder: its weights have no `classifier.weight`");
    for (family, head, dense) in
        [("bert", "classifier", "pooler.dense"), ("roberta", "classifier.out_proj", "classifier.dense")]
    {
        let folder = model(family);
        change_weights(&folder, |name, shape, values| {
            if name.starts_with(head) {
                shape[0] = 3;
                *values = values.repeat(3);
            }
        });
        refused(folder.path(), "it has 3 labels, and a reranker has one");
        let folder = model(family);
        let dense = format!("{dense}.weight");
        change_weights(&folder, |name, shape, _| {
            if name.ends_with(&dense) {
                *shape = vec![16, 64];
            }
        });
        refused(folder.path(), &format!("`{dense}` has the shape [16, 64] instead of [32, 32]"));
    }
}

/// Writes the weights once more, changed.
fn change_weights(folder: &TempDir, change: impl Fn(&str, &mut Vec<usize>, &mut Vec<u8>)) {
    let path = folder.path().join("model.safetensors");
    let bytes = std::fs::read(&path).expect("it is there");
    let weights = safetensors::SafeTensors::deserialize(&bytes).expect("weights");
    let changed: Vec<(String, Vec<usize>, Vec<u8>)> = weights
        .tensors()
        .into_iter()
        .map(|(name, view)| {
            let (mut shape, mut values) = (view.shape().to_vec(), view.data().to_vec());
            change(&name, &mut shape, &mut values);
            (name, shape, values)
        })
        .collect();
    let views = changed.iter().map(|(name, shape, values)| {
        let view = safetensors::tensor::TensorView::new(safetensors::Dtype::F16, shape.clone(), values);
        (name.as_str(), view.expect("values of this shape"))
    });
    std::fs::write(&path, safetensors::serialize(views, None).expect("bytes")).expect("written");
}

#[test]
fn a_model_that_is_not_done_in_time_or_gives_no_numbers_is_an_error() {
    let folder = model("bert");
    let slow = RerankerSettings { timeout_ms: 0, ..settings(folder.path()) };
    let asked = |settings: &RerankerSettings| {
        let encoder = CrossEncoder::open(settings).expect("a whole model");
        encoder.relevance("house", &["river".to_string()]).expect_err("it fails")
    };
    let error = asked(&slow);
    assert!(error.why.contains("not done in time"), "{error}");
    assert!(error.hint.is_some_and(|hint| hint.contains("reranker.timeout_ms")));
    // Not a number, in half precision.
    change_weights(&folder, |name, _, values| {
        if name == "classifier.bias" {
            *values = vec![0xff, 0x7f];
        }
    });
    let error = asked(&settings(folder.path()));
    assert!(error.why.contains("give no numbers"), "{error}");
}

#[test]
fn recall_has_its_order_and_keeps_the_scores() {
    /// 2026-06-01T00:00:00Z.
    const NOW: Timestamp = Timestamp(1_780_272_000_000);
    const QUESTION: &str = "how large is the cache of the reader?";
    let folder = tempfile::tempdir().expect("a folder");
    let open_engine = || {
        let access = Access { create: true, read_only: false };
        Engine::open(&folder.path().join("griot.db"), access, Settings::default()).expect("an engine")
    };
    let engine = open_engine();
    for text in [
        "The cache of the reader has a size of 64 megabytes.",
        "The cache of the reader was large until March.",
        "The reader has a cache.",
        "A large cache helps the reader of the archive.",
    ] {
        let scope = Scope { user: Some("ada".into()), project: None };
        engine.remember(Draft { scope, ..Draft::new(text) }).expect("stored");
    }
    let query =
        Query { scope: Scope { user: Some("ada".into()), project: None }, ..Query::new(QUESTION, NOW) };
    let own = engine.recall(&query).expect("an answer");
    let texts = |answer: &Recall| -> Vec<String> {
        answer.results.iter().map(|result| result.memory.text.clone()).collect()
    };
    let scores = |answer: &Recall| answer.results.iter().map(|result| result.score).collect::<Vec<_>>();
    assert!(own.results.len() > 2, "{:?}", texts(&own));
    for (family, _) in FAMILIES {
        let encoder = Arc::new(open(&model(family)));
        let all = texts(&own);
        let numbers = encoder.relevance(QUESTION, &all).expect("it has the time");
        let answer = open_engine().with_reranker(encoder).recall(&query).expect("an answer");
        // What belongs to a user may be read by what runs here.
        assert_eq!((&answer.missing, scores(&answer)), (&own.missing, scores(&own)));
        assert_ne!(texts(&answer), all, "{family}: {numbers:?}");
        let place = |text: &String| all.iter().position(|own| own == text).expect("the same texts");
        let first = texts(&answer).first().map(place);
        assert_eq!(first, order(&numbers).first().copied(), "{family}: {numbers:?}");
    }
}
