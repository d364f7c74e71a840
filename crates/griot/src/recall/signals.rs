//! The named measures of a candidate, and the weights that make one score of them.
//!
//! A score is the sum of signals times weights, so that every answer can say what it is made of. The weights lie in
//! `data/ranker.tsv`; `griot-eval train` learns them.

use std::sync::OnceLock;

use crate::model::{Error, ErrorKind, Result};

macro_rules! signals {
    ($($variant:ident $name:literal $meaning:literal;)+) => {
        /// A measure of a candidate; its values lie in 0..=1 unless its line says otherwise.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        #[repr(u8)]
        pub enum SignalName { $(#[doc = $meaning] $variant),+ }

        impl SignalName {
            pub const ALL: &[Self] = &[$(Self::$variant),+];

            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $name),+ }
            }

            /// What it measures, for documentation.
            pub const fn meaning(self) -> &'static str {
                match self { $(Self::$variant => $meaning),+ }
            }
        }
    };
}

signals! {
    Words          "words"           "BM25 of the bare text, as a share of the best candidate's";
    WordsInContext "words_in_context" "BM25 of the text with its header (title, headings, speaker), as a share of the best";
    Header         "header"          "BM25 of the header alone, as a share of the best";
    Place          "place"           "BM25 of the whole session or document, as a share of the best";
    Coverage       "coverage"        "share of the question's words that text and header have, by how rare they are";
    Meaning        "meaning"         "cosine with the question, as a share of the best; not below 0";
    PlaceMeaning   "place_meaning"   "the best cosine in the same session or document, as a share of the best";
    Before         "before"          "BM25 of the memory just before, as a share of the best";
    After          "after"           "BM25 of the memory just after, as a share of the best";
    Around         "around"          "the better BM25 of those two and three places away, as a share of the best";
    BeforeMeaning  "before_meaning"  "cosine of the memory just before, as a share of the best";
    AfterMeaning   "after_meaning"   "cosine of the memory just after, as a share of the best";
    Speaker        "speaker"         "1 if the question names who speaks";
    Asks           "asks"            "1 if the text is itself a question";
    Answers        "answers"         "BM25 of the question that stands just before, as a share of the best";
    Length         "length"          "logarithm of the number of words, 1 for 200 and more";
    Entities       "entities"        "share of the question's names that the memory mentions, by how rare they are";
    Time           "time"            "how well its time fits the time that the question names";
    Years          "years"           "1 if a year of the text lies in the asked span, less the further away the nearest is";
    YearSpan       "year_span"       "1 if first and last year of the text enclose the asked span";
    Graph          "graph"           "rank of a random walk from the best matches, on a logarithmic scale";
    Cause          "cause"           "strength of the causal chain from the memory to a good match";
}

pub const SIGNALS: usize = SignalName::ALL.len();

/// The values of one candidate.
pub type Values = [f32; SIGNALS];

/// One weight per signal.
#[derive(Clone, PartialEq, Debug)]
pub struct Ranker {
    weights: Values,
    /// What the sum is divided by, so that 1 is the best that can be reached.
    scale: f32,
}

static BUILT_IN: &str = include_str!("../../data/ranker.tsv");

impl Ranker {
    /// The weights in the binary.
    pub fn built_in() -> Result<&'static Self> {
        static RANKER: OnceLock<Result<Ranker>> = OnceLock::new();
        RANKER.get_or_init(|| Self::parse(BUILT_IN)).as_ref().map_err(Clone::clone)
    }

    /// Lines of `name<TAB>weight`; `#` begins a comment. Signals that are not named weigh nothing; unknown names are errors.
    pub fn parse(text: &str) -> Result<Self> {
        let refuse = |number: usize, why: String| {
            Err(Error::new(ErrorKind::InvalidInput, "read the ranker's weights", format!("line {number}: {why}")))
        };
        let mut weights = [0.0; SIGNALS];
        for (number, line) in text.lines().enumerate() {
            let line = line.split('#').next().unwrap_or_default().trim();
            if line.is_empty() {
                continue;
            }
            let Some((name, weight)) = line.split_once('\t') else {
                return refuse(number + 1, "there is no tab between name and weight".into());
            };
            let Some(signal) = SignalName::ALL.iter().find(|s| s.name() == name.trim()) else {
                return refuse(number + 1, format!("there is no signal `{name}`"));
            };
            match weight.trim().parse::<f32>() {
                Ok(weight) if weight.is_finite() => weights[*signal as usize] = weight,
                _ => return refuse(number + 1, format!("`{weight}` is not a number")),
            }
        }
        Ok(Self::new(weights))
    }

    pub fn new(weights: Values) -> Self {
        let scale: f32 = weights.iter().filter(|w| **w > 0.0).sum();
        Self { weights, scale: if scale > 0.0 { scale } else { 1.0 } }
    }

    pub fn score(&self, values: &Values) -> f32 {
        SignalName::ALL.iter().map(|s| self.share(*s, values)).sum()
    }

    /// The part of the score that one signal brings.
    pub fn share(&self, signal: SignalName, values: &Values) -> f32 {
        values[signal as usize] * self.weights[signal as usize] / self.scale
    }

    pub fn weight(&self, signal: SignalName) -> f32 {
        self.weights[signal as usize]
    }
}
