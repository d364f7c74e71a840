//! The measuring harness: how good and how fast is recall, on files anyone can get and on generated
//! workspaces?
//!
//! The harness reaches the engine only through what a user has, and only in [`workspace`] and [`erase`]. The
//! other modules work without an engine: reading sets, scoring, plain methods to compare with, generated
//! memories, the suites. Nothing of a data set is part of this crate: no name, no id,
//! no answer. The options of a command are beside the code that it runs.
//!
//! Exit 0: fine. 1: a bar was not reached. 2: it could not be done.

mod aliases;
mod archives;
mod ask;
mod baseline;
mod bench;
mod calibration;
mod causal;
mod causes;
mod check;
mod dataset;
mod days;
mod embedder;
mod enrich;
mod erase;
mod evidence;
mod features;
mod fuzz;
mod generator;
mod hooks;
mod hostile;
mod intents;
mod labels;
mod load;
mod noise;
mod output;
mod page;
mod peer;
mod process;
mod quality;
mod random;
mod read;
mod replies;
mod run;
mod score;
mod silence;
mod small;
mod spoken;
mod state;
mod why;
mod wishes;
mod workspace;
mod world;

use std::process::ExitCode;

use clap::{Parser, Subcommand};
use griot::model::Result;

/// Measures retrieval quality and speed of Griot.
#[derive(Parser)]
#[command(name = "griot-eval", version)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

macro_rules! commands {
    ($($(#[$attribute:meta])? $name:ident: $module:ident;)+) => {
        #[derive(Subcommand)]
        enum Command {
            $($(#[$attribute])? $name($module::Options),)+
        }

        impl Command {
            fn perform(&self) -> Result<bool> {
                match self {
                    $(Self::$name(options) => options.perform(),)+
                }
            }
        }
    };
}

commands! {
    Run: run;
    Noise: noise;
    Bench: bench;
    Load: load;
    Erase: erase;
    Features: features;
    Silence: silence;
    Hooks: hooks;
    Spoken: spoken;
    Archives: archives;
    Days: days;
    Small: small;
    Labels: labels;
    Wishes: wishes;
    Aliases: aliases;
    State: state;
    Causal: causal;
    Enrich: enrich;
    Calibration: calibration;
    Evidence: evidence;
    Report: quality;
    Check: check;
    Hostile: hostile;
    Fuzz: fuzz;
    Read: read;
    #[command(hide = true)]
    Ask: ask;
}

/// Counts nothing but where this process reads a document for another one.
#[global_allocator]
static ALLOCATOR: griot_ingest::CountingAllocator = griot_ingest::CountingAllocator;

fn main() -> ExitCode {
    let mut arguments = std::env::args_os().skip(1);
    if arguments.next().is_some_and(|first| first == griot_ingest::READ_WORKER) {
        return griot_ingest::serve_reader(
            arguments.next().and_then(|memory| memory.into_string().ok()).as_deref(),
        );
    }
    griot_ingest::set_read_program(griot_ingest::ReadProgram::Own);
    match Arguments::parse().command.perform() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(error) => {
            eprintln!("error: {error}");
            if let Some(hint) = &error.hint {
                eprintln!("hint: {hint}");
            }
            ExitCode::from(2)
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    #[test]
    fn the_arguments_are_consistent() {
        super::Arguments::command().debug_assert();
    }
}
