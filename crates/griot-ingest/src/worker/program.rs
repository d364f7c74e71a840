//! Finds the program that reads heavy files: the one set by `GRIOT_READER` or by the host program, else a
//! `griot` of the same version beside this program or on the search path, else none.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use griot::model::{Error, Result};

use super::process::{Process, lock};

/// A path, or `off`.
const VARIABLE: &str = "GRIOT_READER";

/// Where heavy files are read, as set by a host program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ReadProgram {
    /// This program, which calls [`super::serve_reader`] if its first argument is [`super::READ_WORKER`].
    Own,
    /// The `griot` at this path.
    At(PathBuf),
    /// In this process.
    Here,
}

static CHOSEN: Mutex<Option<ReadProgram>> = Mutex::new(None);
static FOUND: Mutex<Option<Option<PathBuf>>> = Mutex::new(None);
static IS_READER: AtomicBool = AtomicBool::new(false);

/// Sets the program that reads heavy files. The variable `GRIOT_READER` overrides it.
pub fn set_read_program(program: ReadProgram) {
    *lock(&CHOSEN) = Some(program);
    *lock(&FOUND) = None;
}

/// Marks this process as a worker, which must not start further workers.
pub(super) fn become_reader() {
    IS_READER.store(true, Ordering::Relaxed);
}

/// The program, searched for once; `None` to read in this process.
pub(super) fn find() -> Result<Option<PathBuf>> {
    if IS_READER.load(Ordering::Relaxed) {
        return Ok(None);
    }
    let mut found = lock(&FOUND);
    if let Some(found) = &*found {
        return Ok(found.clone());
    }
    let named = std::env::var_os(VARIABLE).filter(|value| !value.is_empty());
    let program = select(named, lock(&CHOSEN).clone())?;
    *found = Some(program.clone());
    Ok(program)
}

fn select(variable: Option<OsString>, chosen: Option<ReadProgram>) -> Result<Option<PathBuf>> {
    let chosen = match variable {
        Some(off) if off == "off" => Some(ReadProgram::Here),
        Some(path) => Some(ReadProgram::At(PathBuf::from(path))),
        None => chosen,
    };
    match chosen {
        Some(ReadProgram::Here) => Ok(None),
        // This program is running, so it needs no trial start.
        Some(ReadProgram::Own) => Ok(own()),
        Some(ReadProgram::At(program)) => {
            Process::start(&program, u64::MAX).map_err(|why| {
                let what = format!("read files with the program `{}`", program.display());
                Error::unavailable(what, why)
                    .hint(format!("set {VARIABLE} to the path of griot, or to `off`"))
            })?;
            Ok(Some(program))
        }
        None => {
            let works = |program: &PathBuf| Process::start(program, u64::MAX).is_ok();
            Ok(candidates().find(works))
        }
    }
}

/// This program, even if its file was replaced while it runs.
fn own() -> Option<PathBuf> {
    let itself = Path::new("/proc/self/exe");
    if cfg!(target_os = "linux") && itself.exists() {
        Some(itself.to_path_buf())
    } else {
        std::env::current_exe().ok()
    }
}

fn candidates() -> impl Iterator<Item = PathBuf> {
    let name = format!("griot{}", std::env::consts::EXE_SUFFIX);
    let beside = std::env::current_exe().ok().and_then(|own| own.parent().map(Path::to_path_buf));
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders: Vec<PathBuf> = beside.into_iter().chain(std::env::split_paths(&path)).collect();
    folders
        .into_iter()
        .filter(|folder| folder.is_absolute())
        .map(move |folder| folder.join(&name))
        .filter(|path| path.is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_variable_wins_and_a_wrong_path_is_an_error() {
        let off = select(Some("off".into()), Some(ReadProgram::Own)).expect("it is right");
        assert!(off.is_none());
        assert!(select(None, Some(ReadProgram::Here)).expect("it is right").is_none());
        let wrong = select(None, Some(ReadProgram::At("/nowhere/griot".into()))).expect_err("there is none");
        assert!(
            wrong.to_string().starts_with("cannot read files with the program `/nowhere/griot`: "),
            "{wrong}"
        );
        // Any other program fails the handshake.
        assert!(select(Some("/bin/cat".into()), None).is_err());
    }
}
