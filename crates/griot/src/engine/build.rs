//! `build-graphs`: adds the edges of a whole workspace that no single write could make.
//!
//! Three graphs: topics of tags, similarity (cosine), and the order in time over all sources. Edges stated by
//! others stay unchanged. A second run over an unchanged store changes nothing.

use super::{BuiltGraphs, Engine, GraphsToBuild};
use crate::backend::pages;
use crate::model::{Change, ChangeSet, Error, Memory, Result, Timestamp};
use crate::remember::backbone::{self, Stop, Stops};
use crate::remember::{similarity, topics};

/// Number of changes per transaction.
const CHANGES: usize = 1000;

impl Engine {
    /// Builds the requested graphs, and the topics of tags. Reports memories to `progress`.
    pub fn build_graphs(
        &self,
        ask: GraphsToBuild,
        progress: &mut dyn FnMut(u64, u64),
    ) -> Result<BuiltGraphs> {
        if let Some(threshold) = ask.semantic.filter(|threshold| !(0.0..=1.0).contains(threshold)) {
            let why = format!("the threshold {threshold} is not between 0 and 1");
            return Err(Error::invalid("build the semantic graph", why));
        }
        let read = self.read()?;
        let now = self.now();
        let all = read.counts()?.memories;
        let mut built = BuiltGraphs::default();
        let mut stops = Stops::default();
        let mut live: Vec<Vec<Memory>> = Vec::new();
        for page in pages::<Memory>(read) {
            let mut page = page?;
            page.retain(|memory| memory.deleted_at.is_none() && !memory.is_expired(now));
            page.iter().for_each(|memory| stops.add(memory));
            live.push(page);
        }
        let chains = stops.in_order();
        built.temporal_total = backbone::derived_steps(&chains);
        if ask.temporal {
            self.build_backbone(&chains, now, &mut built)?;
        }
        let mut done = 0;
        for page in live {
            let mut made = BuiltGraphs::default();
            self.backend.write(&mut |read| {
                made = BuiltGraphs::default();
                let (mut changes, joined) = topics::missing(read, &page, now, &self.settings.remember)?;
                made.topics_added = joined;
                if let Some(threshold) = ask.semantic {
                    let edges = similarity::edges(read, &page, threshold, now)?;
                    made.semantic_total = edges.len() as u64;
                    let new = edges.into_iter().filter_map(|(edge, is_new)| is_new.then_some(edge));
                    changes.extend(new.map(Change::PutEdge).inspect(|_| made.semantic_added += 1));
                }
                Ok(ChangeSet { at: now, changes })
            })?;
            built.topics_added += made.topics_added;
            built.semantic_added += made.semantic_added;
            built.semantic_total += made.semantic_total;
            done += page.len() as u64;
            progress(done, all);
        }
        Ok(built)
    }

    /// Stores missing steps between sources, and removes steps of an earlier run whose ends are no longer
    /// consecutive.
    fn build_backbone(&self, chains: &[Vec<Stop>], now: Timestamp, built: &mut BuiltGraphs) -> Result<()> {
        let mut missing = backbone::wanted_steps(chains);
        built.temporal_total += missing.len() as u64;
        let mut changes: Vec<Change> = Vec::new();
        for page in pages(self.backend.as_ref()) {
            backbone::compare(&page?, &mut missing, &mut changes);
        }
        built.temporal_removed = changes.len() as u64;
        built.temporal_added = missing.len() as u64;
        changes.extend(missing.into_iter().map(|ends| Change::PutEdge(backbone::step(ends, now))));
        for part in changes.chunks(CHANGES) {
            self.backend.write(&mut |read| {
                Ok(ChangeSet { at: now, changes: backbone::without_erased(read, part)? })
            })?;
        }
        Ok(())
    }
}
