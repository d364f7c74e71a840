//! From a text to tokens, by the vocabulary of a folder: BERT's pieces of words, or SentencePiece's.

use std::fs;
use std::path::Path;

use griot::embed::WordPiece;
use serde_json::Value;

use super::files::{optional, required};
use super::unigram::Unigram;
use super::vocabulary::{FILE, File, Vocabulary};

const CASED: &str = "its vocabulary has upper and lower case, and only uncased ones are known";

pub(crate) enum Tokeniser {
    Words {
        pieces: WordPiece<Box<str>>,
        /// `[CLS]` and `[SEP]`.
        ends: [u32; 2],
    },
    Unigram(Unigram),
}

impl Tokeniser {
    /// Adds to `fingerprint` what tokens depend on. The error is a reason.
    pub(crate) fn read(folder: &Path, rows: usize, fingerprint: &mut blake3::Hasher) -> Result<Self, String> {
        let lines = fs::read_to_string(folder.join("vocab.txt")).ok();
        let (tokeniser, count) = match lines {
            Some(lines) => Self::of_words(folder, &lines, fingerprint)?,
            None => {
                let file: File =
                    required(folder, FILE).map_err(|why| format!("there is no vocab.txt, and {why}"))?;
                match file.model.name.as_deref() {
                    None | Some("WordPiece") => Self::of_words(folder, &lines_of(file)?, fingerprint)?,
                    Some("Unigram") => {
                        let pieces = Unigram::new(file, fingerprint)?;
                        let count = pieces.count;
                        (Self::Unigram(pieces), count)
                    }
                    Some(other) => {
                        return Err(format!(
                            "its tokeniser is `{other}`, and only `WordPiece` or `Unigram` is known"
                        ));
                    }
                }
            }
        };
        if count > rows {
            return Err(format!("its vocabulary has {count} entries, its weights {rows}"));
        }
        Ok(tokeniser)
    }

    fn of_words(
        folder: &Path,
        lines: &str,
        fingerprint: &mut blake3::Hasher,
    ) -> Result<(Self, usize), String> {
        if optional::<Value>(folder, "tokenizer_config.json")?
            .is_some_and(|file| file["do_lower_case"] == false)
        {
            return Err(CASED.into());
        }
        // Line by line, so that the ends of lines do not count.
        for line in lines.lines() {
            fingerprint.update(line.as_bytes()).update(b"\n");
        }
        let pieces = WordPiece::new(lines);
        match ["[CLS]", "[SEP]", "[UNK]"].map(|entry| pieces.token(entry)) {
            [Some(first), Some(last), Some(_)] => {
                Ok((Self::Words { pieces, ends: [first, last] }, lines.lines().count()))
            }
            _ => Err("its vocabulary lacks [CLS], [SEP] or [UNK]".into()),
        }
    }

    /// The tokens that begin and end a text.
    pub(crate) fn ends(&self) -> [u32; 2] {
        match self {
            Self::Words { ends, .. } => *ends,
            Self::Unigram(pieces) => pieces.ends,
        }
    }

    /// Whether a token is more than a mark or an unknown word.
    pub(crate) fn is_known(&self, token: u32) -> bool {
        match self {
            Self::Words { pieces, .. } => token != pieces.unknown,
            Self::Unigram(pieces) => token != pieces.unknown && Some(token) != pieces.space,
        }
    }

    /// Passes every token of `text` to `sink`, in order.
    pub(crate) fn for_each_token(&self, text: &str, sink: &mut impl FnMut(u32)) {
        match self {
            Self::Words { pieces, .. } => pieces.for_each_token(text, sink),
            Self::Unigram(pieces) => pieces.for_each_token(text, sink),
        }
    }
}

/// The vocabulary as the lines of a `vocab.txt`.
fn lines_of(file: File) -> Result<String, String> {
    if file.normalizer["lowercase"] == false {
        return Err(CASED.into());
    }
    match file.model.vocab {
        Vocabulary::Numbered(pieces) if (0..).zip(&pieces).all(|(at, (number, _))| at == *number) => {
            Ok(pieces.iter().flat_map(|(_, piece)| [piece, "\n"]).collect())
        }
        _ => Err(format!("the vocabulary of {FILE} has gaps")),
    }
}
