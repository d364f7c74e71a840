//! `griot watch`: stores changes of files and folders as they happen.

use griot::model::{Error, Result};
use griot_ingest::Watch;
use griot_wire::request::Place;

use super::ingest::{Reading, STOPPING, stop_on_interrupt};
use super::kinds::with_kind;
use crate::args;
use crate::failure::Exit;
use crate::session::{Session, Use};

pub fn run(session: &Session, args: args::Watch) -> Result<Exit> {
    let paths = if args.paths.is_empty() { griot_ingest::memory_layout(".".as_ref()) } else { args.paths };
    if paths.is_empty() {
        return Err(Error::invalid(
            "watch this folder",
            "there is neither a MEMORY.md nor a folder memory in it",
        )
        .hint("griot watch DIR"));
    }
    let is_new_kind = args.stored.new_kind;
    let options = with_kind(session, args.stored.options(paths), is_new_kind)?;
    let place = Place { agent: options.agent.clone(), ..Place::default() };
    let mut watch = Watch::new(options)?;
    let engine = session.call(Use::Write, &place)?.whole;
    let stop = stop_on_interrupt(STOPPING);
    let mut is_first = true;
    loop {
        let mut reading = Reading::new();
        let goes_on = watch.read(&engine, &stop, &mut |event| {
            reading.hear(&event);
            Ok(())
        })?;
        let tally = &reading.tally;
        let did = tally.sources > tally.unchanged
            || !tally.renamed.is_empty()
            || !tally.pruned.is_empty()
            || !tally.failed.is_empty();
        if did || (is_first && goes_on) {
            reading.answer(session)?;
        }
        if !goes_on {
            break;
        }
        is_first = false;
    }
    Ok(Exit::Fine)
}
