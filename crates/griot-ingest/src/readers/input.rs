//! Input and output of all readers: the file, and the drafts made from it.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::Path;

use griot::model::{Error, Memory, Result, Scope, SourceType, Timestamp};
use griot::remember::{Draft, SourceDraft, checked_word};
use griot::text::Chunk;

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

impl Reading {
    /// Gives the memories to an agent, unless the file names another one.
    pub fn belongs_to(&mut self, agent: Option<&str>) {
        if let Some(agent) = agent {
            for draft in &mut self.drafts {
                draft.agent.get_or_insert_with(|| agent.to_string());
            }
        }
    }
}

/// One file or text with everything that its reader needs to know.
pub(crate) struct Input<'a> {
    /// The name in error messages.
    pub(crate) name: &'a str,
    pub(crate) path: &'a Path,
    pub(crate) origin: String,
    /// Added to the tags that the file gives.
    pub(crate) tags: &'a [String],
    pub(crate) metadata: &'a BTreeMap<String, String>,
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
        add_tags(&mut source.tags, self.tags.to_vec());
        source.metadata.clone_from(self.metadata);
        source
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

/// Adds tags, trimmed and without duplicates.
pub(crate) fn add_tags(tags: &mut Vec<String>, more: Vec<String>) {
    for tag in more {
        let tag = tag.trim();
        if !tag.is_empty() && !tag.contains('\0') && !tags.iter().any(|known| known == tag) {
            tags.push(tag.to_string());
        }
    }
}

/// What was read from an input and not passed on yet.
pub(crate) struct Batch<'a> {
    pub(crate) input: &'a Input<'a>,
    /// Links and facts are known at the end of the whole source.
    pub(crate) source: SourceDraft,
    /// The title in the content; without one, the file's name is the title.
    pub(crate) title: Option<String>,
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
}

impl<'a> Batch<'a> {
    pub(crate) fn new(input: &'a Input<'a>, is_chat: bool) -> Self {
        Self {
            input,
            source: input.source(is_chat),
            title: None,
            drafts: Vec::new(),
            bytes: 0,
            problems: Vec::new(),
            draft_count: 0,
            problem_count: 0,
            ordinals: HashMap::new(),
            refused: HashSet::new(),
        }
    }

    pub(crate) fn error(&self, why: impl Into<String>) -> Error {
        self.input.error(why)
    }

    /// A draft with the kind, scope and tags of the options.
    pub(crate) fn draft(&self, text: impl Into<String>, kind: &str) -> Draft {
        let mut draft = Draft::new(text);
        draft.kind = Some(self.input.kind.unwrap_or(kind).to_string());
        draft.scope = self.input.scope.clone();
        add_tags(&mut draft.tags, self.input.tags.to_vec());
        draft
    }

    /// A passage of a document, with the time of the file.
    pub(crate) fn passage(&self, text: impl Into<String>) -> Draft {
        Draft { occurred_at: self.input.time(), ..self.draft(text, "passage") }
    }

    /// Adds a draft like this one for each chunk, with the chunk's text and below its heading.
    pub(crate) fn push_chunks(&mut self, chunks: Vec<Chunk>, like: &Draft, label: &str) {
        for chunk in chunks {
            let heading = [like.heading.as_slice(), &chunk.heading].concat();
            self.push(Draft { text: chunk.text, heading, ..like.clone() }, label);
        }
    }

    /// Adds a draft and returns its ordinal in its session. Blank drafts are left out. `label` names the
    /// draft in problems, such as `line 3`.
    pub(crate) fn push(&mut self, mut draft: Draft, label: &str) -> Option<u32> {
        if draft.text.trim().is_empty() {
            return None;
        }
        if draft.text.contains('\0') {
            self.problem(format!("{label} holds a NUL character"));
            return None;
        }
        self.mend(&mut draft, label);
        if draft.kind.as_deref() == Some(Memory::PASSAGE) {
            let stem = self.input.stem();
            let titles = [self.title.as_deref().unwrap_or_default(), &stem];
            let file = self.input.modified;
            let stated = draft.occurred_at.filter(|_| draft.occurred_at != file);
            draft.occurred_at = time::of_passage(&draft.heading, stated, &titles, file);
        }
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
    fn mend(&mut self, draft: &mut Draft, label: &str) {
        let input = self.input;
        let is_word = |what: &str, word: &str| checked_word(what, word).is_ok();
        let mut wrong = Vec::new();
        let of_content = draft.kind.clone().filter(|kind| input.kind != Some(kind.as_str()));
        if let Some(kind) = of_content.filter(|kind| !is_word("kind", kind)) {
            let usual = if draft.speaker.is_some() { "turn" } else { "passage" };
            draft.kind = Some(input.kind.unwrap_or(usual).to_string());
            wrong.push(("kind", kind));
        }
        let is_kept = |tag: &str| is_word("tag", tag) || input.tags.iter().any(|asked| asked.trim() == tag);
        wrong.extend(draft.tags.extract_if(.., |tag| !is_kept(tag)).map(|tag| ("tag", tag)));
        for (what, word) in wrong {
            if self.refused.insert(word.clone()) {
                let why = format!("{label} has the {what} {}, which is left out", shown_text(&word));
                let hint = "a word of at most 64 letters, digits and some of . / : # @ _ -";
                self.report(self.error(why).hint(hint));
            }
        }
    }

    /// Reports something that was left out.
    pub(crate) fn problem(&mut self, why: impl Into<String>) {
        self.report(self.error(why));
    }

    pub(crate) fn report(&mut self, problem: Error) {
        self.problem_count += 1;
        if self.problem_count <= PROBLEMS {
            self.problems.push(problem);
        }
    }

    /// Ends a source. Nothing but problems is an error: the file is damaged and not empty, so that what is
    /// known from it must stay.
    pub(crate) fn finish(&mut self, hash: [u8; 32]) -> Result<Reading> {
        if self.draft_count == 0 && !self.problems.is_empty() {
            return Err(self.problems.swap_remove(0));
        }
        if self.problem_count > PROBLEMS {
            self.problems.push(self.error(format!("{} more problems", self.problem_count - PROBLEMS)));
        }
        self.source.content_hash = Some(hash);
        Ok(self.take())
    }

    /// The number of drafts, and the bytes of their texts.
    pub(crate) fn size(&self) -> (usize, usize) {
        (self.drafts.len(), self.bytes)
    }

    /// Hands on what was read; ordinals and counts continue.
    pub(crate) fn take(&mut self) -> Reading {
        self.bytes = 0;
        let mut source = SourceDraft {
            links: std::mem::take(&mut self.source.links),
            facts: std::mem::take(&mut self.source.facts),
            ..self.source.clone()
        };
        source.title = self.title.clone().or(source.title);
        source.tags.retain(|tag| !self.refused.contains(tag));
        let (drafts, problems) = (std::mem::take(&mut self.drafts), std::mem::take(&mut self.problems));
        Reading { source, drafts, problems }
    }
}
