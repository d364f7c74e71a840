//! Typed, directed, weighted connections, and the table that defines each kind.

use super::{MemoryId, Node, Timestamp};

named! {
    /// The question that an edge answers.
    Family {
        /// When.
        Temporal = "temporal",
        /// Who and what.
        Entity = "entity",
        /// Why.
        Causal = "causal",
        /// What is similar.
        Semantic = "semantic",
    }

    /// Who stated an edge or fact, strongest first.
    Provenance {
        User = "user",
        /// A parser.
        Static = "static",
        /// An import that does not state the provenance.
        Import = "import",
        Llm = "llm",
        Embedding = "embedding",
        Rule = "rule",
    }
}

/// The nodes that an edge may connect.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ends {
    MemoryToMemory,
    MemoryToEntity,
    EntityToEntity,
    /// Any two nodes.
    Any,
}

impl Ends {
    pub const fn allow(self, source: Node, target: Node) -> bool {
        match self {
            Self::MemoryToMemory => source.is_memory() && target.is_memory(),
            Self::MemoryToEntity => source.is_memory() && target.is_entity(),
            Self::EntityToEntity => source.is_entity() && target.is_entity(),
            Self::Any => true,
        }
    }

    pub const fn describe(self) -> &'static str {
        match self {
            Self::MemoryToMemory => "a memory with a memory",
            Self::MemoryToEntity => "a memory with an entity",
            Self::EntityToEntity => "an entity with an entity",
            Self::Any => "any two nodes",
        }
    }
}

/// The allowed labels of an edge: its sub-type or the name of a relation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Labels {
    None,
    /// The first is the default.
    OneOf(&'static [&'static str]),
    /// Any lower-case word; required.
    Free,
}

/// One row of the catalogue.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EdgeKindRow {
    pub kind: EdgeKind,
    pub name: &'static str,
    pub family: Family,
    /// Stored once and read from both ends.
    pub symmetric: bool,
    pub ends: Ends,
    pub labels: Labels,
    /// Confidence decays at the family's rate; edges of code and mentions do not decay.
    pub decays: bool,
    /// The name of the edge seen from its target.
    pub inverse: &'static str,
}

macro_rules! catalogue {
    ($(
        $variant:ident $name:literal $family:ident $symmetry:ident $ends:ident $labels:expr,
        $decay:ident $inverse:literal;
    )+) => {
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        #[repr(u8)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        pub enum EdgeKind { $($variant),+ }

        /// Every kind of edge. Add new kinds at the end: the position is stored.
        pub const CATALOGUE: &[EdgeKindRow] = &[$(EdgeKindRow {
            kind: EdgeKind::$variant,
            name: $name,
            family: Family::$family,
            symmetric: catalogue!(@symmetric $symmetry),
            ends: Ends::$ends,
            labels: $labels,
            decays: catalogue!(@decays $decay),
            inverse: $inverse,
        }),+];
    };
    (@symmetric symmetric) => { true };
    (@symmetric directed) => { false };
    (@decays fades) => { true };
    (@decays stays) => { false };
}

use Labels::{Free, None as NoLabel, OneOf};

catalogue! {
    Temporal    "temporal"    Temporal directed  MemoryToMemory OneOf(&["backbone", "proximity"]),
        stays "preceded by";
    Narrative   "narrative"   Temporal directed  MemoryToMemory NoLabel, stays "follows";
    Mentions    "mentions"    Entity   directed  MemoryToEntity NoLabel, stays "mentioned in";
    Relation    "relation"    Entity   directed  EntityToEntity Free, fades "related from";
    Causal      "causal"      Causal   directed  Any OneOf(&["causes", "enables", "prevents", "caused"]),
        fades "caused by";
    Explains    "explains"    Causal   directed  Any NoLabel, fades "explained by";
    Semantic    "semantic"    Semantic symmetric Any NoLabel, fades "similar to";
    Supporting  "supporting"  Semantic directed  Any NoLabel, fades "supported by";
    Contradicts "contradicts" Semantic symmetric Any NoLabel, fades "contradicts";
    Supersedes  "supersedes"  Semantic directed  MemoryToMemory NoLabel, stays "superseded by";
    Imports     "imports"     Entity   directed  EntityToEntity NoLabel, stays "imported by";
    Calls       "calls"       Entity   directed  EntityToEntity NoLabel, stays "called by";
    Reads       "reads"       Entity   directed  EntityToEntity NoLabel, stays "read by";
    Writes      "writes"      Entity   directed  EntityToEntity NoLabel, stays "written by";
    Extends     "extends"     Entity   directed  EntityToEntity NoLabel, stays "extended by";
    Contains    "contains"    Entity   directed  EntityToEntity NoLabel, stays "contained in";
    HasTask     "has_task"    Entity   directed  EntityToEntity NoLabel, stays "task of";
    HasSubtask  "has_subtask" Entity   directed  EntityToEntity NoLabel, stays "subtask of";
    Blocks      "blocks"      Causal   directed  EntityToEntity NoLabel, stays "blocked by";
    DependsOn   "depends_on"  Entity   directed  EntityToEntity NoLabel, stays "needed by";
    References  "references"  Entity   directed  EntityToEntity NoLabel, stays "referenced by";
    Modifies    "modifies"    Entity   directed  EntityToEntity NoLabel, stays "modified by";
}

impl EdgeKind {
    pub const fn row(self) -> &'static EdgeKindRow {
        &CATALOGUE[self as usize]
    }

    pub const fn name(self) -> &'static str {
        self.row().name
    }

    pub const fn family(self) -> Family {
        self.row().family
    }

    pub const fn is_symmetric(self) -> bool {
        self.row().symmetric
    }

    pub fn parse(name: &str) -> Option<Self> {
        CATALOGUE.iter().find(|row| row.name == name).map(|row| row.kind)
    }

    pub fn from_number(number: u8) -> Option<Self> {
        CATALOGUE.get(number as usize).map(|row| row.kind)
    }

    /// The confidence at `now` of one that was stored at `touched_at`: `c · exp(−λ·days)` with `lambda` per
    /// day of the family; unchanged for kinds that do not decay.
    pub fn faded(self, confidence: f32, touched_at: Timestamp, now: Timestamp, lambda: f64) -> f32 {
        if !self.row().decays {
            return confidence;
        }
        let days = now.days_since(touched_at).max(0.0);
        (f64::from(confidence) * (-lambda * days).exp()) as f32
    }
}

impl Provenance {
    /// The confidence of an edge if nothing but its provenance is known. An import states the confidence of
    /// its source.
    pub const fn confidence(self) -> f32 {
        match self {
            Self::User | Self::Static | Self::Import => 1.0,
            Self::Embedding => 0.8,
            Self::Rule => 0.7,
            Self::Llm => 0.6,
        }
    }
}

/// Why an edge or a fact is believed.
#[derive(Clone, PartialEq, Debug)]
pub struct Evidence {
    /// The memory that states it; `None` if a caller stated it without one.
    pub memory: Option<MemoryId>,
    pub quote: Option<String>,
    pub reason: Option<String>,
    pub at: Timestamp,
}

/// A connection between two nodes. Its key is (source, target, kind, label); symmetric kinds are stored with
/// the smaller node as source.
#[derive(Clone, PartialEq, Debug)]
pub struct Edge {
    /// Number in the workspace, printed as `e12`. 0 before it is stored, and for derived edges.
    pub number: u32,
    pub source: Node,
    pub target: Node,
    pub kind: EdgeKind,
    /// Sub-type or relation label; empty where the kind has none.
    pub label: String,
    /// 0..=1, except that a `relation` accumulates one per mention.
    pub weight: f32,
    /// 0..=1 at `touched_at`; decays when read, not in the store.
    pub confidence: f32,
    pub provenance: Provenance,
    pub evidence: Vec<Evidence>,
    pub created_at: Timestamp,
    pub touched_at: Timestamp,
    pub expires_at: Option<Timestamp>,
}

impl Edge {
    /// An edge with one piece of evidence, stated when that was: without a label, of weight 1, with the
    /// confidence of its provenance.
    pub fn new(
        (source, target): (Node, Node),
        kind: EdgeKind,
        provenance: Provenance,
        evidence: Evidence,
    ) -> Self {
        Self {
            number: 0,
            source,
            target,
            kind,
            label: String::new(),
            weight: 1.0,
            confidence: provenance.confidence(),
            provenance,
            created_at: evidence.at,
            touched_at: evidence.at,
            evidence: vec![evidence],
            expires_at: None,
        }
    }

    /// Puts the ends of a symmetric edge into storage order.
    pub fn normalised(mut self) -> Self {
        if self.kind.is_symmetric() && self.source > self.target {
            std::mem::swap(&mut self.source, &mut self.target);
        }
        self
    }

    /// The edge to store when `incoming` has the same key as this one.
    ///
    /// A lower provenance adds evidence and touches the edge; an equal one also raises the confidence and
    /// sets an expiry if it has one; a higher one replaces weight, provenance and expiry, and never lowers
    /// the confidence. Relations accumulate weight at any provenance. An edge that had expired and is stated
    /// again takes the new expiry.
    pub fn merge(mut self, incoming: Self) -> Self {
        let known_weight = self.weight;
        let added_weight = incoming.weight;
        if incoming.provenance <= self.provenance {
            self.confidence = self.confidence.max(incoming.confidence);
            self.expires_at = incoming.expires_at.or(self.expires_at);
        }
        if incoming.provenance < self.provenance {
            self.provenance = incoming.provenance;
            self.weight = incoming.weight;
            self.expires_at = incoming.expires_at;
        }
        if self.has_expired(incoming.touched_at) {
            self.expires_at = incoming.expires_at;
        }
        if self.kind == EdgeKind::Relation {
            self.weight = known_weight + added_weight;
        }
        self.touched_at = self.touched_at.max(incoming.touched_at);
        for evidence in incoming.evidence {
            let is_known = self.evidence.iter().any(|e| {
                e.memory == evidence.memory && e.quote == evidence.quote && e.reason == evidence.reason
            });
            if !is_known {
                self.evidence.push(evidence);
            }
        }
        self
    }

    /// Confidence at `now`, with `lambda` per day of the edge's family.
    pub fn confidence_at(&self, now: Timestamp, lambda: f64) -> f32 {
        self.kind.faded(self.confidence, self.touched_at, now, lambda)
    }

    pub fn has_expired(&self, now: Timestamp) -> bool {
        self.expires_at.is_some_and(|end| end <= now)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_higher_provenance_never_lowers_the_confidence_and_an_edge_stated_after_its_expiry_begins_anew() {
        let said = |provenance: Provenance, confidence: f32, at: i64, end: Option<i64>| Edge {
            number: 0,
            source: Node::memory(1),
            target: Node::memory(2),
            kind: EdgeKind::Causal,
            label: "causes".into(),
            weight: 0.5,
            confidence,
            provenance,
            evidence: Vec::new(),
            created_at: Timestamp(at),
            touched_at: Timestamp(at),
            expires_at: end.map(Timestamp),
        };
        let state = |edge: &Edge| (edge.provenance.name(), edge.confidence, edge.expires_at.map(|at| at.0));
        let rule = said(Provenance::Rule, Provenance::Rule.confidence(), 1, Some(9));
        let model = rule.clone().merge(said(Provenance::Llm, Provenance::Llm.confidence(), 2, None));
        assert_eq!(state(&model), ("llm", 0.7, None));
        let surer = model.clone().merge(said(Provenance::Llm, 0.9, 3, Some(20)));
        assert_eq!(state(&surer), ("llm", 0.9, Some(20)));
        assert_eq!(
            state(&surer.clone().merge(said(Provenance::Rule, 1.0, 4, Some(99)))),
            ("llm", 0.9, Some(20))
        );
        assert_eq!(state(&surer.clone().merge(said(Provenance::Llm, 0.1, 4, None))), ("llm", 0.9, Some(20)));
        assert_eq!(state(&surer.clone().merge(said(Provenance::Rule, 1.0, 20, None))), ("llm", 0.9, None));
        assert!(surer.has_expired(Timestamp(20)) && !surer.has_expired(Timestamp(19)));
    }

    #[test]
    fn the_catalogue_is_in_the_order_of_the_enum() {
        for (position, row) in CATALOGUE.iter().enumerate() {
            assert_eq!(row.kind as usize, position, "{}", row.name);
        }
    }
}
