//! Subject, predicate and object, with the time the fact was true and the time it was known.

use super::{Evidence, Node, Scope, Timestamp};

named! {
    /// The closed vocabulary of facts, the same as ClawMem's, so that its databases can be imported.
    Predicate {
        Adopted = "adopted",
        MigratedTo = "migrated_to",
        DeployedTo = "deployed_to",
        RunsOn = "runs_on",
        Replaced = "replaced",
        DependsOn = "depends_on",
        IntegratesWith = "integrates_with",
        Uses = "uses",
        Prefers = "prefers",
        Avoids = "avoids",
        CausedBy = "caused_by",
        ResolvedBy = "resolved_by",
        OwnedBy = "owned_by",
    }
}

impl Predicate {
    /// Whether a subject has at most one object at a time, so that a new fact closes the old one.
    pub const fn is_functional(self) -> bool {
        matches!(self, Self::MigratedTo | Self::DeployedTo | Self::RunsOn | Self::OwnedBy)
    }

    /// Whether the object is a literal instead of an entity.
    pub const fn takes_literal(self) -> bool {
        matches!(self, Self::Prefers | Self::Avoids)
    }
}

#[derive(Clone, PartialEq, Debug)]
pub enum FactObject {
    Entity(Node),
    Literal(String),
}

impl FactObject {
    pub fn entity(&self) -> Option<Node> {
        match self {
            Self::Entity(node) => Some(*node),
            Self::Literal(_) => None,
        }
    }
}

#[derive(Clone, PartialEq, Debug)]
pub struct Fact {
    /// Number in the workspace, printed as `f12`.
    pub number: u32,
    pub subject: Node,
    pub predicate: Predicate,
    pub object: FactObject,
    /// When it was true; open on either side if unknown.
    pub valid_from: Option<Timestamp>,
    pub valid_to: Option<Timestamp>,
    /// When it was stored.
    pub recorded_at: Timestamp,
    pub superseded_at: Option<Timestamp>,
    /// When a person set its end: a language model then never says that it holds.
    pub ended_at: Option<Timestamp>,
    pub confidence: f32,
    /// Who can see it. If memories state the fact, one of them has to be visible as well.
    pub scope: Scope,
    pub evidence: Vec<Evidence>,
}

impl Fact {
    /// Whether it was true at `valid` according to the store at `known`.
    pub fn holds(&self, valid: Timestamp, known: Timestamp) -> bool {
        self.valid_from.is_none_or(|from| from <= valid)
            && self.valid_to.is_none_or(|to| valid < to)
            && self.recorded_at <= known
            && self.superseded_at.is_none_or(|at| known < at)
    }
}
