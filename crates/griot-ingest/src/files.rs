//! Finds the files to read in a folder.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use griot::model::{Error, Result};
use ignore::{Walk, WalkBuilder};

use crate::readers::readers;
use crate::shown::io_error;

/// The readable files of a folder, and problems of the search.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Found {
    /// Sorted.
    pub files: Vec<PathBuf>,
    /// Unreadable folders, broken or circular links, and links to what is outside the folder.
    pub problems: Vec<Error>,
    /// Number of files of kinds that are not read, by the end of their name (`.png`; empty without one).
    pub unread: BTreeMap<String, u64>,
}

/// Lists the readable files under `root`, except hidden files and those that `.gitignore` or `.ignore`
/// exclude. If `root` is a file, it is always included. What office programs leave beside an open document
/// is no file to read.
///
/// Links are followed only inside the folder, so that a downloaded folder cannot expose other files of this
/// machine. A file with several links is listed once.
pub fn files(root: &Path) -> Result<Found> {
    let kind = std::fs::metadata(root).map_err(|error| io_error(&root.display().to_string(), &error))?;
    if !kind.is_dir() {
        let files = if is_temporary(root) { Vec::new() } else { vec![root.to_path_buf()] };
        return Ok(Found { files, ..Found::default() });
    }
    let mut found = Found::default();
    let mut links = false;
    let outside = Arc::new(Mutex::new(Vec::new()));
    for entry in walk(root, &outside) {
        match entry {
            Ok(entry) => {
                if let Some(error) = entry.error() {
                    found.problems.extend(problem(root, error));
                }
                links |= entry.depth() > 0 && entry.path_is_symlink();
                if entry.file_type().is_some_and(|kind| kind.is_file()) && !is_temporary(entry.path()) {
                    if is_readable(entry.path()) {
                        found.files.push(entry.into_path());
                    } else {
                        *found.unread.entry(ending(entry.path())).or_default() += 1;
                    }
                }
            }
            Err(error) => found.problems.extend(problem(root, &error)),
        }
    }
    without_lists_of_slack(&mut found.files);
    for path in outside.lock().map(|mut links| std::mem::take(&mut *links)).unwrap_or_default() {
        found.problems.push(lies_outside(root, &path, &path));
    }
    if links {
        resolve_links(root, &mut found);
    }
    found.files.sort();
    found.problems.sort_by(|a, b| (&a.what, &a.why).cmp(&(&b.what, &b.why)));
    Ok(found)
}

/// All below a folder. Links to folders that are not in it are put aside and not followed: one may lead to
/// the whole machine.
fn walk(root: &Path, outside: &Arc<Mutex<Vec<PathBuf>>>) -> Walk {
    let mut walk = WalkBuilder::new(root);
    walk.require_git(false).follow_links(true);
    if let Ok(real_root) = root.canonicalize() {
        let outside = Arc::clone(outside);
        walk.filter_entry(move |entry| {
            let leads_out = entry.depth() > 0
                && entry.path_is_symlink()
                && entry.file_type().is_some_and(|kind| kind.is_dir())
                && entry.path().canonicalize().is_ok_and(|target| !target.starts_with(&real_root));
            if leads_out && let Ok(mut outside) = outside.lock() {
                outside.push(entry.path().to_path_buf());
            }
            !leads_out
        });
    }
    walk.build()
}

fn lies_outside(root: &Path, path: &Path, target: &Path) -> Error {
    let why = format!("it lies outside of `{}`, behind a link", root.display());
    let hint = format!("griot ingest {}", target.display());
    Error::invalid(format!("read `{}`", path.display()), why).hint(hint)
}

/// Files by which office programs say that a document is open: `~$X.docx`, `.~lock.X.odt#`.
fn is_temporary(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    name.starts_with("~$") || name.starts_with(".~lock.") && name.ends_with('#')
}

/// `.png`, in lower case; nothing for a name without one.
fn ending(path: &Path) -> String {
    path.extension().map(|end| format!(".{}", end.to_string_lossy().to_lowercase())).unwrap_or_default()
}

fn is_readable(path: &Path) -> bool {
    path.extension()
        .and_then(|end| end.to_str())
        .map(str::to_lowercase)
        .is_some_and(|end| readers().any(|reader| reader.extensions().any(|own| own == end)))
}

/// Removes the metadata files of a Slack export, such as the list of users: they are read together with the
/// channels.
fn without_lists_of_slack(files: &mut Vec<PathBuf>) {
    const LISTS: [&str; 7] = [
        "users.json",
        "channels.json",
        "groups.json",
        "dms.json",
        "mpims.json",
        "canvases.json",
        "integration_logs.json",
    ];
    let named = |path: &Path, name: &str| path.file_name().is_some_and(|own| own == name);
    let exports: BTreeSet<PathBuf> = files
        .iter()
        .filter(|path| named(path, "users.json") && path.with_file_name("channels.json").is_file())
        .filter_map(|path| path.parent().map(Path::to_path_buf))
        .collect();
    let is_list = |path: &Path| {
        LISTS.iter().any(|name| named(path, name))
            && path.parent().is_some_and(|folder| exports.contains(folder))
    };
    files.retain(|path| !is_list(path));
}

/// Keeps each file once, preferably under its own path, and drops files outside the folder.
fn resolve_links(root: &Path, found: &mut Found) {
    let Ok(real_root) = root.canonicalize() else { return };
    let mut by_target: BTreeMap<PathBuf, PathBuf> = BTreeMap::new();
    for path in std::mem::take(&mut found.files) {
        let Ok(target) = path.canonicalize() else { continue };
        let Ok(inside) = target.strip_prefix(&real_root) else {
            found.problems.push(lies_outside(root, &path, &target));
            continue;
        };
        let own = root.join(inside);
        let known = by_target.entry(target).or_insert_with(|| path.clone());
        if path == own || (*known != own && path < *known) {
            *known = path;
        }
    }
    found.files = by_target.into_values().collect();
}

/// Converts an error of the walk; `path` is the current entry.
fn problem(path: &Path, error: &ignore::Error) -> Vec<Error> {
    match error {
        ignore::Error::Partial(errors) => errors.iter().flat_map(|error| problem(path, error)).collect(),
        ignore::Error::WithLineNumber { err, .. } | ignore::Error::WithDepth { err, .. } => {
            problem(path, err)
        }
        ignore::Error::WithPath { path, err } => problem(path, err),
        ignore::Error::Loop { ancestor, child } => {
            let why = format!("it is a link back to `{}`", ancestor.display());
            vec![Error::invalid(format!("read `{}`", child.display()), why)]
        }
        ignore::Error::Io(io) if io.kind() != std::io::ErrorKind::NotFound => {
            vec![io_error(&path.display().to_string(), io)]
        }
        // Report a dangling link only if its name suggests a readable file.
        ignore::Error::Io(_) if is_readable(path) => {
            vec![Error::not_found(format!("read `{}`", path.display()), "it is a link to nothing")]
        }
        ignore::Error::Io(_) => Vec::new(),
        ignore::Error::Glob { glob, err } => {
            let what =
                format!("use the pattern `{}` in `{}`", glob.as_deref().unwrap_or_default(), path.display());
            vec![Error::invalid(what, err.clone())]
        }
        other => vec![Error::invalid(format!("look through `{}`", path.display()), other.to_string())],
    }
}
