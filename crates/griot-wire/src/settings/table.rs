//! Every setting: its name, what it may hold, what it means, and its field in the engine's settings.

use std::collections::BTreeMap;
use std::path::PathBuf;

use griot::engine::{
    CrawlMode, EmbedderModel, LogFormat, ModelProvider, ReplyForm, RerankProvider, RoutingMode, SecretPolicy,
    Settings,
};
use griot::model::EntityType;
use griot::recall::Effort;

use super::knowledge;

/// One setting.
pub struct Key {
    /// `block.key`.
    pub name: &'static str,
    pub doc: &'static str,
    /// What it holds, in words.
    pub kind: &'static str,
    /// The settings that it sets: itself, or those that this is another name of.
    pub sets: &'static [&'static str],
    read: fn(&Settings) -> String,
    write: fn(&mut Settings, &toml::Value) -> Result<(), String>,
}

const RANKER: &str = "recall.ranker";

impl std::fmt::Debug for Key {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

impl Key {
    /// The part before the last dot.
    pub fn block(&self) -> &'static str {
        self.name.rsplit_once('.').map_or("", |(block, _)| block)
    }

    /// The part after the last dot.
    pub fn short(&self) -> &'static str {
        self.name.rsplit_once('.').map_or(self.name, |(_, short)| short)
    }

    /// It is another name of a setting, or of several.
    pub fn is_alias(&self) -> bool {
        self.sets != [self.name]
    }

    /// An agent may have a value of its own: settings by which a single call decides. The trees of
    /// `recall.ranker` are read once for all.
    pub fn is_per_agent(&self) -> bool {
        let of_a_call =
            |block: &str| matches!(block, "remember" | "recall" | "graph" | "ingest" | "crawl" | "hooks");
        self.sets.iter().all(|name| of_a_call(name.split('.').next().unwrap_or_default()) && *name != RANKER)
    }

    /// The environment variable, such as `GRIOT_RECALL_LIMIT`.
    pub fn variable(&self) -> String {
        super::variable(self.name)
    }

    /// The value as TOML.
    pub fn read(&self, settings: &Settings) -> String {
        (self.read)(settings)
    }

    /// Sets the value, or says what is wrong with it, as the end of a sentence.
    pub fn write(&self, settings: &mut Settings, value: &toml::Value) -> Result<(), String> {
        match unknown_type(value).filter(|_| self.sets.contains(&"remember.entity_types")) {
            Some(unknown) => Err(format!("takes types of entities, and there is no type `{unknown}`")),
            None => (self.write)(settings, value),
        }
    }
}

/// What a setting may hold.
trait Holds: Sized {
    fn from_toml(value: &toml::Value) -> Option<Self>;
    fn to_toml(&self) -> String;
    /// Whether every number in it is within the bounds.
    fn within(&self, _bounds: (f64, f64)) -> bool {
        true
    }
}

macro_rules! whole_numbers {
    ($($kind:ty),*) => {$(
        impl Holds for $kind {
            fn from_toml(value: &toml::Value) -> Option<Self> {
                Self::try_from(value.as_integer()?).ok()
            }
            fn to_toml(&self) -> String {
                self.to_string()
            }
            fn within(&self, (low, high): (f64, f64)) -> bool {
                (low..=high).contains(&(*self as f64))
            }
        }
    )*};
}
whole_numbers!(u32, u64, usize);

macro_rules! fractions {
    ($($kind:ty),*) => {$(
        impl Holds for $kind {
            fn from_toml(value: &toml::Value) -> Option<Self> {
                let number = value.as_float().or_else(|| value.as_integer().map(|n| n as f64))?;
                number.is_finite().then_some(number as $kind)
            }
            fn to_toml(&self) -> String {
                format!("{self:?}")
            }
            fn within(&self, (low, high): (f64, f64)) -> bool {
                (low..=high).contains(&f64::from(*self))
            }
        }
    )*};
}
fractions!(f32, f64);

impl Holds for bool {
    fn from_toml(value: &toml::Value) -> Option<Self> {
        value.as_bool()
    }
    fn to_toml(&self) -> String {
        self.to_string()
    }
}

impl Holds for String {
    fn from_toml(value: &toml::Value) -> Option<Self> {
        value.as_str().map(str::to_string)
    }
    fn to_toml(&self) -> String {
        toml::Value::from(self.as_str()).to_string()
    }
}

macro_rules! choices {
    ($($kind:ident),*) => {$(
        impl Holds for $kind {
            fn from_toml(value: &toml::Value) -> Option<Self> {
                Self::parse(value.as_str()?)
            }
            fn to_toml(&self) -> String {
                format!("\"{}\"", self.name())
            }
        }
    )*};
}
choices!(
    Effort,
    ReplyForm,
    SecretPolicy,
    EmbedderModel,
    ModelProvider,
    RerankProvider,
    RoutingMode,
    LogFormat,
    CrawlMode
);

impl Holds for [f32; 4] {
    fn from_toml(value: &toml::Value) -> Option<Self> {
        let numbers: Option<Vec<f32>> = value.as_array()?.iter().map(f32::from_toml).collect();
        numbers?.try_into().ok()
    }
    fn to_toml(&self) -> String {
        format!("{self:?}")
    }
    fn within(&self, bounds: (f64, f64)) -> bool {
        self.iter().all(|number| number.within(bounds))
    }
}

impl Holds for BTreeMap<String, String> {
    fn from_toml(value: &toml::Value) -> Option<Self> {
        value
            .as_table()?
            .iter()
            .map(|(key, value)| Some((key.clone(), value.as_str()?.to_string())))
            .collect()
    }
    fn to_toml(&self) -> String {
        let pair = |(key, value): (&String, &String)| {
            format!("{} = {}", serde_json::Value::from(key.as_str()), serde_json::Value::from(value.as_str()))
        };
        let pairs: Vec<String> = self.iter().map(pair).collect();
        if pairs.is_empty() { "{}".to_string() } else { format!("{{ {} }}", pairs.join(", ")) }
    }
}

/// Strings separated by commas, or an array of them.
impl Holds for Vec<String> {
    fn from_toml(value: &toml::Value) -> Option<Self> {
        if let Some(text) = value.as_str() {
            return Some(
                text.split(',').map(str::trim).filter(|one| !one.is_empty()).map(str::to_string).collect(),
            );
        }
        value.as_array()?.iter().map(|one| one.as_str().map(str::to_string)).collect()
    }
    fn to_toml(&self) -> String {
        // An array of strings in JSON is one in TOML too.
        serde_json::Value::from(self.clone()).to_string()
    }
}

impl Holds for PathBuf {
    fn from_toml(value: &toml::Value) -> Option<Self> {
        value.as_str().map(Self::from)
    }
    fn to_toml(&self) -> String {
        // A string of JSON is one of TOML too, and `config --json` needs the former.
        serde_json::Value::from(self.to_string_lossy()).to_string()
    }
}

fn checked<T: Holds>(value: &toml::Value, bounds: (f64, f64), kind: &str) -> Result<T, String> {
    T::from_toml(value).filter(|held| held.within(bounds)).ok_or_else(|| format!("takes {kind}, not {value}"))
}

/// The first name that is no type of entities.
fn unknown_type(value: &toml::Value) -> Option<String> {
    let types = Vec::<String>::from_toml(value)?;
    types.into_iter().find(|name| EntityType::parse(name).is_none())
}

/// Another name of a setting that holds the same.
macro_rules! alias {
    ($name:literal = $block:ident.$field:ident, $kind:literal $(in $low:literal..$high:literal)?) => {
        Key {
            name: $name,
            doc: concat!("Another name of `", stringify!($block), ".", stringify!($field), "`."),
            kind: $kind,
            sets: &[concat!(stringify!($block), ".", stringify!($field))],
            read: |settings| settings.$block.$field.to_toml(),
            write: |settings, value| {
                settings.$block.$field = checked(value, bounds!($($low, $high)?), $kind)?;
                Ok(())
            },
        }
    };
}

macro_rules! bounds {
    () => {
        (f64::NEG_INFINITY, f64::INFINITY)
    };
    ($low:literal, $high:literal) => {
        ($low, $high)
    };
}

macro_rules! keys {
    ($($(#[$about:meta])* $block:ident: $settings:ident {$(
        $(#[doc = $doc:literal])* $name:ident: $type:ty = $default:expr,
        $kind:literal $(in $low:literal..$high:literal)?;
    )*})*) => {
        /// Every setting, by block.
        pub const KEYS: &[Key] = &[
            $($(Key {
                name: concat!(stringify!($block), ".", stringify!($name)),
                doc: concat!($($doc),*).trim_ascii_start(),
                kind: $kind,
                sets: &[concat!(stringify!($block), ".", stringify!($name))],
                read: |settings| settings.$block.$name.to_toml(),
                write: |settings, value| {
                    settings.$block.$name = checked(value, bounds!($($low, $high)?), $kind)?;
                    Ok(())
                },
            },)*)*
            alias!("entity_extraction.enabled" = remember.entities, "`true` or `false`"),
            alias!("entity_extraction.entity_types" = remember.entity_types, "types of entities"),
            alias!("entity_extraction.relationship_types" = enrich.relation_types, "words"),
            alias!("entity_extraction.model" = model.name, "a name"),
            alias!("entity_extraction.batch_size" = enrich.batch, "a number from 1 to 50" in 1.0..50.0),
            alias!("entity_extraction.concurrency" = model.concurrency, "a number from 1 to 64" in 1.0..64.0),
            alias!(
                "entity_extraction.gleaning.passes" = enrich.gleaning,
                "a number from 0 to 2" in 0.0..2.0
            ),
            alias!(
                "entity_extraction.consolidation.max_description_fragments" = enrich.description_fragments,
                "a number from 2 to 50" in 2.0..50.0
            ),
            Key {
                name: knowledge::GLEANING,
                doc: "`false` sets `enrich.gleaning` to 0; `true` sets it to 1 if it is 0. The number of \
                      passes may be given beside it.",
                kind: "`true` or `false`",
                sets: &["enrich.gleaning"],
                read: |settings| (settings.enrich.gleaning > 0).to_string(),
                write: |settings, value| {
                    let on = checked(value, bounds!(), "`true` or `false`")?;
                    let passes = settings.enrich.gleaning;
                    settings.enrich.gleaning = if on { passes.max(1) } else { 0 };
                    Ok(())
                },
            },
            alias!("retrieval.graph_expansion.enabled" = recall.graph, "`true` or `false`"),
            Key {
                name: "retrieval.graph_expansion.max_hops",
                doc: "Another name of `recall.graph_hops`, counted in nodes between two memories: one \
                      less than the edges.",
                kind: "a number from 0 to 2",
                sets: &["recall.graph_hops"],
                read: |settings| settings.recall.graph_hops.saturating_sub(1).to_string(),
                write: |settings, value| {
                    let between: usize = checked(value, (0.0, 2.0), "a number from 0 to 2")?;
                    settings.recall.graph_hops = between + 1;
                    Ok(())
                },
            },
            alias!(
                "retrieval.graph_expansion.max_chunks" = recall.graph_memories,
                "a number from 0 to 60" in 0.0..60.0
            ),
            alias!("ingestion.allowed_mime_types" = ingest.allowed_types, "formats or MIME types"),
            Key {
                name: "ingestion.max_file_size_mb",
                doc: "Another name of `ingest.max_file_bytes`, in units of 1024 × 1024 bytes.",
                kind: "a number from 1 to 65536",
                sets: &["ingest.max_file_bytes"],
                read: |settings| (settings.ingest.max_file_bytes >> 20).to_string(),
                write: |settings, value| {
                    let megabytes: u64 = checked(value, (1.0, 65536.0), "a number from 1 to 65536")?;
                    settings.ingest.max_file_bytes = megabytes << 20;
                    Ok(())
                },
            },
            Key {
                name: knowledge::SWITCH,
                doc: "Sets both. In one table, `false` counts more than the other names of the block, and \
                      `true` less.",
                kind: "`true` or `false`",
                sets: &["remember.entities", "recall.graph"],
                read: |settings| (settings.remember.entities && settings.recall.graph).to_string(),
                write: |settings, value| {
                    let on = checked(value, bounds!(), "`true` or `false`")?;
                    (settings.remember.entities, settings.recall.graph) = (on, on);
                    Ok(())
                },
            },
            Key {
                name: "knowledge.graph.backend",
                doc: "Where the graph is stored: always in the database of the workspace.",
                kind: "`\"sqlite\"`",
                sets: &[],
                read: |_| "\"sqlite\"".into(),
                write: |_, value| match value.as_str() {
                    Some("sqlite") => Ok(()),
                    _ => {
                        Err(format!("takes \"sqlite\", not {value}: the workspace's database has the graph"))
                    }
                },
            },
        ];
    };
}

griot::each_setting!(keys);

/// Settings that are constants now, with the value that they always have. Wherever one is set, it is passed
/// over with a warning; the next version does not know them.
pub const RETIRED: &[(&str, &str)] = &[
    ("rollout.min_canary_samples_for_relevance", "12"),
    ("rollout.max_fallback_rate_increase", "0.07"),
    ("rollout.max_graph_error_rate_increase", "0.03"),
    ("rollout.min_expansion_coverage_rate", "0.1"),
    ("rollout.max_expansion_coverage_drop", "0.25"),
    ("rollout.max_candidate_lift_drop_ratio", "0.35"),
    ("rollout.min_graph_candidates", "1.0"),
    ("rollout.min_judged_queries", "5"),
    ("rollout.min_feedback", "10"),
    ("rollout.max_bad_feedback_rate", "0.5"),
    ("rollout.min_overlap", "0.2"),
    ("rollout.max_slowdown", "5.0"),
    ("rollout.cooldown_windows", "1"),
    ("rollout.probe_percent", "20.0"),
    ("rollout.min_probes", "5"),
    ("rollout.autopilot", "false"),
    ("rollout.autopilot_windows", "2"),
];

/// The warning about a retired setting; `None` for any other name.
pub fn retired(name: &str) -> Option<String> {
    let (_, value) = RETIRED.iter().find(|(retired, _)| *retired == name)?;
    Some(format!("`{name}` is no longer a setting and has no effect: it is always {value}"))
}
