//! The answer of `recall`: results, their reasons, and candidates that were left out.

use std::collections::BTreeMap;

use griot::backend::Read;
use griot::model::{Layer, Result, Source, SourceId};
use griot::recall;

use crate::{Entity, Hop, Memory, RolloutTrace, SourceRef, Span, Time};

objects! {
    /// The answer to `recall`.
    Recall {
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
        rules: Vec<Rule>,
        /// Number of rules omitted because they exceed `recall.rules_budget`.
        rules_left_out: usize,
        /// For questions that ask why: how results are connected, cause before effect.
        chains: Vec<Chain>,
        /// How many memories were scored.
        candidates: usize,
        /// Tokens of the results' texts, about 4 characters each.
        tokens: usize,
        /// Why nothing is returned: what was searched for and how close the best candidate came.
        abstained: Option<String>,
        /// Candidates left out, and why; empty unless requested.
        rejected: Vec<Rejected>,
        /// Components that could not be used (embedder, graph), and why; normally empty.
        missing: Vec<String>,
        /// The requested and the applied strategy, and why.
        rollout: RolloutTrace,
    }

    /// A standing rule or preference of a scope.
    Rule {
        /// Stable id.
        id: String,
        /// Short name, such as `#a1b2c3`.
        handle: String,
        /// The text, verbatim.
        text: String,
        /// `preference`, `decision`, …
        kind: String,
        /// Tags, as given.
        tags: Vec<String>,
        /// 1 (trivial) to 5 (vital).
        importance: u8,
        /// The user it belongs to; `null` if all users share it.
        user: Option<String>,
        /// The project it is about; `null` if none in particular.
        project: Option<String>,
        /// When it was said.
        occurred_at: Time,
        /// When it expires.
        expires_at: Option<Time>,
        /// Why the text needs care: `secret` (contains a key or password), `instructions` (addresses a model
        /// that reads it).
        flags: Vec<String>,
        /// Relevance to the question, 0..=1.
        relevance: f32,
        /// Whether it passes the relevance floor of results.
        relevant: bool,
    }

    /// How a question was understood.
    Understanding {
        /// `why`, `when`, `entity` or `general`.
        intent: String,
        /// 0..=1.
        intent_confidence: f32,
        /// Words searched for, folded and cut to their stem.
        terms: Vec<String>,
        /// Entities of the store that the question names.
        entities: Vec<Entity>,
        /// Time expressions and the spans they denote.
        times: Vec<TimeReading>,
        /// Language of the question, such as `english`.
        language: String,
    }

    /// A time expression and the span it denotes.
    TimeReading {
        /// The words.
        words: String,
        /// The span.
        interval: Interval,
    }

    /// A span of time: `start` belongs to it, `end` does not.
    Interval {
        /// First moment.
        start: Time,
        /// First moment after it.
        end: Time,
    }

    /// One memory of an answer.
    RecallResult {
        /// Stable id.
        id: String,
        /// Short name, such as `#a1b2c3`.
        handle: String,
        /// The text, verbatim.
        text: String,
        /// `insight`, `decision`, `passage`, `turn`, …
        kind: String,
        /// Tags, as given.
        tags: Vec<String>,
        /// `code`, `execution`, `knowledge` or `project`: follows from its type or kind.
        layer: String,
        /// `long_term`, `working` (expires automatically), or `rule` if rules were requested.
        tier: String,
        /// When it expires; `null` if it does not.
        expires_at: Option<Time>,
        /// 1 (trivial) to 5 (vital).
        importance: u8,
        /// The user it belongs to; `null` if all users share it.
        user: Option<String>,
        /// The project it is about; `null` if none in particular.
        project: Option<String>,
        /// Its source.
        source: SourceRef,
        /// Headings above a passage, outermost first.
        heading: Vec<String>,
        /// Lines in the source.
        lines: Option<Span>,
        /// Who said it.
        speaker: Option<String>,
        /// The session it belongs to.
        session: Option<String>,
        /// When it happened or was said.
        occurred_at: Time,
        /// Id of the memory that replaced it.
        superseded_by: Option<String>,
        /// Why the text needs care: `secret` (contains a key or password), `instructions` (addresses a model
        /// that reads it).
        flags: Vec<String>,
        /// Sum of the shares of `signals`: 1 is the maximum; a poor match may fall below 0.
        score: f32,
        /// `direct_match` (its own words), `similar_meaning` (its vector is close), `place` (its session,
        /// document or neighbours), `graph_expansion` (reached over edges) or `time`.
        why_included: String,
        /// The summands of the score.
        signals: Vec<Signal>,
        /// Id of the memory from which the path starts; `null` if the graph did not bring this result.
        seed_memory: Option<String>,
        /// The node next to this memory on the path.
        linked_node: Option<String>,
        /// Kind of the last edge of the path.
        edge_type: Option<String>,
        /// Steps from the start of the path.
        hop_count: usize,
        /// Product of the confidences over the path, 0..=1; `null` without a path.
        confidence: Option<f32>,
        /// The path to this memory, step by step.
        path: Vec<Hop>,
        /// Names of entities that it shares with the question.
        entities: Vec<String>,
    }

    /// One named summand of a score.
    Signal {
        /// What was measured.
        name: String,
        /// The measured value, usually 0..=1.
        value: f32,
        /// What it adds to the score; the shares of a result sum to its score.
        share: f32,
    }

    /// A causal chain between results.
    Chain {
        /// From cause to effect.
        hops: Vec<Hop>,
        /// Product of the hops' confidences, 0..=1.
        confidence: f32,
    }

    /// A candidate that is not in the answer.
    Rejected {
        /// The memory.
        memory: Memory,
        /// Its score.
        score: f32,
        /// `floor`, `scope` (another project), `limit`, `budget`, `redundant` or `superseded`.
        reason: String,
    }
}

impl From<&recall::Recall> for Recall {
    fn from(recall: &recall::Recall) -> Self {
        Self {
            query: recall.query.clone(),
            revision: recall.revision.0,
            understanding: (&recall.understanding).into(),
            results: recall.results.iter().map(Into::into).collect(),
            rules: recall.rules.shown.iter().map(Into::into).collect(),
            rules_left_out: recall.rules.left_out,
            chains: recall.chains.iter().map(Into::into).collect(),
            candidates: recall.candidates,
            tokens: recall.tokens,
            abstained: recall.abstained.clone(),
            rejected: recall.rejected.iter().map(Into::into).collect(),
            missing: recall.missing.clone(),
            rollout: RolloutTrace::of(&recall.made),
        }
    }
}

impl Recall {
    /// With kind and origin of each result's source, which the engine's answer leaves out.
    pub fn with_sources(mut self, store: &dyn Read) -> Result<Self> {
        let mut known: BTreeMap<String, Option<Source>> = BTreeMap::new();
        for result in &mut self.results {
            let id = &result.source.id;
            if !known.contains_key(id) {
                let source = SourceId::parse(id).map(|id| store.source(id)).transpose()?.flatten();
                known.insert(id.clone(), source);
            }
            if let Some(Some(source)) = known.get(id) {
                result.source.kind = Some(source.kind.name().into());
                result.source.origin = Some(source.origin.clone());
                result.source.trust = Some(source.kind.trust().name().into());
            }
        }
        Ok(self)
    }
}

impl From<&recall::Understanding> for Understanding {
    fn from(understanding: &recall::Understanding) -> Self {
        Self {
            intent: understanding.intent.name().into(),
            intent_confidence: understanding.intent_confidence,
            terms: understanding.terms.clone(),
            entities: understanding.entities.iter().map(Into::into).collect(),
            times: understanding
                .times
                .iter()
                .map(|(words, interval)| TimeReading {
                    words: words.clone(),
                    interval: Interval { start: interval.start.into(), end: interval.end.into() },
                })
                .collect(),
            language: understanding.language.into(),
        }
    }
}

impl From<&recall::RecalledRule> for Rule {
    fn from(rule: &recall::RecalledRule) -> Self {
        let memory = &rule.memory;
        Self {
            id: memory.id.to_string(),
            handle: memory.handle.to_string(),
            text: memory.text.clone(),
            kind: memory.kind.clone(),
            tags: memory.tags.clone(),
            importance: memory.importance,
            user: memory.scope.user.clone(),
            project: memory.scope.project.clone(),
            occurred_at: memory.occurred_at.into(),
            expires_at: memory.expires_at.map(Into::into),
            flags: crate::node::flags(&memory.text),
            relevance: rule.relevance,
            relevant: rule.relevant,
        }
    }
}

impl From<&recall::RecallResult> for RecallResult {
    fn from(result: &recall::RecallResult) -> Self {
        let memory = &result.memory;
        let path: Vec<Hop> = result.path.iter().map(Into::into).collect();
        let confidence = (!path.is_empty()).then(|| path.iter().map(|hop| hop.confidence).product());
        Self {
            id: memory.id.to_string(),
            handle: memory.handle.to_string(),
            text: memory.text.clone(),
            kind: memory.kind.clone(),
            tags: memory.tags.clone(),
            layer: Layer::of_memory(&memory.kind).name().into(),
            tier: memory.tier.name().into(),
            expires_at: memory.expires_at.map(Into::into),
            importance: memory.importance,
            user: memory.scope.user.clone(),
            project: memory.scope.project.clone(),
            source: SourceRef {
                id: memory.source.to_string(),
                kind: None,
                origin: None,
                trust: None,
                title: result.title.clone(),
            },
            heading: memory.heading.clone(),
            lines: memory.lines.map(Into::into),
            speaker: memory.speaker.clone(),
            session: memory.session.clone(),
            occurred_at: memory.occurred_at.into(),
            superseded_by: memory.superseded_by.map(|id| id.to_string()),
            flags: crate::node::flags(&memory.text),
            score: result.score,
            why_included: result.why_included.name().into(),
            signals: result
                .signals
                .iter()
                .map(|signal| Signal { name: signal.name.into(), value: signal.value, share: signal.share })
                .collect(),
            seed_memory: path.first().map(|hop| hop.from.id.clone()),
            linked_node: path.last().map(|hop| hop.from.id.clone()),
            edge_type: path.last().map(|hop| hop.kind.clone()),
            hop_count: path.len(),
            confidence,
            path,
            entities: result.entities.clone(),
        }
    }
}

impl From<&recall::Chain> for Chain {
    fn from(chain: &recall::Chain) -> Self {
        Self { hops: chain.hops.iter().map(Into::into).collect(), confidence: chain.confidence }
    }
}

impl From<&recall::Rejected> for Rejected {
    fn from(rejected: &recall::Rejected) -> Self {
        Self {
            memory: (&rejected.memory).into(),
            score: rejected.score,
            reason: rejected.reason.name().into(),
        }
    }
}
