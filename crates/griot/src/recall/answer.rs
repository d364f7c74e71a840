//! The question of a caller and the complete answer: results, the reason for each, and omissions.

use crate::backend::{Belief, Filter};
use crate::model::{
    EdgeKind, Entity, EntityType, Evidence, Interval, Layer, Memory, Node, Provenance, Revision, Scope,
    SourceId, Tier, Timestamp,
};
use crate::rollout::{Made, Strategy};
use crate::settings::{Effort, RecallSettings};

use super::Standing;
use crate::text::{self, Intent, Translation};
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Query {
    pub text: String,
    /// Time expressions are relative to this.
    pub now: Timestamp,
    /// The most results to return (default 10).
    pub limit: usize,
    /// Pack results into this many tokens (about 4 characters each) instead of a fixed number.
    pub budget: Option<usize>,
    pub scope: Scope,
    pub kinds: Vec<String>,
    /// Only memories of these layers, as derived from their kind; empty for all.
    pub layers: Vec<Layer>,
    pub tags: Vec<String>,
    pub sources: Vec<SourceId>,
    pub agent: Option<String>,
    pub session: Option<String>,
    /// Only memories with an event time in this interval.
    pub occurred: Option<Interval>,
    /// Answer with what held at this time; overrides a time in the text.
    pub as_of: Option<Timestamp>,
    /// Overrides the intent detected in the text.
    pub intent: Option<Intent>,
    pub superseded: bool,
    /// Exclude memories from the web.
    pub trusted: bool,
    /// Only memories of these tiers. Empty means all but rules, which are returned separately.
    pub tiers: Vec<Tier>,
    /// Return the rules of the scope as well.
    pub rules: bool,
    /// Return nothing rather than something irrelevant.
    pub floor: bool,
    /// The least probability of a result, with `floor`; `None` uses the workspace's setting.
    pub least: Option<f32>,
    /// `false` disables the graph, whatever the workspace's mode.
    pub graph: bool,
    /// The requested strategy; `None` uses the workspace's mode (see `rollout`).
    pub strategy: Option<Strategy>,
    /// Tighter bounds for the graph walk.
    pub reach: Option<Reach>,
    /// List rejected candidates with reasons.
    pub rejected: bool,
    /// `None` uses the workspace's setting.
    pub effort: Option<Effort>,
}

impl Query {
    pub fn new(text: impl Into<String>, now: Timestamp) -> Self {
        Self { text: text.into(), now, limit: 10, rules: true, floor: true, graph: true, ..Self::default() }
    }

    /// What it asks, without a greeting.
    pub fn question(&self) -> &str {
        text::ungreeted(self.text.trim())
    }

    /// What results may be; edges are believed as the settings say.
    pub fn filter(&self, belief: Belief) -> Filter {
        // Rules are returned separately unless the question asks for them.
        let besides_rules = || vec![Tier::LongTerm, Tier::Working];
        Filter {
            scope: self.scope.clone(),
            kinds: self.kinds.clone(),
            layers: self.layers.clone(),
            tags: self.tags.clone(),
            sources: self.sources.clone(),
            agent: self.agent.clone(),
            session: self.session.clone(),
            occurred: self.occurred,
            superseded: self.superseded,
            trusted: self.trusted,
            tiers: if self.tiers.is_empty() { besides_rules() } else { self.tiers.clone() },
            now: Some(self.now),
            belief,
        }
    }
}

/// Bounds of a graph walk, on top of the fixed ones.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reach {
    /// The most edges between a seed and a memory it reaches.
    pub hops: usize,
    /// The most memories that only the walk brings, and the most that only the second question brings.
    pub memories: usize,
}

impl Reach {
    /// The requested bounds, capped by the settings.
    pub fn within(asked: Option<Self>, settings: &RecallSettings) -> Self {
        let most = Self { hops: settings.graph_hops, memories: settings.graph_memories };
        asked.map_or(most, |asked| Self {
            hops: asked.hops.min(most.hops),
            memories: asked.memories.min(most.memories),
        })
    }
}

/// One named term of a score.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Signal {
    pub name: &'static str,
    /// The measured value, usually 0..1.
    pub value: f32,
    /// Contribution to the score: the shares of a result sum to its score.
    pub share: f32,
}

/// One end of a hop.
#[derive(Clone, PartialEq, Debug)]
pub enum PathNode {
    Memory { node: Node, id: String, handle: String, excerpt: String, occurred_at: Timestamp, layer: Layer },
    Entity { node: Node, id: String, name: String, kind: EntityType },
}

impl PathNode {
    pub fn node(&self) -> Node {
        match self {
            Self::Memory { node, .. } | Self::Entity { node, .. } => *node,
        }
    }

    pub fn layer(&self) -> Layer {
        match self {
            Self::Memory { layer, .. } => *layer,
            Self::Entity { kind, .. } => Layer::of_entity(*kind),
        }
    }
}

/// One step of a path, in walking order.
#[derive(Clone, PartialEq, Debug)]
pub struct Hop {
    pub from: PathNode,
    pub to: PathNode,
    pub kind: EdgeKind,
    pub label: String,
    /// Whether the edge runs from `from` to `to`.
    pub forward: bool,
    pub weight: f32,
    /// After fading to the time of the question.
    pub confidence: f32,
    pub provenance: Provenance,
    /// The edge is ignored from then on.
    pub expires_at: Option<Timestamp>,
    /// Number of the edge; 0 if it is derived from times or ordinals.
    pub edge: u32,
    pub evidence: Vec<Evidence>,
}

impl Hop {
    /// Hours between both ends of a temporal step.
    pub fn hours(&self) -> Option<f64> {
        match (&self.from, &self.to) {
            (PathNode::Memory { occurred_at: from, .. }, PathNode::Memory { occurred_at: to, .. })
                if self.kind == EdgeKind::Temporal =>
            {
                Some(from.hours_from(*to))
            }
            _ => None,
        }
    }
}

named! {
    /// How a result was found.
    WhyIncluded {
        /// Its own text matches.
        DirectMatch = "direct_match",
        /// It shares no word with the question, but its vector is similar.
        SimilarMeaning = "similar_meaning",
        /// Its context matches: session, document, neighbours.
        Place = "place",
        /// Reached over edges from a seed.
        GraphExpansion = "graph_expansion",
        Time = "time",
    }
    Rejection {
        Floor = "floor",
        /// It belongs to another project. Memories of other users are never listed: the user is an access
        /// boundary, the project only a filter.
        Scope = "scope",
        Limit = "limit",
        Budget = "budget",
        /// Nearly the same text as a better result, which names its source.
        Redundant = "redundant",
        Superseded = "superseded",
    }
}

#[derive(Clone, PartialEq, Debug)]
pub struct RecallResult {
    pub memory: Memory,
    /// Memories of other sources with the same or nearly the same text that rank lower; they are no results
    /// of their own.
    pub also_in: Vec<Memory>,
    pub title: Option<String>,
    /// The probability that it bears on the question; never higher than that of an earlier result. The sum of
    /// the signals' shares.
    pub score: f32,
    pub why_included: WhyIncluded,
    pub signals: Vec<Signal>,
    /// The memory where the path starts, if the graph affected the rank of this result.
    pub seed: Option<Node>,
    pub path: Vec<Hop>,
    /// Names of the entities that it shares with the question.
    pub entities: Vec<String>,
    /// Whether it still holds; `None` where nothing is known.
    pub standing: Option<Standing>,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Rejected {
    pub memory: Memory,
    pub score: f32,
    pub reason: Rejection,
}

/// A rule returned with an answer.
#[derive(Clone, PartialEq, Debug)]
pub struct RecalledRule {
    pub memory: Memory,
    /// Relevance to the question, 0..=1.
    pub relevance: f32,
    /// Whether it bears on the question.
    pub relevant: bool,
}
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Rules {
    pub shown: Vec<RecalledRule>,
    /// Number of rules that did not fit the budget.
    pub left_out: usize,
    pub tokens: usize,
}

/// A causal chain among the results of a WHY question, cause first.
#[derive(Clone, PartialEq, Debug)]
pub struct Chain {
    pub hops: Vec<Hop>,
    /// Product of the hops' confidences.
    pub confidence: f32,
}

/// A part that could not be used.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Missing {
    /// In words, such as "the graph was not used".
    pub part: String,
    /// May name files and addresses of this machine.
    pub why: Option<String>,
}

impl Missing {
    pub fn because(part: &str, why: impl std::fmt::Display) -> Self {
        Self { part: part.to_string(), why: Some(why.to_string()) }
    }
}

impl std::fmt::Display for Missing {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.part)?;
        self.why.iter().try_for_each(|why| write!(f, ": {why}"))
    }
}

/// The interpretation of the question.
#[derive(Clone, PartialEq, Debug)]
pub struct Understanding {
    pub intent: Intent,
    pub intent_confidence: f32,
    /// For a causal question `causes` or `consequences`.
    pub direction: Option<&'static str>,
    pub terms: Vec<String>,
    /// Known entities that the question names.
    pub entities: Vec<Entity>,
    /// Time expressions in the text, with their intervals.
    pub times: Vec<(String, Interval)>,
    pub language: &'static str,
    /// The question in the other languages of the store.
    pub translations: Vec<Translation>,
    /// IDF-weighted share of the terms that no memory contains.
    pub unknown: f32,
    /// Whether a word inside it is written with a capital.
    pub capitals: bool,
    /// Number of indexed words in the store; of a long memory only some count.
    pub words: u64,
}
#[derive(Clone, PartialEq, Debug)]
pub struct Recall {
    pub revision: Revision,
    pub query: String,
    pub understanding: Understanding,
    pub results: Vec<RecallResult>,
    /// Standing rules of the scope, separate from the results.
    pub rules: Rules,
    /// For WHY questions: the causal chains between results, cause before effect.
    pub chains: Vec<Chain>,
    /// Number of scored candidates.
    pub candidates: usize,
    /// Set if nothing relevant was found: why, and how close the best candidate came.
    pub abstained: Option<String>,
    pub rejected: Vec<Rejected>,
    /// The parts that could not be used (embedder, graph); normally empty (invariant 9).
    pub missing: Vec<Missing>,
    /// Tokens of the results' texts, about 4 characters each.
    pub tokens: usize,
    /// The requested strategy, the one used, and the reason.
    pub made: Made,
}
