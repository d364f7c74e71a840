//! The answer of `recall`: results, their reasons, and candidates that were left out.

use std::path::{MAIN_SEPARATOR, Path};

use griot::engine::Engine;
use griot::model::{Layer, Result};
use griot::recall;

use crate::citation::{Sources, citation};
use crate::object::shown;
use crate::{Entity, Hop, Memory, RolloutTrace, SourceRef, Span, Time};

objects! {
    /// The answer to `recall`.
    Recall from (recall: recall::Recall) {
        /// The question as it was asked.
        query: String,
        /// The revision of the store that answered.
        revision: u64,
        /// How the question was understood.
        understanding: Understanding,
        /// Results, best first.
        results: Vec<RecallResult>,
        /// Standing rules of the scope, separate from the results. They do not count towards the limit, and
        /// an answer with rules but no results is still empty.
        rules: Vec<Rule> = shown(&recall.rules.shown),
        /// Number of rules omitted because they exceed `recall.rules_budget`.
        rules_left_out: usize = recall.rules.left_out,
        /// For questions that ask why: how results are connected, cause before effect.
        chains: Vec<Chain>,
        /// How many memories were scored.
        candidates: usize,
        /// Tokens of the results' texts, about 4 characters each.
        tokens: usize,
        /// Why nothing is returned, and how close the best candidate came.
        abstained: Option<String>,
        /// Number of results too long for `budget`, where none fits; `abstained` says so, too.
        left_out: usize = 0,
        /// Candidates left out, and why; empty unless requested.
        rejected: Vec<Rejected>,
        /// Components that could not be used (embedder, graph), and why; normally empty.
        missing: Vec<String> = recall.missing.iter().map(ToString::to_string).collect(),
        /// The requested and the applied strategy, and why.
        rollout: RolloutTrace = RolloutTrace::of(&recall.made),
    }

    /// A standing rule or preference of a scope.
    Rule from (rule: recall::RecalledRule) {
        /// Stable id.
        id: String = shown(&rule.memory.id),
        /// Short name, such as `#a1b2c3`.
        handle: String = shown(&rule.memory.handle),
        /// The text, verbatim.
        text: String = rule.memory.text.clone(),
        /// `preference`, `decision`, …
        kind: String = rule.memory.kind.clone(),
        /// Tags, as given.
        tags: Vec<String> = rule.memory.tags.clone(),
        /// 1 (trivial) to 5 (vital).
        importance: u8 = rule.memory.importance,
        /// The user it belongs to; `null` if all users share it.
        user: Option<String> = rule.memory.scope.user.clone(),
        /// The project it is about; `null` if none in particular.
        project: Option<String> = rule.memory.scope.project.clone(),
        /// When it was said.
        occurred_at: Time = rule.memory.occurred_at.into(),
        /// When it expires.
        expires_at: Option<Time> = shown(&rule.memory.expires_at),
        /// Why the text needs care: `secret` (contains a key or password), `instructions` (addresses a model
        /// that reads it).
        flags: Vec<String> = crate::node::flags(&rule.memory.text),
        /// Relevance to the question, 0..=1.
        relevance: f32,
        /// Whether its relevance is high enough for the question.
        relevant: bool,
    }

    /// How a question was understood.
    Understanding from (understanding: recall::Understanding) {
        /// `why`, `when`, `entity` or `general`.
        intent: String,
        /// 0..=1.
        intent_confidence: f32,
        /// What a `why` question asks for: `causes` or `consequences`; `null` for other questions.
        direction: Option<String> = understanding.direction.map(str::to_string),
        /// Words searched for, folded and cut to their stem.
        terms: Vec<String>,
        /// Entities of the store that the question names.
        entities: Vec<Entity>,
        /// Time expressions and the spans they denote.
        times: Vec<TimeReading>,
        /// Language of the question, such as `english`.
        language: String,
        /// The question in the other languages of the store, word by word.
        translations: Vec<Translation>,
    }

    /// A question in another language.
    Translation from (translation: griot::text::Translation) {
        /// Such as `german`.
        language: String = translation.language.name().to_string(),
        /// Words searched for, folded and cut to their stem.
        terms: Vec<String>,
    }

    /// A time expression and the span it denotes.
    TimeReading from (reading: (String, griot::model::Interval)) {
        /// The words.
        words: String = reading.0.clone(),
        /// The span.
        interval: Interval = shown(&reading.1),
    }

    /// A span of time: `start` belongs to it, `end` does not.
    Interval from (interval: griot::model::Interval) {
        /// First moment.
        start: Time,
        /// First moment after it.
        end: Time,
    }

    /// One memory of an answer.
    RecallResult from (result: recall::RecallResult) {
        /// Stable id.
        id: String = shown(&result.memory.id),
        /// Short name, such as `#a1b2c3`.
        handle: String = shown(&result.memory.handle),
        /// The text, verbatim.
        text: String = result.memory.text.clone(),
        /// `insight`, `decision`, `passage`, `turn`, …
        kind: String = result.memory.kind.clone(),
        /// Tags, as given.
        tags: Vec<String> = result.memory.tags.clone(),
        /// `code`, `execution`, `knowledge` or `project`: follows from its type or kind.
        layer: String = shown(&Layer::of_memory(&result.memory.kind)),
        /// `long_term`, `working` (expires automatically), or `rule` if rules were requested.
        tier: String = shown(&result.memory.tier),
        /// When it expires; `null` if it does not.
        expires_at: Option<Time> = shown(&result.memory.expires_at),
        /// 1 (trivial) to 5 (vital).
        importance: u8 = result.memory.importance,
        /// The user it belongs to; `null` if all users share it.
        user: Option<String> = result.memory.scope.user.clone(),
        /// The project it is about; `null` if none in particular.
        project: Option<String> = result.memory.scope.project.clone(),
        /// Its source.
        source: SourceRef = SourceRef::of(result.memory.source, &result.title),
        /// Where a person finds it: `notes/decisions.md:67`, `report.pdf › page 3`, a URL; `null` if stored
        /// by a call.
        cite: Option<String> = None,
        /// Other sources with the same or nearly the same text, such as another form of the document.
        also_in: Vec<AlsoIn>,
        /// Headings above a passage, outermost first.
        heading: Vec<String> = result.memory.heading.clone(),
        /// Lines in the source.
        lines: Option<Span> = shown(&result.memory.lines),
        /// Who said it.
        speaker: Option<String> = result.memory.speaker.clone(),
        /// The session it belongs to.
        session: Option<String> = result.memory.session.clone(),
        /// When it happened or was said; of a passage whose document states no day, when its file was
        /// changed.
        occurred_at: Time = result.memory.occurred_at.into(),
        /// Id of the memory that replaced it.
        superseded_by: Option<String> = shown(&result.memory.superseded_by),
        /// Why the text needs care: `secret` (contains a key or password), `instructions` (addresses a model
        /// that reads it), `written_by_model` (a language model wrote it about others).
        flags: Vec<String> = crate::node::flags(&result.memory.text),
        /// Probability that it bears on the question, never higher than that of an earlier result; the sum of
        /// the shares of `signals`.
        score: f32,
        /// `direct_match` (its own words), `similar_meaning` (its vector is close), `place` (its session,
        /// document or neighbours), `graph_expansion` (reached over edges) or `time`.
        why_included: String,
        /// The summands of the score.
        signals: Vec<Signal>,
        /// Id of the memory from which the path starts; `null` if the graph did not bring this result.
        seed_memory: Option<String> = result.path.first().map(|hop| id_of(&hop.from)),
        /// The node next to this memory on the path.
        linked_node: Option<String> = result.path.last().map(|hop| id_of(&hop.from)),
        /// Kind of the last edge of the path.
        edge_type: Option<String> = result.path.last().map(|hop| hop.kind.name().into()),
        /// Steps from the start of the path.
        hop_count: usize = result.path.len(),
        /// Product of the confidences over the path, 0..=1; `null` without a path.
        confidence: Option<f32> = confidence(&result.path),
        /// The path to this memory, step by step.
        path: Vec<Hop>,
        /// Names of entities that it shares with the question.
        entities: Vec<String>,
        /// Whether it still holds; `null` where nothing is known.
        standing: Option<Standing>,
    }

    /// Another source with the text of a result.
    AlsoIn from (memory: griot::model::Memory) {
        /// Id of the memory there.
        id: String = shown(&memory.id),
        /// Its short name.
        handle: String = shown(&memory.handle),
        /// Its source.
        source: SourceRef = SourceRef::of(memory.source, &None),
        /// Where a person finds it: see `cite` of a result.
        cite: Option<String> = None,
        /// Headings above it, outermost first.
        heading: Vec<String> = memory.heading.clone(),
        /// Lines in the source.
        lines: Option<Span> = shown(&memory.lines),
    }

    /// Whether a memory still holds.
    Standing from (standing: recall::Standing) {
        /// `current`, `outdated`, `planned`, `cancelled`, `temporary` or `contradicted`.
        r#is: String = standing.kind.name().into(),
        /// Since when it is so.
        since: Option<Time> = shown(&standing.since),
        /// Until when it holds, by its own words.
        until: Option<Time> = shown(&standing.until),
        /// Id of the memory that replaced, cancelled or contradicts it.
        by: Option<String> = standing.by.as_ref().map(|by| by.id.to_string()),
        /// Short name of that memory.
        by_handle: Option<String> = standing.by.as_ref().map(|by| by.handle.to_string()),
        /// `true` if an edge says so, `false` if it was read from the texts.
        certain: bool,
    }

    /// One named summand of a score.
    Signal from (signal: recall::Signal) {
        /// What was measured.
        name: String,
        /// The measured value, usually 0..=1.
        value: f32,
        /// What it adds to the score; the shares of a result sum to its score.
        share: f32,
    }

    /// A causal chain between results.
    Chain from (chain: recall::Chain) {
        /// From cause to effect.
        hops: Vec<Hop>,
        /// Product of the hops' confidences, 0..=1.
        confidence: f32,
    }

    /// A candidate that is not in the answer.
    Rejected from (rejected: recall::Rejected) {
        /// The memory.
        memory: Memory,
        /// Its score.
        score: f32,
        /// `floor`, `scope` (another project), `limit`, `budget`, `redundant` or `superseded`.
        reason: String,
    }
}

impl Recall {
    /// With each result's source, which the engine's answer leaves out, and where it is found.
    pub fn with_sources(mut self, engine: &Engine) -> Result<Self> {
        let shown = self.results.iter().map(|result| (result.id.as_str(), result.kind.as_str()));
        let mut sources = Sources::of(engine, shown)?;
        self.results.iter_mut().try_for_each(|result| result.cite_from(&mut sources))?;
        Ok(self)
    }

    /// With files below a folder cited as they are named from there.
    pub fn within(mut self, folder: &Path) -> Self {
        let cites = self.results.iter_mut().flat_map(|result| {
            let others = result.also_in.iter_mut().map(|other| &mut other.cite);
            others.chain([&mut result.cite])
        });
        for cite in cites.flatten() {
            let inside = folder.to_str().and_then(|folder| cite.strip_prefix(folder));
            if let Some(inside) = inside.and_then(|inside| inside.strip_prefix(MAIN_SEPARATOR)) {
                *cite = inside.to_string();
            }
        }
        self
    }
}

impl RecallResult {
    /// Fills in the kind, origin and trust of its sources, and where it is found.
    fn cite_from(&mut self, sources: &mut Sources<'_>) -> Result<()> {
        if let Some(source) = sources.get(&self.source.id)? {
            self.source.describe(source);
            self.cite = citation(source, &self.heading, self.lines.as_ref(), &self.text);
        }
        sources.flag_author(&self.id, &mut self.flags);
        for other in &mut self.also_in {
            if let Some(source) = sources.get(&other.source.id)? {
                other.source.describe(source);
                other.source.title.clone_from(&source.title);
                other.cite = citation(source, &other.heading, other.lines.as_ref(), &self.text);
            }
        }
        Ok(())
    }
}

fn id_of(node: &recall::PathNode) -> String {
    match node {
        recall::PathNode::Memory { id, .. } | recall::PathNode::Entity { id, .. } => id.clone(),
    }
}

/// Product of the confidences over a path; `None` without one.
fn confidence(path: &[recall::Hop]) -> Option<f32> {
    (!path.is_empty()).then(|| path.iter().map(|hop| hop.confidence).product())
}

impl Understanding {
    /// The words searched for in all languages.
    pub fn searched(&self) -> Vec<String> {
        let translated = self.translations.iter().flat_map(|one| &one.terms);
        self.terms.iter().chain(translated).cloned().collect()
    }
}

impl RecallResult {
    /// The day, and what was said in a conversation to the minute. `None` of a passage whose document states
    /// no day: its time is that of a file.
    pub fn when(&self) -> Option<String> {
        let at = self.occurred_at;
        let is_stated = griot::model::Memory::states_time(&self.kind, at.0);
        is_stated.then(|| if self.speaker.is_some() { at.minute() } else { at.day() })
    }

    /// The title of its source, or who stored it.
    pub fn named_source(&self) -> Option<String> {
        let origin = self.source.origin.as_ref().filter(|_| self.cite.is_none());
        self.source.title.as_ref().or(origin).cloned()
    }
}

impl Standing {
    /// `outdated since 2026-03-01 by #a1b2c3`.
    pub fn words(&self) -> String {
        let mut words = self.r#is.clone();
        match (self.r#is.as_str(), self.until) {
            ("temporary", Some(until)) => words.push_str(&format!(" until {}", until.day())),
            ("current", _) => words.extend(self.since.map(|since| format!(" since {}", since.day()))),
            ("outdated" | "cancelled", _) => {
                words.extend(self.since.map(|since| format!(" since {}", since.day())));
            }
            _ => {}
        }
        words.extend(self.by_handle.as_ref().map(|by| format!(" by {by}")));
        words
    }
}
