//! The binary `griot`: arguments in, one command, text or JSON out.
//!
//! - `args`: what may be typed
//! - `commands`: one file per verb; asks the engine, answers with an object of `griot-wire`
//! - `embedder`: the one that the settings ask for
//! - `render`: those objects as text for people; pure
//! - `hosts`: what stands in the files of the programs that run agents
//! - `hooks`: what those programs call while they run
//! - `home`: where workspaces and settings lie
//! - `repository`: which repository a folder belongs to
//! - `output`, `failure`: standard output and the end of a run

mod args;
mod commands;
mod embedder;
mod failure;
mod home;
mod hooks;
mod hosts;
mod output;
mod render;
mod repository;

use std::process::ExitCode;

use clap::Parser;

fn main() -> ExitCode {
    let cli = match args::Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) if hooks::is_called() && error.use_stderr() => return hooks::refused(&error),
        Err(error) => return failure::of_arguments(&error),
    };
    let json = cli.global.json;
    match commands::run(cli) {
        Ok(exit) => exit.into(),
        Err(error) => failure::report(&error, json),
    }
}
