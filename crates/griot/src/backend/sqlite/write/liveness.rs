//! Maintains which edges and entities are live, in a column of each, updated at each commit for the rows it
//! touched.
//!
//! An edge is live if neither of its ends is forgotten and its evidence supports it: no evidence names a
//! memory, some evidence names none, or a named memory is not forgotten. An entity is live if it is not
//! forgotten and a live edge, or a fact supported in the same way, refers to it. A superseded memory is
//! history and still counts as evidence. So `deleted_at` records only explicit requests, and derived liveness
//! changes by itself. The reference store (testkit/memory/liveness.rs) recomputes the same rule on each
//! request.
//!
//! First and last seen of an entity are derived from its live mentions and maintained in the same way.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::Writer;
use crate::backend::sqlite::tables::Tables;
use crate::model::{EdgeKind, Evidence, Node, Timestamp};

/// Pending updates from the steps of a ChangeSet.
#[derive(Default)]
pub(super) struct Unsettled {
    /// Edges that are new or changed.
    pub edges: BTreeSet<u32>,
    /// Those of them that had no row before; they were inserted as live.
    pub fresh: BTreeSet<u32>,
    /// New mentions with their own memory as the only evidence.
    pub own: BTreeSet<u32>,
    /// Memories and entities that were forgotten or restored.
    pub nodes: BTreeSet<Node>,
    /// Entities that were written, or that an edge or a fact refers to or referred to.
    pub entities: BTreeSet<u32>,
    /// Live mentions that were removed: entity and memory.
    pub unmentioned: Vec<(u32, u32)>,
}

/// Changes to the mentions of an entity.
#[derive(Clone, Copy, Default)]
struct Seen {
    added: Option<(i64, i64)>,
    /// A mention was removed, so that first and last seen must be recomputed.
    lost: bool,
}

/// Caches repeated look-ups in one commit.
#[derive(Default)]
struct Known {
    forgotten: HashMap<Node, bool>,
    /// Entities with a known live edge.
    touched: BTreeSet<u32>,
    seen: BTreeMap<u32, Seen>,
}

/// The parts of an edge used here.
pub(super) struct Joint {
    pub source: Node,
    pub target: Node,
    pub kind: u8,
}

impl Joint {
    /// The entities that it joins.
    pub fn entities(&self) -> impl Iterator<Item = u32> + Clone + use<> {
        [self.source, self.target].into_iter().filter(|end| end.is_entity()).map(Node::number)
    }
}

impl Writer<'_, '_> {
    /// Updates the columns and records the changes for the index.
    pub fn settle(&mut self) -> rusqlite::Result<()> {
        let unsettled = std::mem::take(&mut self.unsettled);
        let mut known = Known::default();
        let mut entities = unsettled.entities.clone();
        let mut edges = unsettled.edges.clone();
        for &node in &unsettled.nodes {
            edges.extend(self.tables.edges_that_rest_on(node)?);
            entities.extend(self.tables.entities_told_of_by(node)?);
        }
        for (entity, _) in &unsettled.unmentioned {
            entities.insert(*entity);
            known.seen.entry(*entity).or_default().lost = true;
        }
        for &number in &edges {
            self.settle_edge(number, &unsettled, &mut known, &mut entities)?;
        }
        for &entity in &entities {
            self.settle_entity(entity, &mut known)?;
        }
        for (entity, seen) in std::mem::take(&mut known.seen) {
            self.tables.set_seen(entity, seen)?;
        }
        Ok(())
    }

    fn settle_edge(
        &mut self,
        number: u32,
        unsettled: &Unsettled,
        known: &mut Known,
        entities: &mut BTreeSet<u32>,
    ) -> rusqlite::Result<()> {
        let Some((edge, stored)) = self.joint(number)? else { return Ok(()) };
        let is_fresh = unsettled.fresh.contains(&number);
        let live = !self.is_forgotten(edge.source, known)?
            && !self.is_forgotten(edge.target, known)?
            && (unsettled.own.contains(&number) || self.tables.is(SPOKEN_FOR, [number])?);
        if live {
            known.touched.extend(edge.entities());
        }
        if live != stored {
            self.tables.execute("UPDATE edge SET live = ?2 WHERE number = ?1", (number, live))?;
        }
        if live && !self.applied.links.contains_key(&number) {
            if let Some(link) = self.tables.link(number)? {
                self.applied.links.insert(number, link);
            }
        } else if !live {
            self.applied.links.remove(&number);
            self.applied.hidden_edges.insert(number);
        }
        let was_live = stored && !is_fresh;
        if live != was_live || is_fresh {
            entities.extend(edge.entities());
        }
        if live != was_live && edge.kind == EdgeKind::Mentions as u8 {
            let at = self.occurred_at(edge.source.number())?;
            let seen = known.seen.entry(edge.target.number()).or_default();
            match live {
                false => seen.lost = true,
                true => {
                    let (first, last) = seen.added.unwrap_or((at, at));
                    seen.added = Some((first.min(at), last.max(at)));
                }
            }
        }
        Ok(())
    }

    fn settle_entity(&mut self, entity: u32, known: &mut Known) -> rusqlite::Result<()> {
        let node = Node::entity(entity);
        let stored: Option<bool> = self.tables.one("SELECT live FROM entity WHERE number = ?1", [entity])?;
        let Some(stored) = stored else { return Ok(()) };
        let live = !self.is_forgotten(node, known)?
            && (known.touched.contains(&entity)
                || self.tables.has_live_edge(node)?
                || self.has_live_fact(node, known)?);
        if live != stored {
            self.tables.execute("UPDATE entity SET live = ?2 WHERE number = ?1", (entity, live))?;
        }
        self.applied.entities.insert(entity, !live);
        Ok(())
    }

    /// The edge with the liveness stored in its row.
    pub(super) fn joint(&self, number: u32) -> rusqlite::Result<Option<(Joint, bool)>> {
        let sql = "SELECT source, target, kind, live FROM edge WHERE number = ?1";
        let joint = self.tables.map(sql, [number], |row| {
            let (source, target) = (Node::from_raw(row.get(0)?), Node::from_raw(row.get(1)?));
            Ok((Joint { source, target, kind: row.get(2)? }, row.get(3)?))
        });
        Ok(joint?.pop())
    }

    fn is_forgotten(&self, node: Node, known: &mut Known) -> rusqlite::Result<bool> {
        if let Some(forgotten) = known.forgotten.get(&node) {
            return Ok(*forgotten);
        }
        let forgotten = self.tables.is_forgotten(node)?;
        known.forgotten.insert(node, forgotten);
        Ok(forgotten)
    }

    fn has_live_fact(&self, entity: Node, known: &mut Known) -> rusqlite::Result<bool> {
        for fact in self.tables.facts(Some(entity))? {
            let mut live = self.tables.is_grounded(&fact.evidence)?;
            for end in [Some(fact.subject), fact.object.entity()].into_iter().flatten() {
                live = live && !self.is_forgotten(end, known)?;
            }
            if live {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn occurred_at(&self, memory: u32) -> rusqlite::Result<i64> {
        if let Some(document) = self.applied.documents.get(&memory) {
            return Ok(document.occurred_at);
        }
        let at = self.tables.one("SELECT occurred_at FROM memory WHERE number = ?1", [memory])?;
        Ok(at.unwrap_or_default())
    }
}

/// Whether evidence supports the edge `?1`: see the module. Evidence may name a memory by its id if it was
/// not stored at the time.
const SPOKEN_FOR: &str = "SELECT count(*) = 0 OR sum(m.deleted_at IS NULL) > 0
    FROM evidence v LEFT JOIN memory m ON m.number = CASE typeof(v.memory)
        WHEN 'blob' THEN (SELECT number FROM memory WHERE id = v.memory) ELSE v.memory END
    WHERE v.edge = ?1";

pub(super) const EDGES_BY_EVIDENCE: &str = "SELECT edge FROM evidence WHERE memory = ?1";
pub(super) const FACTS_BY_EVIDENCE: &str = "SELECT fact FROM fact_evidence WHERE memory = ?1";

impl Tables {
    fn is_grounded(&self, evidence: &[Evidence]) -> rusqlite::Result<bool> {
        for one in evidence {
            // A memory that is not stored is not known to be forgotten.
            let sql = "SELECT deleted_at IS NOT NULL FROM memory WHERE id = ?1";
            let Some(id) = one.memory else { return Ok(true) };
            if !self.is(sql, [id.0.into_bytes()])? {
                return Ok(true);
            }
        }
        Ok(evidence.is_empty())
    }

    fn is_forgotten(&self, node: Node) -> rusqlite::Result<bool> {
        let sql = if node.is_memory() {
            "SELECT deleted_at IS NOT NULL FROM memory WHERE number = ?1"
        } else {
            "SELECT deleted_at IS NOT NULL FROM entity WHERE number = ?1"
        };
        self.is(sql, [node.number()])
    }

    /// Edges with the node at an end or in their evidence.
    fn edges_that_rest_on(&self, node: Node) -> rusqlite::Result<Vec<u32>> {
        let sql = "SELECT number FROM edge WHERE source = ?1 UNION SELECT number FROM edge WHERE target = ?1";
        let mut edges: Vec<u32> = self.all(sql, [node.raw()])?;
        if node.is_memory() {
            edges.extend(self.evidenced(EDGES_BY_EVIDENCE, node.number())?);
        }
        Ok(edges)
    }

    /// Edges or facts with evidence from a memory, which may be named by its number or its id.
    pub fn evidenced(&self, sql: &str, memory: u32) -> rusqlite::Result<Vec<u32>> {
        let mut found: Vec<u32> = self.all(sql, [memory])?;
        if let Some(id) = self.memory_id(memory)? {
            found.extend(self.all::<u32>(sql, [id.0.into_bytes()])?);
        }
        Ok(found)
    }

    /// Entities in facts that are about the node or have evidence from it.
    fn entities_told_of_by(&self, node: Node) -> rusqlite::Result<Vec<u32>> {
        let facts = if node.is_memory() {
            self.evidenced(FACTS_BY_EVIDENCE, node.number())?
        } else {
            let sql =
                "SELECT number FROM fact WHERE subject = ?1 UNION SELECT number FROM fact WHERE object = ?1";
            self.all(sql, [node.raw()])?
        };
        let mut entities: Vec<u32> = if node.is_entity() { vec![node.number()] } else { Vec::new() };
        for fact in facts {
            entities.extend(self.ends_of_fact(fact)?);
        }
        Ok(entities)
    }

    /// The entities in a fact.
    pub fn ends_of_fact(&self, fact: u32) -> rusqlite::Result<Vec<u32>> {
        let sql = "SELECT subject FROM fact WHERE number = ?1
            UNION SELECT object FROM fact WHERE number = ?1 AND object IS NOT NULL";
        let ends: Vec<u32> = self.all(sql, [fact])?;
        Ok(ends.into_iter().map(Node::from_raw).filter(|end| end.is_entity()).map(Node::number).collect())
    }

    fn has_live_edge(&self, node: Node) -> rusqlite::Result<bool> {
        let sql = "SELECT EXISTS (SELECT 1 FROM edge WHERE target = ?1 AND live)
            OR EXISTS (SELECT 1 FROM edge WHERE source = ?1 AND live)";
        self.is(sql, [node.raw()])
    }

    fn set_seen(&self, entity: u32, seen: Seen) -> rusqlite::Result<()> {
        match seen {
            // The removed time may have been the first or the last.
            Seen { lost: true, .. } => self.execute(
                "UPDATE entity SET (earliest, latest) = (SELECT min(m.occurred_at), max(m.occurred_at)
                 FROM edge e JOIN memory m ON m.number = e.source >> 1
                 WHERE e.target = ?2 AND e.kind = ?3 AND e.live) WHERE number = ?1",
                (entity, Node::entity(entity).raw(), EdgeKind::Mentions as u8),
            )?,
            Seen { added: Some((first, last)), .. } => self.execute(
                "UPDATE entity SET earliest = min(coalesce(earliest, ?2), ?2), latest = max(coalesce(latest,
                    ?3), ?3)
                 WHERE number = ?1",
                (entity, first, last),
            )?,
            Seen { added: None, lost: false } => 0,
        };
        Ok(())
    }

    /// Whether nodes are live; false for those that do not exist.
    pub fn live(&self, nodes: &[Node]) -> rusqlite::Result<Vec<bool>> {
        let is_live = |node: &Node| {
            let sql = if node.is_memory() {
                "SELECT deleted_at IS NULL FROM memory WHERE number = ?1"
            } else {
                "SELECT live FROM entity WHERE number = ?1"
            };
            self.is(sql, [node.number()])
        };
        nodes.iter().map(is_live).collect()
    }

    pub fn live_edges(&self, numbers: &[u32]) -> rusqlite::Result<Vec<bool>> {
        let sql = "SELECT live FROM edge WHERE number = ?1";
        numbers.iter().map(|number| self.is(sql, [number])).collect()
    }
}

/// The times shown for an entity: those of its live mentions, else those given when it was written.
pub(in crate::backend::sqlite) fn seen(
    said: (Timestamp, Timestamp),
    mentioned: (Option<Timestamp>, Option<Timestamp>),
) -> (Timestamp, Timestamp) {
    (mentioned.0.unwrap_or(said.0), mentioned.1.unwrap_or(said.1))
}
