//! On any text: no function panics, ranges are inside the text, the answer is the same twice.

use std::ops::Range;

use proptest::prelude::*;

use super::*;
use crate::model::Timestamp;

fn valid(text: &str, range: &Range<usize>) -> bool {
    range.start <= range.end && text.get(range.clone()).is_some()
}

/// Texts made of pieces that the rules look for, between arbitrary characters.
fn texts() -> impl Strategy<Value = String> {
    const PIECES: &str = "because ¦Therefore, ¦so we ¦since ¦led to ¦weil ¦parce qu'¦因为¦因此¦之前¦before ¦\
        after the ¦last ¦May ¦8 ¦2023¦-05¦-08¦1916–20¦T14:00¦two ¦weeks ¦ago¦vor ¦Q2 ¦19th century ¦why ¦\
        When ¦Dr. ¦J. ¦O'¦McDonald ¦New York ¦of the ¦University ¦\"¦“¦”¦《¦》¦https://¦www.¦@¦C++¦::¦_¦.¦/¦\
        \\¦\n¦\n\n¦# ¦- ¦```\n¦---\n¦===\n¦| ¦'s¦n't ¦’¦数据库¦\
        王¦公司¦年¦月¦上周¦两¦前¦后¦\
        从¦到¦5¦early ¦mid-¦end of ¦\
        il y a ¦hace ¦dernier ¦Das ¦Haus ¦`¦<b>¦{{¦\\fB¦&amp;¦$HOME¦ﬁ¦İ¦e\u{301}¦ß¦\u{200b}¦ ¦, ¦! ¦。¦1,000¦\
        %¦$¦\r\n¦\t¦ไทย¦한국¦🦀";
    let pieces: Vec<&str> = PIECES.split('¦').collect();
    let pieces = prop::sample::select(pieces).prop_map(str::to_string);
    prop::collection::vec(
        prop_oneof![3 => pieces, 1 => any::<char>().prop_map(String::from), 1 => "[a-zA-Z]{1,8} "],
        0..40,
    )
    .prop_map(|parts| parts.concat())
}

fn check_all(text: &str) -> Result<(), TestCaseError> {
    let now = Timestamp(1_700_000_000_000);
    for_each_term(text, &mut |term| assert!(!term.is_empty() && term.len() <= 64, "{term:?}"));
    for term in query_terms(text) {
        is_stop_term(&term.text);
    }
    let normal = normal_name(text);
    prop_assert_eq!(normal.trim(), &normal);
    let set = token_set(text);
    prop_assert!(word_set(text).is_sorted());
    let content = content_words(text);
    assert!(content.is_sorted() && (content.is_empty() || covered(&content, &content) == 1.0));
    prop_assert!(set.is_sorted());
    prop_assert!((0.0..=1.0).contains(&overlap(&set, &set)));

    let sentences = sentences(text);
    prop_assert!(sentences.iter().all(|range| valid(text, range) && !range.is_empty()));
    prop_assert!(sentences.windows(2).all(|pair| pair[0].end <= pair[1].start));
    let inside: usize = sentences
        .iter()
        .map(|range| text[range.clone()].chars().filter(|c| !c.is_whitespace()).count())
        .sum();
    prop_assert_eq!(inside, text.chars().filter(|c| !c.is_whitespace()).count());

    for chunk in chunk_markdown(text).iter().chain(&chunk_plain(text)) {
        prop_assert_eq!(text.get(chunk.bytes.clone()), Some(chunk.text.as_str()));
    }
    markdown_title(text);

    let mentions = entities(text);
    prop_assert!(mentions.iter().all(|mention| valid(text, &mention.bytes) && !mention.name.is_empty()));
    prop_assert!(mentions.windows(2).all(|pair| pair[0].bytes.end <= pair[1].bytes.start));
    prop_assert_eq!(&mentions, &entities(text));

    for signal in cause_signals(text) {
        prop_assert!(valid(text, &signal.bytes) && valid(text, &signal.cause) && valid(text, &signal.effect));
        prop_assert!(!signal.points_back || signal.cause.is_empty());
    }
    sub_type_of(text);

    parse_time(text, now);
    parse_absolute_time(text);
    for expression in time_expressions(text, now) {
        prop_assert!(valid(text, &expression.bytes) && expression.interval.start <= expression.interval.end);
    }
    for anchor in event_anchors(text) {
        prop_assert!(valid(text, &anchor.bytes) && !anchor.bytes.is_empty());
    }
    prop_assert!(years_in(text).is_sorted());

    let reading = read_intent(text);
    prop_assert!((0.0..=1.0).contains(&reading.confidence));
    language(text);
    negates(text);
    numbers(text);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_text_breaks_a_rule(text in texts()) {
        check_all(&text)?;
    }

    #[test]
    fn no_characters_break_a_rule(text in "\\PC{0,60}|[\\x00-\\x{2FF}]{0,40}") {
        check_all(&text)?;
    }

    #[test]
    fn no_moment_breaks_the_calendar(millis in any::<i64>(), text in texts()) {
        parse_time(&text, Timestamp(millis));
        time_expressions(&text, Timestamp(millis));
        parse_time("999999999 years ago", Timestamp(millis));
        parse_time("last month", Timestamp(millis));
        time_expressions("last 999999999 quarters, next decade, last week", Timestamp(millis));
    }
}

/// A megabyte of one pattern takes no longer than a megabyte of prose: no function is quadratic.
#[test]
fn long_texts_of_one_pattern_are_read_in_a_moment() {
    for unit in [
        "a", "A", "a.", "a_", "A B ", "\"", "“", "of ", "- ", "\n", "#", "`", "2023-", "because ", "last ",
        "after ", "因", "'", "@", "://", ". ", "J. ", "(",
    ] {
        let text = unit.repeat(200_000 / unit.len());
        check_all(&text).expect(unit);
    }
}
