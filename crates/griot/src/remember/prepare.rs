//! Reads a draft as far as possible without the store: its names, causes and words.
//!
//! This runs outside the writer's lock, since it is most of the work of remembering.

use std::collections::BTreeMap;

use crate::embed;
use crate::model::{EntityType, Error, Memory, MemoryId, Result, StoredVector, Tier, Timestamp};
use crate::text::{self, CauseSignal, EntityRule};

use super::name::Name;
use super::pointing::Clause;
pub use super::pointing::clauses;
use super::{Draft, RememberSettings, SecretPolicy};

/// A draft with everything derived from its text alone.
pub struct Prepared {
    pub draft: Draft,
    pub id: MemoryId,
    pub occurred_at: Timestamp,
    pub names: Vec<Name>,
    pub causes: Vec<CauseSignal>,
    /// Clauses that may name an earlier memory as the cause.
    pub clauses: Vec<Clause>,
    /// Content words, for the overlap of causes and for similarity without vectors.
    pub words: Vec<u64>,
    pub vector: Option<(Vec<f32>, StoredVector)>,
}

impl Prepared {
    /// A stored memory as far as a search for its causes needs it: without names and clauses.
    pub fn of_stored(memory: &Memory, vector: Option<StoredVector>) -> Self {
        Self {
            id: memory.id,
            occurred_at: memory.occurred_at,
            names: Vec::new(),
            causes: text::cause_signals(&memory.text),
            clauses: Vec::new(),
            words: text::token_set(&memory.text),
            vector: vector.map(|vector| (embed::dequantise(&vector), vector)),
            draft: Draft { scope: memory.scope.clone(), ..Draft::new(&memory.text) },
        }
    }
}

/// Checks and normalises a kind or tag: one lower-case word.
pub fn checked_word(what: &str, word: &str) -> Result<String> {
    let word = word.trim();
    // Checked before lower-casing, which turns some characters into two.
    let is_word = !word.is_empty()
        && word.chars().count() <= 64
        && word
            .chars()
            .all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '/' | ':' | '#' | '@' | ' '));
    if is_word {
        Ok(word.to_lowercase())
    } else {
        Err(Error::invalid("remember", format!("the {what} `{word}` is not a word of at most 64 letters")))
    }
}

pub fn checked_words(what: &str, words: &[String]) -> Result<Vec<String>> {
    words.iter().map(|word| checked_word(what, word)).collect()
}

/// Most names in the metadata of a source, and most characters of a value.
const MAX_METADATA: usize = 50;
const MAX_METADATA_VALUE: usize = 2000;

/// Metadata of a source: names are words, values are short texts.
pub fn checked_metadata(metadata: &BTreeMap<String, String>) -> Result<BTreeMap<String, String>> {
    let refused = |why: String| Err(Error::invalid("keep metadata", why));
    if metadata.len() > MAX_METADATA {
        return refused(format!("{} names are more than {MAX_METADATA}", metadata.len()));
    }
    let mut checked = BTreeMap::new();
    for (name, value) in metadata {
        // Unlike those of tags, its case stays as it is.
        checked_word("name", name)?;
        if value.contains('\0') || value.chars().count() > MAX_METADATA_VALUE {
            let most = MAX_METADATA_VALUE;
            return refused(format!("the value of `{name}` holds a NUL or more than {most} characters"));
        }
        checked.insert(name.trim().to_string(), value.clone());
    }
    Ok(checked)
}

const WHAT: &str = "remember";

/// Validates a draft and normalises it for storage.
pub fn check(mut draft: Draft, now: Timestamp, settings: &RememberSettings) -> Result<(Draft, Timestamp)> {
    check_text(&draft.text, settings)?;
    if let Some(importance) = draft.importance
        && !(1..=5).contains(&importance)
    {
        return Err(Error::invalid(WHAT, format!("importance {importance} is not between 1 and 5")));
    }
    if draft.expires_at.is_none() && draft.tier == Some(Tier::Working) {
        draft.expires_at = Some(working_until(now, settings));
    }
    let occurred_at = draft.occurred_at.unwrap_or(now);
    check_position(&draft, occurred_at)?;
    for entity in &mut draft.entities {
        entity.key = entity.key.take().map(|key| key.trim().to_string()).filter(|key| !key.is_empty());
        if let (Some(key), None) = (&entity.key, entity.kind) {
            let why = format!("the entity `{}` has a key (`{key}`) but no type", entity.name.trim());
            return Err(
                Error::invalid(WHAT, why).hint("a key distinguishes entities of one type: give the type too")
            );
        }
    }
    draft.text = guarded(draft.text, settings.secrets)?;
    draft.heading =
        draft.heading.into_iter().map(|heading| without_secrets(heading, settings.secrets)).collect();
    draft.kind = draft.kind.map(|kind| checked_word("kind", &kind)).transpose()?;
    draft.tags = checked_words("tag", &draft.tags)?;
    draft.tags.sort();
    draft.tags.dedup();
    if draft.supersedes.as_ref().is_some_and(|name| name.trim().is_empty()) {
        return Err(Error::invalid(WHAT, "the name of the memory that it replaces is empty"));
    }
    let Draft { scope, agent, session, speaker, supersedes, .. } = &mut draft;
    for field in [&mut scope.user, &mut scope.project, agent, session, speaker, supersedes] {
        *field = field.take().map(|value| value.trim().to_string()).filter(|value| !value.is_empty());
    }
    Ok((draft, occurred_at))
}

fn check_text(text: &str, settings: &RememberSettings) -> Result<()> {
    if text.trim().is_empty() {
        return Err(Error::invalid(WHAT, "the text is empty").hint("griot remember \"what should be kept\""));
    }
    if text.len() > settings.max_text_bytes {
        let why = format!(
            "the text has {} bytes, but a memory holds at most {}",
            text.len(),
            settings.max_text_bytes
        );
        return Err(Error::invalid(WHAT, why).hint("griot ingest FILE, which splits long texts"));
    }
    if text.contains('\0') {
        return Err(Error::invalid(WHAT, "the text contains a NUL byte; it looks like binary data"));
    }
    Ok(())
}

/// Checks the times and the ordinal.
fn check_position(draft: &Draft, occurred_at: Timestamp) -> Result<()> {
    let is_printable = |at: &Timestamp| (Timestamp::EARLIEST..=Timestamp::LATEST).contains(at);
    if !is_printable(&occurred_at) {
        let why = format!("the time {occurred_at} is outside the years 1900 to 9999");
        return Err(Error::invalid(WHAT, why)
            .hint("keep the old date in the text, and give the time at which it was written or said"));
    }
    if let Some(ordinal) = draft.ordinal.filter(|ordinal| *ordinal > Memory::LAST_GIVEN_ORDINAL) {
        let why = format!("the ordinal {ordinal} is above {}", Memory::LAST_GIVEN_ORDINAL);
        return Err(
            Error::invalid(WHAT, why).hint("leave it out: the text then follows the last one of its session")
        );
    }
    if let Some(end) = draft.expires_at.filter(|end| !is_printable(end)) {
        return Err(Error::invalid(WHAT, format!("the expiry {end} is outside the years 1900 to 9999")));
    }
    Ok(())
}

/// When a working memory stored now expires.
fn working_until(now: Timestamp, settings: &RememberSettings) -> Timestamp {
    let length = (settings.working_hours.max(0.0) * Timestamp::HOUR as f64) as i64;
    Timestamp(now.0.saturating_add(length).clamp(Timestamp::EARLIEST.0, Timestamp::LATEST.0))
}

/// Applies the policy for secrets to a text. Applying it again changes nothing.
pub fn guarded(text: String, policy: SecretPolicy) -> Result<String> {
    match policy {
        SecretPolicy::Keep => Ok(text),
        SecretPolicy::Mask => Ok(text::masked(&text).unwrap_or(text)),
        SecretPolicy::Refuse => match text::secrets(&text).first() {
            None => Ok(text),
            Some(secret) => {
                let line = text[..secret.bytes.start].matches('\n').count() + 1;
                let why = format!("line {line} of the text contains a secret ({})", secret.what);
                Err(Error::invalid("remember", why).hint("griot config set remember.secrets mask"))
            }
        },
    }
}

/// What says where a text comes from, a title or a heading. It is never a reason to refuse the text.
pub fn without_secrets(title: String, policy: SecretPolicy) -> String {
    match policy {
        SecretPolicy::Keep => title,
        SecretPolicy::Mask | SecretPolicy::Refuse => text::masked(&title).unwrap_or(title),
    }
}

/// The names of a draft, each once, given ones first.
pub fn names(draft: &Draft, settings: &RememberSettings) -> Vec<Name> {
    let mut names: Vec<Name> = Vec::new();
    let mut add = |name: Option<Name>| {
        let Some(name) = name else { return };
        match names.iter_mut().find(|known| known.is_same(&name)) {
            Some(known) => {
                known.weight = known.weight.max(name.weight);
                known.confidence = known.confidence.max(name.confidence);
                known.kind = known.kind.or(name.kind);
                if name.fallback != EntityType::Concept {
                    known.fallback = name.fallback;
                }
                known.only_if_known &= name.only_if_known;
                known.alias = known.alias.take().or(name.alias);
            }
            None => names.push(name),
        }
    };
    for entity in &draft.entities {
        add(Name::given(&entity.name, entity.kind).map(|name| Name { key: entity.key.clone(), ..name }));
    }
    if let Some(speaker) = &draft.speaker {
        let kind = if is_role(speaker) { None } else { Some(EntityType::Person) };
        add(Name::new(speaker, kind, 1.0, 1.0, false));
    }
    let wanted = |kind: EntityType| {
        let types = &settings.entity_types;
        types.is_empty() || types.iter().any(|name| EntityType::parse(name) == Some(kind))
    };
    let most = if settings.entities { settings.max_entities } else { 0 };
    for mention in text::entities(&draft.text).into_iter().filter(|mention| wanted(mention.kind)).take(most) {
        // The rules answer `concept` when they do not know the type.
        let kind = (mention.kind != EntityType::Concept).then_some(mention.kind);
        let mut name = match mention.rule {
            // Capitals alone do not justify a second entity with a known name.
            EntityRule::Guessed => Name::weak(&mention.name, mention.kind, 0.5, Name::RULE_CONFIDENCE),
            _ => Name::new(&mention.name, kind, 0.5, Name::RULE_CONFIDENCE, false),
        };
        if mention.rule == EntityRule::Dictionary
            && let Some(name) = &mut name
        {
            let written = text::normal_name(draft.text.get(mention.bytes).unwrap_or_default());
            name.alias = (written != name.normal && !written.is_empty()).then_some(written);
        }
        add(name);
        for part in parts(&mention.name) {
            add(Name::new(part, None, 0.5, Name::RULE_CONFIDENCE, true));
        }
    }
    for topic in super::topics::names(draft.kind.as_deref(), &draft.tags, settings) {
        add(Some(topic));
    }
    names
}

/// Whether a speaker is a role in a dialogue with a machine, not a person.
pub fn is_role(speaker: &str) -> bool {
    matches!(
        text::normal_name(speaker).as_str(),
        "user" | "assistant" | "system" | "human" | "ai" | "tool" | "bot"
    )
}

/// Shorter runs of words inside a name of up to six words, which may be entities themselves: `Ada` in `Ada
/// Lovelace`.
fn parts(name: &str) -> Vec<&str> {
    const WORDS: usize = 6;
    let starts: Vec<usize> = name
        .char_indices()
        .filter(|&(at, c)| !c.is_whitespace() && (at == 0 || name[..at].ends_with(char::is_whitespace)))
        .map(|(at, _)| at)
        .collect();
    if !(2..=WORDS).contains(&starts.len()) {
        return Vec::new();
    }
    let mut parts = Vec::new();
    for (first, &start) in starts.iter().enumerate() {
        for last in first..starts.len() {
            let end = starts.get(last + 1).copied().unwrap_or(name.len());
            let part = name[start..end].trim();
            if part.len() < name.len() && part.starts_with(|c: char| c.is_uppercase() || c.is_ascii_digit()) {
                parts.push(part);
            }
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_name_offers_its_parts() {
        assert_eq!(parts("Ada King Lovelace"), ["Ada", "Ada King", "King", "King Lovelace", "Lovelace"]);
        assert!(parts("Ada").is_empty());
    }

    #[test]
    fn settings_select_the_names_that_are_taken_from_a_text() {
        let draft = Draft {
            entities: vec![crate::remember::EntityDraft::named("Atlas", None)],
            ..Draft::new("Dr. Ada Lovelace moved us to Redis.")
        };
        let found = |settings: RememberSettings| -> Vec<String> {
            names(&draft, &settings)
                .into_iter()
                .filter(|name| !name.only_if_known)
                .map(|name| name.name)
                .collect()
        };
        assert_eq!(found(RememberSettings::default()), ["Atlas", "Ada Lovelace", "Redis"]);
        let only = |name: &str| RememberSettings {
            entity_types: vec![name.to_string()],
            ..RememberSettings::default()
        };
        assert_eq!(found(only("tool")), ["Atlas", "Redis"]);
        assert_eq!(found(only("person")), ["Atlas", "Ada Lovelace"]);
        assert_eq!(found(RememberSettings { entities: false, ..RememberSettings::default() }), ["Atlas"]);
    }

    #[test]
    fn a_draft_is_refused_with_its_reason() {
        let check = |draft: Draft| check(draft, Timestamp(0), &RememberSettings::default()).map(|_| ());
        for (draft, why) in [
            (Draft::new(" \n "), "the text is empty"),
            (Draft::new("a\0b"), "NUL"),
            (Draft { importance: Some(9), ..Draft::new("x") }, "importance 9"),
            (
                Draft { occurred_at: Some(Timestamp(Timestamp::EARLIEST.0 - 1)), ..Draft::new("x") },
                "1899-12-31",
            ),
            (Draft { kind: Some("a\nb".into()), ..Draft::new("x") }, "kind"),
        ] {
            let error = check(draft).expect_err(why);
            assert!(error.why.contains(why), "{error}");
        }
    }
}
