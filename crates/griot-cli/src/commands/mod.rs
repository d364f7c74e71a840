//! One file per verb: read the arguments, ask the engine, answer.

mod backup;
mod completions;
mod config;
mod connect;
mod crawl;
mod demo;
mod entity;
mod erase;
mod export;
mod facts;
mod forget;
mod gc;
mod health;
mod ingest;
mod jobs;
mod link;
mod merge;
mod recall;
mod reference;
mod related;
mod remember;
mod rollout;
mod server;
pub mod session;
mod show;
mod sources;
mod status;
mod timeline;
mod watch;
mod why;
mod workspace;

use griot::model::Result;

use crate::args::{Cli, Command};
use crate::failure::Exit;
use session::Session;

/// Runs one command.
pub fn run(cli: Cli) -> Result<Exit> {
    let session = Session::new(cli.global);
    match cli.command {
        Command::Remember(args) => remember::run(&session, args),
        Command::Recall(args) => recall::run(&session, &args),
        Command::Traverse(args) => recall::traverse(&session, &args),
        Command::Link(args) => link::link(&session, args),
        Command::Unlink(args) => link::unlink(&session, &args),
        Command::Forget(args) => forget::forget(&session, &args),
        Command::Restore(args) => forget::restore(&session, &args),
        Command::Erase(args) => erase::erase(&session, args),
        Command::Erasures(args) => erase::erasures(&session, &args),
        Command::Show(args) => show::run(&session, &args),
        Command::Why(args) => why::run(&session, &args),
        Command::Related(args) => related::related(&session, &args),
        Command::Similar(args) => related::similar(&session, &args),
        Command::Path(args) => related::path(&session, &args),
        Command::Entity(args) => entity::entity(&session, &args),
        Command::Hubs(args) => entity::hubs(&session, &args),
        Command::Facts(args) => facts::run(&session, args),
        Command::Merge(args) => merge::merge(&session, args),
        Command::Merges(args) => merge::merges(&session, &args),
        Command::Timeline(args) => timeline::run(&session, &args),
        Command::BuildGraphs(args) => health::build_graphs(&session, &args),
        Command::Gc(args) => gc::run(&session, &args),
        Command::Ingest(args) => ingest::run(&session, &args),
        Command::Watch(args) => watch::run(&session, args),
        Command::Crawl(args) => crawl::run(&session, &args),
        Command::CrawlStatus(args) => crawl::status(&session, &args),
        Command::Jobs(args) => jobs::run(&session, args),
        Command::Sources(args) => sources::run(&session, args),
        Command::Status => status::run(&session),
        Command::Rollout(args) => rollout::rollout(&session, args),
        Command::Feedback(args) => rollout::feedback(&session, args),
        Command::Verify(args) => health::verify(&session, &args),
        Command::Reindex(args) => health::reindex(&session, &args),
        Command::Doctor(args) => health::doctor(&session, &args),
        Command::Config(args) => config::run(&session, args),
        Command::Export(args) => export::export(&session, &args),
        Command::Import(args) => export::import(&session, &args),
        Command::Backup(args) => backup::backup(&session, &args),
        Command::RestoreBackup(args) => backup::restore(&session, &args),
        Command::Workspace(args) => workspace::run(&session, args),
        Command::Connect(args) => connect::run(&session, &args),
        Command::Hook(args) => Ok(crate::hooks::run(session, &args)),
        Command::Serve(args) => server::serve(&session, &args),
        Command::Mcp(args) => server::mcp(session, &args),
        Command::Key(args) => server::key(&session, args),
        Command::Demo(args) => demo::run(&session, &args),
        Command::Completions(args) => completions::run(&session, &args),
        Command::Reference(args) => reference::run(&session, &args),
    }
}
