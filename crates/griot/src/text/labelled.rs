//! Names that a person labelled in talk, notes and manuals of five languages: what the rules find of them,
//! and how often they are right, must not fall. The texts of the section `later` were labelled after the
//! rules had been written.

use std::collections::BTreeMap;

use super::{entities, normal_name};
use crate::model::EntityType;

/// Precision, recall and the share of right types that each section keeps.
const KEPT: &[(&str, [f32; 3])] = &[
    ("talk", [0.95, 0.94, 0.92]),
    ("notes", [0.90, 0.94, 0.80]),
    ("manuals", [0.95, 0.95, 0.92]),
    ("later", [0.93, 0.93, 0.84]),
];

fn group(kind: EntityType) -> &'static str {
    match kind {
        EntityType::Person => "person",
        EntityType::Org => "org",
        EntityType::Location => "location",
        _ => "other",
    }
}

#[test]
fn labelled_names_are_found_with_their_types() {
    let mut counts: BTreeMap<&str, [usize; 4]> = BTreeMap::new();
    let mut section = "";
    for line in include_str!("../../tests/cases/labelled_names.tsv").lines().filter(|line| !line.is_empty()) {
        if let Some(next) = line.strip_prefix("== ") {
            section = next;
            continue;
        }
        let (text, labels) = line.split_once('\t').expect("a text and its names");
        let wanted: BTreeMap<String, &str> = labels
            .split(" | ")
            .map(|label| label.rsplit_once(':').expect("a name and its type"))
            .map(|(name, kind)| (normal_name(name), kind))
            .collect();
        let found: BTreeMap<String, &str> = entities(&text.replace("\\n", "\n"))
            .iter()
            .filter(|one| one.kind != EntityType::Date)
            .map(|one| (normal_name(&one.name), group(one.kind)))
            .collect();
        let [both, all, labelled, typed] = counts.entry(section).or_default();
        *all += found.len();
        *labelled += wanted.len();
        for (name, kind) in &wanted {
            *both += usize::from(found.contains_key(name));
            *typed += usize::from(found.get(name) == Some(kind));
        }
    }
    let labelled: usize = counts.values().map(|[_, _, labelled, _]| labelled).sum();
    assert!(labelled >= 300, "{labelled} names are labelled");
    for (section, kept) in KEPT {
        let [both, all, labelled, typed] = counts[section].map(|count| count as f32);
        let reached = [both / all, both / labelled, typed / both];
        println!("{section}: precision, recall, right types {reached:.3?}");
        assert!(reached.iter().zip(kept).all(|(reached, kept)| reached >= kept), "{section}: {reached:?}");
    }
}
