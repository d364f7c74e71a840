//! The command line: parses arguments, runs one command, prints text or JSON. The binary `griot` is [`main`];
//! programs that hold the engine in their own process take [`service`] from here, so that they use the
//! workspaces and the settings that the command line uses.
//!
//! - `args`: the command line
//! - `commands`: one file per verb; calls the engine and answers with an object of `griot-wire`
//! - `embedder`, `reranker`: the embedder and the reranker that the settings select
//! - `render`: answers as text; pure functions
//! - `hosts`: entries in the configuration of programs that run agents
//! - `hooks`: commands that those programs call
//! - `home`: paths of workspaces and settings; `files`: reads and replaces whole files
//! - `repository`: the repository of a folder
//! - `output`, `failure`: standard output, errors and exit codes

mod args;
mod commands;
mod embedder;
mod failure;
mod files;
mod home;
mod hooks;
mod hosts;
mod output;
mod render;
mod repository;
mod reranker;
mod session;

use std::process::ExitCode;

pub use commands::{Program, service};

/// Runs the command that the arguments of this process name.
pub fn main() -> ExitCode {
    ignore_limit_of_files();
    let mut arguments = std::env::args_os().skip(1);
    if arguments.next().is_some_and(|first| first == griot_ingest::READ_WORKER) {
        return griot_ingest::serve_reader(
            arguments.next().and_then(|memory| memory.into_string().ok()).as_deref(),
        );
    }
    griot_ingest::set_read_program(griot_ingest::ReadProgram::Own);
    output::choose_colour(std::env::args_os().skip(1));
    let cli = match commands::parsed() {
        Ok(cli) => cli,
        Err(error) if hooks::is_called() && error.use_stderr() => return hooks::refused(&error),
        Err(error) => return failure::of_arguments(error),
    };
    let json = cli.global.json;
    match commands::run(cli) {
        Ok(exit) => exit.into(),
        Err(error) => failure::report(&error, json),
    }
}

/// With a file size limit (`ulimit -f`), a write should fail with an error instead of killing the process
/// with a signal.
fn ignore_limit_of_files() {
    #[cfg(unix)]
    // SAFETY: ignoring a signal runs no code of ours, and no thread has been started yet.
    unsafe {
        libc::signal(libc::SIGXFSZ, libc::SIG_IGN);
    }
}
