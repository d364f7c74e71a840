//! Records what `griot connect` wrote into which file, so that it can be reverted byte for byte.
//!
//! `connections.json` in Griot's folder holds, for each file, what each change removed and inserted, with
//! hashes of the whole text before and after. It holds nothing else of the file, because configurations
//! hold keys of other services. While the file is unchanged since, the changes are reverted exactly. After
//! other edits, the record still says which containers were created for our entries.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use griot::model::{Error, ErrorKind, Result};
use serde::{Deserialize, Serialize};

use super::Edited;
use crate::files;

#[derive(Debug)]
pub struct Connections {
    /// `connections.json`
    path: PathBuf,
    files: BTreeMap<PathBuf, ConnectedFile>,
}

/// Changes to one file since it was first connected.
#[derive(Clone, Serialize, Deserialize, Default, Debug)]
pub struct ConnectedFile {
    /// Whether the file existed before.
    pub existed: bool,
    /// Folders created for it, outermost first.
    pub folders: Vec<PathBuf>,
    /// Keys of the containers created in it, outer ones first.
    #[serde(rename = "made")]
    pub created: Vec<Vec<String>>,
    changes: Vec<Splice>,
}

/// At byte `at`, `removed` was replaced by `inserted`.
#[derive(Clone, Serialize, Deserialize, Debug)]
struct Splice {
    at: usize,
    removed: String,
    inserted: String,
    /// Hashes of the whole text.
    before: String,
    after: String,
}

impl Connections {
    pub fn open(folder: &Path) -> Result<Self> {
        let file = folder.join("connections.json");
        let files = match files::read(&file)? {
            Some(text) => serde_json::from_str(&text).map_err(|error| {
                Error::invalid(format!("read `{}`", file.display()), error.to_string())
                    .hint("remove that file; `griot connect HOST --remove` then removes only Griot's entries")
            })?,
            None => BTreeMap::new(),
        };
        Ok(Self { path: file, files })
    }

    pub fn file(&self, path: &Path) -> Option<&ConnectedFile> {
        self.files.get(path)
    }

    /// Records a change that is about to be written. `before` is `None` if the file does not exist.
    pub fn record(&mut self, path: &Path, before: Option<&str>, edited: &Edited) -> Result<()> {
        let is_first = !self.files.contains_key(path);
        // Folders created for another file serve this one, too; the last file to go removes them.
        let mut folders = files::missing_folders(path);
        folders.extend(
            self.files
                .values()
                .flat_map(|file| &file.folders)
                .filter(|folder| path.starts_with(folder))
                .cloned(),
        );
        folders.sort();
        folders.dedup();
        let file = self.files.entry(path.to_path_buf()).or_default();
        let splice = Splice::between(before.unwrap_or_default(), &edited.text);
        if is_first {
            file.existed = before.is_some();
            file.folders = folders;
        } else if file.changes.last().is_none_or(|last| last.after != splice.before) {
            // Other edits came between, so the original can no longer be restored.
            file.changes.clear();
            file.created.extend(edited.created.iter().cloned());
            return self.save();
        }
        file.created.extend(edited.created.iter().cloned());
        file.changes.push(splice);
        self.save()
    }

    pub fn forget(&mut self, path: &Path) -> Result<()> {
        if self.files.remove(path).is_some() { self.save() } else { Ok(()) }
    }

    fn save(&self) -> Result<()> {
        if self.files.is_empty() {
            return files::remove(&self.path, &[]);
        }
        let text = serde_json::to_string_pretty(&self.files)
            .map_err(|error| Error::new(ErrorKind::Bug, "record what was written", error.to_string()))?;
        files::write(&self.path, &text)
    }
}

impl ConnectedFile {
    /// The text before the first change; `None` if the file was changed by others since.
    pub fn reverted(&self, text: &str) -> Option<String> {
        let first = self.changes.first()?;
        let mut text = text.to_string();
        for change in self.changes.iter().rev() {
            text = change.reverted(&text)?;
        }
        (hash(&text) == first.before).then_some(text)
    }
}

impl Splice {
    fn between(before: &str, after: &str) -> Self {
        let same = |(a, b): &(char, char)| a == b;
        let start: usize =
            before.chars().zip(after.chars()).take_while(same).map(|(c, _)| c.len_utf8()).sum();
        let (old, new) = (&before[start..], &after[start..]);
        let end: usize =
            old.chars().rev().zip(new.chars().rev()).take_while(same).map(|(c, _)| c.len_utf8()).sum();
        Self {
            at: start,
            removed: old[..old.len() - end].to_string(),
            inserted: new[..new.len() - end].to_string(),
            before: hash(before),
            after: hash(after),
        }
    }

    fn reverted(&self, text: &str) -> Option<String> {
        if hash(text) != self.after {
            return None;
        }
        let head = text.get(..self.at)?;
        let tail = text.get(self.at..)?.strip_prefix(self.inserted.as_str())?;
        Some(format!("{head}{}{tail}", self.removed))
    }
}

fn hash(text: &str) -> String {
    blake3::hash(text.as_bytes()).to_hex().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reverting_a_change_restores_every_byte() {
        let texts = [
            "",
            "a",
            "aa",
            "aaa",
            "äö",
            "äü",
            "ä",
            "{\"a\": 1}\n",
            "{\"a\": 1, \"b\": 2}\n",
            "\r\n\r\n",
            "日本",
            "日本本",
        ];
        for before in texts {
            for after in texts {
                let splice = Splice::between(before, after);
                assert_eq!(splice.reverted(after).as_deref(), Some(before), "{before:?} {after:?}");
                assert_eq!(splice.reverted("something else"), None);
            }
        }
    }

    #[test]
    fn two_changes_are_reverted_together_unless_others_came_between() {
        let folder = tempfile::tempdir().expect("a folder can be created");
        let path = folder.path().join("x.json");
        let edited = |text: &str| Edited { text: text.to_string(), created: Vec::new() };
        let mut connections = Connections::open(folder.path()).expect("it opens");
        connections.record(&path, Some("one"), &edited("one two")).expect("it is noted");
        connections.record(&path, Some("one two"), &edited("one three")).expect("it is noted");
        let connections = Connections::open(folder.path()).expect("it opens again");
        let file = connections.file(&path).expect("it is there");
        assert_eq!(file.reverted("one three").as_deref(), Some("one"));
        assert_eq!(file.reverted("one three!"), None);

        let mut connections = connections;
        connections.record(&path, Some("one three!"), &edited("one four!")).expect("it is noted");
        assert_eq!(connections.file(&path).expect("it is there").reverted("one four!"), None);
        connections.forget(&path).expect("it is forgotten");
        assert!(!folder.path().join("connections.json").exists());
    }
}
