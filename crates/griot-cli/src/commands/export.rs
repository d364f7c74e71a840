//! `griot export` and `griot import`: the whole workspace as JSON Lines.

use std::fs::File;
use std::io::{BufReader, BufWriter, ErrorKind, Write};
use std::path::Path;

use griot::model::{Error, Result};
use griot_wire::Imported;
use griot_wire::call::Call;
use griot_wire::request::Place;
use griot_wire::verbs::health as verbs;

use super::fine;
use crate::args;
use crate::failure::Exit;
use crate::files;
use crate::render;
use crate::session::{Session, Use};

pub fn export(session: &Session, args: &args::Export) -> Result<Exit> {
    let call = session.call(Use::Read, &Place::default())?;
    match args.file.as_deref().filter(|path| *path != Path::new("-")) {
        None => {
            let mut stdout = UntilClosed { out: std::io::stdout().lock(), is_closed: false };
            match verbs::export(&call, BufWriter::with_capacity(1 << 16, &mut stdout)) {
                Err(_) if stdout.is_closed => {}
                exported => drop(exported?),
            }
        }
        Some(path) => {
            let records = to_file(&call, path, args.force)?;
            crate::output::note(&format!("{records} records in {}", path.display()));
        }
    }
    Ok(Exit::Fine)
}

/// Written under another name and then renamed, so that there is never half an export under this name.
fn to_file(call: &Call, path: &Path, force: bool) -> Result<u64> {
    let what = || format!("export to `{}`", path.display());
    if path.exists() && !force {
        return Err(Error::invalid(what(), "the file exists").hint("--force replaces it"));
    }
    let failed = |error: std::io::Error| Error::unavailable(what(), error.to_string());
    let mut part = tempfile::NamedTempFile::new_in(files::folder_of(path)).map_err(failed)?;
    let records = verbs::export(call, BufWriter::with_capacity(1 << 16, part.as_file_mut()))?;
    part.as_file().sync_all().map_err(failed)?;
    part.persist(path).map_err(|error| failed(error.error))?;
    Ok(records)
}

/// Notices that its reader has gone away, which ends an export without an error.
struct UntilClosed<W> {
    out: W,
    is_closed: bool,
}

impl<W> UntilClosed<W> {
    fn noticed<T>(&mut self, done: std::io::Result<T>) -> std::io::Result<T> {
        self.is_closed |= done.as_ref().is_err_and(|error| error.kind() == ErrorKind::BrokenPipe);
        done
    }
}

impl<W: Write> Write for UntilClosed<W> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let done = self.out.write(bytes);
        self.noticed(done)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        let done = self.out.flush();
        self.noticed(done)
    }
}

pub fn import(session: &Session, args: &args::Import) -> Result<Exit> {
    let imported = if args.file == Path::new("-") {
        from(session, std::io::stdin().lock())?
    } else {
        let file = File::open(&args.file).map_err(|error| {
            let what = format!("import `{}`", args.file.display());
            match error.kind() {
                ErrorKind::NotFound => Error::not_found(what, "there is no such file"),
                _ => Error::unavailable(what, error.to_string()),
            }
        })?;
        from(session, BufReader::with_capacity(1 << 16, file))?
    };
    fine(session.out.answer(&imported, render::imported))
}

fn from(session: &Session, source: impl std::io::BufRead) -> Result<Imported> {
    Ok(verbs::import(&session.call(Use::Write, &Place::default())?, source)?)
}
