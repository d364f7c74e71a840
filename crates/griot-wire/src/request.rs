//! What clients ask: one typed request per verb, shared by HTTP bodies, MCP parameters and their documents.
//!
//! Unknown keys are refused. Everybody may be asked within a scope: `user` and `project`, or `scope` with the
//! names of the proposal (`tenantId` is the workspace, `userId` the user, `projectId` the project); both ways
//! to say one thing must agree. Which workspace and user a caller may name is not decided here.

use griot::engine::{FactDraft, LinkRequest, MergeRequest, WhyDirection};
use griot::model::{EdgeKind, Error, Provenance, Result, Scope as EngineScope, Timestamp};
use serde::{Deserialize, Serialize};

use crate::Span;
use crate::draft::{Draft, EntityDraft, read_end, read_time};

/// The scope as the proposal names it.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default, rename_all = "camelCase")]
pub struct Scope {
    /// The workspace.
    #[cfg_attr(feature = "schema", schemars(length(min = 1, max = 240), regex(pattern = VISIBLE)))]
    pub tenant_id: Option<String>,
    /// The user inside the workspace.
    #[cfg_attr(feature = "schema", schemars(length(min = 1, max = 240), regex(pattern = VISIBLE)))]
    pub user_id: Option<String>,
    /// The project; a filter, not a border.
    #[cfg_attr(feature = "schema", schemars(length(min = 1, max = 240), regex(pattern = VISIBLE)))]
    pub project_id: Option<String>,
    /// The agent that asks: its own settings count, if it has some.
    #[cfg_attr(feature = "schema", schemars(length(min = 1, max = 240), regex(pattern = VISIBLE)))]
    pub agent_id: Option<String>,
}

/// Where a request is to be answered.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Place {
    pub workspace: Option<String>,
    pub user: Option<String>,
    pub project: Option<String>,
    /// Whose settings count.
    pub agent: Option<String>,
}

impl Place {
    /// `speaker` is the agent that the request itself names: what it stores is that agent's, or what it asks
    /// for.
    fn new(
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
        (x, y) => x.or(y).cloned(),
    };
    // An empty name would be nobody's, which nobody means.
    match said {
        Some(name) if name.trim().is_empty() => {
            Err(Error::invalid("read the request", format!("`{a}` is empty")))
        }
        Some(name) if name.chars().count() > 240 => {
            Err(Error::invalid("read the request", format!("`{a}` is longer than 240 characters")))
        }
        said => Ok(said),
    }
}

/// Every request says where it is to be answered.
pub trait Request: serde::de::DeserializeOwned {
    fn place(&self) -> Result<Place>;
}

/// Declares requests with the keys of the scope. `of` names the method that says which agent a request speaks
/// of.
macro_rules! requests {
    ($(
        $(#[doc = $doc:literal])*
        $(#[schemars($whole:meta)])*
        $name:ident $(of $speaker:ident)? {
            $(
                $(#[doc = $field_doc:literal])* $(#[serde($serde:meta)])* $(#[schemars($schema:meta)])*
                $field:ident: $kind:ty,
            )*
        }
    )*) => {
    $(
        $(#[doc = $doc])*
        #[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        #[cfg_attr(feature = "schema", schemars(transform = crate::request::forms::one_scope))]
        $(#[cfg_attr(feature = "schema", schemars($whole))])*
        #[serde(deny_unknown_fields)]
        pub struct $name {
            $(
                $(#[doc = $field_doc])*
                $(#[serde($serde)])*
                $(#[cfg_attr(feature = "schema", schemars($schema))])*
                pub $field: $kind,
            )*
            /// Whose memories: those of this user and those of nobody in particular.
            #[serde(default)]
            #[cfg_attr(feature = "schema", schemars(length(min = 1, max = 240), regex(pattern = crate::request::VISIBLE)))]
            pub user: Option<String>,
            /// What they are about: this project, or nothing in particular.
            #[serde(default)]
            #[cfg_attr(feature = "schema", schemars(length(min = 1, max = 240), regex(pattern = crate::request::VISIBLE)))]
            pub project: Option<String>,
            /// The same as `tenantId` (the workspace), `userId` and `projectId`.
            #[serde(default)]
            pub scope: Option<Scope>,
        }

        impl Request for $name {
            fn place(&self) -> Result<Place> {
                let speaker: Option<&str> = None;
                $(let speaker = speaker.or(self.$speaker());)?
                Place::new(self.user.as_ref(), self.project.as_ref(), self.scope.as_ref(), speaker)
            }
        }
    )*

        described!($($name)*);
    };
}

#[cfg(feature = "schema")]
pub(crate) mod forms;
mod job;
mod recall;
mod rollout;
pub mod seeds;
mod warnings;
mod words;

#[cfg(feature = "schema")]
pub use forms::VISIBLE;
pub use job::{BuildGraphs, Crawl, OneJob, Refresh, SourceTags};
pub use recall::{Recall, Traverse};
pub use rollout::{Feedback, RolloutChange};
pub use warnings::{Acknowledge, Warnings};
pub use words::{
    between, edge_kind, effort, family, graphs, intent, layer, layers, mode, predicate, provenance, share,
    source, span, strategy, within,
};

/// What describes the requests of each module.
#[cfg(feature = "schema")]
pub(crate) const SCHEMAS: [fn(&mut schemars::SchemaGenerator) -> Vec<&'static str>; 6] =
    [schemas, job::schemas, recall::schemas, rollout::schemas, seeds::schemas, warnings::schemas];

requests! {
    /// Store a text. The same text in the same scope is stored once.
    Remember of speaker {
        /// What is remembered, as it is.
        #[schemars(schema_with = "crate::request::forms::text")]
        text: String,
        /// `insight` (default), `decision`, `fact`, `preference`, `event`, `observation`, `note` or a word of
        /// your own.
        #[serde(default)]
        #[schemars(schema_with = "crate::request::forms::word")]
        kind: Option<String>,
        /// Tags.
        #[serde(default)]
        #[schemars(schema_with = "crate::request::forms::words")]
        tags: Vec<String>,
        /// `long_term` (default), `rule` (a standing rule, shown beside every answer of its scope) or
        /// `working` (expires by itself).
        #[serde(default)]
        #[schemars(schema_with = "crate::request::forms::tier")]
        tier: Option<String>,
        /// From when on it is not found any more: a date, RFC 3339, or how long, such as `8h` or `30d`;
        /// default never, for a `working` memory the setting `remember.working_hours`.
        #[serde(default)]
        #[schemars(schema_with = "crate::request::forms::end")]
        expires_at: Option<String>,
        /// 1 (trivial) to 5 (vital); default 3.
        #[serde(default)]
        #[schemars(range(min = 1, max = 5))]
        importance: Option<u8>,
        /// The agent that says so.
        #[serde(default)]
        agent: Option<String>,
        /// The session it belongs to.
        #[serde(default)]
        session: Option<String>,
        /// Who said it.
        #[serde(default)]
        speaker: Option<String>,
        /// When it happened: RFC 3339, a date, or words such as `yesterday`; default now.
        #[serde(default)]
        #[schemars(schema_with = "crate::request::forms::time")]
        occurred_at: Option<String>,
        /// Names that the rules may miss: `"Redis"`, `"Redis:tool"` or `{"name": "Redis", "type": "tool"}`.
        #[serde(default)]
        entities: Vec<EntityDraft>,
        /// Headings above it, outermost first.
        #[serde(default)]
        heading: Vec<String>,
        /// First and last line in the source.
        #[serde(default)]
        lines: Option<Span>,
        /// Place inside its source and session; default after the last.
        #[serde(default)]
        #[schemars(range(max = 1_000_000_000))]
        ordinal: Option<u32>,
        /// Id or handle of the memory that this one replaces.
        #[serde(default)]
        supersedes: Option<String>,
        /// Where it comes from; default the agent.
        #[serde(default)]
        source: Option<String>,
    }

    /// Store many texts in one transaction.
    RememberBatch of speaker {
        /// The texts. A text's own `user` and `project` count where the request names none.
        #[schemars(length(min = 1, max = 1000))]
        memories: Vec<Draft>,
        /// Where they come from; default the first agent that is named.
        #[serde(default)]
        source: Option<String>,
    }

    /// Connect two memories or entities. The same edge said again gains evidence.
    #[schemars(transform = crate::request::forms::link)]
    Link {
        /// From: id, handle, canonical id (`tool:redis`) or name.
        source: String,
        /// To: id, handle, canonical id or name.
        target: String,
        /// Kind of the edge: `semantic` (default), `causal`, `relation`, `supporting`, `contradicts`,
        /// `supersedes`, `explains`, …
        #[serde(default)]
        #[schemars(schema_with = "crate::request::forms::edge_kind")]
        kind: Option<String>,
        /// Label of a relation (`uses`), or sub-type of a causal edge (`causes`, `enables`, `prevents`).
        #[serde(default)]
        label: Option<String>,
        /// 0 to 1; default 1.
        #[serde(default)]
        #[schemars(range(min = 0, max = 1))]
        weight: Option<f32>,
        /// Why you say so.
        #[serde(default)]
        reason: Option<String>,
        /// Who says so: `user` (default), `static`, `import`, `llm`, `embedding` or `rule`.
        #[serde(default)]
        #[schemars(schema_with = "crate::request::forms::provenance")]
        provenance: Option<String>,
        /// How sure, 0 to 1; default what who says it is worth: 1 for `user`, `static` and `import`, 0.8 for
        /// `embedding` (for two memories their cosine), 0.7 for `rule`, 0.6 for `llm`.
        #[serde(default)]
        #[schemars(range(min = 0, max = 1))]
        confidence: Option<f32>,
        /// When the edge is over: a time to come, or how long it holds from now on, such as `30d`, `12h` or
        /// `2w`.
        #[serde(default)]
        #[schemars(schema_with = "crate::request::forms::end")]
        expires_at: Option<String>,
    }

    /// Remove edges from the first to the second.
    Unlink {
        /// From: a memory or an entity.
        source: String,
        /// To: a memory or an entity.
        target: String,
        /// Only edges of this kind.
        #[serde(default)]
        #[schemars(schema_with = "crate::request::forms::edge_kind")]
        kind: Option<String>,
        /// Only edges with this label or sub-type.
        #[serde(default)]
        label: Option<String>,
    }

    /// A memory, an entity or a source by its id, handle or name.
    Named {
        /// Id, handle (`#a1b2c3`), canonical id (`tool:redis`), source id (`s4`) or name.
        name: String,
    }

    /// What is to be removed for good.
    Erase {
        /// A memory by its id or handle, a source by its id or origin, an entity by its id or name, or the
        /// name of a user.
        name: String,
        /// Only say what would go.
        #[serde(default)]
        dry_run: bool,
    }

    /// Receipts of what was erased.
    Erasures {
        /// Compare each with the store.
        #[serde(default)]
        verify: bool,
    }

    /// What is to be removed for good, and what it is.
    EraseThing {
        /// `memory`, `source`, `entity` or `user`.
        #[schemars(regex(pattern = r"^(memory|source|entity|user)$"))]
        kind: String,
        /// A memory by its id or handle, a source by its id or origin, an entity by its id or name, or the
        /// name of a user.
        name: String,
        /// Only say what would go.
        #[serde(default)]
        dry_run: bool,
    }

    /// A merge by its id.
    OneMerge {
        /// Id of a merge, such as `g12`.
        #[schemars(regex(pattern = r"^g[1-9][0-9]{0,8}$"))]
        name: String,
    }

    /// A suggestion by its id.
    OneSuggestion {
        /// Id of a suggestion, such as `p12`.
        #[schemars(regex(pattern = r"^p[1-9][0-9]{0,8}$"))]
        name: String,
    }

    /// What led to a memory, and what followed from it.
    Why {
        /// A memory or an entity.
        name: String,
        /// `causes`, `consequences` or `both` (default).
        #[serde(default)]
        #[schemars(schema_with = "crate::request::forms::direction")]
        direction: Option<String>,
        /// How many steps, 1 to 10.
        #[serde(default = "five")]
        #[schemars(range(min = 1, max = 10))]
        depth: usize,
        /// Do not follow edges of less confidence, 0 to 1.
        #[serde(default)]
        #[schemars(range(min = 0, max = 1))]
        min_confidence: Option<f32>,
        /// As it was at that time: a date, RFC 3339 or words such as `last month`; default now.
        #[serde(default)]
        #[schemars(schema_with = "crate::request::forms::time")]
        now: Option<String>,
    }

    /// What is connected with a memory or an entity.
    Related {
        /// A memory or an entity.
        name: String,
        /// How many steps, 1 to 10.
        #[serde(default = "two")]
        #[schemars(range(min = 1, max = 10))]
        depth: usize,
        /// Only over edges of these families: `temporal`, `entity`, `causal`, `semantic`.
        #[serde(default)]
        #[schemars(schema_with = "crate::request::forms::families")]
        families: Vec<String>,
        /// Only nodes of these layers: `code`, `execution`, `knowledge`, `project`; the ways to them may lead
        /// through others.
        #[serde(default)]
        #[schemars(schema_with = "crate::request::forms::node_layers")]
        layers: Vec<String>,
        /// At most so many.
        #[serde(default = "twenty")]
        #[schemars(range(min = 1, max = 1000))]
        limit: usize,
    }

    /// Memories that say something alike.
    Similar {
        /// Handle or id of a memory.
        name: String,
        /// At most so many.
        #[serde(default = "ten")]
        #[schemars(range(min = 1, max = 1000))]
        limit: usize,
    }

    /// The shortest path between two memories or entities.
    Path {
        /// From: a memory or an entity.
        source: String,
        /// To: a memory or an entity.
        target: String,
        /// At most so many steps, 1 to 32.
        #[serde(default = "six")]
        #[schemars(range(min = 1, max = 32))]
        max_hops: usize,
    }

    /// All that is known about an entity.
    Entity {
        /// Canonical id (`tool:redis`), name or alias.
        name: String,
        /// How far its neighbourhood reaches, 1 to 3.
        #[serde(default = "one")]
        #[schemars(range(min = 1, max = 3))]
        hops: usize,
        /// At most so many mentions and neighbours.
        #[serde(default = "ten")]
        #[schemars(range(min = 1, max = 1000))]
        limit: usize,
    }

    /// Entities: the best connected ones, or those whose name contains something.
    Entities {
        /// Part of a name.
        #[serde(default)]
        search: Option<String>,
        /// Only of this type, such as `tool`.
        #[serde(default)]
        #[schemars(schema_with = "crate::request::forms::entity_type")]
        r#type: Option<String>,
        /// Only of this layer: `code`, `execution`, `knowledge` or `project`.
        #[serde(default)]
        #[schemars(schema_with = "crate::request::forms::layer")]
        layer: Option<String>,
        /// At most so many.
        #[serde(default = "twenty")]
        #[schemars(range(min = 1, max = 1000))]
        limit: usize,
    }

    /// What is held to be true, and when it was.
    Facts {
        /// Only facts about this entity.
        #[serde(default)]
        entity: Option<String>,
        /// What was true then, as far as is known today.
        #[serde(default)]
        #[schemars(schema_with = "crate::request::forms::time")]
        as_of: Option<String>,
        /// As far as was known then.
        #[serde(default)]
        #[schemars(schema_with = "crate::request::forms::time")]
        known_at: Option<String>,
    }

    /// Add a fact; it closes the one it replaces.
    AddFact {
        /// What the fact is about.
        #[schemars(schema_with = "crate::request::forms::question")]
        subject: String,
        /// `adopted`, `migrated_to`, `deployed_to`, `runs_on`, `replaced`, `depends_on`, `integrates_with`,
        /// `uses`, `prefers`, `avoids`, `caused_by`, `resolved_by` or `owned_by`.
        #[schemars(schema_with = "crate::request::forms::predicate")]
        predicate: String,
        /// An entity, or the text itself after `prefers` and `avoids`.
        #[schemars(schema_with = "crate::request::forms::question")]
        object: String,
        /// Since when it is true.
        #[serde(default)]
        #[schemars(schema_with = "crate::request::forms::time")]
        valid_from: Option<String>,
        /// Until when it was true.
        #[serde(default)]
        #[schemars(schema_with = "crate::request::forms::time")]
        valid_to: Option<String>,
        /// 0 to 1; default 1.
        #[serde(default)]
        #[schemars(range(min = 0, max = 1))]
        confidence: Option<f32>,
        /// The memory that says so.
        #[serde(default)]
        memory: Option<String>,
        /// Why you say so.
        #[serde(default)]
        reason: Option<String>,
    }

    /// Memories in order of time.
    #[schemars(transform = crate::request::forms::timeline)]
    Timeline {
        /// The memory to look around; without one, the latest.
        #[serde(default)]
        anchor: Option<String>,
        /// How many before it.
        #[serde(default = "five")]
        #[schemars(range(min = 0, max = 1000))]
        before: usize,
        /// How many after it; without a memory, how many in all.
        #[serde(default = "five")]
        #[schemars(range(min = 0, max = 1000))]
        after: usize,
        /// Only what happened then or later.
        #[serde(default)]
        #[schemars(schema_with = "crate::request::forms::time")]
        since: Option<String>,
        /// Only what happened until the end of then.
        #[serde(default)]
        #[schemars(schema_with = "crate::request::forms::time")]
        until: Option<String>,
    }

    /// Store a document, or the page at an address.
    #[schemars(transform = crate::request::forms::ingest)]
    Ingest {
        /// The document.
        #[serde(default)]
        text: Option<String>,
        /// The address of a page, in place of a text.
        #[serde(default)]
        #[schemars(schema_with = "crate::request::forms::maybe_url")]
        url: Option<String>,
        /// What it is called; the same name again replaces what it held.
        #[serde(default)]
        name: Option<String>,
        /// `markdown`, `text`, `json`, `jsonl`, `chat` or `claude-code`; default what it looks like.
        #[serde(default)]
        #[schemars(schema_with = "crate::request::forms::format")]
        format: Option<String>,
        /// Tags for everything in it.
        #[serde(default)]
        #[schemars(schema_with = "crate::request::forms::words")]
        tags: Vec<String>,
        /// Kind of its memories; default `passage` or `turn`.
        #[serde(default)]
        #[schemars(schema_with = "crate::request::forms::word")]
        kind: Option<String>,
    }

    /// Make one entity of two.
    Merge {
        /// The entity that is kept.
        kept: String,
        /// The entity that becomes part of it.
        merged: String,
        /// Why.
        #[serde(default)]
        reason: Option<String>,
    }

    /// A request without parameters of its own.
    Bare {
    }
}

fn one() -> usize {
    1
}
fn three() -> u32 {
    3
}
fn two() -> usize {
    2
}
fn five() -> usize {
    5
}
fn six() -> usize {
    6
}
fn ten() -> usize {
    10
}
fn twenty() -> usize {
    20
}

impl Remember {
    fn speaker(&self) -> Option<&str> {
        self.agent.as_deref()
    }

    /// The draft without its scope, which the place of the request gives.
    pub fn into_draft(self) -> Draft {
        Draft {
            text: self.text,
            kind: self.kind,
            tags: self.tags,
            tier: self.tier,
            expires_at: self.expires_at,
            importance: self.importance,
            user: None,
            project: None,
            agent: self.agent,
            session: self.session,
            speaker: self.speaker,
            occurred_at: self.occurred_at,
            entities: self.entities,
            heading: self.heading,
            lines: self.lines,
            ordinal: self.ordinal,
            supersedes: self.supersedes,
        }
    }
}

impl RememberBatch {
    fn speaker(&self) -> Option<&str> {
        self.memories.iter().find_map(|draft| draft.agent.as_deref())
    }
}

impl Link {
    pub fn to_engine(&self, now: Timestamp) -> Result<LinkRequest> {
        Ok(LinkRequest {
            source: self.source.clone(),
            target: self.target.clone(),
            kind: self.kind.as_deref().map_or(Ok(EdgeKind::Semantic), edge_kind)?,
            label: self.label.clone(),
            weight: self.weight.map(|weight| share("weight", weight)).transpose()?,
            reason: self.reason.clone(),
            provenance: self.provenance.as_deref().map_or(Ok(Provenance::User), provenance)?,
            confidence: self.confidence.map(|confidence| share("confidence", confidence)).transpose()?,
            expires_at: self.expires_at.as_deref().map(|end| read_end(end, now)).transpose()?,
        })
    }
}

impl Why {
    pub fn direction(&self) -> Result<WhyDirection> {
        match self.direction.as_deref() {
            None | Some("both") => Ok(WhyDirection::Both),
            Some("causes") => Ok(WhyDirection::Causes),
            Some("consequences") => Ok(WhyDirection::Consequences),
            Some(other) => {
                Err(Error::invalid(format!("use the direction `{other}`"), "there is no such direction")
                    .hint("use causes, consequences or both"))
            }
        }
    }
}

impl AddFact {
    pub fn to_engine(&self, now: Timestamp) -> Result<FactDraft> {
        let at = |text: &Option<String>| text.as_deref().map(|text| read_time(text, now)).transpose();
        let place = self.place()?;
        Ok(FactDraft {
            subject: self.subject.clone(),
            predicate: predicate(&self.predicate)?,
            object: self.object.clone(),
            valid_from: at(&self.valid_from)?,
            valid_to: at(&self.valid_to)?,
            confidence: self.confidence.map(|share_| share("confidence", share_)).transpose()?,
            memory: self.memory.clone(),
            reason: self.reason.clone(),
            scope: griot::model::Scope { user: place.user, project: place.project },
        })
    }
}

impl Merge {
    pub fn to_engine(&self) -> MergeRequest {
        MergeRequest {
            kept: self.kept.clone(),
            merged: self.merged.clone(),
            reason: self.reason.clone(),
            by: Provenance::User,
        }
    }
}

#[cfg(test)]
mod tests;
