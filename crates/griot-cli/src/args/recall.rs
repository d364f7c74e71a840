//! Arguments of `recall`, and the scope of questions.

use std::path::PathBuf;

use clap::{ArgAction, ArgMatches, Args, Command, FromArgMatches};
use griot_wire::request::Request;
use griot_wire::verbs;

/// The user and the project of a question.
#[derive(Args, Debug, Clone, Default)]
pub struct ScopeArgs {
    /// The user: their memories and those that all users share
    #[arg(long, value_name = "USER")]
    pub user: Option<String>,
    /// The project: memories about it and about none in particular
    #[arg(long, value_name = "PROJECT")]
    pub project: Option<String>,
}

/// A request within a scope.
#[derive(Args, Debug)]
pub struct Within<Q: Args> {
    #[command(flatten)]
    request: Q,
    #[command(flatten)]
    scope: ScopeArgs,
}

impl<Q: Args + Request> Within<Q> {
    pub fn request(mut self) -> Q {
        self.request.narrow(self.scope.user, self.scope.project);
        self.request
    }
}

/// Arguments with one text or name, which may be several words without quotes: `griot recall why did we
/// move`.
pub trait Spoken {
    /// Id of its argument.
    const ID: &'static str;

    fn text(&mut self) -> &mut String;
}

#[derive(Debug)]
pub struct Unquoted<Q>(pub Q);

impl<Q: Args + Spoken> FromArgMatches for Unquoted<Q> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let mut one = Q::from_arg_matches(matches)?;
        *one.text() = joined(matches.get_many::<String>(Q::ID).into_iter().flatten());
        Ok(Self(one))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl<Q: Args + Spoken> Args for Unquoted<Q> {
    fn augment_args(command: Command) -> Command {
        Q::augment_args(command).mut_arg(Q::ID, |text| text.num_args(1..).action(ArgAction::Append))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

/// Words as one text.
pub fn joined<'a>(words: impl IntoIterator<Item = &'a String>) -> String {
    words.into_iter().map(String::as_str).collect::<Vec<_>>().join(" ")
}

macro_rules! spoken {
    ($($request:ty: $field:ident;)+) => {
        $(impl Spoken for $request {
            const ID: &'static str = stringify!($field);

            fn text(&mut self) -> &mut String {
                &mut self.$field
            }
        })+
    };
}

spoken! {
    verbs::recall::Recall: query;
    verbs::walk::Traverse: query;
    verbs::walk::Related: name;
    verbs::entity::Entity: name;
    verbs::why::Why: name;
}

impl<Q: Args + Spoken> Spoken for Within<Q> {
    const ID: &'static str = Q::ID;

    fn text(&mut self) -> &mut String {
        self.request.text()
    }
}

#[derive(Args, Debug)]
pub struct ListArgs {
    #[command(flatten)]
    pub within: Within<verbs::list::List>,
}

#[derive(Args, Debug)]
pub struct TimelineArgs {
    #[command(flatten)]
    pub within: Within<verbs::timeline::Timeline>,
    /// Number of memories without a centre [default: 10]
    #[arg(long, short = 'n', value_name = "COUNT", conflicts_with_all = ["anchor", "before", "after"])]
    pub limit: Option<usize>,
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  griot edit a1b2c3 We moved sessions to Redis in March, not in April
  griot edit a1b2c3                 # opens $EDITOR
  griot edit a1b2c3 --file note.md

The new version has the kind, tags, time and scope of the old one and replaces it. The old version is
kept: `griot show a1b2c3` prints it, `griot list --superseded` lists it.")]
pub struct EditArgs {
    /// Handle (`a1b2c3`) or id of a memory
    #[arg(value_name = "MEMORY")]
    pub name: String,
    /// The new text, with or without quotes; `-` reads standard input [default: opens $EDITOR]
    #[arg(value_name = "TEXT", conflicts_with = "file")]
    pub text: Vec<String>,
    /// Read the new text from a file
    #[arg(long, value_name = "PATH")]
    pub file: Option<PathBuf>,
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  griot recall why did we move to Redis
  griot recall \"why did we move to Redis?\"
  griot recall \"what happened last week\" --project shop --explain
  griot recall \"caching\" --since 2024-03 --until 2024-05 --json
  griot recall \"what does the auth service depend on\" --context --budget 2000
  griot recall \"what does the auth service depend on\" --answer")]
pub struct RecallArgs {
    #[command(flatten)]
    pub within: Unquoted<Within<verbs::recall::Recall>>,
    /// Print why each result is there: signals, path, evidence
    #[arg(long, conflicts_with = "context")]
    pub explain: bool,
    /// Print a block for the context of a language model
    #[arg(long, conflicts_with = "json")]
    pub context: bool,
    /// Answer with the language model of the settings `model.*`, with citations
    #[arg(long, conflicts_with_all = ["context", "explain"])]
    pub answer: bool,
}

#[derive(Args, Debug)]
#[command(after_help = "\
`griot config set log.recalls true` keeps what is asked from then on, for `log.recall_days` days.

Examples:
  griot recalls
  griot recalls --agent claude-code --limit 50
  griot recalls --compare")]
pub struct RecallsArgs {
    #[command(flatten)]
    pub within: Within<verbs::recalls::Recalls>,
    /// Ask these questions again, with and without the graph
    #[arg(long, conflicts_with = "before")]
    pub compare: bool,
}
