//! Reads the reply of a model and checks its citations: a handle counts only if its memory was sent.

use griot::text::sentences;
use serde_json::Value;

use super::Statement;

/// More statements than an answer has are dropped.
const MOST_STATEMENTS: usize = 100;
/// Characters of one; the rest is dropped.
const MOST_CHARACTERS: usize = 2000;
/// Citations of one.
const MOST_CITATIONS: usize = 50;
/// Digits of the shortest handle.
const DIGITS: usize = 6;

/// A statement as the model gave it.
#[derive(Clone, PartialEq, Debug)]
pub struct Claim {
    pub text: String,
    pub citations: Vec<String>,
}

/// The statements of a reply, or what is wrong with its form.
pub fn read(reply: &Value) -> Result<Vec<Claim>, String> {
    let list = reply.get("statements").ok_or("it has no `statements`")?;
    let list = list.as_array().ok_or("its `statements` are no list")?;
    list.iter()
        .map(|one| {
            let text = one.get("text").and_then(Value::as_str).ok_or("a statement has no `text`")?;
            let citations = match one.get("citations") {
                Some(Value::Array(all)) => all,
                _ => return Err("a statement has no list of `citations`".to_string()),
            };
            let citation = |value: &Value| value.as_str().map(str::to_string).ok_or("a citation is no text");
            let citations = citations.iter().map(citation).collect::<Result<_, _>>()?;
            Ok(Claim { text: text.to_string(), citations })
        })
        .collect()
}

/// The sentences with the citations that count; whether some were dropped. Of a statement with several
/// sentences, each has the citations inside it; if there are none inside, all have those of the statement.
pub fn checked(claims: &[Claim], sent: &[(String, String)]) -> (Vec<Statement>, bool) {
    let mut statements = Vec::new();
    let mut dropped = claims.len() > MOST_STATEMENTS;
    for one in claims.iter().take(MOST_STATEMENTS) {
        let text: String = one.text.chars().take(MOST_CHARACTERS).collect();
        dropped |= text.len() < one.text.len();
        let listed: Vec<&str> = one.citations.iter().take(MOST_CITATIONS).map(String::as_str).collect();
        let mut parts: Vec<(String, Vec<String>)> = Vec::new();
        for range in sentences(&text) {
            let mut sentence = text[range].trim_start();
            // Citations behind the full stop belong to what is before it.
            while let (Some(last), Some((cited, rest))) = (parts.last_mut(), leading(sentence)) {
                last.1.extend(cited);
                sentence = rest;
            }
            let (words, cited) = inline(sentence, sent);
            match parts.last_mut() {
                Some(last) if !words.contains(char::is_alphanumeric) => last.1.extend(cited),
                _ => parts.push((words, cited)),
            }
        }
        let is_inside = parts.len() > 1 && parts.iter().any(|(_, cited)| !cited.is_empty());
        for (words, mut cited) in parts {
            if !is_inside {
                cited.extend(listed.iter().map(|one| one.to_string()));
            }
            if words.contains(char::is_alphanumeric) {
                statements.push(statement(words, &cited, sent));
            }
        }
    }
    dropped |= statements.len() > MOST_STATEMENTS;
    statements.truncate(MOST_STATEMENTS);
    (statements, dropped)
}

fn statement(text: String, cited: &[String], sent: &[(String, String)]) -> Statement {
    let (mut citations, mut invented) = (Vec::new(), Vec::new());
    for one in cited {
        let name = one.trim_matches(|c: char| c.is_whitespace() || "[](){}`'\",".contains(c)).to_lowercase();
        if name.is_empty() {
            continue;
        }
        let bare = name.trim_start_matches('#');
        let known = sent.iter().find(|(handle, id)| handle.trim_start_matches('#') == bare || *id == name);
        let (list, name) = match known {
            Some((handle, _)) => (&mut citations, handle.clone()),
            None => (&mut invented, name.chars().take(40).collect()),
        };
        if !list.contains(&name) {
            list.push(name);
        }
    }
    Statement { text, supported: !citations.is_empty(), citations, invented }
}

/// A sentence without the handles in brackets, and the handles in it. A number sign before other digits, as
/// of an issue, is left alone.
fn inline(sentence: &str, sent: &[(String, String)]) -> (String, Vec<String>) {
    let mut cited = Vec::new();
    let mut words = String::with_capacity(sentence.len());
    let mut rest = sentence;
    while let Some(open) = rest.find(['[', '(']) {
        let (before, group) = rest.split_at(open);
        words.push_str(before);
        let close = if group.starts_with('[') { ']' } else { ')' };
        let inside = group.find(close).map(|end| &group[1..end]);
        match inside.and_then(handles) {
            Some(found) => {
                words.truncate(words.trim_end().len());
                cited.extend(found);
                rest = &group[inside.map_or(0, str::len) + 2..];
            }
            None => {
                words.push_str(&group[..1]);
                rest = &group[1..];
            }
        }
    }
    words.push_str(rest);
    let found = words.split(|c: char| c.is_whitespace() || ",.;:!?".contains(c));
    let known = |word: &&str| sent.iter().any(|(handle, _)| handle == word);
    cited.extend(found.filter(known).map(str::to_string));
    (words.split_whitespace().collect::<Vec<_>>().join(" "), cited)
}

/// The handles in brackets at the beginning of a text, and what follows.
fn leading(text: &str) -> Option<(Vec<String>, &str)> {
    let close = match text.chars().next()? {
        '[' => ']',
        '(' => ')',
        _ => return None,
    };
    let end = text.find(close)?;
    Some((handles(&text[1..end])?, text[end + 1..].trim_start()))
}

/// The handles of a list that contains nothing else.
fn handles(list: &str) -> Option<Vec<String>> {
    let parts = list.split([',', ';', ' ']).map(str::trim).filter(|part| !part.is_empty());
    let found: Vec<String> = parts.map(str::to_lowercase).collect();
    let is_handle = |one: &String| {
        one.strip_prefix('#').is_some_and(|digits| {
            digits.len() >= DIGITS && digits.bytes().all(|byte| byte.is_ascii_hexdigit())
        })
    };
    (!found.is_empty() && found.iter().all(is_handle)).then_some(found)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn sent() -> Vec<(String, String)> {
        [("#a1b2c3", "id-1"), ("#d4e5f6", "id-2")].map(|(a, b)| (a.to_string(), b.to_string())).to_vec()
    }

    fn check(text: &str, citations: &[&str]) -> Vec<(String, Vec<String>, Vec<String>)> {
        let claim =
            Claim { text: text.into(), citations: citations.iter().map(|one| one.to_string()).collect() };
        let (statements, _) = checked(&[claim], &sent());
        statements.into_iter().map(|one| (one.text, one.citations, one.invented)).collect()
    }

    fn strings(all: &[&str]) -> Vec<String> {
        all.iter().map(|one| one.to_string()).collect()
    }

    #[test]
    fn only_what_was_sent_is_a_citation() {
        let found = check("Redis holds the sessions.", &["#A1B2C3", "d4e5f6", "#ffffff", "", "[#a1b2c3]"]);
        let (known, other) = (strings(&["#a1b2c3", "#d4e5f6"]), strings(&["#ffffff"]));
        assert_eq!(found, [("Redis holds the sessions.".to_string(), known, other)]);
        assert!(check("It is so.", &[])[0].1.is_empty());
        assert!(check("It is so.", &["every memory"])[0].1.is_empty());
    }

    #[test]
    fn citations_inside_a_text_belong_to_their_sentence() {
        let found = check("Redis came in March [#a1b2c3]. It is faster. We said so (#d4e5f6, #a1b2c3).", &[]);
        let cited: Vec<usize> = found.iter().map(|one| one.1.len()).collect();
        assert_eq!(cited, [1, 0, 2]);
        assert_eq!(found[0].0, "Redis came in March.");
        // Those behind the full stop as well.
        let found = check("Redis came in March. [#a1b2c3] It is faster.", &["#d4e5f6"]);
        assert_eq!(found.iter().map(|one| one.1.len()).collect::<Vec<_>>(), [1, 0]);
        // Without any inside, those of the statement count for all of it.
        let found = check("Redis came in March. It is faster.", &["#d4e5f6"]);
        assert_eq!(found.iter().map(|one| one.1.len()).collect::<Vec<_>>(), [1, 1]);
        let found = check("Issue #123456 is open (see [1]).", &["#a1b2c3"]);
        assert_eq!(found[0].0, "Issue #123456 is open (see [1]).");
    }

    #[test]
    fn a_reply_of_another_form_is_refused() {
        for (reply, why) in [
            (json!({}), "it has no `statements`"),
            (json!({"statements": "none"}), "its `statements` are no list"),
            (json!({"statements": ["x"]}), "a statement has no `text`"),
            (json!({"statements": [{"text": "x"}]}), "a statement has no list of `citations`"),
            (json!({"statements": [{"text": "x", "citations": [7]}]}), "a citation is no text"),
        ] {
            assert_eq!(read(&reply), Err(why.to_string()));
        }
        assert_eq!(read(&json!({"statements": []})), Ok(Vec::new()));
    }

    #[test]
    fn hostile_replies_are_bounded() {
        let claim = Claim { text: "A. ".repeat(100_000), citations: vec!["#ffffff".into(); 100_000] };
        let (statements, dropped) = checked(&vec![claim; 500], &sent());
        assert!(statements.len() <= MOST_STATEMENTS && dropped);
        for text in ["", "[", "((((", "[#a1b2c3", "[]", "\u{0}", "([#a1b2c3])", "。。", "é[é]é"] {
            check(text, &[text]);
        }
    }
}
