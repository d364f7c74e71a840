//! What a caller asks, and the whole of what an answer says: results, why each is there, and what was left
//! out.

use crate::model::{
    EdgeKind, Entity, EntityType, Evidence, Interval, Layer, Memory, Node, Provenance, Revision, Scope,
    SourceId, Tier, Timestamp,
};
use crate::rollout::{Made, Strategy};
use crate::settings::{Effort, RecallSettings};
use crate::text::Intent;

use super::rules::Rules;

/// A question to the memory.
#[derive(Clone, PartialEq, Debug)]
pub struct Query {
    pub text: String,
    /// Time expressions are relative to this.
    pub now: Timestamp,
    /// How many results at most (default 10).
    pub limit: usize,
    /// Pack results into this many tokens (about 4 characters each) instead of a fixed number.
    pub budget: Option<usize>,
    pub scope: Scope,
    pub kinds: Vec<String>,
    /// Only memories of these layers, as far as their kind tells; empty for all.
    pub layers: Vec<Layer>,
    pub tags: Vec<String>,
    pub sources: Vec<SourceId>,
    pub agent: Option<String>,
    pub session: Option<String>,
    /// Only memories whose event time lies inside.
    pub occurred: Option<Interval>,
    /// Overrules what the text says.
    pub intent: Option<Intent>,
    /// Show superseded memories too.
    pub superseded: bool,
    /// Nothing from the web.
    pub trusted: bool,
    /// Memories of these tiers only; empty for all but rules, which come beside the results.
    pub tiers: Vec<Tier>,
    /// Bring the rules of the scope along.
    pub rules: bool,
    /// Return nothing rather than something irrelevant.
    pub floor: bool,
    /// `false` declines the graph, whatever the workspace does.
    pub graph: bool,
    /// What the caller asks for; `None` leaves it to the workspace's mode (see `rollout`).
    pub strategy: Option<Strategy>,
    /// How far the graph may be walked, where that is less than usual.
    pub reach: Option<Reach>,
    /// List what was rejected, and why.
    pub rejected: bool,
    /// How far to go; `None` is the workspace's setting.
    pub effort: Option<Effort>,
}

impl Query {
    pub fn new(text: impl Into<String>, now: Timestamp) -> Self {
        Self {
            text: text.into(),
            now,
            limit: 10,
            budget: None,
            scope: Scope::default(),
            kinds: Vec::new(),
            layers: Vec::new(),
            tags: Vec::new(),
            sources: Vec::new(),
            agent: None,
            session: None,
            occurred: None,
            intent: None,
            superseded: false,
            trusted: false,
            tiers: Vec::new(),
            rules: true,
            floor: true,
            graph: true,
            strategy: None,
            reach: None,
            rejected: false,
            effort: None,
        }
    }
}

/// Bounds of a walk over the graph, beside those that it has anyway.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reach {
    /// Edges between a seed and what it brings.
    pub hops: usize,
    /// Memories that only the walk brings, and those that only the second question brings.
    pub memories: usize,
}

impl Reach {
    /// What is asked for, inside what the settings allow.
    pub fn within(asked: Option<Self>, settings: &RecallSettings) -> Self {
        let most = Self { hops: settings.graph_hops, memories: settings.graph_memories };
        asked.map_or(most, |asked| Self {
            hops: asked.hops.min(most.hops),
            memories: asked.memories.min(most.memories),
        })
    }
}

/// One named summand of a score.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Signal {
    pub name: &'static str,
    /// The measured value, usually 0..1.
    pub value: f32,
    /// What it adds to the score: the shares of a result sum to its score.
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
    /// The edge runs from `from` to `to`.
    pub forward: bool,
    pub weight: f32,
    /// Faded to the time of the question.
    pub confidence: f32,
    pub provenance: Provenance,
    /// From then on the edge is not there.
    pub expires_at: Option<Timestamp>,
    /// Number of the edge; 0 if it is derived from times or ordinals.
    pub edge: u32,
    pub evidence: Vec<Evidence>,
}

impl Hop {
    /// How many hours lie between both ends of a step in time.
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

/// How a result came into the answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WhyIncluded {
    /// Its own words match.
    DirectMatch,
    /// It shares no word with the question, and its vector is close.
    SimilarMeaning,
    /// Its surroundings match: session, document, neighbours.
    Place,
    /// Reached over edges from a seed.
    GraphExpansion,
    /// Its time matches.
    Time,
}

impl WhyIncluded {
    pub const fn name(self) -> &'static str {
        match self {
            Self::DirectMatch => "direct_match",
            Self::SimilarMeaning => "similar_meaning",
            Self::Place => "place",
            Self::GraphExpansion => "graph_expansion",
            Self::Time => "time",
        }
    }
}

#[derive(Clone, PartialEq, Debug)]
pub struct RecallResult {
    pub memory: Memory,
    /// Title of its source.
    pub title: Option<String>,
    /// The sum of the signals' shares; 1 is the best that any memory could reach, results may fall below 0.
    pub score: f32,
    pub why_included: WhyIncluded,
    pub signals: Vec<Signal>,
    /// The memory from which the path starts, when the graph moved this result.
    pub seed: Option<Node>,
    pub path: Vec<Hop>,
    /// Names of entities that it shares with the question.
    pub entities: Vec<String>,
}

/// Why a candidate is not in the answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rejection {
    Floor,
    /// Of another project. Never of another user: a project is a filter, a user is a border.
    Scope,
    Limit,
    Budget,
    /// Says nearly the same as a better result.
    Redundant,
    Superseded,
}

impl Rejection {
    pub const fn name(self) -> &'static str {
        match self {
            Self::Floor => "floor",
            Self::Scope => "scope",
            Self::Limit => "limit",
            Self::Budget => "budget",
            Self::Redundant => "redundant",
            Self::Superseded => "superseded",
        }
    }
}

#[derive(Clone, PartialEq, Debug)]
pub struct Rejected {
    pub memory: Memory,
    pub score: f32,
    pub reason: Rejection,
}

/// A cause chain among the results of a WHY question, cause first.
#[derive(Clone, PartialEq, Debug)]
pub struct Chain {
    pub hops: Vec<Hop>,
    /// Product of the hops' confidences.
    pub confidence: f32,
}

/// How the question was understood.
#[derive(Clone, PartialEq, Debug)]
pub struct Understanding {
    pub intent: Intent,
    pub intent_confidence: f32,
    /// Terms searched for.
    pub terms: Vec<String>,
    /// Entities of the store that the question names.
    pub entities: Vec<Entity>,
    /// Calendar expressions with the words they stand for.
    pub times: Vec<(String, Interval)>,
    pub language: &'static str,
}

/// The answer to `recall`.
#[derive(Clone, PartialEq, Debug)]
pub struct Recall {
    pub revision: Revision,
    pub query: String,
    pub understanding: Understanding,
    pub results: Vec<RecallResult>,
    /// Standing rules of the scope, beside the results.
    pub rules: Rules,
    /// For WHY questions: how the results hang together, cause before effect.
    pub chains: Vec<Chain>,
    /// How many candidates were scored.
    pub candidates: usize,
    /// Set when nothing relevant was found: what was looked for and how near the best candidate came.
    pub abstained: Option<String>,
    pub rejected: Vec<Rejected>,
    /// What could not be used (embedder, graph) and why; empty when all is well (invariant 9).
    pub missing: Vec<String>,
    /// Tokens of the results' texts, about 4 characters each.
    pub tokens: usize,
    /// Which strategy was asked for, which answered, and why.
    pub made: Made,
}
