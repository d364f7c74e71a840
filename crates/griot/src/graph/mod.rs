//! Pure algorithms over the graph.
use crate::model::Node;
#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord)]
pub enum WarningKind { CausalCycle, CausedAndPrevented, ExtendsExternal }
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Warning { pub kind: WarningKind, pub edges: Vec<u32>, pub nodes: Vec<Node> }
