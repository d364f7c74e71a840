//! SentencePiece's tokeniser of the kind Unigram: of all ways to cut a word into known pieces, the one whose
//! pieces are the most probable together.
//!
//! Implemented here, like WordPiece in the engine: the `tokenizers` crate brings about a hundred crates more
//! (a regular expression engine and training among them), and this is one table and one loop.

use std::collections::HashMap;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use foldhash::fast::FixedState;
use serde_json::Value;
use unicode_normalization::UnicodeNormalization;

use super::vocabulary::{File, Vocabulary};

/// Marks the space before a word.
const SPACE: char = '▁';

/// What a character outside the vocabulary costs more than the least probable piece (SentencePiece's
/// constant).
const UNKNOWN_PENALTY: f64 = 10.0;

pub(crate) struct Unigram {
    rules: Rules,
    /// Tokens and logarithms of probabilities. Special tokens are not among them: text is never an
    /// instruction to the model.
    pieces: HashMap<Box<str>, (u32, f64), FixedState>,
    /// Bytes of the longest piece.
    longest: usize,
    pub(crate) unknown: u32,
    unknown_score: f64,
    /// The piece of nothing but a space.
    pub(crate) space: Option<u32>,
    /// `<s>` and `</s>`.
    pub(crate) ends: [u32; 2],
    pub(crate) count: usize,
}

impl Unigram {
    /// Adds to `fingerprint` what tokens depend on.
    pub(crate) fn new(file: File, fingerprint: &mut blake3::Hasher) -> Result<Self, String> {
        let File { normalizer, pre_tokenizer, added_tokens, model } = file;
        let Vocabulary::Scored(vocabulary) = model.vocab else {
            return Err("its vocabulary has no probabilities".into());
        };
        if model.byte_fallback {
            return Err("it spells unknown characters as bytes, which is not known".into());
        }
        let count = vocabulary.len();
        let unknown = model.unk_id.filter(|id| (*id as usize) < count);
        let unknown = unknown.ok_or("it names no unknown token")?;
        let mut rules = Rules::Keep;
        for step in steps(&normalizer, "normalizers") {
            match step["type"].as_str().unwrap_or_default() {
                "Precompiled" => {
                    let table = &step["precompiled_charsmap"];
                    fingerprint.update(table.as_str().unwrap_or_default().as_bytes());
                    rules = Rules::Charsmap(Charsmap::new(table)?);
                }
                "NFKC" => {
                    fingerprint.update(b"NFKC");
                    rules = Rules::Compatibility;
                }
                // Spaces are trimmed and collapsed in any case.
                "Strip" => {}
                "Replace" if step["content"] == " " => {}
                other => return Err(format!("its normaliser has the step `{other}`, which is not known")),
            }
        }
        for step in steps(&pre_tokenizer, "pretokenizers") {
            match step["type"].as_str().unwrap_or_default() {
                "WhitespaceSplit" => {}
                "Metaspace" if step["replacement"] == "▁" && step["prepend_scheme"] != "never" => {}
                other => return Err(format!("it separates words by `{other}`, which is not known")),
            }
        }
        let special = |id: u32| id == unknown || added_tokens.iter().any(|a| a.special && a.id == id);
        let mut pieces = HashMap::with_capacity_and_hasher(count, FixedState::default());
        let (mut longest, mut least, mut ends) = (0, f64::INFINITY, [None; 2]);
        for (id, (piece, score)) in (0u32..).zip(vocabulary) {
            fingerprint
                .update(piece.as_bytes())
                .update(&score.to_le_bytes())
                .update(&[u8::from(special(id))]);
            least = least.min(score);
            match &*piece {
                "<s>" => ends[0] = Some(id),
                "</s>" => ends[1] = Some(id),
                _ if special(id) => {}
                _ => {
                    longest = longest.max(piece.len());
                    pieces.insert(piece, (id, score));
                }
            }
        }
        let [Some(first), Some(last)] = ends else { return Err("its vocabulary lacks <s> or </s>".into()) };
        let space = pieces.get(SPACE.encode_utf8(&mut [0; 4])).map(|(token, _)| *token);
        let unknown_score = least - UNKNOWN_PENALTY;
        Ok(Self { rules, pieces, longest, unknown, unknown_score, space, ends: [first, last], count })
    }

    /// Passes every token of `text` to `sink`, in order.
    pub(crate) fn for_each_token(&self, text: &str, sink: &mut impl FnMut(u32)) {
        let text = self.rules.apply(text);
        let mut word = String::new();
        let mut room = Room::default();
        for part in text.split_whitespace() {
            word.clear();
            word.push(SPACE);
            word.push_str(part);
            self.split(&word, &mut room, sink);
        }
    }

    fn split(&self, word: &str, room: &mut Room, sink: &mut impl FnMut(u32)) {
        let best = &mut room.best;
        best.clear();
        best.resize(word.len() + 1, Step { score: f64::NEG_INFINITY, start: 0, token: self.unknown });
        best[0].score = 0.0;
        for (start, c) in word.char_indices() {
            let before = best[start].score;
            let mut reach = |end: usize, token: u32, score: f64| {
                if before + score > best[end].score {
                    best[end] = Step { score: before + score, start, token };
                }
            };
            let next = start + c.len_utf8();
            let mut alone = false;
            let limit = word.len().min(start + self.longest);
            for end in (next..=limit).filter(|end| word.is_char_boundary(*end)) {
                if let Some((token, score)) = self.pieces.get(&word[start..end]) {
                    alone |= end == next;
                    reach(end, *token, *score);
                }
            }
            if !alone {
                reach(next, self.unknown, self.unknown_score);
            }
        }
        room.tokens.clear();
        let mut end = word.len();
        while end > 0 {
            let Step { start, token, .. } = best[end];
            // Unknown characters side by side are one token.
            if token != self.unknown || room.tokens.last() != Some(&token) {
                room.tokens.push(token);
            }
            end = start;
        }
        room.tokens.iter().rev().for_each(|token| sink(*token));
    }
}

/// Used again for every word.
#[derive(Default)]
struct Room {
    /// The best way to reach each byte of the word.
    best: Vec<Step>,
    tokens: Vec<u32>,
}

#[derive(Clone, Copy)]
struct Step {
    score: f64,
    start: usize,
    token: u32,
}

/// A step by itself, or the steps of a sequence.
fn steps<'a>(step: &'a Value, name: &str) -> Vec<&'a Value> {
    match step {
        Value::Null => Vec::new(),
        step if step["type"] == "Sequence" => {
            step[name].as_array().into_iter().flatten().flat_map(|step| steps(step, name)).collect()
        }
        step => vec![step],
    }
}

/// How characters are written alike before anything else.
enum Rules {
    Keep,
    /// Unicode's form NFKC.
    Compatibility,
    /// The table that came with the vocabulary.
    Charsmap(Charsmap),
}

impl Rules {
    fn apply(&self, text: &str) -> String {
        match self {
            Self::Keep => text.to_string(),
            Self::Compatibility => text.nfkc().collect(),
            Self::Charsmap(table) => table.apply(text),
        }
    }
}

/// SentencePiece's table of replacements: a trie in one array (in the form of Darts-clone) whose values are
/// positions in a list of strings that end with a zero byte.
struct Charsmap {
    trie: Vec<u32>,
    strings: String,
}

impl Charsmap {
    fn new(encoded: &Value) -> Result<Self, String> {
        let broken = || "the table of its normaliser cannot be read".to_string();
        let bytes = encoded.as_str().and_then(|text| STANDARD.decode(text).ok()).ok_or_else(broken)?;
        let (size, rest) = bytes.split_first_chunk().ok_or_else(broken)?;
        let (trie, strings) = rest.split_at_checked(u32::from_le_bytes(*size) as usize).ok_or_else(broken)?;
        let trie: Vec<u32> = trie.as_chunks().0.iter().map(|unit| u32::from_le_bytes(*unit)).collect();
        let strings = String::from_utf8(strings.to_vec()).map_err(|_| broken())?;
        Ok(Self { trie, strings })
    }

    fn apply(&self, text: &str) -> String {
        let mut out = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(c) = rest.chars().next() {
            let (length, with) = match self.replacement(rest) {
                Some((length, with)) if rest.is_char_boundary(length) => (length, with),
                _ => (c.len_utf8(), &rest[..c.len_utf8()]),
            };
            out.push_str(with);
            rest = &rest[length..];
        }
        out
    }

    /// The longest beginning of `text` that is replaced, by its bytes, and what replaces it.
    fn replacement(&self, text: &str) -> Option<(usize, &str)> {
        let mut found = None;
        let mut at = offset(*self.trie.first()?);
        for (number, byte) in text.bytes().enumerate() {
            at ^= byte as usize;
            let unit = *self.trie.get(at)?;
            // A label has no high bit, unlike a value.
            if unit & (1 << 31 | 0xff) != u32::from(byte) {
                break;
            }
            at ^= offset(unit);
            if unit >> 8 & 1 == 1 {
                let value = self.trie.get(at)? & !(1 << 31);
                let with = self.strings.get(value as usize..)?;
                found = Some((number + 1, with.split('\0').next()?));
            }
        }
        found
    }
}

/// From a unit of the trie to its children.
fn offset(unit: u32) -> usize {
    ((unit >> 10) << ((unit & 1 << 9) >> 6)) as usize
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// Its table is what SentencePiece 0.2 makes of the rules `ﬁ` → `fi`, `e` and acute → `é`, tab → space,
    /// U+0001 → nothing.
    fn file() -> Value {
        let pieces = json!([
            ["<s>", 0],
            ["<pad>", 0],
            ["</s>", 0],
            ["<unk>", 0],
            ["▁", -3],
            ["▁fi", -5],
            ["ne", -4],
            ["▁fine", -8],
            ["é", -6],
            ["▁caf", -6],
            ["e", -4.5],
            ["fi", -7],
            ["n", -5],
            ["▁here", -7],
        ]);
        let special: Vec<Value> = (0..4).map(|id| json!({ "id": id, "special": true })).collect();
        let table = include_str!("../../tests/data/charsmap.txt").trim_end();
        json!({
            "added_tokens": special,
            "normalizer": { "type": "Sequence", "normalizers": [
                { "type": "Precompiled", "precompiled_charsmap": table },
                { "type": "Replace", "pattern": { "Regex": " {2,}" }, "content": " " },
            ] },
            "pre_tokenizer": { "type": "Sequence", "pretokenizers": [
                { "type": "WhitespaceSplit" },
                { "type": "Metaspace", "replacement": "▁", "prepend_scheme": "always" },
            ] },
            "model": { "type": "Unigram", "unk_id": 3, "vocab": pieces, "byte_fallback": false },
        })
    }

    fn open(file: Value) -> Result<Unigram, String> {
        let file = serde_json::from_value(file).expect("the parts of a tokeniser");
        Unigram::new(file, &mut blake3::Hasher::new())
    }

    fn tokens(pieces: &Unigram, text: &str) -> Vec<u32> {
        let mut tokens = Vec::new();
        pieces.for_each_token(text, &mut |token| tokens.push(token));
        tokens
    }

    #[test]
    fn words_are_cut_as_the_crate_tokenizers_cuts_them() {
        let pieces = open(file()).expect("a whole tokeniser");
        let cases: [(&str, &[u32]); 6] = [
            ("ﬁne cafe\u{301}\there\u{1}", &[7, 9, 8, 13]),
            ("neon", &[4, 6, 3, 12]),
            ("北京 fine", &[4, 3, 7]),
            ("fi  fine", &[5, 7]),
            (" ", &[]),
            ("e\u{300} né", &[4, 10, 3, 4, 12, 8]),
        ];
        for (text, expected) in cases {
            assert_eq!(tokens(&pieces, text), expected, "{text:?}");
        }
    }

    #[test]
    fn names_of_special_tokens_are_only_letters_in_a_text() {
        assert_eq!(tokens(&open(file()).expect("a whole tokeniser"), "<s>"), [4, 3]);
    }

    #[test]
    fn a_tokeniser_that_works_otherwise_is_refused() {
        let cases = [
            ("/normalizer", json!({ "type": "Lowercase" }), "its normaliser has the step `Lowercase`, "),
            ("/pre_tokenizer", json!({ "type": "ByteLevel" }), "it separates words by `ByteLevel`, "),
            ("/model/byte_fallback", json!(true), "it spells unknown characters as bytes, "),
            ("/model/unk_id", json!(99), "it names no unknown token"),
            ("/model/vocab/2/0", json!("</t>"), "its vocabulary lacks <s> or </s>"),
            ("/model/vocab", json!({ "<s>": 0 }), "its vocabulary has no probabilities"),
            (
                "/normalizer/normalizers/0/precompiled_charsmap",
                json!("AAQAAA=="),
                "the table of its normaliser cannot be read",
            ),
        ];
        for (place, value, why) in cases {
            let mut file = file();
            *file.pointer_mut(place).expect("it is there") = value;
            let refusal = open(file).err().expect("it is refused");
            assert!(refusal.starts_with(why), "{refusal}, not {why}");
        }
    }

    #[test]
    fn a_damaged_table_changes_nothing_or_is_cut_short() {
        let mut table = Charsmap { trie: vec![u32::MAX; 4], strings: String::new() };
        assert_eq!(table.apply("fine"), "fine");
        table.trie = Vec::new();
        assert_eq!(table.apply("ﬁne"), "ﬁne");
    }
}
