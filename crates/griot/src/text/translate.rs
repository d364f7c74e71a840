//! How is a question asked in another language, word by word?
//!
//! `assets/lexicon` lists for a word its one or two nearest words in English, and for an English word those
//! in German, French, Spanish and Chinese; two other languages meet in English. Names, and words that no list
//! has, stay as they are. The result is good for finding a text, not for reading it.

use std::sync::LazyLock;

use super::language::Language;
use super::query::{content_of, is_stop_term, read_of};
use super::terms::for_each_asked_term;
use super::words::{self, is_ideograph};

/// The search terms of a question in another language.
#[derive(Clone, PartialEq, Debug)]
pub struct Translation {
    pub language: Language,
    /// Distinct, at most 64.
    pub terms: Vec<String>,
    /// For each of them, the bits of the question's terms that it translates.
    pub translates: Vec<u64>,
}

/// The languages that are translated.
const LANGUAGES: [Language; 5] =
    [Language::English, Language::German, Language::French, Language::Spanish, Language::Chinese];

/// For each language terms of words that its texts repeat, and that texts of the others hardly have.
static EVERYDAY: LazyLock<[Vec<String>; 5]> = LazyLock::new(|| {
    let words = [
        "the and of for with they has that this would their which when our",
        "und ist nicht für auf wird wir ich auch beim den dem eine haben",
        "une dans est pas nous avec cette vous leur ils aux mais quand chez",
        "los una para con está del pero muy porque hay por como cuando hasta",
        "我们 一个 没有 可以 现在 需要 因为 他们 今天 已经 这个 开始 时候 问题 以后 不要 自己 还是 所以 如果 \
         昨天 明天 上午 下午 决定 之前 之后 原因 不能 不会 每天 时间 改成 公司",
    ];
    std::array::from_fn(|at| {
        let mut terms = Vec::new();
        for_each_asked_term(words[at], LANGUAGES[at], &mut |term| terms.push(term.to_string()));
        terms
    })
});

/// Translates one question.
pub struct Translator<'a> {
    question: &'a str,
    /// The language whose stems the terms of the question are.
    stems: Language,
    from: Language,
    terms: &'a [String],
    names: u64,
}

impl<'a> Translator<'a> {
    /// `terms` are the search terms of the question, as its `language` has them; `names` the bits of those
    /// that belong to names.
    pub fn new(question: &'a str, language: Language, terms: &'a [String], names: u64) -> Self {
        let question = read_of(question);
        Self { question, stems: language, from: language_of_words(question, language), terms, names }
    }

    /// The languages other than that of the question, each with terms that show that a store holds it.
    pub fn others(&self) -> impl Iterator<Item = (Language, &'static [String])> {
        let all = LANGUAGES.into_iter().zip(EVERYDAY.iter().map(Vec::as_slice));
        all.filter(|(language, _)| *language != self.from)
    }

    /// The question in a language; `None` if no list has any of its words.
    pub fn translation(&self, to: Language) -> Option<Translation> {
        /// A memory's matches fit a `u64`.
        const MOST: usize = 64;
        let mut translation = Translation { language: to, terms: Vec::new(), translates: Vec::new() };
        for (word, bits) in self.words(self.question, to)? {
            for_each_asked_term(word, to, &mut |term| {
                if let Some(at) = translation.terms.iter().position(|known| known == term) {
                    translation.translates[at] |= bits;
                } else if translation.terms.len() < MOST && !is_stop_term(term) {
                    translation.terms.push(term.to_string());
                    translation.translates.push(bits);
                }
            });
        }
        Some(translation)
    }

    /// The part of the question that is embedded, in a language: its words in their order.
    pub fn text(&self, subject: &str, to: Language) -> Option<String> {
        let words = self.words(read_of(subject), to)?;
        Some(words.into_iter().map(|(word, _)| word).collect::<Vec<_>>().join(" "))
    }

    /// The words to ask with, each with the bits of the terms that it translates; `None` if all are unknown.
    fn words<'t>(&self, text: &'t str, to: Language) -> Option<Vec<(&'t str, u64)>> {
        let mut words: Vec<(&'t str, u64)> = Vec::new();
        let mut is_any_known = false;
        let is_content = content_of(self.from);
        for (piece, begins) in self.pieces(text) {
            let bits = self.bits(piece);
            if bits == 0 || !is_content(words::key(piece)) {
                continue;
            }
            let known = if bits & self.names == 0 { self.meanings(piece, to) } else { Vec::new() };
            // "Monday" and "Rosa" are written alike.
            let may_name = self.from != Language::German && !begins && piece.starts_with(char::is_uppercase);
            if known.is_empty() || may_name {
                words.push((piece, bits));
            }
            is_any_known |= !known.is_empty();
            words.extend(known.into_iter().map(|word| (word, bits)));
        }
        is_any_known.then_some(words)
    }

    /// The words of a text, and whether each is the first.
    fn pieces<'t>(&self, text: &'t str) -> Vec<(&'t str, bool)> {
        let mut pieces = Vec::new();
        let mut rest = text;
        while let Some(start) = rest.find(char::is_alphanumeric) {
            rest = &rest[start..];
            let is_han = rest.starts_with(is_ideograph);
            let is_inside = |c: char| c.is_alphanumeric() && is_ideograph(c) == is_han;
            let end = rest.find(|c| !is_inside(c)).unwrap_or(rest.len());
            let (run, after) = rest.split_at(end);
            if is_han {
                pieces.extend(self.segmented(run).into_iter().map(|piece| (piece, false)));
            } else {
                pieces.push((run, pieces.is_empty()));
            }
            rest = after;
        }
        pieces
    }

    /// The longest listed words from left to right, and what is between them.
    fn segmented<'t>(&self, run: &'t str) -> Vec<&'t str> {
        /// Characters of the longest listed word.
        const LONGEST: usize = 4;
        let Some(list) = list(self.from, Language::English) else { return vec![run] };
        let mut pieces = Vec::new();
        let (mut unknown, mut at) = (0, 0);
        while let Some(first) = run[at..].chars().next() {
            let ends = run[at..].char_indices().skip(1).map(|(end, _)| at + end).chain([run.len()]);
            let listed = ends.take(LONGEST).filter(|end| find(list, &run[at..*end]).is_some()).last();
            if let Some(end) = listed {
                pieces.extend(Some(&run[unknown..at]).filter(|piece| !piece.is_empty()));
                pieces.push(&run[at..end]);
                (unknown, at) = (end, end);
            } else {
                at += first.len_utf8();
            }
        }
        pieces.extend(Some(&run[unknown..]).filter(|piece| !piece.is_empty()));
        pieces
    }

    /// The bits of the terms that a piece of the question gives.
    fn bits(&self, piece: &str) -> u64 {
        let mut bits = 0;
        for_each_asked_term(piece, self.stems, &mut |term| {
            let at = self.terms.iter().position(|known| known == term);
            bits |= at.and_then(|at| 1u64.checked_shl(u32::try_from(at).ok()?)).unwrap_or(0);
        });
        bits
    }

    /// The nearest words in the other language, likeliest first.
    fn meanings(&self, piece: &str, to: Language) -> Vec<&'static str> {
        if self.from == Language::English {
            return of_english(piece, to);
        }
        let Some(list) = list(self.from, Language::English) else { return Vec::new() };
        let english: Vec<&str> = match find(list, &key(piece, self.from)) {
            Some(words) => words.split(' ').collect(),
            None => self.compound(list, piece),
        };
        match to {
            Language::English => english,
            _ => english.into_iter().take(1).flat_map(|word| of_english(word, to)).collect(),
        }
    }

    /// The meanings of both parts of a German compound: of those that are listed, the most even ones.
    fn compound(&self, list: &'static str, word: &str) -> Vec<&'static str> {
        /// Bytes of the shortest part.
        const SHORTEST: usize = 3;
        /// Bytes of the longest compound. What is longer is no word.
        const LONGEST: usize = 60;
        const LINKS: [&str; 5] = ["", "s", "es", "n", "en"];
        if self.from != Language::German || word.len() > LONGEST {
            return Vec::new();
        }
        let meaning = |part: &str| find(list, &key(part, self.from))?.split(' ').next();
        let ends = word.char_indices().map(|(at, _)| at);
        let splits = ends.flat_map(|at| {
            let (first, second) = word.split_at(at);
            LINKS.into_iter().filter_map(move |link| Some((first.strip_suffix(link)?, second)))
        });
        let size = |(first, second): &(&str, &str)| first.len().min(second.len());
        let long = splits.filter(|parts| size(parts) >= SHORTEST);
        let listed =
            long.filter_map(|parts| Some((size(&parts), vec![meaning(parts.0)?, meaning(parts.1)?])));
        listed.max_by_key(|(size, _)| *size).map(|(_, meanings)| meanings).unwrap_or_default()
    }
}

/// The language of a question: where that is unknown, the one that has most of its words, as in
/// "Zahnarzt Termin".
fn language_of_words(question: &str, known: Language) -> Language {
    if known != Language::Other {
        return known;
    }
    let count = |from: Language, to: Language| {
        let Some(list) = list(from, to) else { return 0 };
        let words = question.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
        words.filter(|word| find(list, &key(word, from)).is_some()).count()
    };
    let english = LANGUAGES.iter().map(|to| count(Language::English, *to)).max().unwrap_or_default();
    let mut best = (english, Language::English);
    for from in LANGUAGES {
        let words = count(from, Language::English);
        if words > best.0 {
            best = (words, from);
        }
    }
    best.1
}

/// The nearest words of an English word in a language, likeliest first.
fn of_english(word: &str, to: Language) -> Vec<&'static str> {
    let list = list(Language::English, to);
    let found = list.and_then(|list| find(list, &key(word, Language::English)));
    found.map(|words| words.split(' ').collect()).unwrap_or_default()
}

/// The key of a word in the lists: its term.
fn key(word: &str, language: Language) -> String {
    if word.starts_with(is_ideograph) {
        return word.to_string();
    }
    let mut key = String::new();
    for_each_asked_term(word, language, &mut |term| {
        if key.is_empty() {
            key.push_str(term);
        }
    });
    key
}

/// Lines of a key, a tab and words, ascending by the bytes of the keys.
fn list(from: Language, to: Language) -> Option<&'static str> {
    use Language::{Chinese, English, French, German, Spanish};
    match (from, to) {
        (German, English) => Some(include_str!("../../assets/lexicon/german_english.tsv")),
        (French, English) => Some(include_str!("../../assets/lexicon/french_english.tsv")),
        (Spanish, English) => Some(include_str!("../../assets/lexicon/spanish_english.tsv")),
        (Chinese, English) => Some(include_str!("../../assets/lexicon/chinese_english.tsv")),
        (English, German) => Some(include_str!("../../assets/lexicon/english_german.tsv")),
        (English, French) => Some(include_str!("../../assets/lexicon/english_french.tsv")),
        (English, Spanish) => Some(include_str!("../../assets/lexicon/english_spanish.tsv")),
        (English, Chinese) => Some(include_str!("../../assets/lexicon/english_chinese.tsv")),
        _ => None,
    }
}

/// The words of a key, by bisection, so that nothing has to be built before the first question.
fn find(list: &'static str, key: &str) -> Option<&'static str> {
    let (mut low, mut high) = (0, list.len());
    while low < high {
        let middle = low + (high - low) / 2;
        let is_end = |byte: &u8| *byte == b'\n';
        let start = list.as_bytes()[low..middle].iter().rposition(is_end).map_or(low, |at| low + at + 1);
        let end = list.as_bytes()[start..].iter().position(is_end).map_or(list.len(), |at| start + at);
        let (entry, words) = list[start..end].split_once('\t')?;
        match entry.cmp(key) {
            std::cmp::Ordering::Equal => return Some(words),
            std::cmp::Ordering::Less => low = end + 1,
            std::cmp::Ordering::Greater => high = start,
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::{content_terms, language};

    /// The translated terms, each with the terms of the question that it translates.
    fn translated(question: &str, names: u64, to: Language) -> Vec<(String, Vec<String>)> {
        let terms = content_terms(question);
        let translator = Translator::new(question, language(question), &terms, names);
        let Some(translation) = translator.translation(to) else { return Vec::new() };
        let original = |bits: u64| {
            let found = terms.iter().enumerate().filter(|(at, _)| bits >> at & 1 == 1);
            found.map(|(_, term)| term.clone()).collect()
        };
        let bits = translation.translates.into_iter();
        translation.terms.into_iter().zip(bits.map(original)).collect()
    }

    fn has(question: &str, to: Language, term: &str, of: &str) {
        let found = translated(question, 0, to);
        assert!(found.iter().any(|(one, all)| one == term && all.iter().any(|one| one == of)), "{found:?}");
    }

    #[test]
    fn each_word_has_words_in_the_other_language() {
        has("Wo ist das Fenster undicht?", Language::English, "window", "fenst");
        has("Who let the dog into the kitchen?", Language::German, "hund", "dog");
        has("¿Dónde está la escuela?", Language::English, "school", "escuel");
        has("Qui a fermé la fenêtre ?", Language::English, "window", "fenetr");
        has("医院的窗户在哪里？", Language::English, "window", "窗户");
        has("Which window is open?", Language::Chinese, "窗户", "window");
    }

    #[test]
    fn two_other_languages_meet_in_english() {
        has("Wo ist das Fenster undicht?", Language::Spanish, "ventan", "fenst");
        has("Qui a promené le chien ?", Language::German, "hund", "chien");
    }

    #[test]
    fn a_german_compound_has_the_meanings_of_its_parts() {
        has("Wer hat den Wasserhund gesehen?", Language::English, "water", "wasserhund");
        has("Wer hat den Wasserhund gesehen?", Language::English, "dog", "wasserhund");
    }

    #[test]
    fn names_and_unknown_words_stay() {
        let question = "Who opened the kitchen for Rosa in zzyzx?";
        let found = translated(question, 0, Language::German);
        assert!(
            found.iter().any(|(term, _)| term == "rosa") && found.iter().any(|(term, _)| term == "zzyzx")
        );
        assert!(found.iter().any(|(term, _)| term == "kuch"), "{found:?}");
        // "kitchen" belongs to a name here.
        let terms = content_terms(question);
        let names = terms.iter().position(|term| term == "kitchen").map_or(0, |at| 1 << at);
        assert!(translated(question, names, Language::German).iter().all(|(term, _)| term != "kuch"));
    }

    #[test]
    fn words_without_grammar_are_in_the_language_that_has_them() {
        let asked = |question: &str| language_of_words(question, language(question));
        assert_eq!(asked("Fenster Heizung"), Language::German);
        assert_eq!(asked("window heating"), Language::English);
        assert_eq!(asked("xyzzy"), Language::English);
        has("Fenster Heizung", Language::English, "window", "fenster");
    }

    #[test]
    fn nothing_known_gives_no_translation() {
        assert!(translated("zzyzx xyzzy?", 0, Language::German).is_empty());
        assert!(translated("Fenster", 0, Language::Other).is_empty());
        assert!(translated("", 0, Language::English).is_empty());
    }

    #[test]
    fn every_entry_of_the_lists_is_found() {
        for from in LANGUAGES {
            for to in LANGUAGES {
                let Some(list) = list(from, to) else { continue };
                for line in list.lines() {
                    let is_found = |(key, words)| find(list, key) == Some(words);
                    assert!(line.split_once('\t').is_some_and(is_found), "{line}");
                }
                assert_eq!(find(list, "\u{10ffff}"), None);
                assert_eq!(find(list, ""), None);
            }
        }
    }
}
