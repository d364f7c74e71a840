//! Which program reads heavy files: what was said by a variable or by the host program, else this program if
//! it is one, else a `griot` of the same version beside it or on the search path, else none.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use griot::model::{Error, Result};

use super::process::{Process, Program};

/// A path, or `off`.
const VARIABLE: &str = "GRIOT_READER";

/// What a host program says about where heavy files are read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ReadProgram {
    /// This program itself: it calls [`super::serve_reader`] when its first argument is
    /// [`super::READ_WORKER`].
    Own,
    /// The `griot` at this path.
    At(PathBuf),
    /// None: they are read here.
    Here,
}

static SAID: Mutex<Option<ReadProgram>> = Mutex::new(None);
static FOUND: Mutex<Option<Option<Program>>> = Mutex::new(None);
static IS_READER: AtomicBool = AtomicBool::new(false);

/// Says which program reads heavy files. The variable `GRIOT_READER` wins over it.
pub fn set_read_program(program: ReadProgram) {
    *SAID.lock().unwrap_or_else(PoisonError::into_inner) = Some(program);
    *FOUND.lock().unwrap_or_else(PoisonError::into_inner) = None;
}

/// From here on this process is one that reads for another one.
pub(super) fn become_reader() {
    IS_READER.store(true, Ordering::Relaxed);
}

/// The program; `None` to read here. It is looked for once.
pub(super) fn find() -> Result<Option<Program>> {
    if IS_READER.load(Ordering::Relaxed) {
        return Ok(None);
    }
    let mut found = FOUND.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(found) = &*found {
        return Ok(found.clone());
    }
    let said = SAID.lock().unwrap_or_else(PoisonError::into_inner).clone();
    let program = look(std::env::var_os(VARIABLE).filter(|value| !value.is_empty()), said)?;
    *found = Some(program.clone());
    Ok(program)
}

fn look(variable: Option<OsString>, said: Option<ReadProgram>) -> Result<Option<Program>> {
    let said = match variable {
        Some(off) if off == "off" => Some(ReadProgram::Here),
        Some(path) => Some(ReadProgram::At(PathBuf::from(path))),
        None => said,
    };
    match said {
        Some(ReadProgram::Here) => Ok(None),
        // It is what runs already, and need not be tried.
        Some(ReadProgram::Own) => Ok(own().map(|path| Program { path })),
        Some(ReadProgram::At(path)) => {
            let program = Program { path };
            Process::start(&program, u64::MAX).map(Process::end).map_err(|why| {
                let what = format!("read files with the program `{}`", program.path.display());
                Error::unavailable(what, why)
                    .hint(format!("set {VARIABLE} to the path of griot, or to `off`"))
            })?;
            Ok(Some(program))
        }
        None => {
            let works = |program: &Program| Process::start(program, u64::MAX).map(Process::end).is_ok();
            Ok(candidates().map(|path| Program { path }).find(works))
        }
    }
}

/// This program, also where its file was replaced while it runs.
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
    fn what_was_said_wins_and_a_wrong_path_is_an_error() {
        let off = look(Some("off".into()), Some(ReadProgram::Own)).expect("it is right");
        assert!(off.is_none());
        assert!(look(None, Some(ReadProgram::Here)).expect("it is right").is_none());
        let wrong = look(None, Some(ReadProgram::At("/nowhere/griot".into()))).expect_err("there is none");
        assert!(
            wrong.to_string().starts_with("cannot read files with the program `/nowhere/griot`: "),
            "{wrong}"
        );
        // Another program is no reader.
        assert!(look(Some("/bin/cat".into()), None).is_err());
    }
}
