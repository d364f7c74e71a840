//! Paths of workspaces and settings.
//!
//! ```text
//! $GRIOT_HOME or the platform's data folder
//!   griot.toml               settings for all workspaces
//!   active                   name of the active workspace
//!   keys.json                hashes of the server's keys
//!   workspaces/<name>/       one folder per workspace
//!     griot.db               the data; other files here can be rebuilt from it
//!     griot.toml             settings of this workspace
//!   trash/<name>-<time>/     removed workspaces
//! ```

use std::fs;
use std::path::{Path, PathBuf};

use griot::model::{Error, Result, Timestamp};
use griot::private;

pub const DEFAULT_WORKSPACE: &str = "default";
const SETTINGS: &str = "griot.toml";

#[derive(Clone, Debug)]
pub struct Home {
    root: PathBuf,
}

/// The database that a command uses.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Target {
    pub database: PathBuf,
    /// Settings files in the order in which they are read; they need not exist.
    pub settings: Vec<PathBuf>,
    /// `None` for `--db`.
    pub workspace: Option<String>,
    /// Selected by the settings `routing.*`; created when it is first written.
    pub routed: bool,
}

impl Home {
    /// `GRIOT_HOME`, else the platform's data folder.
    pub fn find() -> Result<Self> {
        if let Some(root) = std::env::var_os("GRIOT_HOME").filter(|root| !root.is_empty()) {
            return Ok(Self { root: root.into() });
        }
        let folders = directories::ProjectDirs::from("", "", "griot").ok_or_else(|| {
            Error::unavailable("find the folder for workspaces", "this user has no home folder")
                .hint("set GRIOT_HOME to a folder")
        })?;
        Ok(Self { root: folders.data_dir().to_path_buf() })
    }

    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The server's keys, for all workspaces.
    pub fn keys_file(&self) -> PathBuf {
        self.root.join("keys.json")
    }

    pub fn settings_file(&self) -> PathBuf {
        self.root.join(SETTINGS)
    }

    /// What `--db`, `--workspace` or their variables name, in this order.
    pub fn named(&self, db: Option<&Path>, workspace: Option<&str>) -> Result<Option<Target>> {
        let variable = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
        let from_environment =
            if workspace.is_none() { variable("GRIOT_DB").map(PathBuf::from) } else { None };
        if let Some(database) = db.map(Path::to_path_buf).or(from_environment) {
            let folder = database.parent().unwrap_or(Path::new(""));
            let settings = vec![self.settings_file(), folder.join(SETTINGS)];
            return Ok(Some(Target { database, settings, workspace: None, routed: false }));
        }
        let name = workspace.map(str::to_string).or_else(|| variable("GRIOT_WORKSPACE"));
        name.map(|name| self.workspace(&name)).transpose()
    }

    /// The files of a workspace, whether or not it exists.
    pub fn workspace(&self, name: &str) -> Result<Target> {
        check_name(name)?;
        let folder = self.folder(name);
        Ok(Target {
            database: folder.join("griot.db"),
            settings: vec![self.settings_file(), folder.join(SETTINGS)],
            workspace: Some(name.to_string()),
            routed: false,
        })
    }

    fn folder(&self, name: &str) -> PathBuf {
        self.root.join("workspaces").join(name)
    }

    /// The workspace that commands use by default.
    pub fn active(&self) -> Result<String> {
        let file = self.root.join("active");
        match fs::read_to_string(&file) {
            Ok(name) => {
                let name = name.trim();
                check_name(name).map_err(|error| {
                    Error { what: format!("read `{}`", file.display()), ..error }
                        .hint("griot workspace use default")
                })?;
                Ok(name.to_string())
            }
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(DEFAULT_WORKSPACE.to_string()),
            Err(error) => Err(Error::unavailable(format!("read `{}`", file.display()), error.to_string())),
        }
    }

    pub fn activate(&self, name: &str) -> Result<()> {
        self.existing(name, "use")?;
        let file = self.root.join("active");
        private::write(&file, format!("{name}\n").as_bytes()).map_err(|error| unwritable(&file, &error))
    }

    /// Names of the workspaces, sorted.
    pub fn workspaces(&self) -> Result<Vec<String>> {
        let mut names: Vec<String> = entries(&self.root.join("workspaces"))?
            .into_iter()
            .filter(|path| path.is_dir())
            .filter_map(|path| path.file_name()?.to_str().map(str::to_string))
            .filter(|name| check_name(name).is_ok())
            .collect();
        names.sort();
        Ok(names)
    }

    /// Creates the folder of a workspace; an error if it exists.
    pub fn create(&self, name: &str) -> Result<Target> {
        let target = self.workspace(name)?;
        let folder = self.folder(name);
        if folder.exists() {
            return Err(Error::invalid(format!("create the workspace `{name}`"), "it exists")
                .hint(format!("griot workspace use {name}")));
        }
        private::folder(&folder).map_err(|error| unwritable(&folder, &error))?;
        Ok(target)
    }

    /// Moves a workspace into the trash folder; returns its new path.
    pub fn remove(&self, name: &str, now: Timestamp) -> Result<PathBuf> {
        self.existing(name, "remove")?;
        let trash = self.root.join("trash");
        private::folder(&trash).map_err(|error| unwritable(&trash, &error))?;
        let stamp = now.to_string().replace([':', '.'], "-");
        let trashed = trash.join(format!("{name}-{stamp}"));
        fs::rename(self.folder(name), &trashed).map_err(|error| unwritable(&trashed, &error))?;
        if self.active()? == name {
            let file = self.root.join("active");
            fs::remove_file(&file).or_else(|error| match error.kind() {
                std::io::ErrorKind::NotFound => Ok(()),
                _ => Err(unwritable(&file, &error)),
            })?;
        }
        Ok(trashed)
    }

    /// Databases in the trash of workspaces that had this name, sorted.
    pub fn removed(&self, name: &str) -> Result<Vec<PathBuf>> {
        let folders = self.trashed(Some(name))?.into_iter();
        let mut found: Vec<PathBuf> =
            folders.map(|folder| folder.join("griot.db")).filter(|database| database.exists()).collect();
        found.sort();
        Ok(found)
    }

    /// Deletes the trash, or the part of it that was one workspace. Returns the number of workspaces deleted.
    pub fn empty_trash(&self, name: Option<&str>) -> Result<u64> {
        let folders = self.trashed(name)?;
        for folder in &folders {
            fs::remove_dir_all(folder).map_err(|error| {
                Error::unavailable(format!("delete `{}`", folder.display()), error.to_string())
            })?;
        }
        Ok(folders.len() as u64)
    }

    /// Folders in the trash, all or those that were one workspace.
    fn trashed(&self, name: Option<&str>) -> Result<Vec<PathBuf>> {
        let is_wanted = |folder: &str| {
            name.is_none_or(|name| folder.strip_prefix(name).is_some_and(|rest| rest.starts_with('-')))
        };
        let mut folders = entries(&self.root.join("trash"))?;
        folders.retain(|path| path.file_name().and_then(|name| name.to_str()).is_some_and(is_wanted));
        Ok(folders)
    }

    /// Fails if there is no such workspace, naming the most similar one.
    pub fn existing(&self, name: &str, verb: &str) -> Result<()> {
        check_name(name)?;
        if self.folder(name).is_dir() { Ok(()) } else { Err(self.missing(name, verb)) }
    }

    /// The error for a workspace that does not exist, with a hint.
    pub fn missing(&self, name: &str, verb: &str) -> Error {
        let error = Error::not_found(format!("{verb} the workspace `{name}`"), "it does not exist");
        let names = self.workspaces().unwrap_or_default();
        match griot_wire::settings::nearest(name, names.iter().map(String::as_str)) {
            Some(near) => {
                error.hint(format!("did you mean `{near}`? griot workspace create {name} creates it"))
            }
            None => error.hint(format!("griot workspace create {name}")),
        }
    }
}

/// What a folder contains; nothing if it does not exist.
fn entries(folder: &Path) -> Result<Vec<PathBuf>> {
    match fs::read_dir(folder) {
        Ok(entries) => Ok(entries.flatten().map(|entry| entry.path()).collect()),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(Error::unavailable(format!("list `{}`", folder.display()), error.to_string())),
    }
}

fn unwritable(path: &Path, error: &std::io::Error) -> Error {
    Error::unavailable(format!("write `{}`", path.display()), error.to_string())
        .hint("set GRIOT_HOME to a writable folder")
}

/// Names must be valid file names on every platform, and never paths.
fn check_name(name: &str) -> Result<()> {
    let sound = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '.' | '_' | '-');
    let why = if name.is_empty() {
        "the name is empty"
    } else if name.len() > 64 {
        "the name is longer than 64 characters"
    } else if !name.starts_with(|c: char| c.is_ascii_lowercase() || c.is_ascii_digit()) {
        "the name must start with a lower-case letter or a digit"
    } else if !name.chars().all(sound) {
        "the name may contain only lower-case letters, digits, `.`, `_` and `-`"
    } else if name.contains("..") || name.ends_with('.') {
        "the name contains `..` or ends in a dot"
    } else {
        return Ok(());
    };
    let shown: String = name.chars().take(80).collect();
    Err(Error::invalid(format!("use the workspace `{shown}`"), why)
        .hint("examples: `default`, `my-shop.2024`"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_never_paths() {
        for name in ["default", "my-shop.2024", "a_b", "0"] {
            assert_eq!(check_name(name), Ok(()), "{name}");
        }
        let long = "a".repeat(65);
        for name in ["", "../x", "a/b", "a\\b", ".hidden", "a..b", "a.", "Größe", "A", "a b", &long] {
            assert!(check_name(name).is_err(), "{name}");
        }
    }
}
