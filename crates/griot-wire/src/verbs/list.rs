//! `list`: which memories are stored.

use griot::engine::ListRequest;
use griot::model::Result;

use super::MOST;
use crate::Memory;
use crate::call::Call;
use crate::citation::Sources;
use crate::failure::Outcome;
use crate::request::{kinds, sources, span, usual};

requests! {
    /// List memories, those stored last first.
    #[command(after_help = "\
Examples:
  griot list
  griot list --kind decision --tag shop
  griot list --flagged --limit 100
  griot list --forgotten
  griot list --source notes.md --since yesterday")]
    List {
        /// Only memories of one of these kinds.
        #[arg(long = "kind", value_name = "KIND", value_delimiter = ',', help = "Only memories of this kind; \
            may be given more than once")]
        kinds [default]: Vec<String>,
        /// Only memories with all of these tags.
        #[schemars(schema_with = "crate::request::forms::words")]
        #[arg(long = "tag", visible_alias = "tags", value_name = "TAG", value_delimiter = ',',
            help = "Only memories with this tag; with several, all of them")]
        tags [default]: Vec<String>,
        /// Only memories from these sources: `s4`, an origin, `memory`, `manual` or `crawl`.
        #[arg(long = "source", value_name = "SOURCE", help = "Only memories from this source: `s4`, its \
            origin, or memory (remembered), manual (ingested) or crawl (pages)")]
        sources [default]: Vec<String>,
        /// Only memories of this agent.
        #[arg(long)]
        agent [default]: Option<String>,
        /// Only memories that seem to contain a key, a password, or instructions to a language model.
        #[arg(long)]
        flagged [default]: bool,
        /// Only memories that another one replaced; without it, those are left out.
        #[arg(long)]
        superseded [default]: bool,
        /// Only memories that were forgotten; `restore` brings them back by their handle.
        #[arg(long)]
        forgotten [default]: bool,
        /// Only memories stored at or after this time.
        #[schemars(schema_with = "crate::request::forms::time")]
        #[arg(long, value_name = "TIME")]
        since [default]: Option<String>,
        /// Maximum number of results.
        #[schemars(range(min = 1, max = 1000))]
        #[arg(long, short = 'n', default_value_t = 20)]
        limit [default = "usual::<20>"]: usize,
    }
}

/// What the engine lists; `None` if there is no such source.
fn request(call: &Call, q: &List) -> Result<Option<ListRequest>> {
    let now = call.engine.now();
    let named = q.sources.iter().map(|name| sources(&call.engine, name));
    let sources = named.collect::<Result<Vec<_>>>()?.concat();
    if sources.is_empty() && !q.sources.is_empty() {
        return Ok(None);
    }
    Ok(Some(ListRequest {
        scope: call.scope.clone(),
        kinds: kinds(&call.engine, &q.kinds)?,
        tags: q.tags.clone(),
        sources,
        agent: q.agent.clone(),
        flagged: q.flagged,
        superseded: q.superseded,
        forgotten: q.forgotten,
        since: q.since.as_deref().map(|text| span(text, now)).transpose()?.map(|span| span.start),
    }))
}

/// Number of memories that fit, beyond the limit as well.
pub fn count(call: &Call, q: &List) -> Outcome<usize> {
    Ok(request(call, q)?.map_or(Ok(0), |request| call.engine.list_count(&request))?)
}

pub fn list(call: &Call, q: List) -> Outcome<Vec<Memory>> {
    call.bounded("the limit", q.limit, 1, MOST)?;
    let Some(request) = request(call, &q)? else { return Ok(Vec::new()) };
    let mut memories: Vec<Memory> = call.engine.list(&request, q.limit)?.iter().map(Memory::from).collect();
    let shown = memories.iter().map(|memory| (memory.id.as_str(), memory.kind.as_str()));
    let mut sources = Sources::of(&call.engine, shown)?;
    memories.iter_mut().try_for_each(|memory| sources.of_memory(memory))?;
    Ok(memories)
}
