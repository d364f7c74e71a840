//! Verbs for entities that are the same thing: `merge`, its undo, the log, and the comparison of all names.
//!
//! Writes never compare names by vector: that would need the vectors of all names under the writer's lock,
//! and cosine alone is not reliable enough (`remember::alike`). [`Engine::suggest_merges`] compares all names
//! on request.

use std::collections::{HashMap, HashSet};

use super::{Engine, MergeLog, MergeQuestion, MergeRequest, MergeScan, Merged, SuggestionView, Unmerged};
use crate::backend::{Direction, Filter, NeighbourQuery, Read, pages};
use crate::embed::{self, Embedder, StaticEmbedder};
use crate::graph;
use crate::model::{
    Change, ChangeSet, EdgeKind, Entity, Error, Memory, Merge, Node, Provenance, Result, Scope, Suggestion,
    SuggestionState,
};
use crate::remember::alike::NameMatch;
use crate::remember::merge::{self, Separated, Who};
use crate::remember::pairs::{self, Compared};
use crate::remember::{naming, reading, suggestions};

/// Entities whose mentions are read together.
const PAGE: usize = 1000;
/// Memories in which a name is looked for.
const LOOKED_AT: usize = 20;
const LOOKED_AT_ONCE: usize = 4;

/// The scope of a user that no memory has, who sees what belongs to no user.
pub(super) fn no_user() -> Scope {
    Scope { user: Some(String::new()), project: None }
}

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
            changes.extend(suggestions::settle(read, kept, merged, SuggestionState::Applied)?);
            record = Some(merge);
            Ok(ChangeSet { at: who.at, changes })
        })?;
        self.look_around(&touched);
        let merge = record.ok_or_else(|| nothing("merge"))?;
        let [entity] = self.rows_of([merge.kept.node])?;
        Ok(Merged { entity, merge })
    }

    /// Separates the two entities of a merge (`g12`). The pair is not suggested again.
    pub fn unmerge(&self, id: &str) -> Result<Unmerged> {
        let number = suggestions::number(id, 'g').ok_or_else(|| {
            Error::invalid(format!("undo merge `{}`", id.trim()), "the id of a merge looks like `g12`")
                .hint("griot merges")
        })?;
        let now = self.now();
        let mut undone: Option<(Merge, Separated)> = None;
        let touched = self.write(&mut |read| {
            let (merge, separated, mut changes) = merge::undo(read, number, now)?;
            changes.extend(suggestions::dismiss_undone(read, &merge, now)?);
            undone = Some((merge, separated));
            Ok(ChangeSet { at: now, changes })
        })?;
        self.look_around(&touched);
        let (merge, Separated { edges, facts, inseparable }) =
            undone.ok_or_else(|| nothing("undo a merge"))?;
        let [kept, merged] = self.rows_of([merge.kept.node, merge.merged.node])?;
        Ok(Unmerged { kept, merged, edges, facts, inseparable, merge })
    }

    /// The log of merges, and the open suggestions without those of entities that were hidden since.
    pub fn merges(&self) -> Result<MergeLog> {
        self.merge_log(false)
    }

    /// The same; with `any_state`, also suggestions that were dismissed.
    pub fn merge_log(&self, any_state: bool) -> Result<MergeLog> {
        let read = self.read()?;
        let mut merges: Vec<Merge> = pages(read).collect::<Result<Vec<_>>>()?.concat();
        merges.reverse();
        let mut listed = read.suggestions()?;
        listed.retain(|suggestion| any_state || suggestion.state.is_open());
        let nodes: Vec<Node> =
            listed.iter().flat_map(|suggestion| [suggestion.kept, suggestion.merged]).collect();
        let rows: HashMap<Node, Entity> =
            read.entities(&nodes)?.into_iter().map(|entity| (entity.node, entity)).collect();
        let live = |node: Node| rows.get(&node).filter(|entity| entity.deleted_at.is_none()).cloned();
        let view = |suggestion: Suggestion| {
            let (kept, merged) = (live(suggestion.kept)?, live(suggestion.merged)?);
            Some(SuggestionView { suggestion, kept, merged })
        };
        let mut suggestions: Vec<SuggestionView> = listed.into_iter().filter_map(view).collect();
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
            let suggestion = suggestions::open(read, id, &what)?;
            Ok((suggestion.kept, suggestion.merged))
        })
    }

    /// Whether a suggestion has this id (`p12`).
    pub fn is_suggestion(&self, id: &str) -> Result<bool> {
        Ok(suggestions::named(self.read()?, id)?.is_some())
    }

    /// Records that the pair of a suggestion (`p12`) is not one entity, and is not to be suggested again.
    pub fn dismiss_suggestion(&self, id: &str) -> Result<SuggestionView> {
        let what = format!("dismiss suggestion `{}`", id.trim());
        let now = self.now();
        let mut dismissed = None;
        self.backend.write(&mut |read| {
            let suggestion =
                Suggestion { state: SuggestionState::Dismissed, ..suggestions::open(read, id, &what)? };
            dismissed = Some(suggestion.clone());
            Ok(ChangeSet { at: now, changes: vec![Change::PutSuggestion(suggestion)] })
        })?;
        let suggestion = dismissed.ok_or_else(|| nothing(&what))?;
        let [kept, merged] = self.rows_of([suggestion.kept, suggestion.merged])?;
        Ok(SuggestionView { suggestion, kept, merged })
    }

    fn rows_of<const N: usize>(&self, entities: [Node; N]) -> Result<[Entity; N]> {
        let rows = self.backend.entities(&entities)?;
        rows.try_into()
            .map_err(|_| Error::corrupt(format!("read the entities {entities:?}"), "one has no row"))
    }

    /// Compares the names of all entities and records the pairs that may be the same thing. With `auto`,
    /// entities of one type whose names differ only in accents, punctuation, spaces and case are merged at
    /// once, keeping the better connected one.
    pub fn suggest_merges(&self, auto: bool) -> Result<MergeScan> {
        let read = self.read()?;
        let names = self.names_to_compare()?;
        let is_given = |node: Node| Ok(read.type_votes(node)?.iter().any(|vote| vote.given));
        let pairs = pairs::pairs(&names, &suggestions::known(read)?, &is_given)?;
        let now = self.now();
        let mut scan = MergeScan { names: names.len() as u64, ..MergeScan::default() };
        let mut survivors: HashMap<Node, Node> = HashMap::new();
        let (sure, mut open): (Vec<_>, Vec<_>) =
            pairs.into_iter().partition(|pair| auto && pair.verdict == NameMatch::Sure);
        for pair in sure {
            let survivor = |mut node: Node| {
                while let Some(&next) = survivors.get(&node) {
                    node = next;
                }
                node
            };
            let (kept, merged) = (survivor(pair.kept), survivor(pair.merged));
            if kept != merged {
                let who = Who { by: Provenance::Rule, reason: Some(pair.reason), at: now };
                scan.merged.push(self.merge_by(who, &mut |_| Ok((kept, merged)))?.merge);
                survivors.insert(merged, kept);
            }
        }
        open.retain(|pair| !survivors.contains_key(&pair.kept) && !survivors.contains_key(&pair.merged));
        self.backend.write(&mut |read| {
            let changes = suggestions::suggest(read, open.iter(), now)?;
            scan.suggested = changes.len() as u64;
            Ok(ChangeSet { at: now, changes })
        })?;
        Ok(scan)
    }

    /// Pairs of entities that a judge should be asked about: those that are not suggested yet, the likeliest
    /// first, then the open suggestions; those that a judge was not sure about only `again`. Each name is
    /// asked about `most` times for its own sake. Names that are known only from memories of users are left
    /// out.
    pub fn merge_questions(&self, most: usize, again: bool) -> Result<Vec<MergeQuestion>> {
        let read = self.read()?;
        let mut names = self.names_to_compare()?;
        let known = self.known_to_all(names.iter().map(|name| &name.entity))?;
        names.retain(|name| known.contains(&name.entity.node));
        let pairs = pairs::for_judge(&names, &suggestions::known(read)?, most);
        let rows: HashMap<Node, Entity> =
            names.into_iter().map(|name| (name.entity.node, name.entity)).collect();
        let fresh = pairs.into_iter().filter_map(|(kept, merged, similarity)| {
            let (kept, merged) = (rows.get(&kept)?.clone(), rows.get(&merged)?.clone());
            Some(MergeQuestion { kept, merged, similarity })
        });
        let mut questions: Vec<MergeQuestion> = fresh.collect();
        let mut open = self.merges()?.suggestions;
        open.retain(|view| again || view.suggestion.state == SuggestionState::Open);
        let known = self.known_to_all(open.iter().flat_map(|view| [&view.kept, &view.merged]))?;
        let open = open.into_iter().map(|view| MergeQuestion {
            kept: view.kept,
            merged: view.merged,
            similarity: view.suggestion.similarity,
        });
        let is_known =
            |one: &MergeQuestion| known.contains(&one.kept.node) && known.contains(&one.merged.node);
        questions.extend(open.filter(is_known));
        Ok(questions)
    }

    /// The entities whose names are known from memories without a user. After a merge, the name may be from a
    /// memory of a user, also from one that was forgotten since, and another one from those without.
    fn known_to_all<'e>(&self, entities: impl Iterator<Item = &'e Entity>) -> Result<HashSet<Node>> {
        let read = self.backend.as_ref();
        let entities: Vec<&Entity> = entities.collect();
        let mut known = HashSet::new();
        for some in entities.chunks(PAGE) {
            let nodes: Vec<Node> = some.iter().map(|entity| entity.node).collect();
            let fan_out = graph::fan_out(LOOKED_AT, |kind| kind == EdgeKind::Mentions);
            let filter = Filter { scope: no_user(), superseded: true, ..Filter::default() };
            let ask = NeighbourQuery { direction: Direction::In, fan_out: &fan_out, filter: &filter };
            for (entity, shared) in some.iter().zip(read.neighbours(&nodes, &ask)?) {
                let has_name = |memory: &Memory| reading::has_name(memory, &entity.name);
                let shared: Vec<Node> = shared.iter().map(|arc| arc.to).collect();
                // The first of them has the name, except after a merge.
                for some in shared.chunks(LOOKED_AT_ONCE) {
                    if read.memories(some)?.iter().any(has_name) {
                        known.insert(entity.node);
                        break;
                    }
                }
            }
        }
        Ok(known)
    }

    /// The latest memories without a user that mention an entity.
    pub fn shared_mentions(&self, entity: Node, limit: usize) -> Result<Vec<Memory>> {
        let shared = self.confined_to(no_user());
        let view = shared.entity_at(entity, 0, limit)?;
        Ok(view.map_or(Vec::new(), |view| view.mentions))
    }

    /// Stores what a language model said about a pair: the two are one and are merged, they are two and the
    /// pair is not suggested again, or it does not know and a person should look. Returns the merge. Does
    /// nothing if one of them was merged or hidden meanwhile, or if a person decided about the pair.
    pub fn settle_merge(
        &self,
        question: &MergeQuestion,
        are_one: Option<bool>,
        reason: &str,
    ) -> Result<Option<Merge>> {
        let (kept, merged, now) = (question.kept.node, question.merged.node, self.now());
        let is_open = |read: &dyn Read| -> Result<bool> {
            let rows = read.entities(&[kept, merged])?;
            let are_live = rows.len() == 2 && rows.iter().all(|entity| entity.deleted_at.is_none());
            Ok(are_live && suggestions::is_undecided(read, kept, merged)?)
        };
        let mut record = None;
        let touched = self.write(&mut |read| {
            if !is_open(read)? {
                return Ok(ChangeSet { at: now, changes: Vec::new() });
            }
            let mut changes = Vec::new();
            if are_one == Some(true) {
                let who = Who { by: Provenance::Llm, reason: Some(reason.to_string()), at: now };
                let (merge, merging) = merge::merge(read, kept, merged, who)?;
                changes.extend(merging);
                changes.extend(suggestions::settle(read, kept, merged, SuggestionState::Applied)?);
                record = Some(merge);
            } else {
                let state = match are_one {
                    Some(_) => SuggestionState::Dismissed,
                    None => SuggestionState::Unsure,
                };
                changes.extend(suggestions::put(
                    read,
                    (kept, merged, question.similarity),
                    reason,
                    state,
                    now,
                )?);
            }
            Ok(ChangeSet { at: now, changes })
        })?;
        self.look_around(&touched);
        Ok(record)
    }

    fn names_to_compare(&self) -> Result<Vec<Compared>> {
        let mut names: Vec<Compared> = Vec::new();
        // Names may come from texts of users alone, and are compared with each other only.
        let embedder: &dyn Embedder = match self.embedders.selected.takes_private_texts() {
            true => self.embedders.selected.as_ref(),
            false => &StaticEmbedder,
        };
        for page in pages::<Entity>(self.backend.as_ref()) {
            let entities: Vec<Entity> = page?.into_iter().filter(pairs::is_compared).collect();
            let nodes: Vec<Node> = entities.iter().map(|entity| entity.node).collect();
            let degrees = self.backend.degrees(&nodes, Some(self.now()))?;
            let texts: Vec<&str> = entities.iter().map(|entity| entity.name.as_str()).collect();
            let vectors = embedder.embed(&texts)?;
            let of_page = entities.into_iter().zip(vectors).zip(degrees);
            names.extend(of_page.map(|((entity, vector), degree)| {
                let vector = vector.map(|vector| embed::quantise(embedder.name(), &vector));
                Compared { entity, vector, degree }
            }));
        }
        Ok(names)
    }
}

fn nothing(what: &str) -> Error {
    Error::new(crate::model::ErrorKind::Bug, what, "nothing was changed")
}
