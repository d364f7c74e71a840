//! Does a single capitalised word of a German text name something? Nouns have capitals too, so the words
//! around it decide.

use super::capitals::Capitals;
use super::german::is_noun;
use super::name_words::role;
use super::words::Gap;

/// Whether the words around a single capitalised word show that it is a name.
pub(super) fn has_evidence(capitals: &Capitals, at: usize) -> bool {
    let (text, words) = (capitals.text, capitals.words);
    let word = &words[at];
    let is_thing = capitals.has(at, role::COMMON | role::THING | role::PLACE_NOUN | role::STARTER);
    if word.text(text).chars().count() < 3 || is_thing || is_noun(word.text(text)) {
        return false;
    }
    if ends_like_opening(word.text(text)) && capitals.starts_sentence(at) && next_is_small(capitals, at) {
        return capitals.has(at + 1, role::PERSON_VERB) || is_followed_by_aside(capitals, at);
    }
    if capitals.starts_sentence(at) {
        let with_other = capitals.words.get(at + 1).is_some_and(|next| next.text(text) == "und");
        return follows_verb(capitals, at)
            || is_repeated(capitals, at)
            || with_other
            || is_followed_by_aside(capitals, at);
    }
    let Some(before) = at.checked_sub(1) else { return true };
    let gap = word.gap;
    let shown = words[before].text(text).to_lowercase();
    let is_plain = matches!(gap, Gap::Space | Gap::Line);
    if is_plain && capitals.has(before, role::ARTICLE_GERMAN | role::DETERMINER_GERMAN) {
        return false;
    }
    if is_plain && !words[before].upper && ends_like_adjective(&shown) && !capitals.is_function(before) {
        return follows_verb(capitals, at) && is_repeated(capitals, at);
    }
    // "die Tischlerin, Wanda, kommt".
    let is_aside = gap == Gap::Comma && words.get(at + 1).is_some_and(|next| next.gap == Gap::Comma);
    if is_aside && words[before].upper {
        return true;
    }
    let is_joined = is_plain && matches!(shown.as_str(), "und" | "oder" | "sowie" | "&");
    (is_plain && capitals.has(before, role::BEFORE_NAME_GERMAN))
        || (is_joined && before > 0 && words[before - 1].upper && !is_noun(words[before - 1].text(text)))
        || (is_plain && words[before].upper && capitals.has(before, role::PERSON_NOUN | role::PLACE_NOUN))
        || follows_verb(capitals, at)
        || is_repeated(capitals, at)
        || is_followed_by_aside(capitals, at)
        || (is_plain && capitals.has(before, role::VERB | role::PERSON_VERB))
}

fn next_is_small(capitals: &Capitals, at: usize) -> bool {
    capitals.words.get(at + 1).is_some_and(|next| !next.upper)
}

/// Whether a finite verb follows: "Wanda leitet", "…, dass Wanda kommt".
fn follows_verb(capitals: &Capitals, at: usize) -> bool {
    capitals.words.get(at + 1).is_some_and(|next| {
        let shown = next.text(capitals.text);
        matches!(next.gap, Gap::Space | Gap::Line)
            && !next.upper
            && (capitals.has(at + 1, role::VERB | role::PERSON_VERB)
                || (!capitals.is_function(at + 1)
                    && shown.len() > 4
                    && (shown.ends_with("te") || shown.ends_with("ierte") || shown.ends_with("iert"))))
    })
}

/// "Wanda, die Tischlerin," and "Wanda (Technik)".
fn is_followed_by_aside(capitals: &Capitals, at: usize) -> bool {
    let is_article = |at: usize| {
        let shown = capitals.words.get(at).map(|word| word.text(capitals.text)).unwrap_or_default();
        matches!(
            shown,
            "die"
                | "der"
                | "eine"
                | "ein"
                | "unsere"
                | "unser"
                | "meine"
                | "mein"
                | "ihre"
                | "ihr"
                | "seine"
                | "sein"
        )
    };
    capitals.words.get(at + 1).is_some_and(|next| next.gap == Gap::Comma)
        && is_article(at + 1)
        && capitals.has(at + 2, role::PERSON_NOUN)
}

/// Whether the text names it at least twice, which an unknown noun rarely is without an article.
fn is_repeated(capitals: &Capitals, at: usize) -> bool {
    let is_determined = |at: usize| {
        at > 0
            && matches!(capitals.words[at].gap, Gap::Space | Gap::Line)
            && (capitals.has(at - 1, role::ARTICLE_GERMAN | role::DETERMINER_GERMAN)
                || ends_like_adjective(&capitals.words[at - 1].text(capitals.text).to_lowercase()))
    };
    capitals.bare_count(at, is_determined).is_some_and(|count| count >= 2)
}

fn ends_like_adjective(word: &str) -> bool {
    word.len() > 4 && ["e", "en", "er", "es", "em"].iter().any(|ending| word.ends_with(ending))
}

/// The same for the first word of a sentence, which may be an adverb or a participle.
fn ends_like_opening(word: &str) -> bool {
    const ENDINGS: &[&str] = &[
        "en", "er", "es", "em", "te", "ige", "liche", "ische", "ende", "bare", "same", "dere", "ere", "ste",
        "ale", "ive", "eue", "eise", "ens", "lich", "ig", "isch", "end", "los", "bar", "wärts", "mals",
        "dings",
    ];
    word.len() > 4 && ENDINGS.iter().any(|ending| word.ends_with(ending))
}
