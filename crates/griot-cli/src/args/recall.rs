//! Arguments of `recall`, and the scope of questions.

use clap::Args;
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

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  griot recall \"why did we move to Redis?\"
  griot recall \"what happened last week\" --project shop --explain
  griot recall \"caching\" --since 2024-03 --until 2024-05 --json
  griot recall \"what does the auth service depend on\" --context --budget 2000")]
pub struct RecallArgs {
    #[command(flatten)]
    pub within: Within<verbs::recall::Recall>,
    /// Print why each result is there: signals, path, evidence
    #[arg(long, conflicts_with = "context")]
    pub explain: bool,
    /// Print a block for the context of a language model
    #[arg(long, conflicts_with = "json")]
    pub context: bool,
}
