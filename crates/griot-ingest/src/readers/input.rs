//! What the readers share: the file that they read, and the drafts that they make of it.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use griot::model::{Error, Result, SourceType, Timestamp};
use griot::remember::{Draft, DraftFact, DraftLink, SourceDraft, checked_word};

use crate::format::Shape;
use crate::read::printed;
use crate::readers::record::shown_text;
use crate::{ReadOptions, Reading, time};

/// So many problems of a source are told one by one.
const PROBLEMS: usize = 99;

/// One file or text with everything that its readers need to know.
pub(crate) struct Input<'a> {
    /// What errors name.
    pub(crate) name: &'a str,
    pub(crate) path: &'a Path,
    origin: String,
    pub(crate) options: &'a ReadOptions,
    pub(crate) modified: Option<Timestamp>,
    /// It lies where its path says, and what lies beside it may be looked at.
    pub(crate) is_file: bool,
}

impl<'a> Input<'a> {
    pub(crate) fn new(name: &'a str, path: &'a Path, origin: String, options: &'a ReadOptions) -> Self {
        Self { name, path, origin, options, modified: None, is_file: false }
    }

    pub(crate) fn error(&self, why: impl Into<String>) -> Error {
        Error::invalid(format!("read `{}`", self.name), why)
    }

    /// What its source is named by.
    pub(crate) fn origin(&self) -> &str {
        &self.origin
    }

    /// The file's name.
    pub(crate) fn title(&self) -> String {
        self.stem()
    }

    fn stem(&self) -> String {
        let stem = printed(Path::new(self.path.file_stem().unwrap_or_default()));
        stem.strip_suffix(".chat").unwrap_or(&stem).to_string()
    }

    pub(crate) fn source(&self, shape: Shape) -> SourceDraft {
        let kind = if shape.is_chat() { SourceType::Chat } else { SourceType::File };
        let mut source = SourceDraft::new(kind, self.origin.clone());
        source.title = Some(self.stem()).filter(|stem| !stem.is_empty() && stem != "-");
        source.from_disk = self.is_file;
        self.add_tags(&mut source.tags, self.options.tags.clone());
        source
    }

    /// A draft with what the options say.
    pub(crate) fn draft(&self, text: String, kind: &str) -> Draft {
        let mut draft = Draft::new(text);
        draft.kind = Some(self.options.kind.clone().unwrap_or_else(|| kind.to_string()));
        draft.scope = self.options.scope.clone();
        self.add_tags(&mut draft.tags, self.options.tags.clone());
        draft
    }

    /// Trimmed, each once.
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

    /// When the whole was written, as far as its name or the file system knows.
    pub(crate) fn time(&self) -> Option<Timestamp> {
        self.named_time().or(self.modified)
    }
}

/// What a document's package says about it.
#[derive(Default)]
pub(crate) struct About {
    pub(crate) title: Option<String>,
    pub(crate) language: Option<String>,
    pub(crate) at: Option<Timestamp>,
}

/// What was read so far and not handed on.
#[derive(Default)]
pub(crate) struct Batch {
    drafts: Vec<Draft>,
    bytes: usize,
    problems: Vec<Error>,
    /// In the whole source.
    draft_count: usize,
    problem_count: usize,
    /// The next one of each session.
    ordinals: HashMap<Option<String>, u32>,
    /// Kinds and tags that were left out; each is told once.
    refused: HashSet<String>,
    /// What the content calls itself; else the file's name is its title.
    pub(crate) title: Option<String>,
    /// That the content says it is written in.
    pub(crate) language: Option<String>,
    /// Edges between drafts of the whole source, known at its end.
    pub(crate) links: Vec<DraftLink>,
    /// Facts that drafts of the whole source say, known at its end.
    pub(crate) facts: Vec<DraftFact>,
}

impl Batch {
    /// Numbers the draft in its session, and answers that. Blank ones are left out.
    pub(crate) fn push(&mut self, input: &Input, mut draft: Draft, place: &str) -> Option<u32> {
        if draft.text.trim().is_empty() {
            return None;
        }
        if draft.text.contains('\0') {
            self.problem(input.error(format!("{place} holds a NUL character")));
            return None;
        }
        self.mend(input, &mut draft, place);
        let next = self.ordinals.entry(draft.session.clone()).or_default();
        let ordinal = *next;
        draft.ordinal = Some(ordinal);
        *next = next.saturating_add(1);
        self.bytes += draft.text.len();
        self.draft_count += 1;
        self.drafts.push(draft);
        Some(ordinal)
    }

    /// A kind or tag that the engine does not take would make it refuse the whole source. What the caller
    /// asked for is the caller's affair, and refused there.
    fn mend(&mut self, input: &Input, draft: &mut Draft, place: &str) {
        let is_word = |what: &str, word: &str| checked_word(what, word).is_ok();
        let mut wrong = Vec::new();
        if let Some(kind) =
            draft.kind.as_ref().filter(|kind| !is_word("kind", kind) && draft.kind != input.options.kind)
        {
            wrong.push(("kind", kind.clone()));
            let usual = if draft.speaker.is_some() { "turn" } else { "passage" };
            draft.kind = Some(input.options.kind.clone().unwrap_or_else(|| usual.to_string()));
        }
        draft.tags.retain(|tag| {
            let stays = is_word("tag", tag) || input.options.tags.iter().any(|asked| asked.trim() == tag);
            if !stays {
                wrong.push(("tag", tag.clone()));
            }
            stays
        });
        for (what, word) in wrong {
            if self.refused.insert(word.clone()) {
                let why = format!("{place} has the {what} {}, which is left out", shown_text(&word));
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

    /// At the end of a source. Nothing but problems is an error: the file is damaged, not empty, and what is
    /// known of it shall stay.
    pub(crate) fn finish(&mut self, input: &Input) -> Result<()> {
        if self.draft_count == 0 && !self.problems.is_empty() {
            return Err(self.problems.swap_remove(0));
        }
        if self.problem_count > PROBLEMS {
            self.problems.push(input.error(format!("{} more problems", self.problem_count - PROBLEMS)));
        }
        Ok(())
    }

    /// Drafts, and bytes of their texts.
    pub(crate) fn size(&self) -> (usize, usize) {
        (self.drafts.len(), self.bytes)
    }

    /// Hands on what is there; the counts go on.
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
