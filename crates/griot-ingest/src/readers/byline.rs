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

/// Lines below the title in which a date may stand among words.
const STATED: usize = 4;
/// Words of a line that is no more than a date and what it is the date of.
const SHORT: usize = 10;
/// Words between what a date is said to be and the date: "adopted at the general meeting of 10 March".
const BETWEEN: usize = 6;
/// What a date is said to be, at the start of a clause.
const SAID: &str = "adopted agreed amended approved compiled concluded dated decided draft drafted effective \
                    in·force issued last last·updated prepared printed published resolved revised reviewed \
                    revision signed status updated valid version written as·of as·at \
                    stand gültig beschlossen unterzeichnet erstellt geändert aktualisiert ausgegeben \
                    verabschiedet fassung in·kraft überarbeitet \
                    adopté approuvé conclu décidé en·vigueur mis·à·jour publié révisé signé valable \
                    aprobado acordado actualizado en·vigor firmado publicado revisado vigente válido \
                    生效 签订 更新 发布 通过";
/// What may come before a date that is a piece of a short line.
const SINCE: &str = "from since as·of of on ab seit vom am du depuis·le à·partir·du le desde·el del el 自 从";
/// With these a date is when something ends.
const ENDS: [&str; 12] =
    ["until", "till", "by", "due", "ends", "ended", "expires", "bis", "endet", "jusqu", "hasta", "至"];

/// The day in a line such as `Date: 2026-03-02` or `**Published:** 2 March 2026` at the top of a text, or
/// such as "Signed 3 October 2022 by both" or "Revision B, 4 November 2024" right below its title.
pub(crate) fn date(text: &str) -> Option<Timestamp> {
    labelled(text).or_else(|| {
        let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
        let lines = lines.take(STATED).map(|line| line.replace(['*', '`', '>', '_'], " "));
        let lines: Vec<String> = lines.collect();
        lines.iter().find_map(|line| said(line)).or_else(|| {
            let mut bare = lines.iter().filter_map(|line| bare(line));
            // Several are the entries of a log.
            bare.next().filter(|_| bare.next().is_none())
        })
    })
}

/// The latest day that a clause of a line says the text to be of.
fn said(line: &str) -> Option<Timestamp> {
    let opens = |at: usize| {
        let before = line[..at].trim_end();
        before.is_empty() || before.ends_with(['.', ',', ';', ':', '(', '|', '–', '—', '。', '，', '；'])
    };
    let days = words_of(line).filter(|(at, _)| opens(*at)).filter_map(|(at, _)| {
        let rest = &line[at..];
        let length = phrases(SAID).filter_map(|phrase| length_of(rest, &phrase)).max()?;
        dated(&rest[length..])
    });
    days.max()
}

/// The day that is a piece of a short line.
fn bare(line: &str) -> Option<Timestamp> {
    if words_of(line).count() > SHORT || line.ends_with(['.', '!', '?', '。']) {
        return None;
    }
    line.split([',', ';', '|', '–', '—', '·', '，']).find_map(|piece| {
        let piece = piece.trim();
        let length = phrases(SINCE).filter_map(|phrase| length_of(piece, &phrase)).max().unwrap_or(0);
        let (day, end) = time::day_at(piece[length..].trim_start())?;
        (end + length + 1 >= piece.len()).then_some(day)
    })
}

/// The first day in the next words of a sentence.
fn dated(rest: &str) -> Option<Timestamp> {
    for (at, word) in words_of(rest).take(BETWEEN + 1) {
        let ends_sentence = rest[..at].trim_end().ends_with(['.', ';', '。']);
        if ends_sentence || ENDS.contains(&word.to_lowercase().as_str()) {
            return None;
        }
        if let Some((day, _)) = time::day_at(&rest[at..]) {
            return Some(day);
        }
    }
    None
}

fn words_of(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(|word| (word.as_ptr().addr() - text.as_ptr().addr(), word))
}

/// A list of phrases; `·` is a space.
fn phrases(list: &'static str) -> impl Iterator<Item = String> {
    list.split(' ').filter(|phrase| !phrase.is_empty()).map(|phrase| phrase.replace('·', " "))
}

/// The length of a phrase at the start of a text, where a word ends.
fn length_of(text: &str, phrase: &str) -> Option<usize> {
    let start = text.get(..phrase.len()).filter(|start| start.to_lowercase() == phrase)?;
    let goes_on = text[start.len()..].chars().next().is_some_and(char::is_alphabetic);
    (!goes_on || !start.is_ascii() && start.chars().all(|c| c > '\u{2E80}')).then_some(start.len())
}

fn labelled(text: &str) -> Option<Timestamp> {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_top_of_a_text_says_of_which_day_it_is() {
        let day = |year, month, day| Timestamp::from_day(year, month, day);
        for (text, at) in [
            ("Date: 2026-03-02", day(2026, 3, 2)),
            ("# Hygiene plan\n\nIssued 5 February 2024 by T. Wilk", day(2024, 2, 5)),
            ("# Memo\n\n3 October 2024\n\nSeveral of you had red hands.", day(2024, 10, 3)),
            ("# Hours\n\nValid from 9 January 2023", day(2023, 1, 9)),
            ("# Hire\n\nSeller: Alva, Cork. Signed 2 September 2024 by both partners.", day(2024, 9, 2)),
            ("# Statutes\n\nAdopted at the general meeting of 10 March 2011", day(2011, 3, 10)),
            ("# Fees\n\nDecided in February 2023, in force from 1 January 2024.", day(2024, 1, 1)),
            ("# Cover\n\nSummary by Colin Sharpe, January 2024", day(2024, 1, 1)),
            ("# Rye\n\nRevision B, 4 November 2024, Hanna & Georg", day(2024, 11, 4)),
            ("# Hut\n\nFrom January 2023", day(2023, 1, 1)),
            ("# Allergene\n\nStand 14. März 2025, gilt für beide Läden", day(2025, 3, 14)),
            ("# Tarifs\n\nEn vigueur à partir du 3 mai 2024", day(2024, 5, 3)),
            ("# 规定\n\n生效：2024年5月3日", day(2024, 5, 3)),
            // When something happened, ends or will be is not when the text was written.
            ("# Rome\n\nThe treaty was signed on 25 March 1957 in Rome.", None),
            ("# Lease\n\nSigned in the presence of both. It ends on 1 May 2024.", None),
            ("# Offer\n\nValid until 3 May 2024", None),
            ("# Fair\n\nWe met on Friday, 3 May 2024, at the hut.", None),
            ("# Knots\n\nFour Mondays from 9 September 2024, Blockwerk. Leader: Ffion. Bring a rope.", None),
            ("# Hut\n\nLast printed 2021.", None),
            ("one\n\ntwo\n\nthree\n\nfour\n\nSigned 3 May 2024", None),
            ("", None),
        ] {
            assert_eq!(date(text), at, "{text}");
        }
    }
}
