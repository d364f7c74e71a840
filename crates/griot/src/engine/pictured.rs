//! What a picture of the graph consists of, and what is asked for.

use crate::model::{EdgeKind, EntityType, Layer, Provenance, Revision, SourceId, Timestamp};

/// What a picture shows.
#[derive(Clone, PartialEq, Debug)]
pub struct PictureRequest {
    /// The nodes in the middle; empty shows the whole graph.
    pub around: Vec<String>,
    /// How far nodes are from those in the middle.
    pub depth: usize,
    pub source: Option<SourceId>,
    /// One node for each community instead of its members.
    pub communities: bool,
    /// Only members of this community.
    pub community: Option<u32>,
    /// Most nodes: the best connected, around a node the nearest.
    pub limit: usize,
    /// Most edges: of each node the strongest first.
    pub edges: usize,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Picture {
    pub revision: Revision,
    /// All nodes and stored edges that the caller sees.
    pub total_nodes: usize,
    pub total_edges: u64,
    /// False if nodes have a position for the time being only.
    pub is_laid_out: bool,
    pub nodes: Vec<DrawnNode>,
    pub edges: Vec<DrawnEdge>,
    pub kinds: Vec<DrawnKind>,
    pub sources: Vec<DrawnSource>,
    pub communities: Vec<DrawnCommunity>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DrawnType {
    Memory,
    Entity(EntityType),
    Source,
    Community,
}

#[derive(Clone, PartialEq, Debug)]
pub struct DrawnNode {
    pub x: f32,
    pub y: f32,
    pub kind: DrawnType,
    pub community: Option<u32>,
    /// Position in [`Picture::sources`].
    pub source: Option<u32>,
    /// Stored edges in the whole store.
    pub degree: u32,
    pub at: Option<Timestamp>,
    /// 1 to 5; 0 for what is no memory.
    pub importance: u8,
    pub label: String,
    pub handle: String,
}

#[derive(Clone, PartialEq, Debug)]
pub struct DrawnEdge {
    /// Positions in [`Picture::nodes`].
    pub from: u32,
    pub to: u32,
    /// Position in [`Picture::kinds`].
    pub kind: u16,
    pub weight: f32,
    /// At the time of the picture.
    pub confidence: f32,
    pub has_evidence: bool,
    /// It joins a memory that another one replaced.
    pub ended: bool,
    pub provenance: Provenance,
    pub since: Option<Timestamp>,
    pub until: Option<Timestamp>,
    /// Its number; `None` for one that follows from time or source, or means several.
    pub number: Option<u32>,
}

/// A kind of edge; relations are distinguished by their label.
#[derive(Clone, PartialEq, Debug)]
pub struct DrawnKind {
    pub kind: EdgeKind,
    pub name: String,
    pub layer: Layer,
}

#[derive(Clone, PartialEq, Debug)]
pub struct DrawnSource {
    pub id: SourceId,
    pub name: String,
}

#[derive(Clone, PartialEq, Debug)]
pub struct DrawnCommunity {
    pub id: u32,
    pub label: String,
    /// Members that the caller sees, shown or not.
    pub size: u32,
    pub x: f32,
    pub y: f32,
    pub radius: f32,
}
