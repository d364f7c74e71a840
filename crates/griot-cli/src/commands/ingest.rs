//! `griot ingest`: files, folders and standard input into memories.
//!
//! A file that cannot be read is reported and the rest goes on; Ctrl-C finishes the file at hand. What is stored by then
//! stays, and the same command goes on from there.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use griot::engine::Engine;
use griot::model::{Error, ErrorKind, Result, Scope, SourceType};
use griot_ingest::{Format, ReadOptions, Reading};
use griot_wire::{IngestFailure, Ingested};

use super::remember::stdin;
use super::session::{Session, Use};
use crate::args::Ingest;
use crate::failure::Exit;
use crate::output::Progress;
use crate::render;

pub fn run(session: &Session, args: &Ingest) -> Result<Exit> {
    let engine = session.open(Use::Write)?;
    let options = options(&engine, args)?;
    let stop = stop_on_interrupt("stopping after this file; Ctrl-C again stops at once");
    let mut tally = Ingested::empty();
    let progress = Progress::new("files");
    if args.paths.iter().any(|path| path == Path::new("-")) {
        let text = stdin("the text")?;
        let readings = griot_ingest::read_text(&args.name, &text, &options)?;
        store(&engine, readings, Path::new(&args.name), &mut tally, &progress)?;
    }
    read_files(&engine, args, &options, &stop, &|_| true, &mut tally, &progress)?;
    progress.finish();
    engine.close()?;
    session.out.answer(&tally, render::ingested)?;
    Ok(if tally.failed.is_empty() && !tally.interrupted { Exit::Fine } else { Exit::Problem })
}

/// Reads those of the named files and the files in the named folders that are `wanted`; forgets those that are gone if asked.
pub(super) fn read_files(
    engine: &Engine,
    args: &Ingest,
    options: &ReadOptions,
    stop: &AtomicBool,
    wanted: &dyn Fn(&Path) -> bool,
    tally: &mut Ingested,
    progress: &Progress,
) -> Result<()> {
    let mut files = Vec::new();
    for path in args.paths.iter().filter(|path| *path != Path::new("-")) {
        match griot_ingest::files(path) {
            Ok(found) => {
                found.problems.iter().for_each(|problem| report(tally, progress, path, problem));
                files.extend(found.files);
            }
            Err(error) => report(tally, progress, path, &error),
        }
    }
    files.sort();
    files.dedup();
    let read: Vec<&PathBuf> = files.iter().filter(|path| wanted(path)).collect();
    for (position, path) in read.iter().enumerate() {
        progress.at(position as u64, read.len() as u64);
        progress.message(path.display().to_string());
        if stop.load(Ordering::Relaxed) {
            tally.interrupted = true;
            break;
        }
        match file(engine, path, options, tally, progress) {
            Ok(()) => {}
            // The store itself is in trouble: no other file will fare better.
            Err(error) if matches!(error.kind, ErrorKind::Corrupt | ErrorKind::Conflict) => return Err(error),
            Err(error) => report(tally, progress, path, &error),
        }
    }
    if args.prune && !tally.interrupted {
        prune(engine, args, options, &files, tally)?;
    }
    Ok(())
}

pub(super) fn options(engine: &Engine, args: &Ingest) -> Result<ReadOptions> {
    let format = args.format.as_deref().map(|name| {
        Format::parse(name).ok_or_else(|| {
            let known: Vec<&str> = Format::ALL.iter().map(|format| format.name()).collect();
            Error::invalid(format!("read the format `{name}`"), "there is no such format")
                .hint(format!("use one of {}", known.join(", ")))
        })
    });
    Ok(ReadOptions {
        tags: args.tag.clone(),
        scope: Scope { user: args.owner.user.clone(), project: args.owner.project.clone() },
        max_bytes: engine.settings().ingest.max_file_bytes,
        root: None,
        kind: args.kind.clone(),
        format: format.transpose()?,
    })
}

/// Set by the first Ctrl-C; the second one ends the process as usual.
pub(super) fn stop_on_interrupt(said: &'static str) -> Arc<AtomicBool> {
    let stop = Arc::new(AtomicBool::new(false));
    let asked = Arc::clone(&stop);
    let set = ctrlc::set_handler(move || {
        if asked.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
        eprintln!("{said}");
    });
    // Without a handler Ctrl-C ends the process, which loses nothing that was stored.
    drop(set);
    stop
}

/// Reads one file again.
pub(super) fn again(engine: &Engine, path: &Path, options: &ReadOptions) -> Result<Ingested> {
    let mut tally = Ingested::empty();
    file(engine, path, options, &mut tally, &Progress::new("files"))?;
    Ok(tally)
}

fn file(engine: &Engine, path: &Path, options: &ReadOptions, tally: &mut Ingested, progress: &Progress) -> Result<()> {
    if engine.source_is_current(&griot_ingest::identify(path, options)?)? {
        tally.count(None);
        return Ok(());
    }
    let mut readings = Vec::new();
    griot_ingest::read_stream(path, options, &mut |reading| {
        readings.push(reading);
        Ok(())
    })?;
    store(engine, readings, path, tally, progress)
}

/// Stores what was read of one source. Parts of it are put together first: a source is made to hold exactly what its
/// file holds, so that it has to be known whole.
fn store(
    engine: &Engine,
    readings: Vec<Reading>,
    path: &Path,
    tally: &mut Ingested,
    progress: &Progress,
) -> Result<()> {
    let mut whole: Option<Reading> = None;
    for reading in readings {
        for problem in &reading.problems {
            report(tally, progress, path, problem);
        }
        match &mut whole {
            Some(whole) => {
                whole.drafts.extend(reading.drafts);
                whole.source = reading.source;
            }
            None => whole = Some(reading),
        }
    }
    if let Some(whole) = whole {
        tally.count(engine.ingest(&whole.source, whole.drafts)?);
    }
    Ok(())
}

fn report(tally: &mut Ingested, progress: &Progress, path: &Path, error: &Error) {
    let path = path.display().to_string();
    let message = error.to_string();
    // The file is named once: most messages name it themselves.
    progress.say(&if message.contains(&path) {
        format!("warning: {message}")
    } else {
        format!("warning: {path}: {message}")
    });
    tally.failed.push(IngestFailure { path, code: error.kind.code().into(), message });
}

/// Forgets the sources under the named folders whose files are gone.
fn prune(engine: &Engine, args: &Ingest, options: &ReadOptions, files: &[PathBuf], tally: &mut Ingested) -> Result<()> {
    let present: std::collections::HashSet<String> =
        files.iter().map(|path| griot_ingest::origin(path, options)).collect();
    let roots: Vec<String> = args
        .paths
        .iter()
        .filter(|path| *path != Path::new("-"))
        .map(|path| griot_ingest::origin(path, options).trim_end_matches(['/', '.']).to_string())
        .collect();
    for view in engine.sources()? {
        let source = &view.source;
        let of_files = matches!(source.kind, SourceType::File | SourceType::Chat);
        let below = roots.iter().any(|root| {
            source.origin == *root
                || source.origin.strip_prefix(root.as_str()).is_some_and(|rest| rest.starts_with('/'))
        });
        let gone = !present.contains(&source.origin) && !Path::new(&source.origin).exists();
        if of_files && source.deleted_at.is_none() && below && gone {
            let forgotten = engine.forget(&source.id.to_string())?;
            tally.removed += forgotten.memories.len() as u64;
            tally.pruned.push(source.origin.clone());
        }
    }
    Ok(())
}
