//! Finds the repository of a folder, its remote and its project name.
//!
//! Reads `.git/config` itself: a hook has no time to run git, and git may not be installed. Does not follow
//! includes and `insteadOf` rules.

use std::fs;
use std::path::{Path, PathBuf};

use griot_wire::routing::Repository;

/// Bytes; a larger file is not a git configuration.
const MAX_BYTES: u64 = 1024 * 1024;

/// A working copy of a repository.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Checkout {
    pub root: PathBuf,
    /// The URL of `origin`, else of the first remote.
    pub remote: Option<String>,
}

impl Checkout {
    /// The checkout that contains the folder.
    pub fn around(folder: &Path) -> Option<Self> {
        folder.ancestors().find_map(|root| {
            let git = git_folder(root)?;
            let config = read(&git.join("config")).or_else(|| {
                // Worktrees share the configuration of the main repository.
                let common = read(&git.join("commondir"))?;
                read(&git.join(common.trim()).join("config"))
            });
            Some(Self { root: root.to_path_buf(), remote: config.as_deref().and_then(remote) })
        })
    }
}

/// The project of a folder: the repository's name, else the folder's. `None` for a home folder and the root
/// of a disk, which belong to no single project.
pub fn project(folder: &Path) -> Option<String> {
    let checkout = Checkout::around(folder);
    let name =
        checkout.as_ref().and_then(|checkout| Repository::parse(checkout.remote.as_deref()?)).map(|r| r.name);
    let root = checkout.map_or_else(|| folder.to_path_buf(), |checkout| checkout.root);
    let is_home = directories::BaseDirs::new().is_some_and(|folders| folders.home_dir() == root);
    let name =
        name.or_else(|| (!is_home).then(|| root.file_name()?.to_str().map(str::to_string)).flatten())?;
    let name = name.trim();
    (!name.is_empty() && !name.contains(char::is_control)).then(|| name.to_string())
}

/// `.git`, or the folder that a `.git` file names (worktrees, submodules).
fn git_folder(root: &Path) -> Option<PathBuf> {
    let git = root.join(".git");
    if git.is_dir() {
        return Some(git);
    }
    let text = read(&git)?;
    let folder = root.join(text.strip_prefix("gitdir:")?.trim());
    folder.is_dir().then_some(folder)
}

fn read(path: &Path) -> Option<String> {
    fs::metadata(path).ok().filter(|data| data.is_file() && data.len() <= MAX_BYTES)?;
    let bytes = fs::read(path).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

/// `url` of `[remote "origin"]`, else of the first remote.
fn remote(config: &str) -> Option<String> {
    let mut section: Option<String> = None;
    let mut first = None;
    for line in config.lines().map(str::trim) {
        if let Some(header) = line.strip_prefix('[') {
            let header = header.split(']').next().unwrap_or_default().trim();
            section = header.strip_prefix("remote").map(|name| name.trim().trim_matches('"').to_string());
            continue;
        }
        let (Some(section), Some((key, value))) = (&section, line.split_once('=')) else { continue };
        if !key.trim().eq_ignore_ascii_case("url") {
            continue;
        }
        let value = value.split([';', '#']).next().unwrap_or_default().trim().trim_matches('"').to_string();
        if section == "origin" {
            return Some(value);
        }
        first.get_or_insert(value);
    }
    first
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn origin_is_the_remote_of_a_repository_else_the_first_one() {
        let config = "[core]\n\turl = no\n[remote \"fork\"]\n\turl = git@h:me/x.git\n\tfetch = +a:b\n\
                      [remote \"origin\"]\n\tpushurl = p\n\tURL = \"https://h/acme/x.git\" ; mine\n\
                      [branch \"main\"]\n\turl = no\n";
        assert_eq!(remote(config).as_deref(), Some("https://h/acme/x.git"));
        let without_origin = config.replace("\"origin\"", "\"upstream\"");
        assert_eq!(remote(&without_origin).as_deref(), Some("git@h:me/x.git"));
        assert_eq!(remote("[core]\n\turl = no\n[broken\nurl"), None);
    }

    #[test]
    fn worktrees_and_folders_inside_lead_to_the_same_repository() {
        let folder = tempfile::tempdir().expect("a folder can be made");
        let make = |path: &str, text: &str| {
            let path = folder.path().join(path);
            fs::create_dir_all(path.parent().expect("it has a folder")).expect("the folder can be made");
            fs::write(path, text).expect("the file can be written");
        };
        make("shop-main/.git/config", "[remote \"origin\"]\nurl = git@github.com:acme/shop.git\n");
        make("shop-main/src/deep/x.rs", "");
        make("shop-main/.git/worktrees/fix/commondir", "../..\n");
        let worktree = folder.path().join("shop-main/.git/worktrees/fix");
        make("fix/.git", &format!("gitdir: {}\n", worktree.display()));
        make("bare-folder/x", "");
        make("own/.git/config", "[core]\n");
        for (name, expected) in [
            ("shop-main", "shop"),
            ("shop-main/src/deep", "shop"),
            ("fix", "shop"),
            ("bare-folder", "bare-folder"),
            ("own", "own"),
        ] {
            assert_eq!(project(&folder.path().join(name)).as_deref(), Some(expected), "{name}");
        }
        assert_eq!(project(Path::new("/")), None);
    }
}
