//! Subject, predicate and object, with the time the fact was true and the time it was known.

use super::{Evidence, Node, Scope, Timestamp};

macro_rules! predicates {
    ($($variant:ident $name:literal $functional:literal $literal:literal),+ $(,)?) => {
        /// The closed vocabulary of facts, the same as ClawMem's, so that its databases can be imported.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        pub enum Predicate { $($variant),+ }

        impl Predicate {
            pub const ALL: &[Self] = &[$(Self::$variant),+];

            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $name),+ }
            }

            pub fn parse(name: &str) -> Option<Self> {
                match name { $($name => Some(Self::$variant),)+ _ => None }
            }

            /// Whether a subject has at most one object at a time, so that a new fact closes the old one.
            pub const fn is_functional(self) -> bool {
                match self { $(Self::$variant => $functional),+ }
            }

            /// Whether the object is a literal instead of an entity.
            pub const fn takes_literal(self) -> bool {
                match self { $(Self::$variant => $literal),+ }
            }
        }
    };
}

predicates! {
    Adopted "adopted" false false,
    MigratedTo "migrated_to" true false,
    DeployedTo "deployed_to" true false,
    RunsOn "runs_on" true false,
    Replaced "replaced" false false,
    DependsOn "depends_on" false false,
    IntegratesWith "integrates_with" false false,
    Uses "uses" false false,
    Prefers "prefers" false true,
    Avoids "avoids" false true,
    CausedBy "caused_by" false false,
    ResolvedBy "resolved_by" false false,
    OwnedBy "owned_by" true false,
}

#[derive(Clone, PartialEq, Debug)]
pub enum FactObject {
    Entity(Node),
    Literal(String),
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
