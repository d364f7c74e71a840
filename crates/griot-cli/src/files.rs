//! Reads and atomically replaces whole files: a reader sees the old text or the new one, never a mix.
//!
//! A symbolic link stays a link; its target is replaced. Permissions are kept. Read-only files are not
//! touched.

use std::fs::{self, OpenOptions};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use griot::model::{Error, Result};
use griot::private;

/// Bytes; a larger file cannot be a configuration.
const MAX_BYTES: u64 = 64 * 1024 * 1024;

/// The text, or `None` if the file does not exist.
pub fn read(path: &Path) -> Result<Option<String>> {
    let what = || format!("read `{}`", path.display());
    let data = match fs::metadata(path) {
        Ok(data) => data,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(Error::unavailable(what(), error.to_string())),
    };
    if !data.is_file() {
        return Err(Error::invalid(what(), "it is not a file"));
    }
    if data.len() > MAX_BYTES {
        let why = format!("it has {} bytes, too large for a configuration", data.len());
        return Err(Error::invalid(what(), why));
    }
    let bytes = fs::read(path).map_err(|error| Error::unavailable(what(), error.to_string()))?;
    String::from_utf8(bytes).map(Some).map_err(|error| {
        let at = error.utf8_error().valid_up_to() + 1;
        Error::invalid(what(), format!("byte {at} is not UTF-8; the file was left unchanged"))
    })
}

/// The folder of a file; `.` for a mere name.
pub fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Fails if the file is read-only.
pub fn check_writable(path: &Path) -> Result<()> {
    match fs::metadata(path) {
        Ok(data) if data.permissions().readonly() => {
            Err(Error::unavailable(format!("write `{}`", path.display()), "it is read-only")
                .hint("make it writable, or add the entry to whatever generates it"))
        }
        _ => Ok(()),
    }
}

/// Missing parent folders, outermost first.
pub fn missing_folders(path: &Path) -> Vec<PathBuf> {
    let folders =
        path.ancestors().skip(1).take_while(|folder| !folder.as_os_str().is_empty() && !folder.exists());
    let mut missing: Vec<PathBuf> = folders.map(Into::into).collect();
    missing.reverse();
    missing
}

/// Replaces the file, or creates it with its folders.
pub fn write(path: &Path, text: &str) -> Result<()> {
    let unwritable =
        |error: std::io::Error| Error::unavailable(format!("write `{}`", path.display()), error.to_string());
    check_writable(path)?;
    let target = private::followed(path).map_err(unwritable)?;
    fs::create_dir_all(folder_of(&target)).map_err(unwritable)?;
    private::replace(&target, text.as_bytes(), OpenOptions::new()).map_err(unwritable)
}

/// Removes a file, and those of `folders` that are empty afterwards.
pub fn remove(path: &Path, folders: &[PathBuf]) -> Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => {
            return Err(Error::unavailable(format!("remove `{}`", path.display()), error.to_string()));
        }
        _ => {}
    }
    for folder in folders.iter().rev() {
        // A folder that is not empty is in use by others.
        if fs::remove_dir(folder).is_err() {
            break;
        }
    }
    Ok(())
}
