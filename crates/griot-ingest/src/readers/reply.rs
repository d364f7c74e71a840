//! What the writer of an email wrote: the text without what it quotes, and without a signature.
//!
//! What is quoted is a message of its own. Answers between quoted lines stay. A forwarded message stays, too:
//! often it is all that the mail is about.

/// Most lines of a signature below a mark that has lost its space.
const SIGNATURE: usize = 6;
/// Lines over which an attribution may be broken.
const ATTRIBUTION: usize = 3;
/// Lines in which the headers of a quoted message are.
const HEADERS: usize = 6;
/// What the lines before quoted ones end with, or say before a name.
const WROTE: [&str; 7] = ["wrote", "writes", "schrieb", "a écrit", "escribió", "ha scritto", "schreef"];
/// What these lines begin with.
const ON: [&str; 6] = ["on ", "am ", "le ", "el ", "il ", "op "];
const ORIGINAL: [&str; 6] = [
    "original message",
    "ursprüngliche nachricht",
    "originalnachricht",
    "message d'origine",
    "message d’origine",
    "mensaje original",
];
const FORWARDED: [&str; 6] = [
    "forwarded message",
    "weitergeleitete nachricht",
    "message transféré",
    "mensaje reenviado",
    "begin forwarded message",
    "anfang der weitergeleiteten nachricht",
];
const FROM: [&str; 3] = ["from", "von", "de"];
/// Only Outlook writes these.
const SENT: [&str; 5] = ["sent", "gesendet", "envoyé", "enviado", "enviado el"];
const DATE: [&str; 3] = ["date", "datum", "fecha"];
const TO: [&str; 9] = ["to", "an", "à", "a", "para", "subject", "betreff", "objet", "asunto"];

/// The text without quotations and signature, or the whole text if nothing else is in it.
pub(crate) fn own_words(text: &str, is_forward: bool) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let end = ends(&lines, is_forward);
    let own = without_quotes(&lines[..end]);
    let own = own.trim();
    if own.is_empty() { text.trim().to_string() } else { own.to_string() }
}

/// Where the signature or a whole quoted message begins.
fn ends(lines: &[&str], is_forward: bool) -> usize {
    let is_forward = is_forward || lines.iter().any(|line| is_rule_of(line, &FORWARDED));
    let is_end = |at: usize| is_signature(&lines[at..]) || !is_forward && is_original(&lines[at..]);
    let end = (0..lines.len()).find(|at| is_end(*at)).unwrap_or(lines.len());
    // A line above the headers of the quoted message.
    let is_line = |line: &str| line.len() >= 10 && line.chars().all(|c| matches!(c, '_' | '-'));
    let above = lines[..end].iter().rposition(|line| !line.trim().is_empty());
    above.filter(|at| end < lines.len() && is_line(lines[*at].trim())).unwrap_or(end)
}

/// `-- `; many programs lose the space at its end.
fn is_signature(rest: &[&str]) -> bool {
    let below = || rest.iter().skip(1).take(SIGNATURE + 1).take_while(|line| !line.starts_with('>'));
    let is_short = || below().count() <= SIGNATURE;
    rest.first().is_some_and(|line| *line == "-- " || *line == "--" && is_short())
}

/// `-----Original Message-----`, or the headers of a message as Outlook writes them.
fn is_original(rest: &[&str]) -> bool {
    let Some(first) = rest.first() else { return false };
    let has = |names: &[&str]| rest.iter().take(HEADERS).skip(1).any(|line| is_header(line, names));
    is_rule_of(first, &ORIGINAL) || is_header(first, &FROM) && (has(&SENT) || has(&DATE) && has(&TO))
}

/// `----- words -----`
fn is_rule_of(line: &str, words: &[&str]) -> bool {
    let line = line.trim();
    let bare = line.trim_matches(['-', ' ', ':']).to_lowercase();
    (line.starts_with("--") || line.ends_with(':')) && words.contains(&bare.as_str())
}

fn is_header(line: &str, names: &[&str]) -> bool {
    let line = line.trim_start().trim_start_matches('*');
    let Some((name, _)) = line.split_once(':') else { return false };
    let name = name.trim_matches(|c: char| c.is_whitespace() || c == '*');
    name.len() <= 20 && names.contains(&name.to_lowercase().as_str())
}

fn without_quotes(lines: &[&str]) -> String {
    let mut kept: Vec<&str> = Vec::new();
    let mut is_quoted = false;
    for line in lines {
        if line.starts_with('>') {
            if !is_quoted {
                drop_attribution(&mut kept);
            }
            is_quoted = true;
        } else if !is_quoted {
            kept.push(line);
        } else if !line.trim().is_empty() {
            // What was apart stays apart.
            kept.extend(["", line]);
            is_quoted = false;
        }
    }
    kept.join("\n")
}

/// Drops `On Mon, 2 Mar 2026 at 09:10, Ada <ada@b.example> wrote:` from the end.
fn drop_attribution(kept: &mut Vec<&str>) {
    let end = kept.iter().rposition(|line| !line.trim().is_empty()).map_or(0, |last| last + 1);
    let blank = kept[..end].iter().rposition(|line| line.trim().is_empty()).map_or(0, |blank| blank + 1);
    let joined = |first: usize| kept[first..end].join(" ").replace('\u{A0}', " ").trim().to_lowercase();
    let is_of_message = |text: &str| {
        text.ends_with(':') && (WROTE.iter().any(|word| text.contains(word)) || text.contains('@'))
    };
    let is_begun = |first: &usize| {
        let text = joined(*first);
        // A broken one begins with its date.
        let has_date = *first + 1 == end || kept[*first].contains(|c: char| c.is_ascii_digit());
        is_of_message(&text) && has_date && ON.iter().any(|word| text.starts_with(word))
    };
    let lowest = blank.max(end.saturating_sub(ATTRIBUTION));
    let begun = (lowest..end).rev().find(is_begun);
    let alone = || end.checked_sub(1).filter(|last| is_of_message(&joined(*last)));
    kept.truncate(begun.or_else(alone).unwrap_or(end));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_own_words_stay() {
        for (text, own) in [
            (
                "Yes to both.\n\nOn Mon, 2 Mar 2026 at 09:10, Ruth Petzold <r@x.example> wrote:\n\
                 > I think we should sell the tusk.\n\n-- \nImke Hansen",
                "Yes to both.",
            ),
            (
                "Yes.\n\nOn Mon, 2 Mar 2026 at 09:10, Ruth Petzold\n<r@x.example> wrote:\n\n> Sell?\n> No?",
                "Yes.",
            ),
            ("Ja.\n\nAm 02.03.2026 um 09:10 schrieb Ruth <r@x.example>:\n> Verkaufen?", "Ja."),
            ("Oui.\n\nLe lun. 2 mars 2026 à 09:10, Ruth a\u{A0}écrit\u{A0}:\n> Vendre ?", "Oui."),
            ("Sí.\n\nEl lun, 2 mar 2026 a las 9:10, Ruth (r@x.example) escribió:\n> ¿Vender?", "Sí."),
            (
                "Ruth wrote:\n> Sell?\n\nYes, in May.\n> To whom?\nTo the museum.",
                "Yes, in May.\n\nTo the museum.",
            ),
            ("Keep these:\n> one\nfor now", "Keep these:\n\nfor now"),
            (
                "I agree.\n\n-----Original Message-----\nFrom: Ruth\nSent: Monday\nTo: Imke\n\nSell?",
                "I agree.",
            ),
            ("Gut.\n\n________________\n*Von:* Ruth\n*Gesendet:* Montag\n*An:* Imke\n\nVerkaufen?", "Gut."),
            ("Gut.\n\nVon: Ruth\nGesendet: Montag\n\nVerkaufen?", "Gut."),
            ("From: the bank\nwe get nothing", "From: the bank\nwe get nothing"),
            ("> Sell the tusk.", "> Sell the tusk."),
            ("-- \nImke", "-- \nImke"),
            ("FYI\n\n---------- Forwarded message ---------\nFrom: Ruth\nDate: Mon\nTo: Imke\n\nSell?", ""),
            ("one\n--\ntwo", "one"),
        ] {
            let own = if own.is_empty() { text } else { own };
            assert_eq!(own_words(text, false), own);
        }
        let forwarded = "See below.\n\nVon: Ruth\nGesendet: Montag\nBetreff: x\n\nVerkaufen?";
        assert_eq!(own_words(forwarded, true), forwarded);
    }
}
