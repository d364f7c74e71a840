//! Extracts the authors of a page from its byline, and the date that a text bears at its top.

use std::collections::HashSet;

use griot::model::{EntityType, Timestamp};
use griot::remember::EntityDraft;

use crate::readers::markup::one_line;
use crate::time;

/// Most authors; longer lists name contributors.
const AUTHORS: usize = 8;
/// Words of bylines that are not names.
const NO_NAMES: &str = "admin administrator anonymous author authors contributor contributors editor \
                        editorial editors guest last posted published reporter staff team unknown \
                        updated webmaster writer written";
/// Words before the names.
const OPENINGS: [&str; 9] = ["written by", "posted by", "by", "von", "par", "por", "di", "door", "autor:"];

/// Lines at the top of a text in which its date may stand, blank ones not counted.
const TOP: usize = 12;
/// What comes before the date of a text.
const DATED: [&str; 14] = [
    "date",
    "dated",
    "published",
    "published on",
    "posted",
    "posted on",
    "created",
    "written",
    "written on",
    "datum",
    "fecha",
    "data",
    "日期",
    "发布日期",
];

/// The day in a line such as `Date: 2026-03-02` or `**Published:** 2 March 2026` at the top of a text.
pub(crate) fn date(text: &str) -> Option<Timestamp> {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    lines.take(TOP).find_map(|line| {
        let line = line.replace(['*', '`', '|', '>'], " ");
        let (label, rest) = line.split_once([':', '：'])?;
        // Lists of fields: `- Date: …`, `:Date: …`.
        let (label, rest) = if label.trim().is_empty() { rest.split_once(':')? } else { (label, rest) };
        let label = label.trim_matches(['-', '+', '_', ' ']).to_lowercase();
        let at = rest.trim_matches(['_', ' ']);
        let read = || time::parse(at).or_else(|| time::of_mail(at)).map(Timestamp::day_start);
        DATED.contains(&label.as_str()).then(read).flatten()
    })
}

/// The people in a byline, without duplicates. Departments, addresses and dates are not people.
pub(crate) fn authors(byline: &str) -> Vec<EntityDraft> {
    let line = one_line(byline);
    let mut names: Vec<String> = Vec::new();
    for part in line.split(['|', '·', '•', ';', '/', '\u{2013}', '\u{2014}']) {
        let pieces: Vec<&str> =
            part.split(',').flat_map(|piece| piece.split(" & ")).flat_map(of_and).collect();
        match pieces.as_slice() {
            [last, first] if part.contains(',') && is_word(last) && is_word(first) => {
                names.push(format!("{first} {last}"))
            }
            pieces => names.extend(pieces.iter().map(|piece| (*piece).to_string())),
        }
    }
    let mut known = HashSet::new();
    let names = names.into_iter().filter(|name| is_name(name) && known.insert(name.clone()));
    names.take(AUTHORS).map(|name| EntityDraft::named(name, Some(EntityType::Person))).collect()
}

/// Pieces between the words for "and", without what opens a byline.
fn of_and(part: &str) -> impl Iterator<Item = &str> {
    [" and ", " und ", " et "]
        .iter()
        .fold(vec![part], |parts, and| parts.into_iter().flat_map(|part| part.split(and)).collect())
        .into_iter()
        .map(|piece| without_opening(piece.trim()))
}

fn without_opening(piece: &str) -> &str {
    let rest = OPENINGS.iter().find_map(|opening| {
        let start = piece.get(..opening.len()).filter(|start| start.eq_ignore_ascii_case(opening))?;
        piece[start.len()..].strip_prefix(' ')
    });
    rest.unwrap_or(piece).trim()
}

fn is_word(piece: &&str) -> bool {
    is_name(piece) && !piece.contains(' ')
}

fn is_name(piece: &str) -> bool {
    let words: Vec<&str> = piece.split(' ').collect();
    (1..=5).contains(&words.len())
        && piece.chars().count() <= 60
        && piece.chars().all(|c| c.is_alphabetic() || matches!(c, ' ' | '.' | '-' | '\'' | '’'))
        && piece.chars().next().is_some_and(|c| c.is_alphabetic() && !c.is_lowercase())
        && piece.chars().filter(|c| c.is_alphabetic()).count() >= 2
        && !words.iter().any(|word| NO_NAMES.split(' ').any(|no_name| no_name == word.to_lowercase()))
        && time::parse(&format!("{piece} 2, 2020")).is_none()
}
