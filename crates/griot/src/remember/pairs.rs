//! Decides which pairs of entities may be one thing, by their names.
//!
//! Only names with a common beginning are compared, so that the cost does not grow with the square of all
//! names. Homonyms are two things where callers gave both their types, and may be one where rules did.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use super::alike::{self, NameMatch, Spelling};
use crate::embed;
use crate::graph::distinct;
use crate::model::{Entity, EntityType, Node, Result, StoredVector};

/// Most names with a common beginning that are compared with each other: a beginning of more names
/// (`university`) means little. A pair without a rarer one in common is not compared.
const MOST_IN_BLOCK: usize = 1000;

/// Pairs that are less likely are not asked about.
const LEAST_LIKELY: f32 = 0.1;

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
    let mut pairs = Vec::new();
    for (a, b) in candidates(names, known, &blocks(names, alike::beginnings)) {
        pairs.extend(pair(&names[a], &names[b], is_given)?);
    }
    pairs.sort_by(|x, y| y.cosine.total_cmp(&x.cosine).then((x.kept, x.merged).cmp(&(y.kept, y.merged))));
    Ok(pairs)
}

/// Pairs for a judge who reads what is known about both, kept and merged, with the cosine of their names:
/// more than [`pairs`], since a wrong one costs a question and merges nothing. Each name is asked about
/// `most` times for its own sake; the likeliest pairs come first.
pub fn for_judge(names: &[Compared], known: &BTreeSet<(Node, Node)>, most: usize) -> Vec<(Node, Node, f32)> {
    // Few enough to compare each with each, so that names without anything in common are found, too.
    let blocks = match names.len() {
        0..=MOST_IN_BLOCK => vec![(0..names.len()).collect()],
        _ => blocks(names, |name| {
            let initials = alike::initials(name).map(|initials| initials.chars().take(4).collect());
            alike::beginnings(name).into_iter().chain(initials).collect()
        }),
    };
    let spelled: Vec<Spelling> = names.iter().map(|name| Spelling::of(&name.entity.name)).collect();
    let mut found: Vec<(f32, f32, (usize, usize))> = Vec::new();
    for (a, b) in candidates(names, known, &blocks) {
        let cosine = cosine(&names[a], &names[b]);
        let likely = spelled[a].likelihood(&spelled[b], cosine);
        if likely >= LEAST_LIKELY {
            found.push((likely, cosine, (a, b)));
        }
    }
    found.sort_by(|(p, _, x), (q, _, y)| q.total_cmp(p).then(x.cmp(y)));
    let mut asked = vec![0; names.len()];
    found.retain(|(_, _, (a, b))| {
        let is_asked = asked[*a] < most || asked[*b] < most;
        asked[*a] += usize::from(is_asked);
        asked[*b] += usize::from(is_asked);
        is_asked
    });
    let pair = |(_, cosine, (a, b))| {
        let (kept, merged) = better_first(&names[a], &names[b]);
        (kept.entity.node, merged.entity.node, cosine)
    };
    found.into_iter().map(pair).collect()
}

/// The positions of names with a common key; a key of too many names means little.
fn blocks(names: &[Compared], keys: impl Fn(&str) -> Vec<String>) -> Vec<Vec<usize>> {
    let mut blocks: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (at, name) in names.iter().enumerate() {
        for key in distinct(keys(&name.entity.name)) {
            blocks.entry(key).or_default().push(at);
        }
    }
    blocks.into_values().filter(|block| block.len() <= MOST_IN_BLOCK).collect()
}

/// The pairs within blocks, each once, that may be one and are not known.
fn candidates(
    names: &[Compared],
    known: &BTreeSet<(Node, Node)>,
    blocks: &[Vec<usize>],
) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    for block in blocks {
        for (position, &a) in block.iter().enumerate() {
            let (one, later) = (&names[a].entity, &block[position + 1..]);
            let is_meant = |b: &&usize| {
                let other = &names[**b].entity;
                may_be_one(one, other) && !known.contains(&ordered(one.node, other.node))
            };
            found.extend(later.iter().filter(is_meant).map(|&b| (a, b)));
        }
    }
    distinct(found)
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
            NameMatch::Slip => "the names differ in one character".to_string(),
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
    fn a_judge_is_asked_about_the_likeliest_pairs_of_each_name() {
        let named = ["Ross Alger", "Alger", "Alger Park", "Zebra"].iter().enumerate();
        let vector = |a: f32, b: f32| Some(embed::quantise("test", &[a, b]));
        let names: Vec<Compared> = named
            .map(|(number, name)| Compared {
                entity: entity(number, name, Person),
                vector: if *name == "Zebra" { vector(0.0, 1.0) } else { vector(1.0, 0.0) },
                degree: number as u32,
            })
            .collect();
        let asked = |most, known: &[(u32, u32)]| {
            let known = known.iter().map(|(a, b)| (Node::entity(*a), Node::entity(*b))).collect();
            let pairs = for_judge(&names, &known, most).into_iter();
            pairs.map(|(kept, merged, _)| (kept.number(), merged.number())).collect::<Vec<_>>()
        };
        assert_eq!(asked(1, &[]), [(2, 1), (3, 1)], "each once for its own sake, the better connected kept");
        assert_eq!(asked(3, &[]), [(2, 1), (3, 1), (3, 2)]);
        assert_eq!(asked(3, &[(1, 2)]), [(3, 1), (3, 2)]);
        assert_eq!(asked(0, &[]), []);
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
