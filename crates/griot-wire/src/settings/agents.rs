//! Settings of one agent: their names, and which settings an agent may have.

use griot::model::{Error, Result};

use super::{KEYS, Key, knowledge, nearest};

/// The table of agents in a file.
pub(super) const TABLE: &str = "agents";
/// In this table, the settings for all agents and for calls that name none; no agent has this name.
pub(super) const DEFAULTS: &str = "defaults";

/// The table of each agent.
pub(super) fn tables(agents: Option<toml::Value>) -> Result<Vec<(String, toml::Table)>> {
    let agents = match agents {
        None => return Ok(Vec::new()),
        Some(toml::Value::Table(agents)) => agents,
        Some(other) => {
            let why = format!("`{TABLE}` takes a table of settings by agent, not {other}");
            return Err(Error::invalid("use a setting", why).hint("[agents.NAME.recall]"));
        }
    };
    let table = |(name, value): (String, toml::Value)| match value {
        _ if name.trim().is_empty() => {
            Err(Error::invalid("use a setting", format!("an agent of `{TABLE}` has no name")))
        }
        toml::Value::Table(table) => Ok((name, table)),
        other => {
            let why = format!("`{TABLE}.{}` takes a table of settings, not {other}", quoted(&name));
            Err(Error::invalid("use a setting", why).hint(format!("[agents.{}.recall]", quoted(&name))))
        }
    };
    agents.into_iter().map(table).collect()
}

/// The setting of this name, for one agent or for all.
pub(super) fn find(agent: Option<&str>, name: &str) -> Result<&'static Key> {
    let Some(agent) = agent else { return super::find(name) };
    let full = full(Some(agent), name);
    let what = || format!("find the setting `{full}`");
    let meant = match knowledge::key_name(name) {
        Ok(meant) => meant,
        Err(error) => {
            let named = |text: String| {
                text.replace("`knowledge.", &format!("`{}", self::full(Some(agent), "knowledge.")))
            };
            let (why, hint) = (named(error.why), error.hint.map(named));
            return Err(Error { what: what(), why, hint, ..error });
        }
    };
    match KEYS.iter().find(|key| key.name == meant) {
        Some(key) if key.is_per_agent() => Ok(key),
        Some(_) => Err(Error::invalid(what(), format!("`{name}` is a setting for all, not for one agent"))
            .hint(
                "an agent may have its own remember.*, recall.* (but recall.ranker), graph.*, ingest.*, \
                 crawl.* and hooks.*",
            )),
        None => {
            let error = Error::not_found(what(), format!("unknown setting `{full}`"));
            Err(match nearest(name, KEYS.iter().filter(|key| key.is_per_agent()).map(|key| key.name)) {
                Some(near) => error.hint(format!("did you mean `{}`?", self::full(Some(agent), near))),
                None => error.hint("griot config"),
            })
        }
    }
}

/// `agents.NAME.block.key` as agent and `block.key`. A name may hold dots where the rest is a setting, or
/// where it is quoted; a part that is a plain word is taken for a block, which may be unknown, and never for
/// a part of the name.
pub fn split(name: &str) -> (Option<String>, &str) {
    let Some(rest) = name.strip_prefix("agents.") else { return (None, name) };
    if let Some((agent, key)) = rest.strip_prefix('"').and_then(|rest| rest.split_once("\".")) {
        return (Some(agent.to_string()), key);
    }
    if let Some((agent, key)) = knowledge::split_agent(rest) {
        return (Some(agent.to_string()), key);
    }
    let known =
        KEYS.iter().filter_map(|key| Some((rest.strip_suffix(key.name)?.strip_suffix('.')?, key.name)));
    let is_word = |part: &str| part.chars().all(|c| c.is_ascii_lowercase() || c == '_');
    let known = known.filter(|(agent, _)| !agent.split('.').skip(1).any(is_word));
    // The longest setting leaves the shortest name.
    let known = known.min_by_key(|(agent, _)| agent.len());
    match known.or_else(|| rest.split_once('.')) {
        Some((agent, key)) => (Some(agent.to_string()), key),
        None => (Some(rest.to_string()), ""),
    }
}

pub(super) fn full(agent: Option<&str>, name: &str) -> String {
    match agent {
        Some(agent) => format!("{TABLE}.{}.{name}", quoted(agent)),
        None => name.to_string(),
    }
}

/// A name as TOML writes it in the head of a table.
pub(super) fn quoted(name: &str) -> String {
    let plain = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'));
    if plain { name.to_string() } else { toml::Value::from(name).to_string() }
}
