//! Files of Griot: where they are beside a database, and their permissions, which are the owner's alone,
//! whatever the umask of the process.
//!
//! Existing files keep their permissions, which may be intended; `doctor` names what others may read.

use std::fs::{DirBuilder, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// The path with this appended to its file name.
pub fn beside(path: &Path, end: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(end);
    PathBuf::from(name)
}

/// Creates a folder and its parents for the owner alone (0700).
pub fn folder(path: &Path) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)
}

/// Options to open a new file for the owner alone (0600).
pub fn options() -> OpenOptions {
    #[allow(unused_mut)]
    let mut options = OpenOptions::new();
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}

/// Opens a file to write, or creates it; its content stays. Not for databases: see [`create`].
pub fn file(path: &Path) -> io::Result<File> {
    options().write(true).create(true).truncate(false).open(path)
}

/// Creates an empty file, unless there is one: for a database, before SQLite opens it.
///
/// A file that exists is not opened. Closing any descriptor of a file drops all locks that this process has
/// on it, those of SQLite among them, and then other processes write at the same time.
pub fn create(path: &Path) -> io::Result<()> {
    // A thread that finds the file here locks it only after the one that made it has closed it.
    static ONE: Mutex<()> = Mutex::new(());
    let _one = ONE.lock().unwrap_or_else(PoisonError::into_inner);
    match options().write(true).create_new(true).open(path) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        made => made.map(drop),
    }
}

/// Replaces the content of a file, see [`replace`]. A new one is for the owner alone.
pub fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    replace(path, bytes, options())
}

/// Replaces the content of a file: a reader finds the old or the new one, whole. A link stays a link, and
/// what exists keeps its permissions; `options` are for a new file.
pub fn replace(path: &Path, bytes: &[u8], mut options: OpenOptions) -> io::Result<()> {
    let target = followed(path)?;
    let name = target.file_name().unwrap_or_default().to_string_lossy();
    let fresh = target.with_file_name(format!(".{name}.griot-{}", std::process::id()));
    let written = (|| {
        let mut file = options.write(true).create(true).truncate(true).open(&fresh)?;
        file.write_all(bytes)?;
        if let Ok(known) = target.metadata() {
            file.set_permissions(known.permissions())?;
        }
        file.sync_all()?;
        std::fs::rename(&fresh, &target)
    })();
    if written.is_err() {
        _ = std::fs::remove_file(&fresh);
    }
    written
}

/// Where symbolic links lead, also to what does not exist yet.
pub fn followed(path: &Path) -> io::Result<PathBuf> {
    /// That of Linux.
    const MOST: usize = 40;
    let mut followed = path.to_path_buf();
    for _ in 0..MOST {
        let Ok(target) = std::fs::read_link(&followed) else { return Ok(followed) };
        followed = followed.parent().unwrap_or(Path::new("")).join(target);
    }
    Err(io::Error::other("too many symbolic links"))
}

/// Whether others may read or write the file; false on systems without such permissions.
pub fn is_open_to_others(path: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        std::fs::metadata(path).is_ok_and(|data| data.permissions().mode() & 0o077 != 0)
    }
    #[cfg(not(unix))]
    {
        let _ = path;
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_exists_is_not_opened_to_create_it() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("new");
        create(&path).expect("it is created");
        std::fs::write(&path, "content").expect("written");
        create(&path).expect("it is left alone");
        assert_eq!(std::fs::read(&path).expect("read"), b"content");
        // Opening a folder to write fails.
        create(folder.path()).expect("it is not opened");
        assert!(file(folder.path()).is_err());
    }
}
