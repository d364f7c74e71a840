//! One typed request per verb, for arguments, HTTP bodies, MCP parameters and their schemas.
//!
//! Unknown keys are refused. Every request may have a scope: `user` and `project`, or `scope` with the names
//! of a memory SDK (`tenantId` is the workspace, `userId` the user, `projectId` the project). If both are
//! given, they must agree. Which workspace and user a caller may name is decided elsewhere.

pub use griot::model::Result;
use griot::model::{Error, Scope as EngineScope};
use serde::{Deserialize, Serialize};

/// The scope, with the keys of the memory SDK.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields, default, rename_all = "camelCase")]
pub struct Scope {
    /// The workspace.
    #[schemars(length(min = 1, max = 240), regex(pattern = VISIBLE))]
    pub tenant_id: Option<String>,
    /// The user inside the workspace.
    #[schemars(length(min = 1, max = 240), regex(pattern = VISIBLE))]
    pub user_id: Option<String>,
    /// The project; a filter, not a border.
    #[schemars(length(min = 1, max = 240), regex(pattern = VISIBLE))]
    pub project_id: Option<String>,
    /// The agent that asks; settings specific to it apply.
    #[schemars(length(min = 1, max = 240), regex(pattern = VISIBLE))]
    pub agent_id: Option<String>,
}

/// The scope of a request.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Place {
    pub workspace: Option<String>,
    pub user: Option<String>,
    pub project: Option<String>,
    /// The agent whose settings apply.
    pub agent: Option<String>,
}

impl Place {
    /// `speaker` is the agent that the request itself names: what it stores is that agent's, or what it asks
    /// for.
    pub fn new(
        user: Option<&String>,
        project: Option<&String>,
        scope: Option<&Scope>,
        speaker: Option<&str>,
    ) -> Result<Self> {
        let empty = Scope::default();
        let scope = scope.unwrap_or(&empty);
        Ok(Self {
            workspace: scope.tenant_id.clone(),
            user: agreed("user", user, "scope.userId", scope.user_id.as_ref())?,
            project: agreed("project", project, "scope.projectId", scope.project_id.as_ref())?,
            agent: agreed("scope.agentId", scope.agent_id.as_ref(), "", None)?
                .or_else(|| speaker.map(str::to_string)),
        })
    }

    pub fn scope(&self) -> EngineScope {
        EngineScope { user: self.user.clone(), project: self.project.clone() }
    }
}

fn agreed(a: &str, first: Option<&String>, b: &str, second: Option<&String>) -> Result<Option<String>> {
    let said = match (first, second) {
        (Some(x), Some(y)) if x != y => {
            return Err(Error::invalid("read the request", format!("`{a}` is `{x}`, but `{b}` is `{y}`")));
        }
        (x, y) => x.or(y),
    };
    said.map(|name| named(a, name).cloned()).transpose()
}

/// Rejects a name that is too long, or empty: `""` would silently mean "all".
pub fn named<'a>(key: &str, name: &'a String) -> Result<&'a String> {
    if name.trim().is_empty() {
        return Err(Error::invalid("read the request", format!("`{key}` is empty")));
    }
    if name.chars().count() > 240 {
        return Err(Error::invalid("read the request", format!("`{key}` is longer than 240 characters")));
    }
    Ok(name)
}

/// A request with a scope.
pub trait Request: serde::de::DeserializeOwned {
    fn place(&self) -> Result<Place>;

    /// Sets the scope.
    fn narrow(&mut self, user: Option<String>, project: Option<String>);
}

/// Declares requests with the keys of the scope. `of` names the method that says which agent a request speaks
/// of, `above` and `as_of` add the keys that say which edges are followed, and `by` names a constructor that
/// takes every key but those of the scope. Brackets hold attributes of serde.
/// `arg` says how a key is given on a command line; its help is the documentation of the key unless it is
/// given.
#[macro_export]
macro_rules! requests {
    ($(
        $(#[doc = $doc:literal])*
        $(#[derive($($derived:ident),*)])?
        $(#[schemars($($whole:tt)*)])?
        $(#[command($($command:tt)*)])?
        $name:ident $(of $speaker:ident)? $(above $least:ident)? $(as_of $now:ident)? $(by $new:ident)? {
            $(
                $(#[doc = $field_doc:literal])*
                $(#[schemars($($schema:tt)*)])?
                $(#[arg($($arg:tt)*)])?
                $field:ident $([$($serde:tt)*])?: $kind:ty,
            )*
        }
    )*) => {
    $(
        $(#[doc = $doc])*
        #[derive(Clone, PartialEq, Debug, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
        $(#[derive($($derived),*)])?
        #[schemars(transform = $crate::request::forms::one_scope)]
        $(#[schemars($($whole)*)])?
        #[serde(deny_unknown_fields)]
        #[cfg_attr(feature = "cli", derive(clap::Args))]
        $(#[cfg_attr(feature = "cli", command($($command)*))])?
        pub struct $name {
            $(
                $(#[doc = $field_doc])*
                $(#[serde($($serde)*)])?
                $(#[schemars($($schema)*)])?
                $(#[cfg_attr(feature = "cli", arg($($arg)*))])?
                pub $field: $kind,
            )*
            $(
                /// Ignore edges below this confidence, 0 to 1.
                #[serde(default)]
                #[schemars(range(min = 0, max = 1))]
                #[cfg_attr(feature = "cli", arg(
                    long,
                    value_name = "0-1",
                    help = "Do not follow edges of less confidence [default: the setting \
                        `graph.min_confidence`]"
                ))]
                pub $least: Option<f32>,
            )?
            $(
                /// Answer as of this time: a date, RFC 3339 or words such as `last month`; default now.
                #[serde(default)]
                #[schemars(schema_with = "griot_wire::request::forms::time")]
                #[cfg_attr(feature = "cli", arg(
                    long,
                    value_name = "TIME",
                    help = "As if it were this time: what had expired then is left out, and confidence has \
                        faded until then"
                ))]
                pub $now: Option<String>,
            )?
            /// The user: their memories and those that all users share.
            #[serde(default)]
            #[schemars(length(min = 1, max = 240), regex(pattern = $crate::request::VISIBLE))]
            #[cfg_attr(feature = "cli", arg(skip))]
            pub user: Option<String>,
            /// The project: memories about it and those about no project in particular.
            #[serde(default)]
            #[schemars(length(min = 1, max = 240), regex(pattern = $crate::request::VISIBLE))]
            #[cfg_attr(feature = "cli", arg(skip))]
            pub project: Option<String>,
            /// The same as `tenantId` (the workspace), `userId` and `projectId`.
            #[serde(default)]
            #[cfg_attr(feature = "cli", arg(skip))]
            pub scope: Option<$crate::request::Scope>,
        }

        $crate::constructor!($($new)? $name { $($field: $kind,)* });

        impl $crate::request::Request for $name {
            fn place(&self) -> $crate::request::Result<$crate::request::Place> {
                let speaker: Option<&str> = None;
                $(let speaker = speaker.or(self.$speaker());)?
                $crate::request::Place::new(
                    self.user.as_ref(),
                    self.project.as_ref(),
                    self.scope.as_ref(),
                    speaker,
                )
            }

            fn narrow(&mut self, user: Option<String>, project: Option<String>) {
                (self.user, self.project) = (user, project);
            }
        }
    )*
    };
}

#[doc(hidden)]
#[macro_export]
macro_rules! constructor {
    ($name:ident { $($field:ident: $kind:ty,)* }) => {};
    ($new:ident $name:ident { $($field:ident: $kind:ty,)* }) => {
        impl $name {
            pub fn $new($($field: $kind),*) -> Self {
                Self { $($field,)* user: None, project: None, scope: None }
            }
        }
    };
}

/// The number that counts where a request says none.
pub fn usual<const N: usize>() -> usize {
    N
}

pub mod forms;
mod kinds;
mod read;
mod words;

pub use forms::VISIBLE;
pub use kinds::{kind, kinds};
pub(crate) use read::plainly;
pub use read::typed;
pub(crate) use words::one_of;
pub use words::{
    between, crawl_mode, direction, edge_kind, effort, entity_type, family, graphs, intent, layer, layers,
    mode, origin_kind, predicate, provenance, read_end, read_time, share, source, source_here, sources, span,
    strategy, tier, within,
};

requests! {
    /// A request without parameters of its own.
    Bare {
    }

    /// A memory, an entity or a source by its id, handle or name.
    Named {
        /// Id, handle (`#a1b2c3`), canonical id (`tool:redis`), source id (`s4`), id of an offer (`o12`)
        /// or name.
        #[arg(value_name = "MEMORY", help = "Handle (`a1b2c3`) or id of a memory")]
        name: String,
    }
}

impl Named {
    pub fn new(name: impl Into<String>) -> Self {
        Self { name: name.into(), user: None, project: None, scope: None }
    }
}

/// The words that an option of the command line takes, with what they mean.
#[cfg(feature = "cli")]
fn choices<T>(all: &[(&'static str, &'static str, T)]) -> clap::builder::PossibleValuesParser {
    let choice = |(name, about, _): &(&'static str, &'static str, T)| {
        let value = clap::builder::PossibleValue::new(*name);
        if about.is_empty() { value } else { value.help(*about) }
    };
    all.iter().map(choice).collect::<Vec<_>>().into()
}

#[cfg(feature = "cli")]
pub(crate) fn directions() -> clap::builder::PossibleValuesParser {
    choices(&words::DIRECTIONS)
}

#[cfg(feature = "cli")]
pub(crate) fn crawl_modes() -> clap::builder::PossibleValuesParser {
    choices(&words::CRAWL_MODES)
}

impl Bare {
    pub const NOTHING: Self = Self { user: None, project: None, scope: None };
}

#[cfg(test)]
mod tests;
