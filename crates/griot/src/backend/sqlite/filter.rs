//! Resolves the names in a filter to the numbers that the index uses.

use super::tables::Tables;
use crate::backend::{Belief, Filter};
use crate::index::Visible;
use crate::model::{Layer, Scope, SourceType, Tier, Trust};

/// Represents a name that is not stored; matches no memory. (`Visible::none` would hide entities too.)
const UNKNOWN: u32 = u32::MAX;
/// Matches no kind, because kinds are not empty.
const NO_KIND: &str = "";

/// Owns the data that a [`Visible`] borrows.
#[derive(Default)]
pub(super) struct Resolved {
    user: Option<u32>,
    project: Option<u32>,
    kinds: Vec<u32>,
    without_kinds: Vec<u32>,
    sources: Vec<u32>,
    without_sources: Vec<u32>,
    agent: Option<u32>,
    session: Option<u32>,
    occurred: Option<(i64, i64)>,
    superseded: bool,
    without_tiers: u8,
    now: Option<i64>,
    belief: Belief,
    within: Option<Vec<u32>>,
}

impl Resolved {
    pub fn visible(&self) -> Visible<'_> {
        Visible {
            user: self.user,
            project: self.project,
            kinds: &self.kinds,
            without_kinds: &self.without_kinds,
            sources: &self.sources,
            without_sources: &self.without_sources,
            agent: self.agent,
            session: self.session,
            occurred: self.occurred,
            superseded: self.superseded,
            without_tiers: self.without_tiers,
            now: self.now,
            belief: self.belief,
            within: self.within.as_deref(),
            none: false,
        }
    }
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

impl Tables {
    pub fn resolve_filter(&self, filter: &Filter) -> rusqlite::Result<Resolved> {
        let mut resolved = Resolved {
            sources: filter.sources.iter().map(|source| source.0).collect(),
            occurred: filter.occurred.map(|span| (span.start.0, span.end.0)),
            superseded: filter.superseded,
            without_tiers: without(&filter.tiers),
            now: filter.now.map(|now| now.0),
            belief: filter.belief,
            ..Resolved::default()
        };
        let number = |name: &str| -> rusqlite::Result<u32> { Ok(self.find_name(name)?.unwrap_or(UNKNOWN)) };
        let optional = |name: &Option<String>| name.as_deref().map(number).transpose();
        resolved.user = optional(&filter.scope.user)?;
        resolved.project = optional(&filter.scope.project)?;
        resolved.agent = optional(&filter.agent)?;
        resolved.session = optional(&filter.session)?;
        if filter.trusted {
            let web = SourceType::ALL.iter().filter(|kind| kind.trust() == Trust::Web);
            for kind in web {
                resolved.without_sources.extend(self.of_kind(*kind)?);
            }
            resolved.without_sources.sort_unstable();
        }
        let (kinds, without) = of_layers(filter);
        for kind in kinds {
            resolved.kinds.push(number(kind)?);
        }
        for kind in without {
            resolved.without_kinds.extend(self.find_name(kind)?);
        }
        for tag in &filter.tags {
            let tagged = self.tagged(tag)?;
            resolved.within = Some(match resolved.within.take() {
                None => tagged,
                Some(before) => {
                    before.into_iter().filter(|memory| tagged.binary_search(memory).is_ok()).collect()
                }
            });
        }
        Ok(resolved)
    }

    /// The memories that a scope may know: its own and those without an owner.
    pub fn known_to(&self, scope: &Scope) -> rusqlite::Result<Visible<'static>> {
        let number = |name: &Option<String>| -> rusqlite::Result<Option<u32>> {
            let Some(name) = name else { return Ok(Some(0)) };
            Ok(Some(self.find_name(name)?.unwrap_or(UNKNOWN)))
        };
        Ok(Visible { user: number(&scope.user)?, project: number(&scope.project)?, ..Visible::default() })
    }

    fn of_kind(&self, kind: SourceType) -> rusqlite::Result<Vec<u32>> {
        match self.find_name(kind.name())? {
            None => Ok(Vec::new()),
            Some(kind) => self.all("SELECT number FROM source WHERE kind = ?1", [kind]),
        }
    }

    /// The memories with a tag, ascending.
    fn tagged(&self, tag: &str) -> rusqlite::Result<Vec<u32>> {
        match self.find_name(tag)? {
            None => Ok(Vec::new()),
            Some(tag) => {
                self.all("SELECT DISTINCT memory FROM memory_tag WHERE tag = ?1 ORDER BY memory", [tag])
            }
        }
    }
}
