//! The command line of the harness. Exit 0: fine. 1: a bar was not reached. 2: it could not be done.
//!
//! The options of a command stand beside the code that it runs.

use std::process::ExitCode;

use clap::{Parser, Subcommand};
use griot_eval::{
    baseline, bench, check, cost, erase, fuzz, hostile, kills, load, noise, overlap, quality, rankings, run,
    train,
};

/// Measures retrieval quality and speed of Griot.
#[derive(Parser)]
#[command(name = "griot-eval", version)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Run(run::Options),
    Baseline(baseline::Options),
    Score(rankings::Options),
    Noise(noise::Options),
    Bench(bench::Options),
    Load(load::Options),
    Erase(erase::Options),
    Kills(kills::Options),
    Train(train::Options),
    Grow(train::GrowOptions),
    Report(quality::Options),
    Check(check::Options),
    Hostile(hostile::Options),
    Fuzz(fuzz::Options),
    Overlap(overlap::Options),
    #[command(hide = true)]
    Cost(cost::Options),
    #[command(hide = true)]
    Ask(bench::AskOptions),
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
    let holds = match Arguments::parse().command {
        Command::Run(options) => options.perform(),
        Command::Baseline(options) => options.perform(),
        Command::Score(options) => options.perform(),
        Command::Noise(options) => options.perform(),
        Command::Bench(options) => options.perform(),
        Command::Load(options) => options.perform(),
        Command::Erase(options) => options.perform(),
        Command::Kills(options) => options.perform(),
        Command::Train(options) => options.perform(),
        Command::Grow(options) => options.perform(),
        Command::Report(options) => options.perform(),
        Command::Check(options) => options.perform(),
        Command::Hostile(options) => options.perform(),
        Command::Fuzz(options) => options.perform(),
        Command::Overlap(options) => options.perform(),
        Command::Cost(options) => options.perform(),
        Command::Ask(options) => options.perform(),
    };
    match holds {
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
