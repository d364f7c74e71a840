//! BERT as the textbook has it, in double precision, one value at a time; and a small random model in a
//! folder.

use std::collections::BTreeMap;

use safetensors::tensor::{Dtype, TensorView};

pub const WIDTH: usize = 16;
const WIDE: usize = 24;
const HEADS: usize = 2;
const LAYERS: usize = 2;
const POSITIONS: usize = 16;
const EPSILON: f64 = 1e-12;
const VOCABULARY: [&str; 15] = [
    "[PAD]", "[UNK]", "[CLS]", "[SEP]", "a", "red", "kettle", "the", "is", "door", ",", "!", "ca", "##fe",
    "##s",
];

pub struct RandomModel {
    pub folder: tempfile::TempDir,
    tensors: BTreeMap<String, (Vec<usize>, Vec<f32>)>,
    first: bool,
}

impl RandomModel {
    /// `first` pools by the first token instead of the mean.
    pub fn new(seed: u64, first: bool) -> Self {
        let mut random = fastrand::Rng::with_seed(seed);
        let mut tensors = BTreeMap::new();
        let mut add = |name: String, shape: &[usize], middle: f32, spread: f32| {
            let count = shape.iter().product();
            let values = (0..count).map(|_| middle + spread * (random.f32() * 2.0 - 1.0)).collect();
            tensors.insert(name, (shape.to_vec(), values));
        };
        add("embeddings.word_embeddings.weight".into(), &[VOCABULARY.len(), WIDTH], 0.0, 1.0);
        add("embeddings.position_embeddings.weight".into(), &[POSITIONS, WIDTH], 0.0, 0.3);
        add("embeddings.token_type_embeddings.weight".into(), &[2, WIDTH], 0.0, 0.3);
        let mut norms = vec!["embeddings.LayerNorm".to_string()];
        for layer in 0..LAYERS {
            let part = |name: &str| format!("encoder.layer.{layer}.{name}");
            for (name, outputs, inputs) in [
                ("attention.self.query", WIDTH, WIDTH),
                ("attention.self.key", WIDTH, WIDTH),
                ("attention.self.value", WIDTH, WIDTH),
                ("attention.output.dense", WIDTH, WIDTH),
                ("intermediate.dense", WIDE, WIDTH),
                ("output.dense", WIDTH, WIDE),
            ] {
                add(part(name) + ".weight", &[outputs, inputs], 0.0, 0.8);
                add(part(name) + ".bias", &[outputs], 0.0, 0.2);
            }
            norms.extend([part("attention.output.LayerNorm"), part("output.LayerNorm")]);
        }
        for name in norms {
            add(name.clone() + ".weight", &[WIDTH], 1.0, 0.3);
            add(name + ".bias", &[WIDTH], 0.0, 0.3);
        }
        let model = Self { folder: tempfile::tempdir().expect("a temporary folder"), tensors, first };
        model.write();
        model
    }

    fn write(&self) {
        let bytes: BTreeMap<&String, Vec<u8>> = self
            .tensors
            .iter()
            .map(|(name, (_, values))| (name, values.iter().flat_map(|value| value.to_le_bytes()).collect()))
            .collect();
        let views = self.tensors.iter().map(|(name, (shape, _))| {
            (name, TensorView::new(Dtype::F32, shape.clone(), &bytes[name]).expect("the bytes of the shape"))
        });
        let path = |name: &str| self.folder.path().join(name);
        safetensors::serialize_to_file(views, None, &path("model.safetensors")).expect("written");
        let config = serde_json::json!({
            "model_type": "bert", "hidden_act": "gelu", "hidden_size": WIDTH, "intermediate_size": WIDE,
            "num_attention_heads": HEADS, "num_hidden_layers": LAYERS, "max_position_embeddings": POSITIONS,
            "layer_norm_eps": EPSILON, "vocab_size": VOCABULARY.len(),
        });
        std::fs::write(path("config.json"), config.to_string()).expect("written");
        std::fs::write(path("vocab.txt"), VOCABULARY.join("\n") + "\n").expect("written");
        std::fs::create_dir(path("1_Pooling")).expect("a new folder");
        let pooling = serde_json::json!({
            "pooling_mode_cls_token": self.first, "pooling_mode_mean_tokens": !self.first,
            "pooling_mode_max_tokens": false,
        });
        std::fs::write(path("1_Pooling/config.json"), pooling.to_string()).expect("written");
    }

    /// Tokens of a text made of this vocabulary's words, ASCII but for é; `None` without a known one.
    pub fn tokens(&self, text: &str) -> Option<Vec<usize>> {
        let number = |piece: &str| VOCABULARY.iter().position(|known| *known == piece).unwrap_or(1);
        let text = text.to_lowercase().replace('é', "e").replace(['\u{0}', '\u{200b}'], "");
        let text = text.replace(',', " , ").replace('!', " ! ");
        let mut tokens = vec![];
        for word in text.split_whitespace() {
            match word {
                "cafe" => tokens.extend([number("ca"), number("##fe")]),
                word => tokens.push(number(word)),
            }
        }
        let known = tokens.iter().any(|token| *token != 1);
        let mut all = vec![2];
        all.extend(tokens.into_iter().take(POSITIONS - 2));
        all.push(3);
        known.then_some(all)
    }

    fn matrix(&self, name: &str) -> Vec<Vec<f64>> {
        let (shape, values) = &self.tensors[name];
        values
            .chunks(*shape.last().expect("a shape"))
            .map(|row| row.iter().map(|v| f64::from(*v)).collect())
            .collect()
    }

    fn vector_of(&self, name: &str) -> Vec<f64> {
        self.matrix(name).concat()
    }

    fn linear(&self, name: &str, rows: &[Vec<f64>]) -> Vec<Vec<f64>> {
        let (weight, bias) =
            (self.matrix(&format!("{name}.weight")), self.vector_of(&format!("{name}.bias")));
        let apply = |row: &Vec<f64>| weight.iter().zip(&bias).map(|(w, b)| dot(w, row) + b).collect();
        rows.iter().map(apply).collect()
    }

    fn norm(&self, name: &str, rows: &[Vec<f64>]) -> Vec<Vec<f64>> {
        let (gain, bias) =
            (self.vector_of(&format!("{name}.weight")), self.vector_of(&format!("{name}.bias")));
        let apply = |row: &Vec<f64>| {
            let mean = row.iter().sum::<f64>() / row.len() as f64;
            let variance = row.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / row.len() as f64;
            let unit = |at: usize| (row[at] - mean) / (variance + EPSILON).sqrt();
            (0..row.len()).map(|at| unit(at) * gain[at] + bias[at]).collect()
        };
        rows.iter().map(apply).collect()
    }

    /// The vector of a text: all steps one after another.
    pub fn vector(&self, tokens: &[usize]) -> Vec<f64> {
        let [words, positions, types] = ["word", "position", "token_type"]
            .map(|part| self.matrix(&format!("embeddings.{part}_embeddings.weight")));
        let rows: Vec<Vec<f64>> = tokens
            .iter()
            .enumerate()
            .map(|(at, &token)| {
                (0..WIDTH).map(|d| words[token][d] + positions[at][d] + types[0][d]).collect()
            })
            .collect();
        let mut rows = self.norm("embeddings.LayerNorm", &rows);
        for layer in 0..LAYERS {
            let part = |name: &str| format!("encoder.layer.{layer}.{name}");
            let [query, key, value] = ["query", "key", "value"]
                .map(|name| self.linear(&part(&format!("attention.self.{name}")), &rows));
            let mut joined = vec![vec![0.0; WIDTH]; rows.len()];
            let size = WIDTH / HEADS;
            for head in 0..HEADS {
                let own = head * size..(head + 1) * size;
                for token in 0..rows.len() {
                    let scores: Vec<f64> = key
                        .iter()
                        .map(|key| {
                            (dot(&query[token][own.clone()], &key[own.clone()]) / (size as f64).sqrt()).exp()
                        })
                        .collect();
                    let sum: f64 = scores.iter().sum();
                    for (score, value) in scores.iter().zip(&value) {
                        own.clone().for_each(|d| joined[token][d] += score / sum * value[d]);
                    }
                }
            }
            let attended = add(&rows, &self.linear(&part("attention.output.dense"), &joined));
            rows = self.norm(&part("attention.output.LayerNorm"), &attended);
            let mut wide = self.linear(&part("intermediate.dense"), &rows);
            wide.iter_mut().flatten().for_each(|value| *value = gelu(*value));
            let narrow = self.linear(&part("output.dense"), &wide);
            rows = self.norm(&part("output.LayerNorm"), &add(&rows, &narrow));
        }
        let mut vector = rows[0].clone();
        if !self.first {
            vector =
                (0..WIDTH).map(|d| rows.iter().map(|row| row[d]).sum::<f64>() / rows.len() as f64).collect();
        }
        let length = dot(&vector, &vector).sqrt();
        vector.iter().map(|value| value / length).collect()
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn add(a: &[Vec<f64>], b: &[Vec<f64>]) -> Vec<Vec<f64>> {
    a.iter().zip(b).map(|(a, b)| a.iter().zip(b).map(|(a, b)| a + b).collect()).collect()
}

/// `x · Φ(x)` by Simpson's rule over the density.
fn gelu(x: f64) -> f64 {
    let steps = 400;
    let density = |t: f64| (-t * t / 2.0).exp() / (2.0 * std::f64::consts::PI).sqrt();
    let step = x / f64::from(steps);
    let weight = |n: i32| {
        if n == 0 || n == steps {
            1.0
        } else if n % 2 == 1 {
            4.0
        } else {
            2.0
        }
    };
    let area: f64 = (0..=steps).map(|n| weight(n) * density(step * f64::from(n))).sum::<f64>() * step / 3.0;
    x * (0.5 + area)
}
