//! Input and output of all readers: the file, and the drafts made from it.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use griot::model::{Error, Result, Scope, SourceType, Timestamp};
use griot::remember::{Draft, DraftFact, DraftLink, SourceDraft, checked_word};

use crate::shown::{printed, shown_text};
use crate::time;

/// Problems of a source beyond these are only counted.
const PROBLEMS: usize = 99;

/// What was read from one source, or one part of it.
#[derive(Clone, PartialEq, Debug)]
pub struct Reading {
    pub source: SourceDraft,
    /// In the order of the file. Empty if the file holds no text.
    pub drafts: Vec<Draft>,
    /// What was left out, by line or message. At most 100 in one source; the last one counts the others.
    pub problems: Vec<Error>,
}

/// One file or text with everything that its reader needs to know.
pub(crate) struct Input<'a> {
    /// The name in error messages.
    pub(crate) name: &'a str,
    pub(crate) path: &'a Path,
    /// The origin of its source.
    pub(crate) origin: String,
    /// Added to the tags that the file gives.
    pub(crate) tags: &'a [String],
    /// Overrides a record's own `user` and `project`.
    pub(crate) scope: &'a Scope,
    /// Replaces `passage` and `turn`.
    pub(crate) kind: Option<&'a str>,
    /// Longest line, and longest value of a database.
    pub(crate) max_bytes: u64,
    pub(crate) modified: Option<Timestamp>,
    /// Whether it is a file at this path, whose neighbours may be read.
    pub(crate) is_file: bool,
}

impl Input<'_> {
    pub(crate) fn error(&self, why: impl Into<String>) -> Error {
        Error::invalid(format!("read `{}`", self.name), why)
    }

    /// The file's name without its extension.
    pub(crate) fn stem(&self) -> String {
        let stem = printed(Path::new(self.path.file_stem().unwrap_or_default()));
        stem.strip_suffix(".chat").unwrap_or(&stem).to_string()
    }

    pub(crate) fn source(&self, is_chat: bool) -> SourceDraft {
        let kind = if is_chat { SourceType::Chat } else { SourceType::File };
        let mut source = SourceDraft::new(kind, self.origin.clone());
        source.title = Some(self.stem()).filter(|stem| !stem.is_empty() && stem != "-");
        source.from_disk = self.is_file;
        self.add_tags(&mut source.tags, self.tags.to_vec());
        source
    }

    /// A draft with the kind, scope and tags of the options.
    pub(crate) fn draft(&self, text: String, kind: &str) -> Draft {
        let mut draft = Draft::new(text);
        draft.kind = Some(self.kind.unwrap_or(kind).to_string());
        draft.scope = self.scope.clone();
        self.add_tags(&mut draft.tags, self.tags.to_vec());
        draft
    }

    /// Adds tags, trimmed and without duplicates.
    pub(crate) fn add_tags(&self, tags: &mut Vec<String>, more: Vec<String>) {
        for tag in more {
            let tag = tag.trim();
            if !tag.is_empty() && !tag.contains('\0') && !tags.iter().any(|known| known == tag) {
                tags.push(tag.to_string());
            }
        }
    }

    /// The date in the file's name.
    pub(crate) fn named_time(&self) -> Option<Timestamp> {
        time::in_name(&self.stem())
    }

    /// When the file was written, by the date in its name or else by the file system.
    pub(crate) fn time(&self) -> Option<Timestamp> {
        self.named_time().or(self.modified)
    }
}

/// Drafts and problems that were not passed on yet.
#[derive(Default)]
pub(crate) struct Batch {
    drafts: Vec<Draft>,
    bytes: usize,
    problems: Vec<Error>,
    /// Of the whole source.
    draft_count: usize,
    problem_count: usize,
    /// The next ordinal of each session.
    ordinals: HashMap<Option<String>, u32>,
    /// Kinds and tags that were left out; each is reported once.
    refused: HashSet<String>,
    /// The title in the content; without one, the file's name is the title.
    pub(crate) title: Option<String>,
    /// The language that the content names.
    pub(crate) language: Option<String>,
    /// Edges between drafts of the whole source, known at its end.
    pub(crate) links: Vec<DraftLink>,
    /// Facts that drafts of the whole source state, known at its end.
    pub(crate) facts: Vec<DraftFact>,
}

impl Batch {
    /// Adds a draft and returns its ordinal in its session. Blank drafts are left out. `label` names the
    /// draft in problems, such as `line 3`.
    pub(crate) fn push(&mut self, input: &Input, mut draft: Draft, label: &str) -> Option<u32> {
        if draft.text.trim().is_empty() {
            return None;
        }
        if draft.text.contains('\0') {
            self.problem(input.error(format!("{label} holds a NUL character")));
            return None;
        }
        self.mend(input, &mut draft, label);
        let next = self.ordinals.entry(draft.session.clone()).or_default();
        let ordinal = *next;
        draft.ordinal = Some(ordinal);
        *next = next.saturating_add(1);
        self.bytes += draft.text.len();
        self.draft_count += 1;
        self.drafts.push(draft);
        Some(ordinal)
    }

    /// Leaves out kinds and tags that would make the engine refuse the whole source. Those of the options
    /// stay: the engine refuses them with a better reason.
    fn mend(&mut self, input: &Input, draft: &mut Draft, label: &str) {
        let is_word = |what: &str, word: &str| checked_word(what, word).is_ok();
        let mut wrong = Vec::new();
        if let Some(kind) =
            draft.kind.as_ref().filter(|kind| !is_word("kind", kind) && input.kind != Some(kind.as_str()))
        {
            wrong.push(("kind", kind.clone()));
            let usual = if draft.speaker.is_some() { "turn" } else { "passage" };
            draft.kind = Some(input.kind.unwrap_or(usual).to_string());
        }
        draft.tags.retain(|tag| {
            let stays = is_word("tag", tag) || input.tags.iter().any(|asked| asked.trim() == tag);
            if !stays {
                wrong.push(("tag", tag.clone()));
            }
            stays
        });
        for (what, word) in wrong {
            if self.refused.insert(word.clone()) {
                let why = format!("{label} has the {what} {}, which is left out", shown_text(&word));
                self.problem(
                    input.error(why).hint("a word of at most 64 letters, digits and some of . / : # @ _ -"),
                );
            }
        }
    }

    pub(crate) fn problem(&mut self, error: Error) {
        self.problem_count += 1;
        if self.problem_count <= PROBLEMS {
            self.problems.push(error);
        }
    }

    /// Ends a source. Nothing but problems is an error: the file is damaged and not empty, so that what is
    /// known from it must stay.
    pub(crate) fn finish(&mut self, input: &Input) -> Result<()> {
        if self.draft_count == 0 && !self.problems.is_empty() {
            return Err(self.problems.swap_remove(0));
        }
        if self.problem_count > PROBLEMS {
            self.problems.push(input.error(format!("{} more problems", self.problem_count - PROBLEMS)));
        }
        Ok(())
    }

    /// The number of drafts, and the bytes of their texts.
    pub(crate) fn size(&self) -> (usize, usize) {
        (self.drafts.len(), self.bytes)
    }

    /// Hands on what was read; ordinals and counts continue.
    pub(crate) fn take(&mut self, mut source: SourceDraft) -> Reading {
        self.bytes = 0;
        source.links = std::mem::take(&mut self.links);
        source.facts = std::mem::take(&mut self.facts);
        source.title = self.title.clone().or(source.title);
        source.language = self.language.clone().or(source.language);
        source.tags.retain(|tag| !self.refused.contains(tag));
        Reading {
            source,
            drafts: std::mem::take(&mut self.drafts),
            problems: std::mem::take(&mut self.problems),
        }
    }
}
