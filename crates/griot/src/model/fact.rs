//! Subject, predicate, object, with the time it was true and the time we knew it.

use super::{Evidence, Node, Scope, Timestamp};

macro_rules! predicates {
    ($($variant:ident $name:literal $functional:literal $literal:literal),+ $(,)?) => {
        /// The closed vocabulary of facts (ClawMem's).
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum Predicate { $($variant),+ }

        impl Predicate {
            pub const ALL: &[Self] = &[$(Self::$variant),+];

            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $name),+ }
            }

            pub fn parse(name: &str) -> Option<Self> {
                match name { $($name => Some(Self::$variant),)+ _ => None }
            }

            /// A subject has at most one object at a time, so that a new fact closes the old one.
            pub const fn is_functional(self) -> bool {
                match self { $(Self::$variant => $functional),+ }
            }

            /// The object is a literal, never an entity.
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
    /// When we knew it.
    pub recorded_at: Timestamp,
    pub superseded_at: Option<Timestamp>,
    pub confidence: f32,
    /// Who sees it: besides, only who sees a memory that says so, where memories do.
    pub scope: Scope,
    pub evidence: Vec<Evidence>,
}

impl Fact {
    /// True at `valid` as far as we knew at `known`.
    pub fn holds(&self, valid: Timestamp, known: Timestamp) -> bool {
        self.valid_from.is_none_or(|from| from <= valid)
            && self.valid_to.is_none_or(|to| valid < to)
            && self.recorded_at <= known
            && self.superseded_at.is_none_or(|at| known < at)
    }
}
