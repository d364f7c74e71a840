//! Reads and atomically replaces whole files: a reader sees the old text or the new one, never a mix.
//!
//! A symbolic link stays a link; its target is replaced. Permissions are kept. Read-only files are not
//! touched.

use std::fs::{self, OpenOptions};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use griot::model::{Error, Result};

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
    let target = resolve_links(path).map_err(unwritable)?;
    let folder = folder_of(&target);
    fs::create_dir_all(folder).map_err(unwritable)?;

    let name = target.file_name().unwrap_or_default().to_string_lossy();
    let beside = folder.join(format!(".{name}.griot-{}", std::process::id()));
    let written = (|| {
        let mut file = OpenOptions::new().write(true).create_new(true).open(&beside)?;
        if let Ok(data) = fs::metadata(&target) {
            file.set_permissions(data.permissions())?;
        }
        file.write_all(text.as_bytes())?;
        file.sync_all()?;
        fs::rename(&beside, &target)
    })();
    if let Err(error) = written {
        // Report the first error, not one of cleaning up.
        let _ = fs::remove_file(&beside);
        return Err(unwritable(error));
    }
    Ok(())
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

/// Follows symbolic links, also to a target that does not exist yet.
fn resolve_links(path: &Path) -> std::io::Result<PathBuf> {
    let mut resolved = path.to_path_buf();
    // The limit of Linux.
    for _ in 0..40 {
        let Ok(target) = fs::read_link(&resolved) else { return Ok(resolved) };
        resolved = resolved.parent().unwrap_or(Path::new("")).join(target);
    }
    Err(std::io::Error::other("too many symbolic links"))
}
