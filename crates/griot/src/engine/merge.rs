//! Verbs for entities that are the same thing: `merge`, its undo, the log, and the comparison of all names.
//!
//! Writes never compare names by vector: that would need the vectors of all names under the writer's lock,
//! and cosine alone is not reliable enough (`remember::alike`). [`Engine::suggest_merges`] compares all names
//! on request.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use super::{Engine, MergeLog, MergeRequest, MergeScan, Merged, SuggestionView, Unmerged, naming};
use crate::backend::Read;
use crate::embed;
use crate::model::{
    Change, ChangeSet, Entity, EntityType, Error, Merge, Node, Provenance, Result, Suggestion,
    SuggestionState,
};
use crate::remember::alike::{self, NameMatch};
use crate::remember::merge::{self, Separated, Who};

/// Number of rows read, or vectors made, at once.
const PAGE: usize = 1000;
/// Most names with a common beginning that are compared with each other: a beginning of more names
/// (`university`) means little. A pair without a rarer one in common is not compared.
const MOST_IN_BLOCK: usize = 1000;

/// Chooses the two entities, under the writer's lock.
type Choose<'a> = &'a mut dyn FnMut(&dyn Read) -> Result<(Node, Node)>;

impl Engine {
    /// Merges two entities. The first keeps its name; the names of the second become its aliases.
    pub fn merge(&self, request: &MergeRequest) -> Result<Merged> {
        let what = format!("merge `{}` and `{}`", request.kept.trim(), request.merged.trim());
        let who = Who { by: request.by, reason: request.reason.clone(), at: self.now() };
        self.merge_by(who, &mut |read| {
            let kept = naming::entity(read, &request.kept)?;
            let merged = naming::entity(read, &request.merged)?;
            if kept == merged {
                return Err(Error::invalid(what.clone(), "both are the same entity"));
            }
            Ok((kept, merged))
        })
    }

    fn merge_by(&self, who: Who, pair: Choose<'_>) -> Result<Merged> {
        let mut record = None;
        let touched = self.write(&mut |read| {
            let (kept, merged) = pair(read)?;
            let (merge, mut changes) = merge::merge(read, kept, merged, who.clone())?;
            changes.extend(settled(read, kept, merged, SuggestionState::Applied)?);
            record = Some(merge);
            Ok(ChangeSet { at: who.at, changes })
        })?;
        self.look_around(&touched);
        let merge =
            record.ok_or_else(|| Error::new(crate::model::ErrorKind::Bug, "merge", "nothing was merged"))?;
        Ok(Merged { entity: self.row(merge.kept.node)?, merge })
    }

    /// Separates the two entities of a merge (`g12`). The pair is not suggested again.
    pub fn unmerge(&self, id: &str) -> Result<Unmerged> {
        let number = number(id, 'g').ok_or_else(|| {
            Error::invalid(format!("undo merge `{}`", id.trim()), "the id of a merge looks like `g12`")
                .hint("griot merges")
        })?;
        let now = self.now();
        let mut undone: Option<(Merge, Separated)> = None;
        let touched = self.write(&mut |read| {
            let (merge, separated, mut changes) = merge::undo(read, number, now)?;
            let (kept, merged) = (merge.kept.node, merge.merged.node);
            let mut known = settled(read, kept, merged, SuggestionState::Dismissed)?;
            if known.is_empty() {
                known.push(Change::PutSuggestion(Suggestion {
                    number: next_suggestion(read)?,
                    kept,
                    merged,
                    similarity: 0.0,
                    reason: format!("merge {} was undone", merge.id()),
                    at: now,
                    state: SuggestionState::Dismissed,
                }));
            }
            changes.extend(known);
            undone = Some((merge, separated));
            Ok(ChangeSet { at: now, changes })
        })?;
        self.look_around(&touched);
        let (merge, separated) = undone
            .ok_or_else(|| Error::new(crate::model::ErrorKind::Bug, "undo a merge", "nothing was undone"))?;
        Ok(Unmerged {
            kept: self.row(merge.kept.node)?,
            merged: self.row(merge.merged.node)?,
            edges: separated.edges,
            facts: separated.facts,
            inseparable: separated.inseparable,
            merge,
        })
    }

    fn row(&self, entity: Node) -> Result<Entity> {
        let row = self.backend.entities(&[entity])?.pop();
        row.ok_or_else(|| Error::corrupt(format!("read entity {entity:?}"), "it has no row"))
    }

    /// The log of merges, and the open suggestions without those of entities that were hidden since.
    pub fn merges(&self) -> Result<MergeLog> {
        self.backend.refresh()?;
        let read = self.backend.as_ref();
        let mut merges = read.merges_after(0, usize::MAX >> 1)?;
        merges.reverse();
        let mut suggestions = Vec::new();
        for suggestion in read.suggestions()? {
            if suggestion.state != SuggestionState::Open {
                continue;
            }
            let mut rows = read.entities(&[suggestion.kept, suggestion.merged])?;
            if let (Some(merged), Some(kept)) = (rows.pop(), rows.pop())
                && kept.deleted_at.is_none()
                && merged.deleted_at.is_none()
            {
                suggestions.push(SuggestionView { suggestion, kept, merged });
            }
        }
        suggestions.sort_by(|a, b| {
            let (a, b) = (&a.suggestion, &b.suggestion);
            b.similarity.total_cmp(&a.similarity).then(a.number.cmp(&b.number))
        });
        Ok(MergeLog { merges, suggestions })
    }

    /// Merges the pair of a suggestion (`p12`).
    pub fn apply_suggestion(&self, id: &str) -> Result<Merged> {
        let what = format!("apply suggestion `{}`", id.trim());
        let who =
            Who { by: Provenance::User, reason: Some(format!("suggestion {}", id.trim())), at: self.now() };
        self.merge_by(who, &mut |read| {
            let suggestion = open_suggestion(read, id, &what)?;
            Ok((suggestion.kept, suggestion.merged))
        })
    }

    /// Records that the pair of a suggestion (`p12`) is not one entity, and is not to be suggested again.
    pub fn dismiss_suggestion(&self, id: &str) -> Result<SuggestionView> {
        let what = format!("dismiss suggestion `{}`", id.trim());
        let now = self.now();
        let mut dismissed = None;
        self.backend.write(&mut |read| {
            let mut suggestion = open_suggestion(read, id, &what)?;
            suggestion.state = SuggestionState::Dismissed;
            dismissed = Some(suggestion.clone());
            Ok(ChangeSet { at: now, changes: vec![Change::PutSuggestion(suggestion)] })
        })?;
        let suggestion =
            dismissed.ok_or_else(|| Error::new(crate::model::ErrorKind::Bug, what, "nothing was changed"))?;
        Ok(SuggestionView {
            kept: self.row(suggestion.kept)?,
            merged: self.row(suggestion.merged)?,
            suggestion,
        })
    }

    /// Compares the names of all entities and records the pairs that may be the same thing. With `auto`,
    /// entities of one type whose names differ only in accents, punctuation, spaces and case are merged at
    /// once, keeping the better connected one.
    pub fn suggest_merges(&self, auto: bool) -> Result<MergeScan> {
        self.backend.refresh()?;
        let names = self.names_to_compare()?;
        let pairs = self.alike_pairs(&names)?;
        let now = self.now();
        let mut scan = MergeScan { names: names.len() as u64, ..MergeScan::default() };
        let mut survivors: HashMap<Node, Node> = HashMap::new();
        let mut open = Vec::new();
        for pair in pairs {
            if !(auto && pair.verdict == NameMatch::Sure) {
                open.push(pair);
                continue;
            }
            let survivor = |mut node: Node| {
                while let Some(&next) = survivors.get(&node) {
                    node = next;
                }
                node
            };
            let (kept, merged) = (survivor(pair.kept), survivor(pair.merged));
            if kept != merged {
                let who = Who { by: Provenance::Rule, reason: Some(pair.reason.clone()), at: now };
                scan.merged.push(self.merge_by(who, &mut |_| Ok((kept, merged)))?.merge);
                survivors.insert(merged, kept);
            }
        }
        open.retain(|pair| !survivors.contains_key(&pair.kept) && !survivors.contains_key(&pair.merged));
        self.backend.write(&mut |read| {
            let known = suggested(read)?;
            let fresh = open.iter().filter(|pair| !known.contains(&ordered(pair.kept, pair.merged)));
            let mut changes = Vec::new();
            for (number, pair) in (next_suggestion(read)?..).zip(fresh) {
                changes.push(Change::PutSuggestion(Suggestion {
                    number,
                    kept: pair.kept,
                    merged: pair.merged,
                    similarity: pair.cosine,
                    reason: pair.reason.clone(),
                    at: now,
                    state: SuggestionState::Open,
                }));
            }
            scan.suggested = changes.len() as u64;
            Ok(ChangeSet { at: now, changes })
        })?;
        Ok(scan)
    }

    fn names_to_compare(&self) -> Result<Vec<Entity>> {
        let mut names = Vec::new();
        let mut after = 0;
        loop {
            let page = self.backend.entities_after(after, PAGE)?;
            let Some(last) = page.last() else { return Ok(names) };
            after = last.node.number();
            names.extend(page.into_iter().filter(|entity| {
                entity.deleted_at.is_none()
                    && alike::is_written_freely(entity.kind)
                    && !alike::is_exact(&entity.name)
            }));
        }
    }

    /// Pairs that may be the same thing, the most similar first, without those suggested before.
    fn alike_pairs(&self, names: &[Entity]) -> Result<Vec<Pair>> {
        let mut vectors = Vec::with_capacity(names.len());
        for page in names.chunks(PAGE) {
            let texts: Vec<&str> = page.iter().map(|entity| entity.name.as_str()).collect();
            vectors.extend(self.embedder.embed(&texts)?);
        }
        let vectors: Vec<_> =
            vectors.into_iter().map(|v| v.map(|v| embed::quantise(self.embedder.name(), &v))).collect();
        let nodes: Vec<Node> = names.iter().map(|entity| entity.node).collect();
        let degrees = self.backend.degrees(&nodes, Some(self.now()))?;
        let known = suggested(self.backend.as_ref())?;

        let mut blocks: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for (at, entity) in names.iter().enumerate() {
            for beginning in alike::beginnings(&entity.name) {
                blocks.entry(beginning).or_default().push(at);
            }
        }
        let mut seen: HashSet<(usize, usize)> = HashSet::new();
        let mut pairs = Vec::new();
        for block in blocks.values().filter(|block| block.len() <= MOST_IN_BLOCK) {
            for (position, &a) in block.iter().enumerate() {
                for &b in &block[position + 1..] {
                    let (one, other) = (&names[a], &names[b]);
                    let is_candidate = one.kind == other.kind
                        || one.kind == EntityType::Concept
                        || other.kind == EntityType::Concept
                        || one.aliases.iter().any(|alias| other.aliases.contains(alias));
                    if !is_candidate || known.contains(&ordered(one.node, other.node)) || !seen.insert((a, b))
                    {
                        continue;
                    }
                    let cosine = match (&vectors[a], &vectors[b]) {
                        (Some(x), Some(y)) => embed::cosine(x, y).min(1.0),
                        _ => 0.0,
                    };
                    let Some((verdict, reason)) = self.verdict(one, other, cosine)? else { continue };
                    let keep_first = (degrees[a], std::cmp::Reverse(one.node))
                        >= (degrees[b], std::cmp::Reverse(other.node));
                    let (kept, merged) =
                        if keep_first { (one.node, other.node) } else { (other.node, one.node) };
                    pairs.push(Pair { kept, merged, cosine, verdict, reason });
                }
            }
        }
        pairs.sort_by(|x, y| y.cosine.total_cmp(&x.cosine).then((x.kept, x.merged).cmp(&(y.kept, y.merged))));
        Ok(pairs)
    }

    fn verdict(&self, one: &Entity, other: &Entity, cosine: f32) -> Result<Option<(NameMatch, String)>> {
        let is_concept = |entity: &Entity| entity.kind == EntityType::Concept;
        let verdict = alike::alike(&one.name, &other.name, cosine);
        if one.kind == other.kind {
            let reason = match verdict {
                Some(NameMatch::Sure) => {
                    "the names differ only in accents, punctuation or spaces".to_string()
                }
                _ => format!("the names are similar (cosine {cosine:.2})"),
            };
            return Ok(verdict.map(|verdict| (verdict, reason)));
        }
        if is_concept(one) || is_concept(other) {
            // The entity without a type may be any of several.
            let typed = if is_concept(one) { other } else { one };
            let reason =
                format!("the names are similar, and one is a {} (cosine {cosine:.2})", typed.kind.name());
            return Ok(verdict.map(|_| (NameMatch::Maybe, reason)));
        }
        // Homonyms: two types given by callers are two things; types found by rules may be one.
        if verdict != Some(NameMatch::Sure) {
            return Ok(None);
        }
        for entity in [one, other] {
            if self.backend.type_votes(entity.node)?.iter().any(|vote| vote.given) {
                return Ok(None);
            }
        }
        let reason =
            format!("the same name, typed as {} and as {} by rules only", one.kind.name(), other.kind.name());
        Ok(Some((NameMatch::Maybe, reason)))
    }
}

struct Pair {
    kept: Node,
    merged: Node,
    cosine: f32,
    verdict: NameMatch,
    reason: String,
}

fn ordered(a: Node, b: Node) -> (Node, Node) {
    (a.min(b), a.max(b))
}

fn suggested(read: &dyn Read) -> Result<BTreeSet<(Node, Node)>> {
    Ok(read.suggestions()?.iter().map(|suggestion| ordered(suggestion.kept, suggestion.merged)).collect())
}

fn next_suggestion(read: &dyn Read) -> Result<u32> {
    Ok(read.suggestions()?.last().map_or(0, |last| last.number) + 1)
}

/// The suggestions of a pair in their new state.
fn settled(read: &dyn Read, a: Node, b: Node, state: SuggestionState) -> Result<Vec<Change>> {
    let of_pair = read.suggestions()?.into_iter().filter(|s| ordered(s.kept, s.merged) == ordered(a, b));
    Ok(of_pair.map(|suggestion| Change::PutSuggestion(Suggestion { state, ..suggestion })).collect())
}

fn open_suggestion(read: &dyn Read, id: &str, what: &str) -> Result<Suggestion> {
    let Some(number) = number(id, 'p') else {
        return Err(Error::invalid(what, "the id of a suggestion looks like `p12`").hint("griot merges"));
    };
    match read.suggestions()?.into_iter().find(|suggestion| suggestion.number == number) {
        None => Err(Error::not_found(what, "there is no such suggestion").hint("griot merges")),
        Some(suggestion) if suggestion.state != SuggestionState::Open => {
            Err(Error::invalid(what, format!("it is {}", suggestion.state.name())).hint("griot merges"))
        }
        Some(suggestion) => Ok(suggestion),
    }
}

/// Parses `g12` or `12`.
fn number(id: &str, letter: char) -> Option<u32> {
    let id = id.trim();
    id.strip_prefix(letter).unwrap_or(id).parse().ok().filter(|number| *number > 0)
}
