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

/// Counts nothing but where this process reads a document for another one.
#[global_allocator]
static ALLOCATOR: griot_ingest::CountingAllocator = griot_ingest::CountingAllocator;

fn main() -> ExitCode {
    ignore_limit_of_files();
    let mut arguments = std::env::args_os().skip(1);
    if arguments.next().is_some_and(|first| first == griot_ingest::READ_WORKER) {
        return griot_ingest::serve_reader(
            arguments.next().and_then(|memory| memory.into_string().ok()).as_deref(),
        );
    }
    griot_ingest::set_read_program(griot_ingest::ReadProgram::Own);
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

/// Where files may grow no further (`ulimit -f`), a write fails and is told, in place of a signal that ends
/// the process.
fn ignore_limit_of_files() {
    #[cfg(unix)]
    // SAFETY: nothing of ours runs when a signal is ignored, and no thread was started yet.
    unsafe {
        libc::signal(libc::SIGXFSZ, libc::SIG_IGN);
    }
}
