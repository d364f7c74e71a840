//! Where settings come from: defaults, `griot.toml`, `GRIOT_<BLOCK>_<KEY>`, `--set block.key=value`; later
//! wins.
//!
//! An agent may have settings of its own (`agents.NAME.block.key`). Within each of these layers, what is said
//! for one agent counts more than what is said for all; a later layer still wins. `agents.defaults` is for
//! all.
//!
//! One table (`table.rs`) lists the keys with their values and meaning; reading, printing and the reference
//! page use it. An unknown key is an error that names the nearest known one. The caller reads files and the
//! environment and passes their contents.

mod agents;
mod edit;
mod knowledge;
mod table;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::{Path, PathBuf};

use griot::engine::Settings;
use griot::model::{Error, ErrorKind, Result};

pub use agents::split;
pub use edit::{set_in_file, unset_in_file};
pub use knowledge::{Meaning, NAMES as KNOWLEDGE, camel_case};
pub use table::{KEYS, Key, RETIRED, retired};

/// Who gave a setting its value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Origin {
    Default,
    File(PathBuf),
    /// The table of an agent in a file.
    Agent(PathBuf, String),
    Environment(String),
    Flag,
}

impl Origin {
    /// A later layer wins.
    fn rank(&self) -> u8 {
        match self {
            Self::Default => 0,
            Self::File(_) | Self::Agent(..) => 1,
            Self::Environment(_) => 2,
            Self::Flag => 3,
        }
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Default => f.write_str("default"),
            Self::File(path) => write!(f, "{}", path.display()),
            Self::Agent(path, agent) => write!(f, "{} [agents.{}]", path.display(), agents::quoted(agent)),
            Self::Environment(name) => f.write_str(name),
            Self::Flag => f.write_str("--set"),
        }
    }
}

/// Settings with the origin of each value.
#[derive(Clone, Debug, Default)]
pub struct Layers {
    settings: Settings,
    origins: BTreeMap<&'static str, Origin>,
    /// Everything that was said, for the settings of an agent.
    given: Vec<Given>,
    /// Which retired settings are set, and where.
    warnings: Vec<String>,
}

/// One value, and where it was given.
#[derive(Clone, Debug)]
struct Given {
    /// `None` for all.
    agent: Option<String>,
    key: &'static Key,
    value: toml::Value,
    origin: Origin,
}

/// A name that a file used.
#[derive(Clone, Debug)]
struct Said {
    /// With its agent.
    name: String,
    key: &'static Key,
    in_block: bool,
}

impl Said {
    /// One is the master switch of the block `knowledge`, and the other a name of the block; or one says
    /// whether there is gleaning, and the other how often.
    fn may_be_beside(&self, other: &Self) -> bool {
        let is = |said: &Self, name: &str| said.key.name == name;
        let is_pair = |one: &Self, other: &Self| is(one, knowledge::GLEANING) && is(other, knowledge::PASSES);
        is_pair(self, other)
            || is_pair(other, self)
            || self.in_block && other.in_block && is(self, knowledge::SWITCH) != is(other, knowledge::SWITCH)
    }
}

impl Layers {
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// What should be removed from files, environment and flags, in sentences.
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// A setting that is retired is noted, and has no effect.
    fn passes_over(&mut self, name: &str, origin: &Origin) -> bool {
        let retired = retired(name);
        let is_retired = retired.is_some();
        self.warnings.extend(retired.map(|why| format!("{origin}: {why}")));
        is_retired
    }

    pub fn into_settings(self) -> Settings {
        self.settings
    }

    /// Adds the contents of a `griot.toml`.
    pub fn file(&mut self, path: &Path, text: &str) -> Result<()> {
        let what = || format!("read the settings in `{}`", path.display());
        let mut table: toml::Table = text
            .parse()
            .map_err(|error: toml::de::Error| Error::invalid(what(), one_line(&error.to_string())))?;
        let agents = table.remove(agents::TABLE);
        let mut of_all = BTreeMap::new();
        self.block(None, &table, &Origin::File(path.to_path_buf()), &mut of_all)
            .map_err(|error| Error { what: what(), ..error })?;
        for (agent, table) in agents::tables(agents).map_err(|error| Error { what: what(), ..error })? {
            let origin = Origin::Agent(path.to_path_buf(), agent.clone());
            let mut of_one = BTreeMap::new();
            let given = if agent == agents::DEFAULTS { &mut of_all } else { &mut of_one };
            self.block(Some(&agent), &table, &origin, given)
                .map_err(|error| Error { what: what(), ..error })?;
        }
        Ok(())
    }

    /// Adds a table of a file. `given` holds the names that the file used before, by what they set.
    fn block(
        &mut self,
        agent: Option<&str>,
        table: &toml::Table,
        origin: &Origin,
        given: &mut BTreeMap<&'static str, Said>,
    ) -> Result<()> {
        let mut values = Vec::new();
        flatten(table, "", &mut values);
        // A switch counts less than the names beside it where it is on, and more where it is off.
        values.sort_by_key(|(name, value)| match value.as_bool() {
            Some(true) if knowledge::is_switch(name) => 0,
            Some(false) if knowledge::is_switch(name) => 2,
            _ => 1,
        });
        for (name, value) in values {
            if agent.is_none() && self.passes_over(&name, origin) {
                continue;
            }
            let key = agents::find(agent, &name)?;
            let said =
                Said { name: agents::full(agent, &name), key, in_block: knowledge::is_in_block(&name) };
            for sets in key.sets {
                let other = given.insert(sets, said.clone());
                if let Some(other) = other.filter(|other| !other.may_be_beside(&said)) {
                    let why = format!("`{}` and `{}` are the same setting", other.name, said.name);
                    return Err(Error::invalid("use a setting", why));
                }
            }
            self.set(agent, &name, key, value, origin.clone())?;
        }
        Ok(())
    }

    /// Adds the variables whose names begin with `GRIOT_`. Other names are ignored unless they begin with the
    /// name of a block or resemble a setting.
    pub fn environment(&mut self, variables: impl IntoIterator<Item = (String, String)>) -> Result<()> {
        let mut variables: Vec<_> =
            variables.into_iter().filter(|(name, _)| name.starts_with("GRIOT_")).collect();
        variables.sort();
        for (name, text) in variables {
            if OTHER_VARIABLES.iter().any(|(known, _)| *known == name) {
                continue;
            }
            let retired = RETIRED.iter().find(|(retired, _)| variable(retired) == name);
            if let Some((retired, _)) = retired {
                self.passes_over(retired, &Origin::Environment(name));
                continue;
            }
            let what = || format!("use the environment variable `{name}`");
            let of_block = knowledge::variables().find(|(known, _)| *known == name);
            let key = match &of_block {
                Some((_, named)) => {
                    let refused =
                        |error: Error| Error { what: what(), kind: ErrorKind::InvalidInput, ..error };
                    Some(find(named).map_err(refused)?)
                }
                None => KEYS.iter().find(|key| key.variable() == name),
            };
            match key {
                Some(key) => self
                    .set(None, key.name, key, from_text(&text), Origin::Environment(name.clone()))
                    .map_err(|error| Error { what: what(), ..error })?,
                None => {
                    let in_block =
                        KEYS.iter().any(|key| name.starts_with(&format!("{}_", variable(key.block()))));
                    // Without the common beginning, which would make every name look alike.
                    let mut known: Vec<String> = KEYS.iter().map(Key::variable).collect();
                    known.extend(knowledge::variables().map(|(known, _)| known));
                    let near =
                        nearest(&name["GRIOT_".len()..], known.iter().map(|known| &known["GRIOT_".len()..]))
                            .map(|near| format!("GRIOT_{near}"));
                    if in_block || near.is_some() {
                        let error = Error::invalid(what(), "there is no such setting");
                        return Err(match near {
                            Some(near) => error.hint(format!("did you mean `{near}`?")),
                            None => error.hint("griot config"),
                        });
                    }
                }
            }
        }
        Ok(())
    }

    /// Adds one `block.key=value`.
    pub fn flag(&mut self, assignment: &str) -> Result<()> {
        let what = || format!("use `--set {assignment}`");
        let (name, text) = assignment.split_once('=').ok_or_else(|| {
            Error::invalid(what(), "it has no `=`").hint("griot --set recall.limit=20 recall …")
        })?;
        let (agent, name) = agents::split(name.trim());
        if agent.is_none() && self.passes_over(name, &Origin::Flag) {
            return Ok(());
        }
        // As wrong as a bad value, although nothing of this name was found.
        let key = agents::find(agent.as_deref(), name).map_err(|error| Error {
            what: what(),
            kind: ErrorKind::InvalidInput,
            ..error
        })?;
        self.set(agent.as_deref(), name, key, from_text(text.trim()), Origin::Flag)
            .map_err(|error| Error { what: what(), ..error })
    }

    /// `name` is the name by which the key was given.
    fn set(
        &mut self,
        agent: Option<&str>,
        name: &str,
        key: &'static Key,
        value: toml::Value,
        origin: Origin,
    ) -> Result<()> {
        let refused =
            |why: String| Error::invalid("use a setting", format!("`{}` {why}", agents::full(agent, name)));
        let agent = agent.filter(|agent| *agent != agents::DEFAULTS);
        match agent {
            None => {
                key.write(&mut self.settings, &value).map_err(refused)?;
                self.origins.extend(key.sets.iter().map(|sets| (*sets, origin.clone())));
            }
            // Only checked: it counts when this agent's settings are requested.
            Some(_) => key.write(&mut Settings::default(), &value).map_err(refused)?,
        }
        self.given.push(Given { agent: agent.map(str::to_string), key, value, origin });
        Ok(())
    }

    /// The settings that count for one agent.
    pub fn of_agent(&self, agent: &str) -> Result<Self> {
        let counts = |given: &&Given| given.agent.as_deref().is_none_or(|of| of == agent);
        let mut given: Vec<&Given> = self.given.iter().filter(counts).collect();
        // The sort is stable: a later value of the same layer stays later.
        given.sort_by_key(|given| (given.origin.rank(), given.agent.is_some()));
        let mut own = Self::default();
        for Given { key, value, origin, .. } in given {
            own.set(None, key.name, key, value.clone(), origin.clone())?;
        }
        Ok(own)
    }

    /// The settings of every agent that has some of its own, by name.
    pub fn agents(&self) -> Result<BTreeMap<String, Settings>> {
        let names: BTreeSet<&String> = self.given.iter().filter_map(|given| given.agent.as_ref()).collect();
        names.into_iter().map(|name| Ok((name.clone(), self.of_agent(name)?.into_settings()))).collect()
    }

    /// Every setting with its value as TOML and its origin, in the order of the table; aliases are left out.
    pub fn entries(&self) -> impl Iterator<Item = (&'static Key, String, Origin)> {
        KEYS.iter().filter(|key| !key.is_alias()).map(|key| {
            (key, key.read(&self.settings), self.origins.get(key.name).cloned().unwrap_or(Origin::Default))
        })
    }
}

/// Environment variables that are no settings.
pub const OTHER_VARIABLES: &[(&str, &str)] = &[
    ("GRIOT_HOME", "The folder of workspaces and settings, in place of the platform's data folder."),
    ("GRIOT_WORKSPACE", "The workspace to use, as `--workspace`."),
    ("GRIOT_DB", "The database file to use, as `--db`."),
    (
        "GRIOT_READER",
        "The `griot` that reads heavy documents in a process of its own, where a host program cannot find it \
         by itself; `off` reads them in the process at hand.",
    ),
];

/// The setting of this name, or an error that names the nearest one.
pub fn find(name: &str) -> Result<&'static Key> {
    let meant = knowledge::key_name(name)?;
    if let Some(key) = KEYS.iter().find(|key| key.name == meant) {
        return Ok(key);
    }
    let what = format!("find the setting `{name}`");
    if let Some(why) = retired(name) {
        return Err(Error::not_found(what, why));
    }
    let error = Error::not_found(what, format!("unknown setting `{name}`"));
    Err(match nearest(name, KEYS.iter().map(|key| key.name)) {
        Some(near) => error.hint(format!("did you mean `{near}`?")),
        None => error.hint("griot config"),
    })
}

/// The known name that a mistyped one most likely meant.
pub fn nearest<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    known
        .map(|candidate| (strsim::jaro_winkler(name, candidate), candidate))
        .filter(|(similarity, _)| *similarity >= 0.85)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, candidate)| candidate)
}

/// `GRIOT_RECALL_LIMIT` of `recall.limit`.
fn variable(name: &str) -> String {
    format!("GRIOT_{}", name.to_uppercase().replace('.', "_"))
}

/// The value that a flag, a variable or `config set` means: TOML where it is TOML, numbers separated by
/// commas as an array, anything else a string.
pub fn from_text(text: &str) -> toml::Value {
    let parse = |text: &str| {
        let table: toml::Table = format!("value = {text}").parse().ok()?;
        if table.len() == 1 { table.get("value").cloned() } else { None }
    };
    parse(text)
        .or_else(|| text.contains(',').then(|| parse(&format!("[{text}]"))).flatten())
        .unwrap_or_else(|| toml::Value::String(text.to_string()))
}

fn flatten(table: &toml::Table, prefix: &str, values: &mut Vec<(String, toml::Value)>) {
    for (name, value) in table {
        let name = if prefix.is_empty() { name.clone() } else { format!("{prefix}.{name}") };
        match value {
            // Tables are blocks, unless a setting of that name holds one.
            toml::Value::Table(inner) if KEYS.iter().all(|key| key.name != name) => {
                flatten(inner, &name, values)
            }
            value => values.push((name, value.clone())),
        }
    }
}

/// TOML's errors draw a picture over several lines; the first and the last say it.
fn one_line(message: &str) -> String {
    let lines: Vec<&str> = message.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    match lines.as_slice() {
        [only] => (*only).to_string(),
        [first, .., last] => format!("{}: {last}", first.trim_start_matches("TOML parse error ")),
        [] => "it is no TOML".to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_setting_of_the_engine_has_a_key_and_every_key_reads_what_it_prints() {
        let settings = format!("{:?}", Settings::default());
        let blocks = settings.matches("Settings {").count() - 1;
        let count = settings.matches(": ").count() - blocks;
        assert_eq!(KEYS.iter().filter(|key| !key.is_alias()).count(), count, "{settings}");

        let mut layers = Layers::default();
        let entries: Vec<_> = layers.entries().collect();
        for (key, value, _) in entries {
            layers.flag(&format!("{}={value}", key.name)).unwrap_or_else(|error| panic!("{error}"));
        }
        assert_eq!(*layers.settings(), Settings::default());
        for (retired, _) in RETIRED {
            assert!(KEYS.iter().all(|key| key.name != *retired), "{retired}");
        }
    }
}
