//! Edges of a workspace: those that a caller links, those that rules made, and what the engine traces.

use std::collections::{BTreeSet, HashMap};

use griot::backend::NodeName;
use griot::engine::{LinkRequest, WhyDirection};
use griot::model::{EdgeKind, Family, MemoryId, Provenance, Result};
use griot::recall::{Chain, PathNode, Recall};
use griot::remember::Remembered;

use super::Workspace;

/// Units that the verb `why` finds behind and after a memory, nearest first.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Traced<'a> {
    pub causes: Vec<&'a str>,
    pub consequences: Vec<&'a str>,
}

impl Workspace {
    /// One memory led to another; `sub_type` says how (causes, enables, prevents).
    pub fn link_cause(
        &self,
        cause: MemoryId,
        effect: MemoryId,
        sub_type: Option<&str>,
        by: Provenance,
    ) -> Result<()> {
        self.link(cause, effect, EdgeKind::Causal, sub_type, by)
    }

    /// One memory replaces another, as a user says.
    pub fn link_replaced(&self, new: MemoryId, old: MemoryId) -> Result<()> {
        self.link(new, old, EdgeKind::Supersedes, None, Provenance::User)
    }

    fn link(
        &self,
        source: MemoryId,
        target: MemoryId,
        kind: EdgeKind,
        label: Option<&str>,
        by: Provenance,
    ) -> Result<()> {
        let request = LinkRequest {
            source: source.to_string(),
            target: target.to_string(),
            kind,
            label: label.map(str::to_owned),
            weight: None,
            reason: None,
            provenance: by,
            confidence: None,
            expires_at: None,
        };
        self.engine.link(&request).map(|_| ())
    }

    /// The units among which a caller looks for causes and effects of what it has just said.
    pub fn offered(&self, answer: &Remembered) -> BTreeSet<&str> {
        let causal = answer.causal_candidates.iter().map(|candidate| candidate.id);
        let similar = answer.semantic_candidates.iter().map(|candidate| candidate.id);
        causal.chain(similar).filter_map(|id| self.unit(id)).collect()
    }

    /// Pairs of cause and effect, among the memories that hold units, that a rule found.
    pub fn causes_by_rule(&self) -> Result<Vec<(&str, &str)>> {
        let read = self.engine.read()?;
        let mut names = HashMap::new();
        for (memory, unit) in &self.units {
            for node in read.find_nodes(&NodeName::Id(*memory))? {
                names.insert(node, unit.as_str());
            }
        }
        let mut pairs = Vec::new();
        for (node, cause) in &names {
            for edge in read.edges_of(*node)? {
                // A rule names the memory that it read; its edge keeps this when a caller says the same.
                let by_rule = edge.evidence.iter().any(|evidence| evidence.memory.is_some());
                if by_rule
                    && edge.source == *node
                    && edge.kind.family() == Family::Causal
                    && let Some(effect) = names.get(&edge.target)
                {
                    pairs.push((*cause, *effect));
                }
            }
        }
        pairs.sort_unstable();
        pairs.dedup();
        Ok(pairs)
    }

    /// What the verb `why` finds, with the confidence that the settings ask for.
    pub fn why(&self, memory: MemoryId, direction: WhyDirection, depth: usize) -> Result<Traced<'_>> {
        let least = self.settings.graph.min_confidence;
        let found = self.engine.why(&memory.to_string(), direction, depth, least, None)?;
        let units = |node: &PathNode| memory_of(node).and_then(|id| self.unit(id));
        Ok(Traced {
            causes: found.causes.iter().filter_map(|step| units(&step.node)).collect(),
            consequences: found.consequences.iter().filter_map(|step| units(&step.node)).collect(),
        })
    }

    /// The units along each chain of causes that an answer shows, causes first.
    pub fn chains(&self, answer: &Recall) -> Vec<Vec<&str>> {
        let along = |chain: &Chain| {
            let first = chain.hops.first().map(|hop| &hop.from);
            let nodes = first.into_iter().chain(chain.hops.iter().map(|hop| &hop.to));
            nodes.filter_map(memory_of).filter_map(|id| self.unit(id)).collect()
        };
        answer.chains.iter().map(along).collect()
    }
}

fn memory_of(node: &PathNode) -> Option<MemoryId> {
    match node {
        PathNode::Memory { id, .. } => MemoryId::parse(id),
        PathNode::Entity { .. } => None,
    }
}
