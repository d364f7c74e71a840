//! `griot backup` and `griot restore-backup`: a whole workspace as one file.

use std::fs;
use std::path::Path;

use griot::backend::sqlite::SqliteBackend;
use griot::model::{Error, Result};
use griot::private;
use griot_wire::BackedUp;

use super::fine;
use crate::args;
use crate::failure::Exit;
use crate::files;
use crate::render;
use crate::session::{Session, Use, clock, open};

/// File name of a workspace's settings, in its folder and in a backup.
const SETTINGS: &str = "griot.toml";

pub fn backup(session: &Session, args: &args::Backup) -> Result<Exit> {
    if args.file.exists() && !args.force {
        let what = format!("back up to `{}`", args.file.display());
        return Err(Error::invalid(what, "the file exists").hint("--force replaces it"));
    }
    let target = session.target()?;
    let settings = files::read(&target.database.with_file_name(SETTINGS))?;
    let carried: Vec<_> = settings.map(|text| (SETTINGS.to_string(), text)).into_iter().collect();
    let engine = session.open(Use::Read)?;
    engine.backup(&args.file, &carried)?;
    engine.close()?;
    answer(session, &args.file, &carried, None)
}

pub fn restore(session: &Session, args: &args::RestoreBackup) -> Result<Exit> {
    let what = || format!("restore `{}`", args.file.display());
    let carried = SqliteBackend::carried_by(&args.file)?;
    let target = session.target()?;
    let mut trash = None;
    if target.database.exists() {
        let (Some(name), true) = (&target.workspace, args.force) else {
            let why = format!("`{}` is there already", target.database.display());
            return Err(Error::invalid(what(), why)
                .hint("name a new workspace with --workspace, or --force moves it away"));
        };
        trash = Some(session.home()?.remove(name, clock())?);
    }
    let failed = |error: std::io::Error| Error::unavailable(what(), error.to_string());
    let folder = files::folder_of(&target.database);
    private::folder(folder).map_err(failed)?;
    // Written under another name and then renamed, so that there is never half a database under this name.
    let mut part = tempfile::NamedTempFile::new_in(folder).map_err(failed)?;
    std::io::copy(&mut fs::File::open(&args.file).map_err(failed)?, part.as_file_mut()).map_err(failed)?;
    part.as_file().sync_all().map_err(failed)?;
    part.persist_noclobber(&target.database).map_err(|error| failed(error.error))?;
    for (name, text) in carried.iter().filter(|(name, _)| name == SETTINGS) {
        let file = folder.join(name);
        if target.workspace.is_some() && !file.exists() {
            private::write(&file, text.as_bytes()).map_err(failed)?;
        }
    }
    SqliteBackend::forget_carried(&target.database)?;
    // Builds the index and migrates an older format now, not at the first question.
    open(&target.database, session.settings(&target)?.into_settings())?.close()?;
    answer(session, &args.file, &carried, trash.map(|folder| folder.display().to_string()))
}

fn answer(
    session: &Session,
    file: &Path,
    carried: &[(String, String)],
    trash: Option<String>,
) -> Result<Exit> {
    let answer = BackedUp {
        file: file.display().to_string(),
        bytes: fs::metadata(file).map_or(0, |file| file.len()),
        carried: carried.iter().map(|(name, _)| name.clone()).collect(),
        trash,
    };
    fine(session.out.answer(&answer, render::backed_up))
}
