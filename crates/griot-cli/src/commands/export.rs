//! `griot export` and `griot import`: the whole workspace as JSON Lines.

use std::fs::File;
use std::io::{BufReader, BufWriter, Write};
use std::path::Path;

use griot::engine::Engine;
use griot::model::{Error, Result};
use griot_wire::Imported;
use griot_wire::export::{Reader, Writer};

use crate::args;
use crate::failure::Exit;
use crate::render;
use crate::session::{Session, Use};

pub fn export(session: &Session, args: &args::Export) -> Result<Exit> {
    let engine = session.open(Use::Read)?;
    match args.file.as_deref().filter(|path| *path != Path::new("-")) {
        None => {
            to(&engine, std::io::stdout().lock(), "standard output")?;
        }
        Some(path) => {
            let records = to_file(&engine, path, args.force)?;
            eprintln!("{records} records in {}", path.display());
        }
    }
    engine.close()?;
    Ok(Exit::Fine)
}

/// Written beside its place and moved there, so that no half-written file carries the name.
fn to_file(engine: &Engine, path: &Path, force: bool) -> Result<u64> {
    let what = || format!("export to `{}`", path.display());
    if path.exists() && !force {
        return Err(Error::invalid(what(), "the file exists").hint("--force replaces it"));
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let failed = |error: std::io::Error| Error::unavailable(what(), error.to_string());
    let mut part = tempfile::NamedTempFile::new_in(folder).map_err(failed)?;
    let records = to(engine, part.as_file_mut(), &path.display().to_string())?;
    part.as_file().sync_all().map_err(failed)?;
    part.persist(path).map_err(|error| failed(error.error))?;
    Ok(records)
}

/// A reader that has gone away ends the export without an error.
fn to(engine: &Engine, sink: impl Write, name: &str) -> Result<u64> {
    let mut writer = Writer::new(BufWriter::with_capacity(1 << 16, sink));
    let mut gone = false;
    let failed = |error: std::io::Error| Error::unavailable(format!("export to {name}"), error.to_string());
    let outcome = engine.export(&mut |record| {
        writer.write(&record).map_err(|error| {
            gone = error.kind() == std::io::ErrorKind::BrokenPipe;
            failed(error)
        })
    });
    if gone {
        return Ok(0);
    }
    outcome?;
    match writer.finish() {
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Ok(0),
        finished => finished.map_err(failed),
    }
}

pub fn import(session: &Session, args: &args::Import) -> Result<Exit> {
    let imported = if args.file == Path::new("-") {
        from(session, std::io::stdin().lock())?
    } else {
        let file = File::open(&args.file).map_err(|error| {
            let what = format!("import `{}`", args.file.display());
            match error.kind() {
                std::io::ErrorKind::NotFound => Error::not_found(what, "there is no such file"),
                _ => Error::unavailable(what, error.to_string()),
            }
        })?;
        from(session, BufReader::with_capacity(1 << 16, file))?
    };
    session.out.answer(&imported, render::imported)?;
    Ok(Exit::Fine)
}

fn from(session: &Session, source: impl std::io::BufRead) -> Result<Imported> {
    let engine = session.open(Use::Write)?;
    let mut reader = Reader::new(source);
    let imported = engine.import(&mut reader)?;
    engine.close()?;
    Ok(imported.into())
}
