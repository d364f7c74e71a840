//! Decides which pairs of entities may be one thing, by their names.
//!
//! Only names with a common beginning are compared, so that the cost does not grow with the square of all
//! names. Homonyms are two things where callers gave both their types, and may be one where rules did.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use super::alike::{self, NameMatch};
use crate::embed;
use crate::model::{Entity, EntityType, Node, Result, StoredVector};

/// Most names with a common beginning that are compared with each other: a beginning of more names
/// (`university`) means little. A pair without a rarer one in common is not compared.
const MOST_IN_BLOCK: usize = 1000;

/// Pairs that are less likely are not asked about.
const LEAST_LIKELY: f32 = 0.2;

/// A name to compare.
pub struct Compared {
    pub entity: Entity,
    /// Of the name.
    pub vector: Option<StoredVector>,
    /// Number of edges; the better connected entity of a pair is kept.
    pub degree: u32,
}

/// Two entities that may be one thing.
#[derive(Clone, PartialEq, Debug)]
pub struct Pair {
    pub kept: Node,
    pub merged: Node,
    pub cosine: f32,
    pub verdict: NameMatch,
    pub reason: String,
}

/// Whether the name of an entity is compared with others.
pub fn is_compared(entity: &Entity) -> bool {
    entity.deleted_at.is_none() && alike::is_written_freely(entity.kind) && !alike::is_exact(&entity.name)
}

/// Two nodes in ascending order.
pub fn ordered(a: Node, b: Node) -> (Node, Node) {
    (a.min(b), a.max(b))
}

/// The pairs that may be one thing, the most similar first, without those that are `known`. `is_given` says
/// whether a caller gave an entity its type.
pub fn pairs(
    names: &[Compared],
    known: &BTreeSet<(Node, Node)>,
    is_given: &dyn Fn(Node) -> Result<bool>,
) -> Result<Vec<Pair>> {
    let mut blocks: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (at, name) in names.iter().enumerate() {
        for beginning in alike::beginnings(&name.entity.name) {
            blocks.entry(beginning).or_default().push(at);
        }
    }
    let mut seen: BTreeSet<(usize, usize)> = BTreeSet::new();
    let mut pairs = Vec::new();
    for block in blocks.values().filter(|block| block.len() <= MOST_IN_BLOCK) {
        for (position, &a) in block.iter().enumerate() {
            for &b in &block[position + 1..] {
                let (one, other) = (&names[a], &names[b]);
                let is_known = known.contains(&ordered(one.entity.node, other.entity.node));
                if may_be_one(&one.entity, &other.entity) && !is_known && seen.insert((a, b)) {
                    pairs.extend(pair(one, other, is_given)?);
                }
            }
        }
    }
    pairs.sort_by(|x, y| y.cosine.total_cmp(&x.cosine).then((x.kept, x.merged).cmp(&(y.kept, y.merged))));
    Ok(pairs)
}

/// Pairs for a judge who reads what is known about both: more than [`pairs`], since a wrong one costs a
/// question and merges nothing. Each name is asked about `most` times for its own sake; the likeliest pairs
/// come first.
pub fn for_judge(names: &[Compared], known: &BTreeSet<(Node, Node)>, most: usize) -> Vec<Pair> {
    let mut blocks: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (at, name) in names.iter().enumerate() {
        let name = &name.entity.name;
        let keys = alike::beginnings(name).into_iter().chain(alike::initials(name));
        let keys: BTreeSet<String> = keys.map(|key| key.chars().take(4).collect()).collect();
        keys.into_iter().for_each(|key| blocks.entry(key).or_default().push(at));
    }
    let everything: Vec<usize> = (0..names.len()).collect();
    // Few enough to compare each with each, so that names without a letter in common are found, too.
    let blocks: Vec<&[usize]> = match names.len() {
        0..=MOST_IN_BLOCK => vec![&everything],
        _ => blocks.values().map(Vec::as_slice).filter(|block| block.len() <= MOST_IN_BLOCK).collect(),
    };
    let mut likeliest: BTreeMap<(usize, usize), (f32, f32)> = BTreeMap::new();
    for block in blocks {
        for (position, &a) in block.iter().enumerate() {
            for &b in &block[position + 1..] {
                let (one, other) = (&names[a], &names[b]);
                let is_known = known.contains(&ordered(one.entity.node, other.entity.node));
                if is_known || !may_be_one(&one.entity, &other.entity) {
                    continue;
                }
                let cosine = cosine(one, other);
                let likely = alike::likelihood(&one.entity.name, &other.entity.name, cosine);
                if likely >= LEAST_LIKELY {
                    likeliest.insert((a, b), (likely, cosine));
                }
            }
        }
    }
    let mut found: Vec<((usize, usize), (f32, f32))> = likeliest.into_iter().collect();
    found.sort_by(|(x, (p, _)), (y, (q, _))| q.total_cmp(p).then(x.cmp(y)));
    let mut asked = vec![0; names.len()];
    let mut pairs = Vec::new();
    for ((a, b), (likely, cosine)) in found {
        if asked[a] >= most && asked[b] >= most {
            continue;
        }
        asked[a] += 1;
        asked[b] += 1;
        let (kept, merged) = better_first(&names[a], &names[b]);
        pairs.push(Pair {
            kept: kept.entity.node,
            merged: merged.entity.node,
            cosine,
            verdict: NameMatch::Maybe,
            reason: format!("the names may be of one thing ({likely:.2})"),
        });
    }
    pairs
}

fn cosine(one: &Compared, other: &Compared) -> f32 {
    match (&one.vector, &other.vector) {
        (Some(x), Some(y)) => embed::cosine(x, y).min(1.0),
        _ => 0.0,
    }
}

/// The better connected one first; of equal ones the older.
fn better_first<'n>(one: &'n Compared, other: &'n Compared) -> (&'n Compared, &'n Compared) {
    let rank = |name: &Compared| (name.degree, Reverse(name.entity.node));
    if rank(one) >= rank(other) { (one, other) } else { (other, one) }
}

fn is_concept(entity: &Entity) -> bool {
    entity.kind == EntityType::Concept
}

fn may_be_one(one: &Entity, other: &Entity) -> bool {
    one.kind == other.kind
        || is_concept(one)
        || is_concept(other)
        || one.aliases.iter().any(|alias| other.aliases.contains(alias))
}

fn pair(one: &Compared, other: &Compared, is_given: &dyn Fn(Node) -> Result<bool>) -> Result<Option<Pair>> {
    let cosine = cosine(one, other);
    let Some((verdict, reason)) = verdict(&one.entity, &other.entity, cosine, is_given)? else {
        return Ok(None);
    };
    let (kept, merged) = better_first(one, other);
    Ok(Some(Pair { kept: kept.entity.node, merged: merged.entity.node, cosine, verdict, reason }))
}

fn verdict(
    one: &Entity,
    other: &Entity,
    cosine: f32,
    is_given: &dyn Fn(Node) -> Result<bool>,
) -> Result<Option<(NameMatch, String)>> {
    let Some(verdict) = alike::alike(&one.name, &other.name, cosine) else { return Ok(None) };
    if one.kind == other.kind {
        let reason = match verdict {
            NameMatch::Sure => "the names differ only in accents, punctuation or spaces".to_string(),
            NameMatch::Maybe => format!("the names are similar (cosine {cosine:.2})"),
        };
        return Ok(Some((verdict, reason)));
    }
    if is_concept(one) || is_concept(other) {
        // The entity without a type may be any of several.
        let typed = if is_concept(one) { other } else { one };
        let reason =
            format!("the names are similar, and one is a {} (cosine {cosine:.2})", typed.kind.name());
        return Ok(Some((NameMatch::Maybe, reason)));
    }
    if verdict != NameMatch::Sure || is_given(one.node)? || is_given(other.node)? {
        return Ok(None);
    }
    let reason =
        format!("the same name, typed as {} and as {} by rules only", one.kind.name(), other.kind.name());
    Ok(Some((NameMatch::Maybe, reason)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Timestamp, normal_name};
    use EntityType::{Concept, Date, Location, Person, Tool};

    fn entity(number: usize, name: &str, kind: EntityType) -> Entity {
        Entity {
            node: Node::entity(number as u32 + 1),
            name: name.into(),
            kind,
            key: name.to_lowercase(),
            aliases: vec![normal_name(name)],
            description: Vec::new(),
            first_seen: Timestamp(0),
            last_seen: Timestamp(0),
            deleted_at: None,
        }
    }

    /// `kept < merged verdict` of these names, which have the same vector and so many edges.
    fn check(names: &[(&str, EntityType, u32)], known: &[(u32, u32)], given: &[u32]) -> String {
        let vector = embed::quantise("test", &[1.0, 0.0]);
        let named = names.iter().enumerate().map(|(number, (name, kind, degree))| Compared {
            entity: entity(number, name, *kind),
            vector: Some(vector.clone()),
            degree: *degree,
        });
        let names: Vec<Compared> = named.filter(|name| is_compared(&name.entity)).collect();
        let known = known.iter().map(|(a, b)| (Node::entity(*a), Node::entity(*b))).collect();
        let found = pairs(&names, &known, &|node| Ok(given.contains(&node.number()))).expect("no request");
        let shown =
            |pair: &Pair| format!("{} < {} {:?}", pair.kept.number(), pair.merged.number(), pair.verdict);
        found.iter().map(shown).collect::<Vec<_>>().join("; ")
    }

    #[test]
    fn pairs_of_alike_names_are_found_and_the_better_connected_is_kept() {
        let two = |a, b| [("Session Store", Tool, a), ("SessionStore", Tool, b)];
        assert_eq!(check(&two(3, 1), &[], &[]), "1 < 2 Sure");
        assert_eq!(check(&two(1, 3), &[], &[]), "2 < 1 Sure");
        assert_eq!(check(&two(1, 1), &[], &[]), "1 < 2 Sure", "the older one");
        assert_eq!(check(&two(1, 1), &[(1, 2)], &[]), "", "a pair is suggested once");
        assert_eq!(check(&[("Killers", Tool, 1), ("The Killers", Tool, 1)], &[], &[]), "1 < 2 Maybe");
        assert_eq!(check(&[("May 2023", Date, 1), ("May-2023", Date, 1)], &[], &[]), "", "dates are exact");
        assert_eq!(check(&[("Ada", Person, 1), ("Bob", Person, 1)], &[], &[]), "", "nothing in common");
    }

    #[test]
    fn homonyms_are_two_things_unless_rules_alone_typed_them() {
        let homonyms = [("Mercury", Person, 1), ("Mercury", Location, 1)];
        for (given, expected) in [(&[][..], "1 < 2 Maybe"), (&[1], ""), (&[2], ""), (&[1, 2], "")] {
            assert_eq!(check(&homonyms, &[], given), expected, "{given:?}");
        }
        let untyped = [("Mercury", Concept, 1), ("Mercury", Location, 1)];
        assert_eq!(check(&untyped, &[], &[1, 2]), "1 < 2 Maybe", "the one without a type may be either");
    }

    #[test]
    fn a_beginning_of_too_many_names_is_not_compared() {
        let names: Vec<String> = (0..=MOST_IN_BLOCK).map(|number| format!("University {number}")).collect();
        let mut named: Vec<(&str, EntityType, u32)> =
            names.iter().map(|name| (name.as_str(), Tool, 1)).collect();
        named.push(("University X1", Tool, 1));
        assert_eq!(check(&named, &[], &[]), "");
    }
}
