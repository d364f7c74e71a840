//! `griot completions`: a script for the user's shell.

use clap::CommandFactory;
use griot::model::Result;

use super::Cli;
use crate::args::Completions;
use crate::failure::Exit;
use crate::session::Session;

pub fn run(session: &Session, args: &Completions) -> Result<Exit> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "griot", &mut script);
    session.out.text(&String::from_utf8_lossy(&script))?;
    Ok(Exit::Fine)
}
