//! The language that a document declares.

/// A tag of BCP 47, such as `en` or `pt-BR`; `None` if the words are not one.
pub(crate) fn tag(declared: &str) -> Option<String> {
    // Some programs write the name of a locale, such as `de_DE.UTF-8`.
    let tag = declared.trim().split(['.', '@']).next().unwrap_or_default().replace('_', "-");
    let mut parts = tag.split('-');
    let is_language = parts.next().is_some_and(|first| {
        (2..=8).contains(&first.len()) && first.bytes().all(|byte| byte.is_ascii_alphabetic())
    });
    let is_part =
        |part: &str| (1..=8).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_alphanumeric());
    (is_language && tag.len() <= 35 && parts.all(is_part)).then_some(tag)
}
