//! The graph itself: `link`, `why`, `related`, `path`, `entity`, `facts`, `hubs`.

use clap::{Args, Subcommand, ValueEnum};

use super::keep::OwnerArgs;

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  griot link a1b2c3 d4e5f6 --kind causal --sub-type causes --reason \"the outage led to the rewrite\"
  griot link \"Auth Service\" Redis --kind relation --label uses
  griot link d4e5f6 a1b2c3 --kind supersedes

Both ends may be handles, ids, canonical ids (`tool:redis`) or names of entities. A link has one direction, from the
first to the second, unless its kind is symmetric.")]
pub struct Link {
    /// From: a memory or an entity
    #[arg(value_name = "FROM")]
    pub source: String,
    /// To: a memory or an entity
    #[arg(value_name = "TO")]
    pub target: String,
    /// Kind of the edge: causal, relation, semantic, supporting, contradicts, supersedes, explains, …
    #[arg(long, default_value = "semantic")]
    pub kind: String,
    /// Sub-type of a causal edge: causes, enables, prevents or caused
    #[arg(long, value_name = "WORD", conflicts_with = "label")]
    pub sub_type: Option<String>,
    /// Label of a relation, such as uses or depends_on
    #[arg(long, value_name = "WORD")]
    pub label: Option<String>,
    /// 0 to 1 [default: 1]
    #[arg(long, value_name = "0-1", allow_negative_numbers = true)]
    pub weight: Option<f32>,
    /// Why you say so
    #[arg(long)]
    pub reason: Option<String>,
    /// Who says so: user, static, import, llm, embedding or rule
    #[arg(long, default_value = "user")]
    pub provenance: String,
    /// How sure, 0 to 1 [default: user, static, import 1, embedding 0.8 or the cosine, rule 0.7, llm 0.6]
    #[arg(long, value_name = "0-1", allow_negative_numbers = true)]
    pub confidence: Option<f32>,
    /// Over from then on: a time to come, or how long from now, such as 12h, 30d or 2w
    #[arg(long, value_name = "WHEN", allow_hyphen_values = true)]
    pub expires: Option<String>,
}

#[derive(Args, Debug)]
pub struct Unlink {
    /// From: a memory or an entity
    #[arg(value_name = "FROM")]
    pub source: String,
    /// To: a memory or an entity
    #[arg(value_name = "TO")]
    pub target: String,
    /// Only edges of this kind
    #[arg(long)]
    pub kind: Option<String>,
    /// Only edges with this label or sub-type
    #[arg(long, visible_alias = "sub-type")]
    pub label: Option<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Direction {
    /// What led to it
    Causes,
    /// What followed from it
    Consequences,
    Both,
}

#[derive(Args, Debug)]
pub struct Why {
    /// A memory or an entity
    #[arg(value_name = "MEMORY")]
    pub name: String,
    /// Which way to look
    #[arg(long, value_enum, default_value_t = Direction::Both)]
    pub direction: Direction,
    /// How many steps, 1 to 10
    #[arg(long, default_value_t = 5)]
    pub depth: usize,
    /// Do not follow edges of less confidence [default: the setting `graph.min_confidence`]
    #[arg(long, value_name = "0-1")]
    pub min_confidence: Option<f32>,
    /// As if it were this time: what had expired then is left out, and confidence has faded until then
    #[arg(long, value_name = "TIME")]
    pub now: Option<String>,
}

#[derive(Args, Debug)]
pub struct Related {
    /// A memory or an entity
    #[arg(value_name = "NAME")]
    pub name: String,
    /// How many steps, 1 to 10
    #[arg(long, default_value_t = 2)]
    pub depth: usize,
    /// Only over edges of this family: temporal, entity, causal, semantic; may be given more than once
    #[arg(long, visible_alias = "edge", value_delimiter = ',')]
    pub family: Vec<String>,
    /// Only nodes of this layer: code, execution, knowledge, project; may be given more than once
    #[arg(long, value_delimiter = ',')]
    pub layer: Vec<String>,
    /// At most so many
    #[arg(long, default_value_t = 20)]
    pub limit: usize,
}

#[derive(Args, Debug)]
pub struct PathBetween {
    /// From: a memory or an entity
    #[arg(value_name = "FROM")]
    pub source: String,
    /// To: a memory or an entity
    #[arg(value_name = "TO")]
    pub target: String,
    /// At most so many steps
    #[arg(long, default_value_t = 6)]
    pub max_hops: usize,
}

#[derive(Args, Debug)]
pub struct Entity {
    /// Canonical id (`tool:redis`), name or alias
    #[arg(value_name = "NAME")]
    pub name: String,
    /// How far its neighbourhood reaches, 1 to 3
    #[arg(long, default_value_t = 1)]
    pub hops: usize,
    /// At most so many mentions and neighbours
    #[arg(long, default_value_t = 10)]
    pub limit: usize,
}

#[derive(Args, Debug)]
#[command(
    args_conflicts_with_subcommands = true,
    after_help = "\
Examples:
  griot facts
  griot facts Redis --as-of 2024-03-01
  griot facts Redis --as-of 2024-03-01 --known-at 2024-03-15
  griot facts add \"Session store\" migrated_to Redis --from 2024-04-02 --memory a1b2c3"
)]
pub struct Facts {
    #[command(subcommand)]
    pub action: Option<FactsAction>,
    #[command(flatten)]
    pub list: FactsList,
}

#[derive(Subcommand, Debug)]
pub enum FactsAction {
    /// List facts
    List(FactsList),
    /// Add a fact; it closes the one it replaces
    Add(FactsAdd),
}

#[derive(Args, Debug)]
pub struct FactsList {
    /// Only facts about this entity, or the one with this id (`f3`)
    #[arg(value_name = "ENTITY")]
    pub entity: Option<String>,
    /// What was true then, as far as is known today
    #[arg(long, value_name = "TIME")]
    pub as_of: Option<String>,
    /// As far as was known then
    #[arg(long, value_name = "TIME")]
    pub known_at: Option<String>,
}

#[derive(Args, Debug)]
pub struct FactsAdd {
    /// What the fact is about
    #[arg(value_name = "SUBJECT")]
    pub subject: String,
    /// adopted, migrated_to, deployed_to, runs_on, replaced, depends_on, integrates_with, uses, prefers,
    /// avoids, caused_by, resolved_by or owned_by
    #[arg(value_name = "PREDICATE")]
    pub predicate: String,
    /// An entity, or the text itself after prefers and avoids
    #[arg(value_name = "OBJECT")]
    pub object: String,
    /// Since when it is true
    #[arg(long, value_name = "TIME")]
    pub from: Option<String>,
    /// Until when it was true
    #[arg(long, value_name = "TIME")]
    pub to: Option<String>,
    /// How sure, 0 to 1 [default: 1]
    #[arg(long, value_name = "0-1")]
    pub confidence: Option<f32>,
    /// The memory that says so
    #[arg(long, value_name = "MEMORY")]
    pub memory: Option<String>,
    /// Why you say so
    #[arg(long)]
    pub reason: Option<String>,
    #[command(flatten)]
    pub owner: OwnerArgs,
}

#[derive(Args, Debug)]
pub struct Hubs {
    /// Only entities of this type
    #[arg(long = "type", value_name = "TYPE")]
    pub kind: Option<String>,
    /// Only entities of this layer: code, execution, knowledge, project; may be given more than once
    #[arg(long, value_delimiter = ',')]
    pub layer: Vec<String>,
    /// At most so many
    #[arg(long, default_value_t = 10)]
    pub limit: usize,
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  griot build-graphs
  griot build-graphs --graphs semantic,temporal --threshold 0.5

`semantic` joins memories that are alike. `temporal` joins consecutive memories over all sources, and each document by its first passage,
in the order of time; without it a step in time stays within its source or within 24 hours. A second run adds what is new and removes
steps that something lies between by now.")]
pub struct BuildGraphs {
    /// What to build: semantic, temporal, or all
    #[arg(long, value_name = "LIST", value_delimiter = ',', default_value = "semantic")]
    pub graphs: Vec<String>,
    /// Likeness (cosine) from which two memories are joined
    #[arg(long, value_name = "0-1", default_value_t = 0.7)]
    pub threshold: f32,
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  griot merge PostgreSQL \"Postgres cluster\" --reason \"one database\"
  griot merge --undo g3

The first keeps its name. Edges, facts and names of the second go over to it; the type is the one that the two were given
most often. Nothing is lost: an undo parts them again.")]
pub struct Merge {
    /// The entity to keep: a name, an alias or a canonical id
    #[arg(value_name = "KEPT", required_unless_present = "undo", conflicts_with = "undo")]
    pub kept: Option<String>,
    /// The entity that becomes part of it
    #[arg(value_name = "MERGED", required_unless_present = "undo", conflicts_with = "undo")]
    pub merged: Option<String>,
    /// Why they are one
    #[arg(long, conflicts_with = "undo")]
    pub reason: Option<String>,
    /// Part the entities of this merge again (`g3`)
    #[arg(long, value_name = "ID")]
    pub undo: Option<String>,
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  griot verify
  griot verify --list --all
  griot verify --acknowledge w-3f2a90c1d4e5 --note \"a real feedback loop\"

Without an option the whole workspace is looked at; `--list` shows what was noticed when it was written, which is quick. A
warning is shown until its cause is gone or somebody acknowledged it. Exit code 1 if there is something to look at.")]
pub struct Verify {
    /// What was noticed so far and is still so, without looking at everything again
    #[arg(long)]
    pub list: bool,
    /// Those too that were acknowledged
    #[arg(long, conflicts_with = "acknowledge")]
    pub all: bool,
    /// Leave this warning as it is: it is not shown any more
    #[arg(long, value_name = "ID", conflicts_with = "list")]
    pub acknowledge: Option<String>,
    /// With --acknowledge: why
    #[arg(long, value_name = "TEXT", requires = "acknowledge")]
    pub note: Option<String>,
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  griot merges
  griot merges --suggest
  griot merges --apply p2
  griot merges --dismiss p3

Without an option: the merges that were done, and the open suggestions.")]
pub struct Merges {
    /// Compare all names, and suggest pairs that may be one
    #[arg(long)]
    pub suggest: bool,
    /// With --suggest: merge at once what differs in accents, punctuation, spaces and case alone
    #[arg(long, requires = "suggest")]
    pub auto: bool,
    /// Merge the pair of this suggestion (`p2`)
    #[arg(long, value_name = "ID", conflicts_with_all = ["suggest", "dismiss"])]
    pub apply: Option<String>,
    /// The pair of this suggestion is not one; it is not suggested again
    #[arg(long, value_name = "ID", conflicts_with = "suggest")]
    pub dismiss: Option<String>,
}
