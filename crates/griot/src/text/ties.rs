//! How likely two memories speak of one property of one thing: of where the team meets, of what a loaf costs.
//!
//! Pure: from the words, vectors and values of a few texts, those that a question brought up. Rare words in
//! common count most, then meaning compared with the meaning of the other texts, then values of one kind.
//! A tie is symmetric and between 0 and 1; a text has no tie with itself.

use crate::model::Timestamp;

use super::alike::Sentence;
use super::fold::fold_into;
use super::language::{Language, language_of};
use super::property::Left;
use super::query::content_of;
use super::statement::{Statement, begins_sentence, statement_of};
use super::stem::stem_into;
use super::values::{ValueKind, Values, values_of, wanted_values};
use super::words::{Gap, KeyMap, Word, key_bytes, pair_at, words};

/// Weights of a logistic regression on pairs of statements from written stories, some of one property.
const BIAS: f32 = -5.0;
const SHARED: f32 = 1.6;
const SHARED_ROOT: f32 = 1.3;
const MEANING: f32 = 2.4;
const SAME_VALUE: f32 = 0.75;
/// Sum of word weights from which more in common says no more.
const MOST_SHARED: f32 = 12.0;
/// With fewer texts than this, what they share says little about what is common.
const FEW: usize = 30;
/// Weight of a word that is only a part of the other ("Schlüssel", "Kellerschlüssel").
const PART: f32 = 0.8;
/// Shortest part of a compound, in bytes.
const SHORTEST_PART: usize = 5;
/// Lengths of compounds, in bytes. All parts of one are looked up: a run of 100,000 characters is none.
const COMPOUND: std::ops::RangeInclusive<usize> = 8..=64;

/// A text to compare with others.
pub struct TieText<'a> {
    pub text: &'a str,
    pub speaker: Option<&'a str>,
    /// The vector of the text, of length 1.
    pub vector: Option<Vec<f32>>,
}

/// What says that two texts speak of one property.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
struct TieSigns {
    /// Summed weights of common words.
    shared: f32,
    /// Cosine after the mean of all texts is taken away.
    meaning: f32,
    /// Both hold a clock time, a day, money, a date or a code.
    same_value: bool,
}

impl TieSigns {
    fn tie(self) -> f32 {
        let x = BIAS
            + SHARED * self.shared.min(MOST_SHARED) / 6.0
            + SHARED_ROOT * self.shared.max(0.0).sqrt()
            + MEANING * self.meaning
            + if self.same_value { SAME_VALUE } else { 0.0 };
        1.0 / (1.0 + (-x).exp())
    }
}

/// Ties between all pairs of some texts, and what else is read of each.
pub struct Ties<'a> {
    texts: Vec<Scan<'a>>,
    /// Summed weights of common words, as a square table.
    shared: Vec<f32>,
    vectors: Vec<Vec<f32>>,
    /// The stems of each text that say something, in their order.
    stems: Vec<Vec<SaidStem>>,
}

/// A stem in a text; two are equal wherever they are said.
#[derive(Clone, Copy)]
struct SaidStem {
    key: u64,
    digit: bool,
    /// The index of its word.
    word: usize,
}

impl PartialEq for SaidStem {
    fn eq(&self, other: &Self) -> bool {
        self.key == other.key
    }
}

/// A text that was split into words once for all that is read of it.
struct Scan<'a> {
    text: &'a str,
    speaker: Option<&'a str>,
    words: Vec<Word>,
    language: Language,
    values: Values,
}

impl<'a> Scan<'a> {
    fn new(of: &TieText<'a>) -> Self {
        let TieText { text, speaker, .. } = *of;
        let words = words(text);
        Self { text, speaker, language: language_of(text, &words), values: values_of(text, &words), words }
    }
}

/// Two texts that begin alike, the higher index first, and whether they differ in a value alone: "the rent is
/// 940 euros", "the rent is 985 euros".
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Alike {
    pub pair: (usize, usize),
    pub in_value: bool,
}

impl<'a> Ties<'a> {
    /// `weight` is the weight of a word in the whole store by the key of its stem ([`super::term_key`]), for
    /// words where it is known; among texts that a question brought up, the words of the question look
    /// common.
    pub fn between(texts: &[TieText<'a>], weight: &dyn Fn(u64) -> Option<f32>) -> Self {
        let scans: Vec<Scan<'_>> = texts.iter().map(Scan::new).collect();
        let (shared, stems) = shared_words(texts, &scans, weight);
        Self { shared, stems, vectors: centred(texts), texts: scans }
    }

    /// Whether two texts say the same of two things, one of which the question names: "the black bin goes out
    /// on Monday", "the paper bin goes out on Friday". Between words in common, one has a word of the
    /// question and the other one has another word. `asked` are keys of the question's stems
    /// ([`super::term_key`]).
    pub fn contrast(&self, a: usize, b: usize, asked: &[u64]) -> bool {
        let (Some(one), Some(other)) = (self.stems.get(a), self.stems.get(b)) else { return false };
        let is_asked = |stem: &SaidStem| asked.contains(&stem.key);
        let alike = |x: Option<&SaidStem>, y: Option<&SaidStem>| match (x, y) {
            (Some(x), Some(y)) => x == y || x.digit && y.digit,
            _ => false,
        };
        // From the few words of the question: texts may be long.
        let from = |own: &[SaidStem], their: &[SaidStem]| {
            let before = |all: &[SaidStem], at: usize| at.checked_sub(1).map(|at| all[at]);
            let between = |x: usize, y: usize| {
                alike(own.get(x + 1), their.get(y + 1))
                    && (x == 0 && y == 0 || alike(before(own, x).as_ref(), before(their, y).as_ref()))
            };
            let differ =
                |x: usize, y: usize| between(x, y) && !is_asked(&their[y]) && !own.contains(&their[y]);
            let only_own = |x: &usize| is_asked(&own[*x]) && !their.contains(&own[*x]);
            (0..own.len()).filter(only_own).any(|x| (0..their.len()).any(|y| differ(x, y)))
        };
        from(one, other) || from(other, one)
    }

    /// Whether a text says a word, by the key of its stem.
    pub fn says(&self, at: usize, stem: u64) -> bool {
        self.stems.get(at).is_some_and(|own| own.iter().any(|one| one.key == stem))
    }

    /// What the change that a text states leaves; `None` if it does not say what was so before.
    pub fn left(&self, at: usize) -> Option<Left> {
        let (stems, words) = (self.stems.get(at)?, &self.texts.get(at)?.words);
        let starts = (0..words.len()).filter(|at| *at == 0 || begins_sentence(&words[*at]));
        let starts: Vec<usize> = starts.chain([words.len()]).collect();
        starts.windows(2).find_map(|ends| {
            let own = stems.iter().filter(|stem| (ends[0]..ends[1]).contains(&stem.word));
            Left::of(&words[ends[0]..ends[1]], own.map(|stem| (stem.word - ends[0], stem.key)))
        })
    }

    /// Whether both texts are rows of tables, and of two things: "name: Ada, hours: 30" and "name: Ben, …".
    pub fn are_rows_of_two(&self, a: usize, b: usize) -> bool {
        /// Labels of a row.
        const LABELS: usize = 3;
        /// Words of the first value in which things differ.
        const NAME: usize = 2;
        let first = |at: usize| {
            let words = &self.texts.get(at)?.words;
            let values: Vec<usize> = (0..words.len()).filter(|at| words[*at].gap == Gap::Colon).collect();
            let from = *values.first().filter(|_| values.len() >= LABELS)?;
            Some(words[from..].iter().take(NAME).map(|word| word.key).collect::<Vec<u64>>())
        };
        first(a).zip(first(b)).is_some_and(|(one, other)| one != other)
    }

    /// The tie of two texts, worked out when it is asked: times rule out many pairs.
    pub fn get(&self, a: usize, b: usize) -> f32 {
        let (Some(one), Some(other)) = (self.texts.get(a), self.texts.get(b)) else { return 0.0 };
        if a == b {
            return 0.0;
        }
        let signs = TieSigns {
            shared: self.shared[a * self.texts.len() + b],
            meaning: dot(&self.vectors[a], &self.vectors[b]),
            same_value: one.values.share_narrow(other.values),
        };
        signs.tie()
    }

    /// Of the pairs that may be meant those with a sentence of each that begins with the same words, some of
    /// the question among them, and ends with others, none of the question.
    pub fn alike(&self, question: &str, may_be: &dyn Fn(usize, usize) -> bool) -> Vec<Alike> {
        let asks_where = wanted_values(question).has(ValueKind::Place);
        let asked = words(question);
        let is_content = content_of(language_of(question, &asked));
        let asked: Vec<u64> = asked.iter().map(|word| word.key).filter(|key| is_content(*key)).collect();
        let meant: Vec<Vec<Sentence<'_>>> = self
            .texts
            .iter()
            .map(|one| Sentence::all_with(&asked, one.text, one.language, &one.words))
            .collect();
        let pairs = (0..self.texts.len()).flat_map(|a| (0..a).map(move |b| (a, b)));
        let alike = |(a, b): (usize, usize)| {
            // "My rent is 940 euros", says another one.
            if self.texts[a].speaker != self.texts[b].speaker {
                return None;
            }
            let all = meant[a].iter().flat_map(|one| meant[b].iter().map(move |two| (one, two)));
            let in_value = all.filter_map(|(one, two)| one.alike(two, &asked, asks_where)).max()?;
            Some(Alike { pair: (a, b), in_value })
        };
        pairs.filter(|(a, b)| may_be(*a, *b)).filter_map(alike).collect()
    }

    pub fn values(&self, at: usize) -> Values {
        self.texts.get(at).map(|one| one.values).unwrap_or_default()
    }

    /// What a text does, said at a time.
    pub fn statement(&self, at: usize, said: Timestamp) -> Statement {
        let of = |one: &Scan<'_>| statement_of(one.text, &one.words, one.language, said);
        self.texts.get(at).map(of).unwrap_or_default()
    }
}

/// The vectors without what all texts have in common, of length 1; empty for a text without a vector.
fn centred(texts: &[TieText<'_>]) -> Vec<Vec<f32>> {
    let with: Vec<&Vec<f32>> = texts.iter().filter_map(|one| one.vector.as_ref()).collect();
    let Some(dimensions) = with.first().map(|vector| vector.len()) else {
        return vec![Vec::new(); texts.len()];
    };
    let mut mean = vec![0.0f32; dimensions];
    for vector in &with {
        mean.iter_mut().zip(vector.iter()).for_each(|(sum, value)| *sum += value);
    }
    // What few texts have in common may be the very property.
    let known = with.len().max(FEW) as f32;
    mean.iter_mut().for_each(|sum| *sum /= known);
    let centre = |vector: &Vec<f32>| {
        let mut own: Vec<f32> = vector.iter().zip(&mean).map(|(value, mean)| value - mean).collect();
        let length = own.iter().map(|value| value * value).sum::<f32>().sqrt();
        if length <= f32::EPSILON {
            own.clear();
        }
        own.iter_mut().for_each(|value| *value /= length);
        own
    };
    texts.iter().map(|one| one.vector.as_ref().map(centre).unwrap_or_default()).collect()
}

/// In 16 sums, which fit into wide registers.
fn dot(a: &[f32], b: &[f32]) -> f32 {
    const LANES: usize = 16;
    let mut sums = [0f32; LANES];
    let ((a_rows, a_rest), (b_rows, b_rest)) = (a.as_chunks::<LANES>(), b.as_chunks::<LANES>());
    for (a, b) in a_rows.iter().zip(b_rows) {
        for lane in 0..LANES {
            sums[lane] += a[lane] * b[lane];
        }
    }
    sums.iter().sum::<f32>() + a_rest.iter().zip(b_rest).map(|(a, b)| a * b).sum::<f32>()
}

/// For each pair the summed weights of their common words, as a square table; and the stems of each text.
fn shared_words(
    texts: &[TieText<'_>],
    scans: &[Scan<'_>],
    weight: &dyn Fn(u64) -> Option<f32>,
) -> (Vec<f32>, Vec<Vec<SaidStem>>) {
    let count = texts.len();
    let mut stems = Stems::default();
    // The stem of each word in a language, none of a word that says nothing: words repeat.
    let mut known: KeyMap<Option<usize>> = KeyMap::default();
    let mut stem = String::new();
    let mut said: Vec<Vec<SaidStem>> = vec![Vec::new(); count];
    for (at, (one, scan)) in texts.iter().zip(scans).enumerate() {
        let is_content = content_of(scan.language);
        for (place, word) in scan.words.iter().enumerate() {
            if word.ideograph {
                if let Some(pair) = pair_at(&scan.words, place) {
                    let id = stems.id_of(&scan.text[pair]);
                    stems.hold(id, at);
                    said[at].push(SaidStem { key: stems.all[id].key, digit: false, word: place });
                }
                continue;
            }
            let is_long = word.end - word.start > 1 || word.digit;
            if !is_long {
                continue;
            }
            let id = *known.entry(word.key ^ scan.language as u64).or_insert_with(|| {
                is_content(word.key).then(|| {
                    stem_into(word.text(scan.text), scan.language, &mut stem);
                    stems.id_of(&stem)
                })
            });
            if let Some(id) = id {
                stems.hold(id, at);
                said[at].push(SaidStem { key: stems.all[id].key, digit: word.digit, word: place });
            }
        }
        if let Some(speaker) = one.speaker {
            stem.clear();
            fold_into(speaker, &mut stem);
            let id = stems.id_of(&stem);
            stems.hold(id, at);
        }
    }
    let Stems { ids, all: stems } = stems;
    let mut shared = vec![0.0; count * count];
    let mut add = |a: usize, b: usize, value: f32| {
        if a != b {
            shared[a * count + b] += value;
            shared[b * count + a] += value;
        }
    };
    for (id, stem) in stems.iter().enumerate() {
        let own = &stem.texts;
        let (n, df) = (count.max(FEW) as f32, own.len() as f32);
        let idf = (1.0 + (n - df + 0.5) / (df + 0.5)).ln();
        let idf = weight(stem.key).map_or(idf, |known| idf.max(known));
        for (first, a) in own.iter().enumerate() {
            own[first + 1..].iter().for_each(|b| add(*a, *b, idf));
        }
        for part in parts(&stem.compound) {
            let Some(other) = ids.get(&key_bytes(part)).filter(|other| **other != id) else { continue };
            for a in own {
                let others = stems[*other].texts.iter().filter(|b| !own.contains(b));
                others.for_each(|b| add(*a, *b, PART * idf));
            }
        }
    }
    (shared, said)
}

/// The stems of some texts, in order of first occurrence.
#[derive(Default)]
struct Stems {
    ids: KeyMap<usize>,
    all: Vec<Stem>,
}

impl Stems {
    fn id_of(&mut self, stem: &str) -> usize {
        *self.ids.entry(key_bytes(stem.as_bytes())).or_insert_with(|| {
            self.all.push(Stem::new(stem));
            self.all.len() - 1
        })
    }

    /// Notes that a text has a stem; texts come in order.
    fn hold(&mut self, id: usize, text: usize) {
        let texts = &mut self.all[id].texts;
        if texts.last() != Some(&text) {
            texts.push(text);
        }
    }
}

/// A stem of the texts.
struct Stem {
    key: u64,
    texts: Vec<usize>,
    /// The stem itself if it may be a compound, else empty.
    compound: String,
}

impl Stem {
    fn new(stem: &str) -> Self {
        let may_be = COMPOUND.contains(&stem.len()) && stem.bytes().all(|byte| byte.is_ascii_alphabetic());
        let compound = if may_be { stem.to_string() } else { String::new() };
        Self { key: key_bytes(stem.as_bytes()), texts: Vec::new(), compound }
    }
}

/// The beginnings and ends of a long ASCII word that could be words.
fn parts(word: &str) -> impl Iterator<Item = &[u8]> {
    let bytes = word.as_bytes();
    (SHORTEST_PART..bytes.len()).flat_map(move |cut| [&bytes[..cut], &bytes[bytes.len() - cut..]])
}

#[cfg(test)]
mod tests {
    use super::super::query::{content_terms, term_key};
    use super::*;

    #[test]
    fn statements_of_one_property_are_tied() {
        let texts = [
            "The archive is kept in the cellar.",
            "Wednesday there is soup.",
            "The archive moved from the cellar to the attic.",
            "The bell rings at nine.",
            "Der Schlüssel liegt beim Pförtner.",
            "Kellerschlüssel: ab heute bei Ayla.",
            "户口本放在主卧衣柜的铁盒里。",
            "户口本挪到书房保险柜了。",
            "豆芽在菜市场买。",
        ];
        let texts = texts.map(|text| TieText { text, speaker: None, vector: None });
        let ties = Ties::between(&texts, &|_| None);
        assert!(ties.get(0, 2) > 0.3 && ties.get(0, 2) == ties.get(2, 0), "{}", ties.get(0, 2));
        assert!(ties.get(0, 1) < 0.05 && ties.get(0, 0) == 0.0);
        assert!(ties.get(4, 5) > ties.get(3, 5), "a compound contains its parts");
        assert!(ties.get(6, 7) > 2.0 * ties.get(6, 8), "pairs of characters are words");
        // What is rare in the whole store counts more than it seems among these texts.
        let known = Ties::between(&texts, &|stem| (stem == key_bytes(b"archiv")).then_some(8.0));
        assert!(known.get(0, 2) > ties.get(0, 2));
    }

    #[test]
    fn two_things_of_one_kind_are_told_apart() {
        let contrast = |one: &str, other: &str, question: &str| {
            let texts = [one, other].map(|text| TieText { text, speaker: None, vector: None });
            let asked: Vec<u64> = content_terms(question).iter().map(|term| term_key(term)).collect();
            let [there, back] =
                [(0, 1), (1, 0)].map(|(a, b)| Ties::between(&texts, &|_| None).contrast(a, b, &asked));
            assert_eq!(there, back);
            there
        };
        let (black, paper) = ("The black bin goes out on Monday.", "The paper bin goes out on Friday night.");
        assert!(contrast(black, paper, "When does the black bin go out?"));
        assert!(!contrast(black, paper, "When do the bins go out?"));
        let (ada, ben) = ("Annual fee for adults: 180.", "Annual fee for juniors: 75.");
        assert!(contrast(ada, ben, "What does an adult pay?"));
        let (yarn, pnpm) = ("We use yarn to install packages.", "We use pnpm to install packages.");
        assert!(!contrast(yarn, pnpm, "What do we use to install packages?"));
        assert!(!contrast("The rent is 940 euros.", "The rent is 985 euros.", "What is the rent?"));
        assert!(!contrast("", "", ""));
    }
}
