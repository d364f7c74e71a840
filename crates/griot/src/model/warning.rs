//! Findings of the verifier, and their state.
//!
//! The id of a finding is derived from its rule and nodes, so that it keeps its id, its first day and its
//! acknowledgement when an edge is stated again, in another process and in a rebuilt workspace. Other nodes
//! make another finding: a cycle that grows has to be reviewed again.

use super::{Node, Timestamp};

named! {
    /// The rules of the verifier (`graph::verify`), by their stable names in JSON.
    WarningKind {
        CausalCycle = "causal_cycle",
        CausedAndPrevented = "caused_and_prevented",
        ExternalBase = "external_base",
    }
}

/// 48 bits of a hash, printed as `w-` and twelve digits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct WarningId(pub u64);

impl WarningId {
    pub fn parse(text: &str) -> Option<Self> {
        let digits = text.trim().strip_prefix("w-")?;
        let is_id = digits.len() == 12 && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
        u64::from_str_radix(digits, 16).ok().filter(|_| is_id).map(Self)
    }
}

impl std::fmt::Display for WarningId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "w-{:012x}", self.0)
    }
}

/// A contradiction in the graph.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Finding {
    pub kind: WarningKind,
    /// The members of a cycle, ascending; otherwise source and target.
    pub nodes: Vec<Node>,
    /// Ascending.
    pub edges: Vec<u32>,
}

impl Finding {
    pub fn id(&self) -> WarningId {
        let mut hasher = blake3::Hasher::new();
        hasher.update(&[self.kind as u8]);
        for node in &self.nodes {
            hasher.update(&node.raw().to_le_bytes());
        }
        let mut bytes = [0; 8];
        bytes[..6].copy_from_slice(&hasher.finalize().as_bytes()[..6]);
        WarningId(u64::from_le_bytes(bytes))
    }

    pub fn is_about(&self, node: Node) -> bool {
        self.nodes.contains(&node)
    }
}

/// A finding with its history.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Warning {
    pub found: Finding,
    pub first_seen: Timestamp,
    pub acknowledged: Option<Acknowledged>,
}

/// A person knows of the finding, and accepts it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Acknowledged {
    pub at: Timestamp,
    pub by: String,
    /// Why.
    pub note: Option<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_id_is_that_of_rule_and_nodes_and_is_read_as_it_is_printed() {
        let finding = |kind, nodes: &[u32], edges: &[u32]| Finding {
            kind,
            nodes: nodes.iter().map(|number| Node::entity(*number)).collect(),
            edges: edges.to_vec(),
        };
        let cycle = finding(WarningKind::CausalCycle, &[1, 2], &[3, 4]);
        let id = cycle.id();
        assert_eq!(
            finding(WarningKind::CausalCycle, &[1, 2], &[3, 4, 9]).id(),
            id,
            "a cycle that grew keeps its id"
        );
        assert_ne!(finding(WarningKind::CausalCycle, &[1, 2, 3], &[3, 4]).id(), id);
        assert_ne!(finding(WarningKind::CausedAndPrevented, &[1, 2], &[3, 4]).id(), id);
        let pair = |nodes: &[u32]| finding(WarningKind::CausedAndPrevented, nodes, &[1]).id();
        assert_ne!(pair(&[1, 2]), pair(&[2, 1]));
        assert_eq!(WarningId::parse(&id.to_string()), Some(id));
        for wrong in ["", "w-", "w-12", "12ab34cd56ef", "w-12ab34cd56efa", "w-12ab34cd56eg", "w-+2ab34cd56ef"]
        {
            assert_eq!(WarningId::parse(wrong), None, "{wrong}");
        }
    }
}
