//! Merges of two entities that are the same thing: the log of merges with their undo, suggestions, and type
//! counts.

use super::{Edge, EdgeKind, Entity, EntityType, Fact, FactObject, Node, Provenance, Timestamp};

/// One merge. Nodes are described as they were before it, so that an undo can compare the present state with
/// them.
#[derive(Clone, PartialEq, Debug)]
pub struct Merge {
    /// Number in the workspace, printed as `g12`.
    pub number: u32,
    /// The remaining entity and the one that was hidden, as they were before.
    pub kept: Entity,
    pub merged: Entity,
    /// The type of the remaining entity after the merge.
    pub kind: EntityType,
    pub at: Timestamp,
    pub by: Provenance,
    pub reason: Option<String>,
    /// Edges that moved to the remaining entity, by their former key.
    pub moved: Vec<EdgeKey>,
    /// Edges whose key the remaining entity already had.
    pub folded: Vec<FoldedEdge>,
    /// Edges between the two, which would have become loops.
    pub dropped: Vec<Edge>,
    /// Facts about the merged entity.
    pub facts: Vec<Fact>,
    /// Memories whose speaker it was.
    pub spoken: Vec<Node>,
    pub undone_at: Option<Timestamp>,
}

impl Merge {
    /// `g12`.
    pub fn id(&self) -> String {
        format!("g{}", self.number)
    }

    /// The edges that it stores in full for an undo.
    pub fn edges_mut(&mut self) -> impl Iterator<Item = &mut Edge> {
        self.folded.iter_mut().flat_map(|pair| [&mut pair.edge, &mut pair.into]).chain(&mut self.dropped)
    }

    /// The same merge with other nodes, for transfer to another store.
    pub fn with_nodes<E>(mut self, mut to: impl FnMut(Node) -> Result<Node, E>) -> Result<Self, E> {
        for node in self.nodes_mut() {
            *node = to(*node)?;
        }
        Ok(self)
    }

    fn nodes_mut(&mut self) -> impl Iterator<Item = &mut Node> {
        let moved = self.moved.iter_mut().flat_map(|key| [&mut key.source, &mut key.target]);
        let folded = self.folded.iter_mut().flat_map(|pair| [&mut pair.edge, &mut pair.into]);
        let edges = folded.chain(&mut self.dropped).flat_map(|edge| [&mut edge.source, &mut edge.target]);
        let facts = self.facts.iter_mut().flat_map(|fact| {
            let object = match &mut fact.object {
                FactObject::Entity(node) => Some(node),
                FactObject::Literal(_) => None,
            };
            std::iter::once(&mut fact.subject).chain(object)
        });
        let own = [&mut self.kept.node, &mut self.merged.node];
        moved.chain(edges).chain(facts).chain(&mut self.spoken).chain(own)
    }
}

/// Identifies a stored edge.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EdgeKey {
    pub source: Node,
    pub target: Node,
    pub kind: EdgeKind,
    pub label: String,
}

/// An edge of the merged entity that was merged into one of the remaining entity.
#[derive(Clone, PartialEq, Debug)]
pub struct FoldedEdge {
    pub edge: Edge,
    pub into: Edge,
}

/// Two entities that may be the same thing.
#[derive(Clone, PartialEq, Debug)]
pub struct Suggestion {
    /// Number in the workspace, printed as `p12`.
    pub number: u32,
    /// The one that would be kept, and the one that would be merged into it.
    pub kept: Node,
    pub merged: Node,
    /// Cosine of the two names.
    pub similarity: f32,
    pub reason: String,
    pub at: Timestamp,
    pub state: SuggestionState,
}

impl Suggestion {
    /// `p12`.
    pub fn id(&self) -> String {
        format!("p{}", self.number)
    }
}

named! {
    /// The state of a suggestion. A pair is suggested once: a dismissed one is not suggested again.
    SuggestionState {
        Open = "open",
        Applied = "applied",
        Dismissed = "dismissed",
        /// Open, and a language model was not sure.
        Unsure = "unsure",
    }
}

impl SuggestionState {
    /// Whether a person may still decide.
    pub fn is_open(self) -> bool {
        matches!(self, Self::Open | Self::Unsure)
    }
}

/// Number of times that an entity was given a type, by callers (`given`) or by rules.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct TypeVotes {
    pub kind: EntityType,
    pub given: bool,
    pub times: u32,
}

/// The type that was given most often. Rules never outvote callers; ties go to the present type.
pub fn most_given_type(present: EntityType, votes: &[TypeVotes]) -> EntityType {
    let mut counts: Vec<(bool, u32, bool, EntityType)> = Vec::new();
    for vote in votes.iter().filter(|vote| vote.times > 0) {
        counts.push((vote.given, vote.times, vote.kind == present, vote.kind));
    }
    // A type without votes was given once, when the entity was created.
    if present != EntityType::Concept && votes.iter().all(|vote| vote.kind != present) {
        counts.push((false, 1, true, present));
    }
    counts
        .into_iter()
        .max_by(|a, b| (a.0, a.1, a.2).cmp(&(b.0, b.1, b.2)).then(b.3.cmp(&a.3)))
        .map_or(present, |c| c.3)
}

#[cfg(test)]
mod tests {
    use super::*;
    use EntityType::{Concept, Org, Person, Tool};

    fn votes(votes: &[(EntityType, bool, u32)]) -> Vec<TypeVotes> {
        votes.iter().map(|&(kind, given, times)| TypeVotes { kind, given, times }).collect()
    }

    #[test]
    fn the_type_that_was_given_most_often_wins() {
        for (present, cast, wanted) in [
            (Tool, &[(Tool, false, 2), (Org, false, 3)][..], Org),
            (Tool, &[(Tool, false, 3), (Org, false, 3)], Tool),
            (Tool, &[(Tool, true, 1), (Org, false, 300)], Tool),
            (Tool, &[(Tool, false, 300), (Org, true, 1)], Org),
            (Tool, &[(Tool, true, 1), (Org, true, 2)], Org),
            (Concept, &[(Org, false, 1)], Org),
            (Concept, &[(Org, false, 2), (Person, false, 2)], Person),
            (Tool, &[(Org, false, 1)], Tool),
            (Tool, &[(Org, false, 2)], Org),
            (Tool, &[], Tool),
        ] {
            assert_eq!(most_given_type(present, &votes(cast)), wanted, "{present:?} {cast:?}");
        }
    }
}
