//! Finds names by their punctuation: addresses, paths, mentions, code, quoted titles.

use std::ops::Range;

use crate::model::EntityType;

use super::mention::{EntityMention, EntityRule};
use super::words::key;

word_sets! {
    FILE_EXTENSIONS = include_str!("../../data/file_extensions.txt");
    TOP_DOMAINS = include_str!("../../data/top_domains.txt");
}

/// Bytes. Longer runs without a space are data, not names.
const LONGEST_FIELD: usize = 400;
/// Words of a quoted title.
const LONGEST_TITLE: usize = 8;

/// Every marked name of the text; they may overlap.
pub(super) fn marked_names(text: &str, found: &mut Vec<EntityMention>) {
    fields(text, found);
    quotes(text, found);
}

/// Runs between white space that contain a sign that plain words do not have.
fn fields(text: &str, found: &mut Vec<EntityMention>) {
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        while at < bytes.len() && bytes[at].is_ascii_whitespace() {
            at += 1;
        }
        let start = at;
        let mut marked = false;
        while at < bytes.len() && !bytes[at].is_ascii_whitespace() {
            marked |= matches!(bytes[at], b'/' | b'\\' | b'.' | b'_' | b':' | b'@' | b'(');
            at += 1;
        }
        if marked && at - start <= LONGEST_FIELD {
            field(text, start..at, found);
        }
    }
}

fn field(text: &str, range: Range<usize>, found: &mut Vec<EntityMention>) {
    let mut raw = &text[range.clone()];
    let mut start = range.start;
    // An address or path inside other signs begins after the last of them: "见https://…", "(see:./x)".
    if let Some(scheme) = raw.find("://") {
        let before = &raw[..scheme];
        let letters = before.len() - before.trim_end_matches(|c: char| c.is_ascii_alphabetic()).len();
        if letters >= 2 {
            start += scheme - letters;
            raw = &raw[scheme - letters..];
            let end = raw
                .find(|c: char| !c.is_ascii() || matches!(c, '<' | '>' | '"' | '`' | '|'))
                .unwrap_or(raw.len());
            let mut address = raw[..end].trim_end_matches(['.', ',', ';', ':', '!', '?', '\'', '*', ']']);
            if !address.contains('(') {
                address = address.trim_end_matches([')', '.', ',']);
            }
            if address.len() > letters + 3 {
                push(found, start..start + address.len(), address, EntityType::External, EntityRule::Url);
            }
            return;
        }
    }
    let opening = |c: char| !(c.is_alphanumeric() || matches!(c, '@' | '/' | '.' | '_' | '~' | '\\'));
    let trimmed = raw.trim_start_matches(opening);
    start += raw.len() - trimmed.len();
    let is_call = trimmed
        .trim_end_matches(['.', ',', ';', ':', '!', '?', ')', '`', '"', '\'', '”', '’'])
        .ends_with('(');
    let closing = |c: char| !(c.is_alphanumeric() || matches!(c, '/' | '_' | '+' | '#'));
    let field = trimmed.trim_end_matches(closing);
    if field.is_empty() {
        return;
    }
    let range = start..start + field.len();
    if let Some(name) = field.strip_prefix('@') {
        if name.len() > 1 && name.starts_with(|c: char| c.is_alphabetic()) && name.chars().all(is_handle_char)
        {
            push(found, range, name, EntityType::Person, EntityRule::At);
        }
        return;
    }
    if is_mail(field) {
        return push(found, range, field, EntityType::Person, EntityRule::At);
    }
    if is_path(field) {
        return push(found, range, field, EntityType::File, EntityRule::Path);
    }
    if field.contains(['/', '\\']) {
        return;
    }
    if is_call && is_identifier(field.rsplit(['.', ':']).next().unwrap_or(field)) {
        return push(found, range, field, EntityType::Function, EntityRule::Code);
    }
    if let Some((kind, rule)) = code_kind(field) {
        push(found, range, field, kind, rule);
    }
}

fn push(found: &mut Vec<EntityMention>, bytes: Range<usize>, name: &str, kind: EntityType, rule: EntityRule) {
    found.push(EntityMention { bytes, name: name.to_string(), kind, rule });
}

fn is_handle_char(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '-' | '.')
}

fn is_mail(field: &str) -> bool {
    field.split_once('@').is_some_and(|(name, domain)| {
        !name.is_empty()
            && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-' | '+'))
            && domain.contains('.')
            && domain.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '-'))
    })
}

fn is_path(field: &str) -> bool {
    let is_path_char = |c: char| {
        c.is_alphanumeric() || matches!(c, '/' | '\\' | '.' | '_' | '-' | '~' | ':' | '+' | '@' | '#')
    };
    if !field.chars().all(is_path_char) {
        return false;
    }
    let separators = field.chars().filter(|c| matches!(c, '/' | '\\')).count();
    let last = field.trim_end_matches(['/', '\\']).rsplit(['/', '\\']).next().unwrap_or_default();
    let has_letter = field.chars().any(char::is_alphabetic);
    let is_file = has_file_extension(last);
    if separators == 0 {
        return is_file && !field.starts_with('.') || (is_dot_file(field));
    }
    let is_rooted = ["/", "./", "../", "~/"].iter().any(|root| field.starts_with(root)) || is_drive(field);
    let segments_are_plain = field
        .split(['/', '\\'])
        .filter(|part| !part.is_empty())
        .all(|part| part.chars().any(char::is_alphanumeric) || part.starts_with('.'));
    let small = field.chars().all(|c| !c.is_uppercase());
    has_letter
        && field.len() > 2
        && segments_are_plain
        && (is_file
            || is_rooted
            || (field.ends_with('/') && small)
            || (separators >= 2 && small && !field.contains(':')))
}

/// `.gitignore`, `.env`.
fn is_dot_file(field: &str) -> bool {
    field
        .strip_prefix('.')
        .is_some_and(|rest| rest.len() >= 3 && rest.bytes().all(|b| b.is_ascii_lowercase()))
}

fn is_drive(field: &str) -> bool {
    let bytes = field.as_bytes();
    bytes.len() > 3 && bytes[0].is_ascii_alphabetic() && bytes[1] == b':' && matches!(bytes[2], b'\\' | b'/')
}

fn has_file_extension(name: &str) -> bool {
    name.rsplit_once('.').is_some_and(|(stem, extension)| {
        !stem.is_empty()
            && extension.bytes().all(|b| !b.is_ascii_uppercase())
            && FILE_EXTENSIONS.contains(&key(extension))
    })
}

fn is_identifier(part: &str) -> bool {
    let mut chars = part.chars();
    chars.next().is_some_and(|c| c.is_alphabetic() || c == '_')
        && chars.all(|c| c.is_alphanumeric() || c == '_')
}

/// `griot::recall`, `foo.bar_baz`, `user_id`, `example.org`.
fn code_kind(field: &str) -> Option<(EntityType, EntityRule)> {
    if field.contains("::") {
        let is_module = field.split("::").all(is_identifier);
        return is_module.then_some((EntityType::Module, EntityRule::Code));
    }
    if !field.is_ascii() || field.contains(':') {
        return None;
    }
    if field.contains('.') {
        let parts: Vec<&str> = field.split('.').collect();
        let last = parts.last().copied().unwrap_or_default();
        let is_domain = parts.iter().all(|part| {
            part.len() >= 2 && part.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-')
        }) && TOP_DOMAINS.contains(&key(last));
        if is_domain || field.starts_with("www.") {
            return Some((EntityType::External, EntityRule::Url));
        }
        // "end.Start" is a missing space, "e.g" an abbreviation.
        let is_code = parts.iter().all(|part| part.len() >= 2 && is_identifier(part))
            && !(parts.len() == 2 && last.starts_with(|c: char| c.is_uppercase()) && !field.contains('_'));
        return is_code.then_some((EntityType::Concept, EntityRule::Code));
    }
    let parts = || field.split('_').filter(|part| !part.is_empty());
    let is_snake = field.contains('_')
        && is_identifier(field)
        && parts().count() >= 2
        && field.bytes().any(|b| b.is_ascii_alphabetic())
        && !(field.starts_with('_') && field.ends_with('_'));
    is_snake.then_some((EntityType::Concept, EntityRule::Code))
}

/// Titles in quotation marks.
fn quotes(text: &str, found: &mut Vec<EntityMention>) {
    if !text.bytes().any(|byte| byte == b'"' || !byte.is_ascii()) {
        return;
    }
    let mut open: Option<(usize, char)> = None;
    for (at, c) in text.char_indices() {
        match (open, c) {
            (Some((start, closing)), c) if c == closing => {
                let rule = if matches!(c, '》' | '」') { EntityRule::CjkTitle } else { EntityRule::Quoted };
                let inner = &text[start..at];
                let name = inner.trim();
                let looks = if rule == EntityRule::CjkTitle { is_cjk_title(name) } else { is_title(name) };
                if looks {
                    let lead = inner.len() - inner.trim_start().len();
                    push(found, start + lead..start + lead + name.len(), name, EntityType::Concept, rule);
                }
                open = None;
            }
            // A quotation does not cross a line, so that a missing closing mark does not swallow the rest.
            (_, '\n') => open = None,
            (Some((start, _)), _) if at - start > LONGEST_FIELD => open = None,
            (Some((_, closing)), '"') if closing != '"' => {}
            (None | Some(_), '“' | '„' | '‘' | '《' | '「' | '«') => {
                let closing = match c {
                    '“' => '”',
                    '„' => '“',
                    '‘' => '’',
                    '《' => '》',
                    '「' => '」',
                    _ => '»',
                };
                open = Some((at + c.len_utf8(), closing));
            }
            (None, '"') => open = Some((at + 1, '"')),
            _ => {}
        }
    }
}

fn is_cjk_title(name: &str) -> bool {
    let length = name.chars().count();
    (1..=30).contains(&length) && !name.contains(['。', '，', '！', '？'])
}

/// One to eight words, most of them capitalised, without the end of a sentence: "The Tunnel of Love".
fn is_title(name: &str) -> bool {
    let mut words = 0;
    let mut capitals = 0;
    let mut short = 0;
    for word in name.split_whitespace() {
        words += 1;
        match word.chars().next() {
            Some(c) if c.is_uppercase() || c.is_ascii_digit() => capitals += 1,
            Some(_) if word.chars().count() <= 4 => short += 1,
            _ => {}
        }
    }
    let ends_sentence = name.ends_with(['.', ',', ';', ':', '?', '!', '-', '…'])
        && !(words >= 3 && name.ends_with(['?', '!']));
    let first_is_capital = name.chars().next().is_some_and(|c| c.is_uppercase() || c.is_ascii_digit());
    let has_letter = name.chars().any(char::is_alphabetic);
    (1..=LONGEST_TITLE).contains(&words)
        && first_is_capital
        && has_letter
        && !ends_sentence
        && capitals + short == words
        && (words == 1 || capitals * 2 >= words)
        && !(words == 1 && name.chars().count() < 3)
}
