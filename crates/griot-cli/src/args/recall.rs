//! What comes out: `recall`, `traverse`, `timeline`, `similar`.

use clap::Args;

use super::ScopeArgs;

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  griot recall \"why did we move to Redis?\"
  griot recall \"what happened last week\" --project shop --explain
  griot recall \"caching\" --since 2024-03 --until 2024-05 --json
  griot recall \"what does the auth service depend on\" --context --budget 2000")]
pub struct Recall {
    /// The question, or words
    #[arg(value_name = "QUERY")]
    pub query: String,
    /// At most so many results [default: recall.limit]
    #[arg(long, short = 'n', value_name = "COUNT")]
    pub limit: Option<usize>,
    /// Fill this many tokens (about 4 characters each) instead
    #[arg(long, value_name = "TOKENS", conflicts_with = "limit")]
    pub budget: Option<usize>,
    #[command(flatten)]
    pub scope: ScopeArgs,
    /// Only memories of this kind; may be given more than once
    #[arg(long)]
    pub kind: Vec<String>,
    /// Only memories of this layer: code, execution, knowledge, project; may be given more than once
    #[arg(long)]
    pub layer: Vec<String>,
    /// Only memories with this tag; with several, all of them
    #[arg(long, visible_alias = "tags", value_name = "TAG", value_delimiter = ',')]
    pub tag: Vec<String>,
    /// Only memories of this tier (long_term, working, rule); may be given more than once [default: all,
    /// rules aside]
    #[arg(long)]
    pub tier: Vec<String>,
    /// Leave out the rules beside the results
    #[arg(long)]
    pub no_rules: bool,
    /// Only memories from this source (`s4` or its origin)
    #[arg(long)]
    pub source: Vec<String>,
    /// Only memories of this agent; its own settings count, if it has some
    #[arg(long)]
    pub agent: Option<String>,
    /// Only memories of this session
    #[arg(long)]
    pub session: Option<String>,
    /// Only what happened then or later
    #[arg(long, value_name = "TIME")]
    pub since: Option<String>,
    /// Only what happened until the end of then
    #[arg(long, value_name = "TIME")]
    pub until: Option<String>,
    /// Only what happened then: a day, a month, "last week"
    #[arg(long, value_name = "TIME", conflicts_with_all = ["since", "until"])]
    pub at: Option<String>,
    /// why, when, entity or general [default: what the question says]
    #[arg(long)]
    pub intent: Option<String>,
    /// Read "yesterday" and the like as seen from this time
    #[arg(long, value_name = "TIME")]
    pub now: Option<String>,
    /// Show memories that another one replaced, too
    #[arg(long)]
    pub superseded: bool,
    /// Nothing from the web, which anybody may have written
    #[arg(long)]
    pub trusted: bool,
    /// Return the best there is, even if nothing is relevant
    #[arg(long)]
    pub no_floor: bool,
    /// Ask for the graph where the workspace leaves it to the request (`griot rollout`)
    #[arg(long, conflicts_with = "no_graph")]
    pub graph: bool,
    /// Do not walk the graph
    #[arg(long)]
    pub no_graph: bool,
    /// low, normal or high: how many candidates, and how much of the graph [default: the setting
    /// `recall.effort`]
    #[arg(long)]
    pub effort: Option<String>,
    /// Print why each result is there: signals, path, evidence
    #[arg(long, conflicts_with = "context")]
    pub explain: bool,
    /// Print a block for the context of a language model
    #[arg(long, conflicts_with = "json")]
    pub context: bool,
    /// List what was left out, and why
    #[arg(long)]
    pub rejected: bool,
}

#[derive(Args, Debug)]
pub struct Traverse {
    /// Where to start: a question, or words
    #[arg(value_name = "QUERY")]
    pub query: String,
    /// How many nodes are followed at each step
    #[arg(long, default_value_t = 10)]
    pub width: usize,
    /// How many nodes are visited in all
    #[arg(long, default_value_t = 500)]
    pub budget: usize,
    /// How many steps
    #[arg(long, default_value_t = 4)]
    pub depth: usize,
    /// Only nodes of this layer: code, execution, knowledge, project; may be given more than once
    #[arg(long, value_delimiter = ',')]
    pub layer: Vec<String>,
    #[command(flatten)]
    pub scope: ScopeArgs,
    /// why, when, entity or general [default: what the question says]
    #[arg(long)]
    pub intent: Option<String>,
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  griot timeline a1b2c3 --before 3 --after 3
  griot timeline --since 2024-03-01 --until 2024-03-31")]
pub struct Timeline {
    /// The memory to look around; without one, the latest
    #[arg(value_name = "MEMORY", conflicts_with_all = ["since", "until"])]
    pub anchor: Option<String>,
    /// How many before it
    #[arg(long, default_value_t = 5)]
    pub before: usize,
    /// How many after it; without a memory, how many in all
    #[arg(long, default_value_t = 5)]
    pub after: usize,
    /// Only what happened then or later
    #[arg(long, value_name = "TIME")]
    pub since: Option<String>,
    /// Only what happened until the end of then
    #[arg(long, value_name = "TIME")]
    pub until: Option<String>,
    #[command(flatten)]
    pub scope: ScopeArgs,
}

#[derive(Args, Debug)]
pub struct Similar {
    /// Handle (`a1b2c3`) or id of a memory
    #[arg(value_name = "MEMORY")]
    pub name: String,
    /// At most so many
    #[arg(long, default_value_t = 10)]
    pub limit: usize,
}
