//! Resolves the names in a filter to the numbers that the index uses.

use crate::backend::{Feed, Filter, Of};
use crate::index::Visible;
use crate::model::{Layer, Result, Scope, SourceType, Tier, Trust};

/// Represents a name that is not stored; matches no memory.
const UNKNOWN: u32 = u32::MAX;
/// Matches no kind, because kinds are not empty.
const NO_KIND: &str = "";

/// Owns the data that a [`Visible`] borrows.
#[derive(Default)]
pub(super) struct Resolved {
    /// Everything without a list.
    fixed: Visible<'static>,
    kinds: Vec<u32>,
    without_kinds: Vec<u32>,
    sources: Vec<u32>,
    without_sources: Vec<u32>,
    within: Option<Vec<u32>>,
}

/// The bits of the excluded tiers.
fn without(tiers: &[Tier]) -> u8 {
    let unwanted = Tier::ALL.into_iter().filter(|tier| !tiers.is_empty() && !tiers.contains(tier));
    unwanted.fold(0, |bits, tier| bits | 1 << tier as u8)
}

/// The included and the excluded kinds for a filter's kinds and layers. If nothing can match, includes a kind
/// that no memory has.
fn of_layers(filter: &Filter) -> (Vec<&str>, Vec<&'static str>) {
    let named = || filter.kinds.iter().map(String::as_str);
    if filter.layers.is_empty() {
        return (named().collect(), Vec::new());
    }
    let is_asked = |kind: &&str| filter.layers.contains(&Layer::of_memory(kind));
    let kinds: Vec<&str> = match (filter.kinds.is_empty(), filter.layers.contains(&Layer::Knowledge)) {
        (false, _) => named().filter(is_asked).collect(),
        // Knowledge is every kind of no other layer.
        (true, true) => return (Vec::new(), Layer::named_kinds().filter(|kind| !is_asked(kind)).collect()),
        (true, false) => Layer::named_kinds().filter(is_asked).collect(),
    };
    (if kinds.is_empty() { vec![NO_KIND] } else { kinds }, Vec::new())
}

impl Resolved {
    pub fn new(rows: &dyn Feed, filter: &Filter) -> Result<Self> {
        let (kinds, without_kinds) = of_layers(filter);
        let scope = [&filter.scope.user, &filter.scope.project, &filter.agent, &filter.session];
        let named = scope.into_iter().filter_map(Option::as_deref);
        let asked: Vec<&str> = named.chain(kinds.iter().copied()).chain(without_kinds).collect();
        let mut numbers = (if asked.is_empty() { Vec::new() } else { rows.names(&asked)? }).into_iter();
        let [user, project, agent, session] =
            scope.map(|name| name.as_ref().map(|_| numbers.next().flatten().unwrap_or(UNKNOWN)));
        let fixed = Visible {
            user,
            project,
            agent,
            session,
            occurred: filter.occurred.map(|span| (span.start.0, span.end.0)),
            superseded: filter.superseded,
            without_tiers: without(&filter.tiers),
            now: filter.now.map(|now| now.0),
            belief: filter.belief,
            ..Visible::default()
        };
        let kinds = kinds.iter().map(|_| numbers.next().flatten().unwrap_or(UNKNOWN)).collect();
        let mut resolved = Self {
            fixed,
            kinds,
            without_kinds: numbers.flatten().collect(),
            sources: filter.sources.iter().map(|source| source.0).collect(),
            without_sources: Vec::new(),
            within: None,
        };
        if filter.trusted {
            for kind in SourceType::ALL.iter().filter(|kind| kind.trust() == Trust::Web) {
                resolved.without_sources.extend(rows.numbers(Of::SourceType(*kind))?);
            }
            resolved.without_sources.sort_unstable();
        }
        for tag in &filter.tags {
            let mut tagged = rows.numbers(Of::Tag(tag))?;
            if let Some(before) = resolved.within.take() {
                tagged.retain(|memory| before.binary_search(memory).is_ok());
            }
            resolved.within = Some(tagged);
        }
        Ok(resolved)
    }

    pub fn visible(&self) -> Visible<'_> {
        Visible {
            kinds: &self.kinds,
            without_kinds: &self.without_kinds,
            sources: &self.sources,
            without_sources: &self.without_sources,
            within: self.within.as_deref(),
            ..self.fixed
        }
    }
}

/// The memories that a scope may know: its own and those without an owner.
pub(super) fn known_to(rows: &dyn Feed, scope: &Scope) -> Result<Visible<'static>> {
    let number = |name: &Option<String>| -> Result<Option<u32>> {
        let Some(name) = name else { return Ok(Some(0)) };
        Ok(Some(rows.names(&[name])?.first().copied().flatten().unwrap_or(UNKNOWN)))
    };
    Ok(Visible { user: number(&scope.user)?, project: number(&scope.project)?, ..Visible::default() })
}
