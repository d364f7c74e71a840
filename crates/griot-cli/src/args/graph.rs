//! Arguments of `link`, `facts`, `hubs`, `merge`, `merges` and `verify`.

use clap::{Args, Subcommand, ValueEnum};
use griot_wire::verbs;

use super::{Limit, Owned, Unquoted, Within};
use crate::render::Language;

/// How a path is printed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Format {
    Text,
    /// For Graphviz
    Dot,
    /// For Mermaid
    Mermaid,
}

impl Format {
    pub fn language(self) -> Option<Language> {
        match self {
            Self::Text => None,
            Self::Dot => Some(Language::Dot),
            Self::Mermaid => Some(Language::Mermaid),
        }
    }
}

#[derive(Args, Debug)]
pub struct PathArgs {
    #[command(flatten)]
    pub request: verbs::walk::Path,
    /// How to print it
    #[arg(long, value_enum, default_value_t = Format::Text, conflicts_with = "json")]
    pub format: Format,
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  griot why a1b2c3 --direction causes
  griot why Redis --format mermaid
  griot why did we move to Redis      # a question in words: what `griot recall` answers")]
pub struct WhyArgs {
    #[command(flatten)]
    pub request: Unquoted<verbs::why::Why>,
    /// How to print it
    #[arg(long, value_enum, default_value_t = Format::Text, conflicts_with = "json")]
    pub format: Format,
}

#[derive(Args, Debug)]
pub struct LinkArgs {
    #[command(flatten)]
    pub request: verbs::link::Link,
    /// Sub-type of a causal edge: causes, enables, prevents or caused
    #[arg(long, value_name = "WORD", conflicts_with = "label")]
    pub sub_type: Option<String>,
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
pub struct FactsArgs {
    #[command(subcommand)]
    pub action: Option<FactsAction>,
    #[command(flatten)]
    pub list: FactsList,
}

#[derive(Args, Debug)]
pub struct FactsList {
    #[command(flatten)]
    pub request: verbs::facts::Facts,
    #[command(flatten)]
    pub limit: Limit,
}

#[derive(Subcommand, Debug)]
pub enum FactsAction {
    /// List facts
    List(FactsList),
    /// Add a fact and close the fact that it replaces
    Add(Owned<verbs::facts::AddFact>),
    /// Set the end of a fact, or open it again
    End(verbs::facts::EndFact),
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  griot conflicts
  griot conflicts Redis")]
pub struct ConflictsArgs {
    #[command(flatten)]
    pub request: verbs::facts::Conflicts,
    #[command(flatten)]
    pub limit: Limit,
}

#[derive(Args, Debug)]
pub struct Hubs {
    /// Only entities of this type
    #[arg(long = "type", value_name = "TYPE")]
    pub kind: Option<String>,
    /// Only entities of this layer: code, execution, knowledge, project; may be given more than once
    #[arg(long, value_delimiter = ',')]
    pub layer: Vec<String>,
    /// Maximum number of results
    #[arg(long, short = 'n', value_name = "COUNT", default_value_t = 10)]
    pub limit: usize,
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  griot merge PostgreSQL \"Postgres cluster\" --reason \"one database\"
  griot merge --undo g3

KEPT keeps its name and takes over edges, facts and names of MERGED; its type is the one that was
given most often. Nothing is lost: `--undo` separates them again.")]
pub struct MergeArgs {
    /// The entity to keep: a name, an alias or a canonical id
    #[arg(value_name = "KEPT", required_unless_present = "undo", conflicts_with = "undo")]
    pub kept: Option<String>,
    /// The entity to merge into it
    #[arg(value_name = "MERGED", required_unless_present = "undo", conflicts_with = "undo")]
    pub merged: Option<String>,
    /// Why they are one
    #[arg(long, conflicts_with = "undo")]
    pub reason: Option<String>,
    /// Undo this merge (`g3`)
    #[arg(long, value_name = "ID")]
    pub undo: Option<String>,
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  griot verify
  griot verify --list --all
  griot verify --acknowledge w-3f2a90c1d4e5 --note \"a real feedback loop\"

Without options, checks the whole workspace; `--list` is quick and shows the warnings found so far.
A warning is shown until its cause is gone or it is acknowledged. Exit code 1 if there are warnings.")]
pub struct VerifyArgs {
    /// List known warnings that still apply, without a new check
    #[arg(long)]
    pub list: bool,
    /// Include acknowledged warnings
    #[arg(long, conflicts_with = "acknowledge")]
    pub all: bool,
    /// Acknowledge this warning, so that it is no longer shown
    #[arg(long, value_name = "ID", conflicts_with = "list")]
    pub acknowledge: Option<String>,
    /// With --acknowledge: take it back, so that the warning is shown again
    #[arg(long, requires = "acknowledge", conflicts_with = "note")]
    pub undo: bool,
    /// With --acknowledge: why
    #[arg(long, value_name = "TEXT", requires = "acknowledge")]
    pub note: Option<String>,
    /// Maximum number of warnings [default: all]
    #[arg(long, short = 'n', value_name = "COUNT", conflicts_with = "acknowledge")]
    pub limit: Option<usize>,
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  griot merges
  griot merges --suggest
  griot merges --judge
  griot merges --apply p2
  griot merges --dismiss p3

Without options: merges and open suggestions.")]
pub struct MergesArgs {
    /// Compare all names and suggest merges
    #[arg(long)]
    pub suggest: bool,
    /// Let the language model decide: pairs that are one are merged, pairs that are two are not suggested
    /// again
    #[arg(long, conflicts_with_all = ["suggest", "apply", "dismiss"])]
    pub judge: bool,
    /// With --judge: only say what it would take: requests, tokens, money
    #[arg(long, requires = "judge")]
    pub estimate: bool,
    /// With --judge: also ask again about pairs about which a model was not sure
    #[arg(long, requires = "judge")]
    pub retry: bool,
    /// With --suggest: merge names at once that differ only in accents, punctuation, spaces and case
    #[arg(long, requires = "suggest")]
    pub auto: bool,
    /// Merge the pair of this suggestion (`p2`)
    #[arg(long, value_name = "ID", conflicts_with_all = ["suggest", "dismiss"])]
    pub apply: Option<String>,
    /// Include suggestions that were dismissed; `griot restore p3` reopens one
    #[arg(long, conflicts_with_all = ["suggest", "judge", "apply", "dismiss"])]
    pub all: bool,
    /// Dismiss this suggestion; the pair is not suggested again
    #[arg(long, value_name = "ID", conflicts_with = "suggest")]
    pub dismiss: Option<String>,
    /// Maximum number of merges and of suggestions [default: all]
    #[arg(long, short = 'n', value_name = "COUNT", conflicts_with_all = ["apply", "dismiss"])]
    pub limit: Option<usize>,
}

#[derive(Args, Debug)]
pub struct TraverseArgs {
    #[command(flatten)]
    pub within: Unquoted<Within<verbs::walk::Traverse>>,
    #[command(flatten)]
    pub limit: Limit,
}
