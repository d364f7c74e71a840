//! What was written into which file, so that it can be undone to the byte.
//!
//! `connections.json` in Griot's folder holds, by file, what each change took out and put in, with hashes of
//! the whole before and after. It holds nothing else of the file: configurations hold keys of other services.
//! As long as the file is as Griot left it, the changes are played backwards. Once others have changed it,
//! this only tells which containers were made for our entries.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use griot::model::{Error, ErrorKind, Result};
use serde::{Deserialize, Serialize};

use super::{Edited, files};

#[derive(Debug)]
pub struct Ledger {
    file: PathBuf,
    pages: BTreeMap<PathBuf, Page>,
}

/// What was done to one file since it was first connected.
#[derive(Clone, Serialize, Deserialize, Default, Debug)]
pub struct Page {
    /// The file was there before.
    pub existed: bool,
    /// Folders that were made for it, outermost first.
    pub folders: Vec<PathBuf>,
    /// Keys of the containers that were made in it, outer ones first.
    pub made: Vec<Vec<String>>,
    changes: Vec<Splice>,
}

/// At byte `at`, `removed` became `inserted`.
#[derive(Clone, Serialize, Deserialize, Debug)]
struct Splice {
    at: usize,
    removed: String,
    inserted: String,
    /// Hashes of the whole text.
    before: String,
    after: String,
}

impl Ledger {
    pub fn open(folder: &Path) -> Result<Self> {
        let file = folder.join("connections.json");
        let pages = match files::read(&file)? {
            Some(text) => serde_json::from_str(&text).map_err(|error| {
                Error::invalid(format!("read `{}`", file.display()), error.to_string())
                    .hint("remove that file: `griot connect HOST --remove` then takes out our entries and nothing else")
            })?,
            None => BTreeMap::new(),
        };
        Ok(Self { file, pages })
    }

    pub fn page(&self, path: &Path) -> Option<&Page> {
        self.pages.get(path)
    }

    /// Notes a change that is about to be made. `before` is `None` for a file that is not there.
    pub fn note(&mut self, path: &Path, before: Option<&str>, edited: &Edited) -> Result<()> {
        let is_first = !self.pages.contains_key(path);
        // Folders that were made for another file serve this one too: the last that leaves them takes them
        // away.
        let mut folders = files::missing_folders(path);
        folders.extend(
            self.pages
                .values()
                .flat_map(|page| &page.folders)
                .filter(|folder| path.starts_with(folder))
                .cloned(),
        );
        folders.sort();
        folders.dedup();
        let page = self.pages.entry(path.to_path_buf()).or_default();
        let splice = Splice::between(before.unwrap_or_default(), &edited.text);
        if is_first {
            page.existed = before.is_some();
            page.folders = folders;
        } else if page.changes.last().is_none_or(|last| last.after != splice.before) {
            // Others came between: the way back to the beginning is lost.
            page.changes.clear();
            page.made.extend(edited.made.iter().cloned());
            return self.save();
        }
        page.made.extend(edited.made.iter().cloned());
        page.changes.push(splice);
        self.save()
    }

    pub fn forget(&mut self, path: &Path) -> Result<()> {
        if self.pages.remove(path).is_some() { self.save() } else { Ok(()) }
    }

    fn save(&self) -> Result<()> {
        if self.pages.is_empty() {
            return files::remove(&self.file, &[]);
        }
        let text = serde_json::to_string_pretty(&self.pages)
            .map_err(|error| Error::new(ErrorKind::Bug, "note what was written", error.to_string()))?;
        files::write(&self.file, &text)
    }
}

impl Page {
    /// The text before the first change; `None` if others have changed it since.
    pub fn undone(&self, text: &str) -> Option<String> {
        let first = self.changes.first()?;
        let mut text = text.to_string();
        for change in self.changes.iter().rev() {
            text = change.undone(&text)?;
        }
        (hash(&text) == first.before).then_some(text)
    }
}

impl Splice {
    fn between(before: &str, after: &str) -> Self {
        let start = before.bytes().zip(after.bytes()).take_while(|(a, b)| a == b).count();
        let start = (0..=start)
            .rev()
            .find(|&at| before.is_char_boundary(at) && after.is_char_boundary(at))
            .unwrap_or(0);
        let (old, new) = (&before[start..], &after[start..]);
        let end = old.bytes().rev().zip(new.bytes().rev()).take_while(|(a, b)| a == b).count();
        let whole =
            |end: usize| old.is_char_boundary(old.len() - end) && new.is_char_boundary(new.len() - end);
        let end = (0..=end).rev().find(|&end| whole(end)).unwrap_or(0);
        Self {
            at: start,
            removed: old[..old.len() - end].to_string(),
            inserted: new[..new.len() - end].to_string(),
            before: hash(before),
            after: hash(after),
        }
    }

    fn undone(&self, text: &str) -> Option<String> {
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
    fn a_change_and_its_undoing_meet_in_the_same_bytes() {
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
                assert_eq!(splice.undone(after).as_deref(), Some(before), "{before:?} {after:?}");
                assert_eq!(splice.undone("something else"), None);
            }
        }
    }

    #[test]
    fn two_changes_are_undone_together_unless_others_came_between() {
        let folder = tempfile::tempdir().expect("a folder can be made");
        let path = folder.path().join("x.json");
        let edited = |text: &str| Edited { text: text.to_string(), made: Vec::new() };
        let mut ledger = Ledger::open(folder.path()).expect("it opens");
        ledger.note(&path, Some("one"), &edited("one two")).expect("it is noted");
        ledger.note(&path, Some("one two"), &edited("one three")).expect("it is noted");
        let ledger = Ledger::open(folder.path()).expect("it opens again");
        let page = ledger.page(&path).expect("it is there");
        assert_eq!(page.undone("one three").as_deref(), Some("one"));
        assert_eq!(page.undone("one three!"), None);

        let mut ledger = ledger;
        ledger.note(&path, Some("one three!"), &edited("one four!")).expect("it is noted");
        assert_eq!(ledger.page(&path).expect("it is there").undone("one four!"), None);
        ledger.forget(&path).expect("it is forgotten");
        assert!(!folder.path().join("connections.json").exists());
    }
}
