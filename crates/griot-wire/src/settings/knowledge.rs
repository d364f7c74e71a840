//! The block `knowledge`: the names that settings of a knowledge graph have in other programs, in `camelCase`
//! or `snake_case`, at the top of the settings or for one agent.
//!
//! A name that means a setting of ours sets it. Any other one is refused with the reason, so that no value is
//! read and has no effect.

use std::borrow::Cow;

use griot::model::{Error, Result};

use super::nearest;

/// The master switch.
pub(super) const SWITCH: &str = "knowledge.enabled";

/// Whether a second pass is made, and how many.
pub(super) const GLEANING: &str = "entity_extraction.gleaning.enabled";
pub(super) const PASSES: &str = "entity_extraction.gleaning.passes";

const BLOCK: &str = "knowledge.";

/// What a name of the block does.
#[derive(Clone, Copy, Debug)]
pub enum Meaning {
    /// It is another name of this key.
    Sets(&'static str),
    /// It is refused, for this reason.
    Refused(&'static str),
}

use Meaning::{Refused, Sets};

const NO_BACKEND: &str =
    "has no effect: the graph is in the workspace's database, and there is no other back end";

/// Every name below `knowledge`, in snake case. A name that ends with `.*` means all below it.
pub const NAMES: &[(&str, Meaning)] = &[
    ("enabled", Sets(SWITCH)),
    ("entity_extraction.enabled", Sets("entity_extraction.enabled")),
    ("entity_extraction.entity_types", Sets("entity_extraction.entity_types")),
    ("entity_extraction.relationship_types", Sets("entity_extraction.relationship_types")),
    ("entity_extraction.model", Sets("entity_extraction.model")),
    (GLEANING, Sets(GLEANING)),
    (PASSES, Sets(PASSES)),
    (
        "entity_extraction.consolidation.alias_merge_threshold",
        Refused(
            "was replaced by `griot merges --suggest`, which compares spelling: a cosine of names is too \
             often wrong to merge by",
        ),
    ),
    (
        "entity_extraction.consolidation.max_description_fragments",
        Sets("entity_extraction.consolidation.max_description_fragments"),
    ),
    ("entity_extraction.batch_size", Sets("entity_extraction.batch_size")),
    ("entity_extraction.concurrency", Sets("entity_extraction.concurrency")),
    ("graph.backend", Sets("knowledge.graph.backend")),
    ("graph.neo4j.*", Refused(NO_BACKEND)),
    ("retrieval.graph_expansion.enabled", Sets("retrieval.graph_expansion.enabled")),
    ("retrieval.graph_expansion.max_hops", Sets("retrieval.graph_expansion.max_hops")),
    (
        "retrieval.graph_expansion.weight",
        Refused(
            "was replaced by a learned ranking, which weighs the graph against words and vectors by itself: \
             `recall.ranker` names another one, `recall.graph` leaves the graph out",
        ),
    ),
    ("retrieval.graph_expansion.max_chunks", Sets("retrieval.graph_expansion.max_chunks")),
    ("ingestion.allowed_mime_types", Sets("ingestion.allowed_mime_types")),
    ("ingestion.max_file_size_mb", Sets("ingestion.max_file_size_mb")),
    ("crawl.max_pages_per_crawl", Sets("crawl.max_pages_per_crawl")),
    ("crawl.requests_per_second", Sets("crawl.requests_per_second")),
    ("crawl.respect_robots_txt", Sets("crawl.respect_robots_txt")),
    ("crawl.user_agent", Sets("crawl.user_agent")),
];

/// Whether the setting of this name is in the block.
pub(super) fn is_in_block(name: &str) -> bool {
    name.starts_with(BLOCK)
}

/// The name of the key that a name means: itself outside the block.
pub(super) fn key_name(name: &str) -> Result<Cow<'_, str>> {
    let Some(rest) = name.strip_prefix(BLOCK) else { return Ok(Cow::Borrowed(name)) };
    let what = || format!("find the setting `{name}`");
    let snake = snake_case(rest);
    let is_meant = |known: &str| match known.strip_suffix('*') {
        Some(above) => snake.starts_with(above) || format!("{snake}.") == above,
        None => snake == known,
    };
    match NAMES.iter().find(|(known, _)| is_meant(known)) {
        Some((_, Sets(key))) => Ok(Cow::Borrowed(*key)),
        Some((_, Refused(why))) => {
            Err(Error::invalid(what(), format!("`{name}` {why}")).hint(format!("remove `{name}`")))
        }
        None => {
            let error = Error::not_found(what(), format!("unknown setting `{name}`"));
            let known = NAMES.iter().map(|(known, _)| *known).filter(|known| !known.ends_with('*'));
            Err(match nearest(&snake, known) {
                Some(near) => error.hint(format!("did you mean `{BLOCK}{}`?", in_style_of(rest, near))),
                None => error.hint("docs/reference/settings.md lists the names of the block"),
            })
        }
    }
}

/// Whether it turns what other names set on or off.
pub(super) fn is_switch(name: &str) -> bool {
    key_name(name).is_ok_and(|key| [SWITCH, GLEANING].contains(&key.as_ref()))
}

/// The variable of the environment that a name of the block has, and the name.
pub(super) fn variables() -> impl Iterator<Item = (String, String)> {
    let named = NAMES.iter().filter(|(name, _)| !name.ends_with('*'));
    named.map(|(name, _)| format!("{BLOCK}{name}")).map(|name| (super::variable(&name), name))
}

/// `agent.knowledge.…` as agent and name.
pub(super) fn split_agent(rest: &str) -> Option<(&str, &str)> {
    let at = rest.find(&format!(".{BLOCK}"))?;
    Some((&rest[..at], &rest[at + 1..]))
}

fn snake_case(name: &str) -> String {
    let mut snake = String::with_capacity(name.len() + 4);
    for c in name.chars() {
        if c.is_ascii_uppercase() {
            snake.push('_');
        }
        snake.push(c.to_ascii_lowercase());
    }
    snake
}

/// A name in snake case in the case that another one is written in.
fn in_style_of(written: &str, snake: &str) -> String {
    if written.contains(|c: char| c.is_ascii_uppercase()) { camel_case(snake) } else { snake.to_string() }
}

/// `max_pages_per_crawl` as `maxPagesPerCrawl`, each part of a dotted name.
pub fn camel_case(snake: &str) -> String {
    let mut words = snake.split('_');
    let mut camel = words.next().unwrap_or_default().to_string();
    for word in words {
        let mut chars = word.chars();
        camel.extend(chars.next().map(|first| first.to_ascii_uppercase()));
        camel.push_str(chars.as_str());
    }
    camel
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::KEYS;

    #[test]
    fn every_name_sets_a_key_in_either_case_or_says_why_not() {
        for (name, meaning) in NAMES {
            for written in [format!("knowledge.{name}"), format!("knowledge.{}", camel_case(name))] {
                match (key_name(&written), meaning) {
                    (Ok(key), Sets(_)) => assert!(KEYS.iter().any(|one| one.name == key), "{written}"),
                    (Err(error), Refused(why)) => assert!(error.why.contains(why), "{error}"),
                    (other, _) => panic!("{written}: {other:?}"),
                }
            }
        }
        for name in ["graph.neo4j", "graph.neo4j.uri", "graph.neo4j.password"] {
            assert!(key_name(&format!("knowledge.{name}")).is_err(), "{name}");
        }
    }
}
