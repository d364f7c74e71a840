//! Finds files that were moved or deleted. A moved file keeps its source, and so its memories keep their
//! ids and links.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use griot::model::{Result, Source, SourceType};

use super::run::{FileEvent, Intake, Report, is_below};
use crate::read::{identify, origin};
use crate::time;

impl Intake<'_> {
    /// Sources below the named paths whose files do not exist any more and were not renamed either. A folder
    /// that is named and gone may be a disk that is not mounted: nothing below it counts as missing.
    pub(super) fn missing(
        &self,
        found: &[PathBuf],
        wanted: &[&PathBuf],
        report: &mut Report,
    ) -> Result<Vec<Source>> {
        let present: HashSet<String> = found.iter().map(|path| origin(path, &self.options)).collect();
        let roots: Vec<(String, bool)> =
            self.asked.paths.iter().map(|path| (origin(path, &self.options), path.exists())).collect();
        let is_gone = |source: &Source| {
            matches!(source.kind, SourceType::File | SourceType::Chat)
                && !present.contains(&source.origin)
                && !Path::new(&source.origin).exists()
                && roots.iter().any(|(root, is_there)| {
                    source.origin == *root || *is_there && is_below(&source.origin, root)
                })
        };
        let sources = self.engine.sources()?.into_iter().map(|view| view.source);
        let live = sources.filter(|source| source.deleted_at.is_none());
        let (gone, there): (Vec<Source>, Vec<Source>) = live.partition(is_gone);
        if gone.is_empty() {
            return Ok(gone);
        }
        let known: HashSet<String> = there.into_iter().map(|source| source.origin).collect();
        let named = wanted.iter().map(|path| (*path, origin(path, &self.options)));
        self.follow_renames(gone, named.filter(|(_, origin)| !known.contains(origin)), report)
    }

    /// Renames sources whose content appears in an unknown file. Returns the sources that are gone for
    /// good.
    fn follow_renames<'p>(
        &self,
        mut gone: Vec<Source>,
        files: impl Iterator<Item = (&'p PathBuf, String)>,
        report: &mut Report,
    ) -> Result<Vec<Source>> {
        for (path, new) in files {
            let alike =
                |source: &Source| reads_alike(Path::new(&source.origin), path, source.title.as_deref());
            if !gone.iter().any(alike) {
                continue;
            }
            // The error is reported when the file is read.
            let Ok(file) = identify(path, &self.options) else { continue };
            let same = |source: &Source| {
                source.kind == file.kind
                    && source.content_hash.is_some()
                    && source.content_hash == file.content_hash
            };
            let Some(at) = gone.iter().position(|source| same(source) && alike(source)) else { continue };
            if self.engine.rename_source(gone[at].id, &new)? {
                report(FileEvent::Renamed { from: &gone.swap_remove(at).origin, path })?;
            }
        }
        Ok(gone)
    }

    pub(super) fn prune(&self, gone: Vec<Source>, report: &mut Report) -> Result<()> {
        for source in gone {
            let memories = self.engine.forget_missing(&source)?.memories.len() as u64;
            report(FileEvent::Pruned { origin: &source.origin, memories })?;
        }
        Ok(())
    }
}

/// Whether content is read the same under both names: their extensions, the dates in the names and the
/// titles taken from them agree.
fn reads_alike(old: &Path, new: &Path, title: Option<&str>) -> bool {
    let stem =
        |path: &Path| path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    let (old_stem, new_stem) = (stem(old), stem(new));
    let is_title = title.is_none_or(|title| title == old_stem || old_stem.starts_with(title));
    old.extension() == new.extension()
        && (old_stem == new_stem || (!is_title && time::in_name(&old_stem) == time::in_name(&new_stem)))
}
