//! Files of Griot: where they are beside a database, and their permissions, which are the owner's alone,
//! whatever the umask of the process.
//!
//! Existing files keep their permissions, which may be intended; `doctor` names what others may read.

use std::fs::{DirBuilder, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

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

/// Opens a file to write, or creates it; its content stays.
pub fn file(path: &Path) -> io::Result<File> {
    options().write(true).create(true).truncate(false).open(path)
}

/// Replaces the content of a file.
pub fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    options().write(true).create(true).truncate(true).open(path)?.write_all(bytes)
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
