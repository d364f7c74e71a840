//! The signals of a candidate and the weights that combine them into a score.
//!
//! A score is a weighted sum of signals, so that every answer can explain it. The weights are in
//! `data/ranker.tsv`; `tools/train` learns them.

use std::sync::OnceLock;

use crate::model::{Error, ErrorKind, Result};

macro_rules! signals {
    ($($variant:ident $name:literal $meaning:literal;)+) => {
        named! {
            /// A measure of a candidate; its values are in 0..=1 unless its line says otherwise.
            SignalName { $(#[doc = $meaning] $variant = $name,)+ }
        }

        impl SignalName {
            /// Description for the documentation.
            pub const fn meaning(self) -> &'static str {
                match self { $(Self::$variant => $meaning),+ }
            }
        }
    };
}

signals! {
    Words "words" "BM25 of the bare text, as a share of the best candidate's";
    WordsInContext "words_in_context" "BM25 of the text with its header (title, headings, speaker), as a \
        share of the best";
    Header "header" "BM25 of the header alone, as a share of the best";
    Place "place" "BM25 of the whole session or document, as a share of the best";
    Coverage "coverage" "IDF-weighted share of the question's words in text and header";
    Meaning "meaning" "cosine with the question, as a share of the best; not below 0";
    PlaceMeaning "place_meaning" "the best cosine in the same session or document, as a share of the best";
    Before "before" "BM25 of the memory just before, as a share of the best";
    After "after" "BM25 of the memory just after, as a share of the best";
    Around "around" "the better BM25 of those two and three places away, as a share of the best";
    BeforeMeaning "before_meaning" "cosine of the memory just before, as a share of the best";
    AfterMeaning "after_meaning" "cosine of the memory just after, as a share of the best";
    Speaker "speaker" "1 if the question names who speaks";
    Machine "machine" "1 if an assistant, a bot or a system speaks, not a person";
    Asks "asks" "1 if the text is itself a question";
    Answers "answers" "BM25 of the memory just before if it is a question, as a share of the best";
    Length "length" "logarithm of the number of words, 1 for 200 and more";
    Entities "entities" "share of the question's names that the memory mentions, weighted by rarity";
    Time "time" "how well its time fits the time that the question names";
    Years "years" "1 if a year in the text is inside the asked span, decreasing with the distance of the \
        nearest";
    YearSpan "year_span" "1 if first and last year of the text enclose the asked span";
    Graph "graph" "rank of a random walk from the best matches, on a logarithmic scale";
    GraphFirst "graph_first" "the same from the best match alone";
    GraphNames "graph_names" "the same from the names of the question alone";
    Bridge "bridge" "BM25 of the words that a best match lacks and of the names it mentions, as a share of \
        the best";
    BridgeHeader "bridge_header" "the same in the header";
    BridgeOpen "bridge_open" "share of the words that a best match lacks, for memories that contain a whole \
        name it mentions";
    Complement "complement" "share of the question's words that the memory has and the best match lacks";
    Echo "echo" "cosine with the three best matches, weighted by their scores";
    Open "open" "share of the question's words that the best match lacks; the same for all candidates";
    Said "said" "1 for speech: a turn of a conversation";
    Start "start" "the constant part of the score";
}

pub const SIGNALS: usize = SignalName::ALL.len();

/// The signal values of one candidate.
pub type Values = [f32; SIGNALS];

/// Weights depend on the genre: a turn of a conversation needs its context, a written text does not.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Genre {
    /// Speech: the memory has a speaker.
    Said,
    Written,
}

/// One weight per signal and genre.
#[derive(Clone, PartialEq, Debug)]
pub struct Ranker {
    said: Weights,
    written: Weights,
}

#[derive(Clone, PartialEq, Debug)]
struct Weights {
    of: Values,
    /// Divisor of the sum, so that 1 is the highest possible score in either genre.
    scale: f32,
}

impl Weights {
    fn new(of: Values) -> Self {
        let scale: f32 = of.iter().filter(|w| **w > 0.0).sum();
        Self { of, scale: if scale > 0.0 { scale } else { 1.0 } }
    }
}

static BUILT_IN: &str = include_str!("../../data/ranker.tsv");

impl Ranker {
    /// The weights compiled into the binary.
    pub fn built_in() -> Result<&'static Self> {
        static RANKER: OnceLock<Result<Ranker>> = OnceLock::new();
        RANKER.get_or_init(|| Self::parse(BUILT_IN)).as_ref().map_err(Clone::clone)
    }

    /// Parses lines of `name<TAB>weight for speech<TAB>weight for text`; `#` starts a comment. Signals
    /// without a line have weight 0; unknown names are errors.
    pub fn parse(text: &str) -> Result<Self> {
        let refuse = |number: usize, why: String| {
            Err(Error::new(
                ErrorKind::InvalidInput,
                "read the ranker's weights",
                format!("line {number}: {why}"),
            ))
        };
        let mut weights = [[0.0; SIGNALS]; 2];
        for (number, line) in text.lines().enumerate() {
            let line = line.split('#').next().unwrap_or_default().trim();
            if line.is_empty() {
                continue;
            }
            let columns: Vec<&str> = line.split('\t').map(str::trim).collect();
            let &[name, said, written] = columns.as_slice() else {
                return refuse(number + 1, "a line has a name and two weights, with tabs between".into());
            };
            let Some(signal) = SignalName::parse(name) else {
                return refuse(number + 1, format!("there is no signal `{name}`"));
            };
            for (genre, weight) in [said, written].into_iter().enumerate() {
                match weight.parse::<f32>() {
                    Ok(weight) if weight.is_finite() => weights[genre][signal as usize] = weight,
                    _ => return refuse(number + 1, format!("`{weight}` is not a number")),
                }
            }
        }
        let [said, written] = weights;
        Ok(Self::new(said, written))
    }

    pub fn new(said: Values, written: Values) -> Self {
        Self { said: Weights::new(said), written: Weights::new(written) }
    }

    fn weights(&self, genre: Genre) -> &Weights {
        match genre {
            Genre::Said => &self.said,
            Genre::Written => &self.written,
        }
    }

    pub fn score(&self, genre: Genre, values: &Values) -> f32 {
        SignalName::ALL.iter().map(|s| self.share(genre, *s, values)).sum()
    }

    /// The contribution of one signal to the score.
    pub fn share(&self, genre: Genre, signal: SignalName, values: &Values) -> f32 {
        values[signal as usize] * self.weight(genre, signal) / self.weights(genre).scale
    }

    pub fn shares(&self, genre: Genre, values: &Values) -> Values {
        std::array::from_fn(|at| self.share(genre, SignalName::ALL[at], values))
    }

    pub fn weight(&self, genre: Genre, signal: SignalName) -> f32 {
        self.weights(genre).of[signal as usize]
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn the_built_in_weights_can_be_read() {
        let ranker = Ranker::built_in().unwrap();
        assert!(ranker.weight(Genre::Said, SignalName::WordsInContext) > 0.0);
    }

    #[test]
    fn shares_sum_to_the_score() {
        let ranker = Ranker::built_in().unwrap();
        let values: Values = std::array::from_fn(|at| (at as f32 * 0.37).fract());
        for genre in [Genre::Said, Genre::Written] {
            let sum: f32 = SignalName::ALL.iter().map(|s| ranker.share(genre, *s, &values)).sum();
            assert!((sum - ranker.score(genre, &values)).abs() < 1e-5);
        }
    }

    #[test]
    fn a_broken_file_is_refused_by_line() {
        for (text, why) in [
            ("words\t1", "two weights"),
            ("wrods\t1\t1", "no signal `wrods`"),
            ("words\t1\tx", "`x` is not a number"),
        ] {
            assert!(Ranker::parse(text).unwrap_err().why.contains(why), "{text}");
        }
    }
}
