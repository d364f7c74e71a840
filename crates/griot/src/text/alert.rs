//! Finds what is risky in a text: secrets, and sentences that give orders to a language model.
//!
//! Both are found in the text each time it is shown, so that better rules also apply to old memories. The
//! rules know the key formats that vendors publish, values that are named as passwords, and the phrases of
//! prompt injections. They do not find everything: a text without an alert is not thereby safe.

use std::ops::Range;
use std::sync::LazyLock;

use super::words::lines;

/// A secret and its byte range.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Secret {
    /// The kind of secret, in a few words.
    pub what: &'static str,
    pub bytes: Range<usize>,
}

/// What `data/risks.tsv` lists.
#[derive(Default)]
struct Risks {
    /// Prefix of a key, the fewest characters after it, and the kind of key.
    keys: Vec<(&'static str, usize, &'static str)>,
    names: Vec<&'static str>,
    /// The words of each order.
    orders: Vec<Vec<&'static str>>,
    marks: Vec<&'static str>,
}

static RISKS: LazyLock<Risks> = LazyLock::new(|| {
    let mut risks = Risks::default();
    for line in lines(include_str!("../../data/risks.tsv")) {
        match line.split('\t').collect::<Vec<_>>()[..] {
            ["key", begin, least, what] => risks.keys.push((begin, least.parse().unwrap_or(0), what)),
            ["name", name] => risks.names.push(name),
            ["order", words] => risks.orders.push(words.split(' ').collect()),
            ["mark", mark] => risks.marks.push(mark),
            _ => debug_assert!(false, "{line}"),
        }
    }
    risks
});

/// Bytes. Shorter values of such names are words and examples.
const VALUE: usize = 8;
const BEGIN: &str = "-----BEGIN ";
const PRIVATE: &str = "PRIVATE KEY-----";
const END: &str = "-----END ";

named! {
    /// Why a text is risky.
    Alert {
        /// It contains a key or a password.
        Secret = "secret",
        /// It gives orders to a language model that reads it.
        Instructions = "instructions",
    }
}

/// All alerts of a text.
pub fn alerts(text: &str) -> Vec<Alert> {
    let secret = (!secrets(text).is_empty()).then_some(Alert::Secret);
    secret.into_iter().chain(instructs(text).then_some(Alert::Instructions)).collect()
}

/// The secrets of a text in order; they do not overlap.
pub fn secrets(text: &str) -> Vec<Secret> {
    let mut found = private_keys(text);
    for run in runs(text) {
        let word = &text[run.clone()];
        // "Bearer abc1…" leaves the secret out.
        let is_cut = ["…", "..."].iter().any(|mark| text[run.end..].starts_with(mark));
        let known = RISKS.keys.iter().find(|(begin, least, _)| {
            word.strip_prefix(begin).is_some_and(|rest| rest.len() >= *least && is_random(rest))
        });
        if let Some((_, _, what)) = known {
            found.push(Secret { what, bytes: run });
        } else if is_web_token(word) {
            found.push(Secret { what: "web token", bytes: run });
        } else if word.len() >= VALUE && !is_cut && is_named(&text[..run.start]) && is_value(word) {
            found.push(Secret { what: "password or key", bytes: run });
        }
    }
    found.extend(credentials(text));
    found.sort_by_key(|secret| (secret.bytes.start, std::cmp::Reverse(secret.bytes.end)));
    let mut end = 0;
    found.retain(|secret| {
        let is_new = secret.bytes.start >= end;
        end = end.max(secret.bytes.end);
        is_new
    });
    found
}

/// The text with each secret replaced by a placeholder that names its kind; `None` if it has no secret.
pub fn masked(text: &str) -> Option<String> {
    let found = secrets(text);
    if found.is_empty() {
        return None;
    }
    let mut masked = String::with_capacity(text.len());
    let mut from = 0;
    for secret in found {
        masked.push_str(&text[from..secret.bytes.start]);
        masked.push_str(&format!("[{} removed]", secret.what));
        from = secret.bytes.end;
    }
    masked.push_str(&text[from..]);
    Some(masked)
}

/// Whether the text gives orders to a language model that reads it.
pub fn instructs(text: &str) -> bool {
    /// Greatest distance in bytes between two words of an order.
    const NEAR: usize = 40;
    let text = text.to_lowercase();
    RISKS.marks.iter().any(|mark| text.contains(mark))
        || RISKS.orders.iter().any(|words| {
            let first = words.first().copied().unwrap_or_default();
            text.match_indices(first).any(|(at, _)| {
                let mut end = at;
                words.iter().all(|word| {
                    let until = text.ceil_char_boundary(text.len().min(end + NEAR + word.len()));
                    let place = text[end..until].find(word);
                    end += place.map_or(0, |place| place + word.len());
                    place.is_some()
                })
            })
        })
}

/// Runs of the characters that keys are made of.
fn runs(text: &str) -> impl Iterator<Item = Range<usize>> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || "_-./+!$%^*#&".contains(c);
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = at + text[at..].find(is_part)?;
        at = text[start..].find(|c| !is_part(c)).map_or(text.len(), |length| start + length);
        // The end of a sentence does not belong to the key.
        Some(start..start + text[start..at].trim_end_matches(['.', '!']).len())
    })
}

/// Digits among other characters, or both cases, as in a generated key.
fn is_random(rest: &str) -> bool {
    let count = |is_such: fn(&u8) -> bool| rest.bytes().filter(is_such).count();
    let digits = count(u8::is_ascii_digit);
    let (upper, lower) = (count(u8::is_ascii_uppercase), count(u8::is_ascii_lowercase));
    (digits >= 2 || upper >= 4 && lower >= 4)
        && digits < rest.len()
        && rest.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.'))
}

/// `header.payload.signature`, each in base64 (RFC 7519).
fn is_web_token(word: &str) -> bool {
    let parts: Vec<&str> = word.split('.').collect();
    parts.len() == 3
        && parts[0].starts_with("eyJ")
        && parts.iter().all(|part| part.len() >= 10 && !part.contains('/'))
}

/// Whether the text before a value names a secret: `password: `, `API_KEY="`, `Bearer `.
fn is_named(before: &str) -> bool {
    let quotes = [' ', '"', '\'', '`'];
    let named = before.trim_end_matches(quotes);
    if let Some(said) = STATED.iter().find_map(|verb| named.strip_suffix(verb)) {
        return states_secret(said);
    }
    let (named, is_given) = match named.strip_suffix([':', '=']) {
        Some(named) => (named.trim_end_matches(quotes), true),
        None => (named, false),
    };
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
    let from = named.rfind(|c| !is_name(c)).map_or(0, |at| named.ceil_char_boundary(at + 1));
    let name: String =
        named[from..].chars().filter(|c| c.is_alphanumeric()).collect::<String>().to_lowercase();
    RISKS.names.iter().any(|known| name.ends_with(known) && (is_given || *known == "bearer"))
}

/// Verbs before a value: "the password for staging is …".
const STATED: [&str; 5] = [" is", " ist", " lautet", " est", " es"];

/// Whether one of the last words names a secret: "the password for staging".
fn states_secret(before: &str) -> bool {
    const WORDS: usize = 4;
    let line = before.rsplit(['\n', '.', ';', ',']).next().unwrap_or_default();
    let mut last = line.rsplit(' ').take(WORDS).map(str::to_lowercase);
    last.any(|word| RISKS.names.iter().any(|name| *name != "bearer" && word == *name))
}

/// Whether the value is neither a word, an example nor a placeholder.
fn is_value(word: &str) -> bool {
    const EXAMPLES: [&str; 7] = ["example", "your", "xxxx", "changeme", "placeholder", "1234567", "....."];
    let small = word.to_lowercase();
    word.bytes().any(|byte| byte.is_ascii_digit())
        && word.bytes().any(|byte| byte.is_ascii_alphabetic())
        && !word.starts_with(['$', '%', '/', '.'])
        && !EXAMPLES.iter().any(|example| small.contains(example))
}

/// PEM blocks of private keys, up to their last line or the end of the text.
fn private_keys(text: &str) -> Vec<Secret> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(begin) = text[at..].find(BEGIN).map(|place| at + place) {
        at = begin + BEGIN.len();
        let line = text[at..].lines().next().unwrap_or_default();
        if !line.contains(PRIVATE) {
            continue;
        }
        let end = text[at..].find(END).map_or(text.len(), |place| {
            let last = at + place;
            last + text[last..].find('\n').unwrap_or(text.len() - last)
        });
        found.push(Secret { what: "private key", bytes: begin..end });
        at = end;
    }
    found
}

/// Passwords in addresses: `scheme://user:password@host`.
fn credentials(text: &str) -> Vec<Secret> {
    let mut found = Vec::new();
    for (at, mark) in text.match_indices("://") {
        let start = at + mark.len();
        let rest = &text[start..];
        let end = rest
            .find(|c: char| c.is_whitespace() || matches!(c, '/' | '"' | '\'' | '<' | '>'))
            .unwrap_or(rest.len());
        let Some(host) = rest[..end].rfind('@') else { continue };
        let Some(colon) = rest[..host].find(':') else { continue };
        let password = &rest[colon + 1..host];
        let is_example =
            matches!(password.to_lowercase().as_str(), "" | "pass" | "password" | "pw" | "secret" | "***");
        if !is_example && !password.starts_with(['$', '{', '[']) {
            found.push(Secret { what: "password", bytes: start + colon + 1..start + host });
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::cases::check;

    fn whats(text: &str) -> Vec<&'static str> {
        secrets(text).into_iter().map(|secret| secret.what).collect()
    }

    /// Put together here, so that no scanner of repositories takes this file for a leak.
    fn key(begin: &str, length: usize) -> String {
        begin.chars().chain("Ab3dE6fG9hJ2".chars().cycle().take(length)).collect()
    }

    #[test]
    fn keys_are_known_by_their_form() {
        for (text, what) in [
            (format!("The deploy key is {}.", key("AKIA", 16)), "AWS key"),
            (format!("token={}\n", key("ghp_", 36)), "GitHub token"),
            (format!("export ANTHROPIC_API_KEY='{}'", key("sk-ant-", 40)), "Anthropic key"),
            (
                format!("Authorization: Bearer {}.{}.{}", key("eyJ", 20), key("eyJ", 30), key("", 43)),
                "web token",
            ),
            ("password: tr0ub4dor&3 and tr0ub4dor-3xy".to_string(), "password or key"),
            ("DB_PASSWORD=\"hunter2-hunter2\"".to_string(), "password or key"),
            ("passwort: Sommer2026!".to_string(), "password or key"),
            ("The password for staging is Sommer2026.".to_string(), "password or key"),
            (format!("whsec_{}", key("", 32)), "Stripe key"),
            ("glpat-ABCdefGHIjklMNOpqrST".to_string(), "GitLab token"),
            ("postgres://app:s3cr3tpw@db.internal/prod".to_string(), "password"),
            (
                "-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----\nafter".to_string(),
                "private key",
            ),
        ] {
            assert_eq!(whats(&text), [what], "{text}");
        }
        let text = format!("Ask Ada. The key {} is old; postgres://app:s3cr3tpw@db/x.", key("AKIA", 16));
        let expected = "Ask Ada. The key [AWS key removed] is old; postgres://app:[password removed]@db/x.";
        assert_eq!(masked(&text).as_deref(), Some(expected));
        let pem = "a\n-----BEGIN PRIVATE KEY-----\nMIIE\n-----END PRIVATE KEY-----\nb";
        assert_eq!(masked(pem).as_deref(), Some("a\n[private key removed]\nb"));
    }

    #[test]
    fn words_and_examples_are_no_secrets() {
        for text in [
            "The password is kept in the vault.",
            "The password of the router is on page12345 of the folder.",
            "password: see page12",
            "Authorization: Bearer griot_3f… and Bearer griot_3fab...",
            "password: your-password-here-123",
            "API_KEY=$API_KEY and SECRET=${SECRET_KEY_1}",
            "Set api_key: xxxxxxxxxxxxxxxx1",
            "See https://user:password@example.org and git@github.com:acme/app.git",
            "sk-learn, sk-some-long-kebab-case-name-that-goes-on-and-on-and-on",
            "-----BEGIN CERTIFICATE-----\nMIIE\n-----END CERTIFICATE-----",
            "commit 9fceb02d0ae598e95dc970b74767f19372d61af8",
            "",
        ] {
            assert_eq!(whats(text), Vec::<&str>::new(), "{text}");
            assert_eq!(masked(text), None);
        }
    }

    #[test]
    fn orders_to_a_model_are_noticed_and_talk_about_work_is_not() {
        let said = |text: &str| if instructs(text) { "yes" } else { "no" }.to_string();
        check(include_str!("../../tests/cases/orders.tsv"), said);
    }
}
