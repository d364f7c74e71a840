//! What is no longer where it was: files with another name, whose memories keep their names and links, and
//! files that are gone.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use griot::model::{Result, Source, SourceType};

use super::run::{FileEvent, Intake, Tell, is_below};
use crate::read::{identify, origin};
use crate::time;

impl Intake<'_> {
    /// Sources below the named paths whose files are not there any more, under any name.
    pub(super) fn gone(
        &self,
        found: &[PathBuf],
        wanted: &[&PathBuf],
        tell: &mut Tell,
    ) -> Result<Vec<Source>> {
        let present: HashSet<String> = found.iter().map(|path| origin(path, &self.options)).collect();
        let roots: Vec<String> = self.asked.paths.iter().map(|path| origin(path, &self.options)).collect();
        let is_gone = |source: &Source| {
            matches!(source.kind, SourceType::File | SourceType::Chat)
                && !present.contains(&source.origin)
                && !Path::new(&source.origin).exists()
                && roots.iter().any(|root| is_below(&source.origin, root))
        };
        let sources = self.engine.sources()?.into_iter().map(|view| view.source);
        let live = sources.filter(|source| source.deleted_at.is_none());
        let (gone, there): (Vec<Source>, Vec<Source>) = live.partition(is_gone);
        if gone.is_empty() {
            return Ok(gone);
        }
        let known: HashSet<String> = there.into_iter().map(|source| source.origin).collect();
        let named = wanted.iter().map(|path| (*path, origin(path, &self.options)));
        self.follow(gone, named.filter(|(_, origin)| !known.contains(origin)), tell)
    }

    /// Of files that nobody knows, those that say what one said that is gone are that one, under another
    /// name. Answers with what is gone for good.
    fn follow<'p>(
        &self,
        mut gone: Vec<Source>,
        files: impl Iterator<Item = (&'p PathBuf, String)>,
        tell: &mut Tell,
    ) -> Result<Vec<Source>> {
        for (path, new) in files {
            let alike =
                |source: &Source| says_the_same(Path::new(&source.origin), path, source.title.as_deref());
            if !gone.iter().any(alike) {
                continue;
            }
            // A file that cannot be read is reported when it is read.
            let Ok(file) = identify(path, &self.options) else { continue };
            let same = |source: &Source| {
                source.kind == file.kind
                    && source.content_hash.is_some()
                    && source.content_hash == file.content_hash
            };
            let Some(at) = gone.iter().position(|source| same(source) && alike(source)) else { continue };
            if self.engine.rename_source(gone[at].id, &new)? {
                tell(FileEvent::Renamed { from: &gone.swap_remove(at).origin, path })?;
            }
        }
        Ok(gone)
    }

    pub(super) fn prune(&self, gone: Vec<Source>, tell: &mut Tell) -> Result<()> {
        for source in gone {
            let memories = self.engine.forget(&source.id.to_string())?.memories.len() as u64;
            tell(FileEvent::Pruned { origin: &source.origin, memories })?;
        }
        Ok(())
    }
}

/// Whether a file of one content is understood alike under both names: by its ending, the date in its name,
/// and its title.
fn says_the_same(old: &Path, new: &Path, title: Option<&str>) -> bool {
    let stem =
        |path: &Path| path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    let (old_stem, new_stem) = (stem(old), stem(new));
    let is_title = title.is_none_or(|title| title == old_stem || old_stem.starts_with(title));
    old.extension() == new.extension()
        && (old_stem == new_stem || (!is_title && time::in_name(&old_stem) == time::in_name(&new_stem)))
}
