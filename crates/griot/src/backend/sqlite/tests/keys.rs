//! Keys of entities: unique, assigned to entities of older formats, distinct for entities that shared an id.

use std::path::Path;

use rusqlite::Connection;

use super::*;
use crate::backend::NodeName;
use crate::backend::sqlite::schema::{APPLICATION_ID, MIGRATIONS};
use crate::model::*;
use crate::testkit::conformance::*;

/// A database of format 4 with entities: name, type, canonical id, forgotten, merged into the first one.
fn format_4(path: &Path, entities: &[(&str, &str, &str, bool, bool)]) {
    let connection = Connection::open(path).unwrap();
    connection.execute_batch(&MIGRATIONS[..4].concat()).unwrap();
    connection.pragma_update(None, "user_version", 4).unwrap();
    connection.pragma_update(None, "application_id", APPLICATION_ID).unwrap();
    connection.execute("INSERT INTO meta (key, value) VALUES ('store', randomblob(16))", []).unwrap();
    for key in ["memory", "source", "edge", "fact"] {
        connection.execute("INSERT INTO meta (key, value) VALUES (?1, 1)", [format!("next {key}")]).unwrap();
    }
    let next = entities.len() as u32 + 1;
    connection.execute("INSERT INTO meta (key, value) VALUES ('next entity', ?1)", [next]).unwrap();
    for (number, (name, kind, id, is_hidden, is_merged)) in (1_u32..).zip(entities) {
        let (deleted_at, alias) = (if *is_hidden { "9" } else { "NULL" }, name.to_lowercase());
        let mut sql = format!(
            "INSERT OR IGNORE INTO name (text) VALUES ('{kind}');
             INSERT INTO entity (number, name, kind, first_seen, last_seen, deleted_at)
             SELECT {number}, '{name}', number, 1, 2, {deleted_at} FROM name WHERE text = '{kind}';
             INSERT INTO alias (entity, position, name)
             VALUES ({number}, 0, '{id}'), ({number}, 1, '{alias}');"
        );
        if *is_merged {
            sql += &format!("INSERT INTO merge VALUES ({number}, 1, {number}, 9, 0, NULL, NULL, x'');");
        }
        connection.execute_batch(&sql).unwrap();
    }
}

fn ids(store: &Opened) -> Vec<String> {
    store.entities_after(0, 100).unwrap().iter().map(Entity::canonical_id).collect()
}

#[test]
fn entities_of_format_4_get_keys_and_those_of_one_id_are_told_apart() {
    let (_folder, path) = place();
    format_4(
        &path,
        &[
            ("Ops", "concept", "concept:ops", true, false),
            ("Ops!", "concept", "concept:ops", false, false),
            ("Ops |", "concept", "concept:ops", false, false),
            ("operator+", "function", "function:operator", false, false),
            ("operator-", "function", "function:operator", false, false),
            ("src/a_b.rs", "file", "file:src-a-b-rs", false, false),
            ("Node.js", "tool", "tool:node-js", false, false),
            ("Auth-Service", "concept", "concept:auth-service", true, true),
            ("Auth Service", "concept", "concept:auth-service", false, false),
        ],
    );
    let store = opened(&path, Options::default()).unwrap();
    assert_eq!(
        ids(&store),
        [
            "concept:ops-(3)",
            "concept:ops",
            "concept:ops-(2)",
            "function:operator+",
            "function:operator-",
            "file:src/a_b.rs",
            "tool:node.js",
            "concept:auth-service-(2)",
            "concept:auth-service",
        ]
    );
    let find = |id: &str| store.find_nodes(&NodeName::Canonical(id)).unwrap();
    assert_eq!(find("file:src-a-b-rs"), [Node::entity(6)], "an id that one entity had");
    assert_eq!(find("tool:node-js"), [Node::entity(7)]);
    assert_eq!(find("function:operator"), [], "one that two had leads to neither");
    assert_eq!(find("concept:ops"), [Node::entity(2)]);
    let named = |name: &str| store.find_nodes(&NodeName::Entity(&normal_name(name))).unwrap();
    assert_eq!(named("ops"), [Node::entity(2), Node::entity(3)]);
    assert_eq!(named("src/a-b.rs"), [Node::entity(6)]);
    let problems = store.integrity().unwrap();
    assert!(
        problems.iter().all(|problem| !problem.contains("key") && !problem.contains("canonical")),
        "{problems:?}"
    );
}

#[test]
fn two_entities_of_one_type_and_key_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let store = opened(&folder.path().join("store.db"), Options::default()).unwrap();
    let oracle = crate::testkit::memory::MemoryBackend::new();
    for store in [&store as &dyn Store, &oracle] {
        let mut hidden = an_entity(1, EntityType::Tool, "Redis");
        hidden.deleted_at = Some(Timestamp(5));
        write(
            store,
            vec![Change::PutEntity(hidden), Change::PutEntity(an_entity(2, EntityType::Org, "redis"))],
        );
        let second = Change::PutEntity(an_entity(3, EntityType::Tool, "redis"));
        assert_eq!(refused(store, vec![second]).kind, ErrorKind::Bug);
        // Two entities may swap their keys.
        let swap = [(1, EntityType::Org), (2, EntityType::Tool)];
        write(store, swap.map(|(number, kind)| Change::PutEntity(an_entity(number, kind, "redis"))).to_vec());
        assert_eq!(store.find_nodes(&NodeName::Canonical("tool:redis")).unwrap(), [Node::entity(2)]);
        assert_eq!(store.integrity().unwrap(), Vec::<String>::new());
    }
}
