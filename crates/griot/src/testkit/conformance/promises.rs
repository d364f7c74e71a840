//! Guarantees by example, numbered for reference.

use super::*;
use crate::backend::{Direction, Filter, NeighbourQuery, NodeName, SourceTally, Store, Wanted, WordQuery};
use crate::model::*;

pub fn promise_1_a_change_set_is_one_revision_and_an_empty_one_is_none(store: &dyn Store) {
    assert_eq!(store.revision(), Revision(0));
    assert_eq!(write(store, vec![Change::PutSource(a_source(1)), add(a_memory(1, "one"))]), Revision(1));
    assert_eq!(write(store, vec![]), Revision(1));
    let commit = store.write(&mut |_| Ok(ChangeSet::default())).unwrap();
    assert!(!commit.changed);
    assert_eq!(write(store, vec![add(a_memory(2, "two"))]), Revision(2));
}

pub fn promise_2_a_failed_plan_or_step_leaves_everything_as_it_was(store: &dyn Store) {
    write(store, vec![Change::PutSource(a_source(1)), add(a_memory(1, "one"))]);
    let failed = store.write(&mut |_| Err(Error::invalid("do it", "a reason"))).unwrap_err();
    assert_eq!(failed, Error::invalid("do it", "a reason"));
    let missing = Change::SetSuperseded { memory: Node::memory(9), by: None };
    let refusal = refused(store, vec![add(a_memory(2, "zebra")), missing]);
    assert_eq!(refusal.kind, ErrorKind::NotFound);
    refused(store, vec![add(Memory { node: Node::memory(2), ..a_memory(1, "other") })]);
    let far = an_edge(Node::memory(1), Node::memory(7), EdgeKind::Semantic, "");
    assert_eq!(refused(store, vec![Change::PutEdge(far)]).kind, ErrorKind::Bug);
    assert_eq!(store.revision(), Revision(1));
    assert_eq!(store.next_numbers().unwrap().memory, 2);
    assert!(store.memories(&[Node::memory(2)]).unwrap().is_empty());
    assert_eq!(with_word(store, "zebra"), []);
    assert_eq!(write(store, vec![add(a_memory(2, "two"))]), Revision(2));
}

pub fn promise_3_a_memory_comes_back_as_it_came(store: &dyn Store) {
    let mut memory = a_memory(1, "Text with \0 a NUL,\r\nlines, and 字 signs");
    memory.tags = vec!["b".into(), "a".into(), "ünï".into()];
    memory.scope = Scope { user: Some("ada".into()), project: Some(String::new()) };
    memory.agent = Some("claude".into());
    memory.session = Some("s1".into());
    memory.speaker = Some("Ada".into());
    memory.heading = vec!["Top".into(), String::new(), "Sub\u{1f}title".into()];
    memory.lines = Some(Lines { first: 3, last: 9 });
    memory.occurred_at = Timestamp(-5);
    memory.superseded_by = Some(memory_id(77));
    memory.access_count = 4;
    memory.last_accessed_at = Some(Timestamp(-1));
    let vector = a_vector(1);
    let change = Change::AddMemory { memory: Box::new(memory.clone()), vector: Some(vector.clone()) };
    write(store, vec![Change::PutSource(a_source(1)), change]);
    assert_eq!(store.memories(&[memory.node]).unwrap(), [memory.clone()]);
    assert_eq!(store.memories_after(0, 9).unwrap(), [memory.clone()]);
    assert_eq!(store.vector(memory.node).unwrap(), Some(vector));
    assert_eq!(store.vector_model().unwrap(), Some(("test-70".into(), 70)));
}

pub fn promise_4_the_same_content_is_found_by_its_hash_while_it_lives(store: &dyn Store) {
    let mut memory = a_memory(1, "same");
    memory.scope.user = Some("ada".into());
    write(store, vec![Change::PutSource(a_source(1)), add(memory.clone())]);
    let hash = content_hash("same", &memory.scope);
    assert_eq!(store.memory_by_hash(&hash).unwrap(), Some(memory.node));
    assert_eq!(store.memory_by_hash(&content_hash("same", &Scope::default())).unwrap(), None);
    let hide = |at| set_deleted(memory.node, at);
    write(store, vec![hide(Some(5))]);
    assert_eq!(store.memory_by_hash(&hash).unwrap(), None);
    assert_eq!(store.find_nodes(&NodeName::Id(memory.id)).unwrap(), [memory.node]);
    write(store, vec![hide(None)]);
    assert_eq!(store.memory_by_hash(&hash).unwrap(), Some(memory.node));
    let again = Memory { scope: memory.scope, ..a_memory(2, "same") };
    write(store, vec![add(again.clone())]);
    assert_eq!(store.memory_by_hash(&hash).unwrap(), Some(again.node));
}

pub fn promise_5_handles_are_short_free_and_found_by_a_piece(store: &dyn Store) {
    let id = memory_id(1);
    assert_eq!(store.free_handle(id).unwrap(), id.handle(6));
    // Another memory has that handle, so that the next free one is a digit longer.
    let taken = Memory { handle: id.handle(6), ..a_memory(2, "two") };
    let one = Memory { handle: id.handle(7), ..a_memory(1, "one") };
    write(store, vec![Change::PutSource(a_source(1)), add(one.clone()), add(taken.clone())]);
    assert_eq!(store.free_handle(id).unwrap(), id.handle(8));
    let find = |handle: &str| store.find_nodes(&NodeName::Handle(handle)).unwrap();
    assert_eq!(find(&id.handle(6).0), [taken.node]);
    assert_eq!(find(&id.handle(7).0), [one.node]);
    assert_eq!(find(&id.handle(7).0[1..].to_uppercase()), [one.node]);
    assert_eq!(find(&id.handle(5).0), [one.node, taken.node]);
    assert_eq!(find(&id.handle(12).0), [one.node]);
    assert_eq!(find("#"), []);
    assert_eq!(find("#xyz"), []);
    assert_eq!(find("100%"), []);
}

pub fn promise_6_entities_are_found_by_names_aliases_and_former_ids(store: &dyn Store) {
    let mut griot = an_entity(1, EntityType::Tool, "Griot");
    griot.aliases.push("concept:griot".into());
    griot.description = vec!["first".into(), "second".into()];
    let person = an_entity(2, EntityType::Person, "Griot");
    let gone = Entity { deleted_at: Some(Timestamp(9)), ..an_entity(3, EntityType::Org, "Griot") };
    write(store, [&griot, &person, &gone].map(|entity| Change::PutEntity(entity.clone())).to_vec());
    let find = |name| store.find_nodes(&name).unwrap();
    assert_eq!(find(NodeName::Entity("griot")), [griot.node, person.node]);
    assert_eq!(find(NodeName::Canonical("tool:griot")), [griot.node]);
    assert_eq!(find(NodeName::Canonical("concept:griot")), [griot.node]);
    assert_eq!(find(NodeName::Canonical("org:griot")), []);
    assert_eq!(find(NodeName::Entity("tool:griot")), []);
    let named = store.find_entities(&["nothing".into(), "griot".into()]).unwrap();
    assert_eq!(named, [vec![], vec![(griot.node, EntityType::Tool), (person.node, EntityType::Person)]]);
    assert_eq!(
        store.entities(&[gone.node, Node::memory(1), griot.node]).unwrap(),
        [gone.clone(), griot.clone()]
    );
    (griot.name, griot.key) = ("Griot 2".into(), "griot 2".into());
    griot.aliases = vec!["griot 2".into(), "tool:griot".into()];
    write(store, vec![Change::PutEntity(griot.clone())]);
    assert_eq!(find(NodeName::Canonical("tool:griot")), [griot.node]);
    assert_eq!(find(NodeName::Canonical("tool:griot-2")), [griot.node]);
    assert_eq!(find(NodeName::Entity("griot")), [person.node]);
    assert_eq!(store.search_entities("riot", None, 9).unwrap(), [], "nothing live names them");
    write(store, vec![Change::PutSource(a_source(1)), add(a_memory(1, "text"))]);
    write(
        store,
        [&griot, &person].map(|entity| Change::PutEdge(a_mention(1, entity.node.number()))).to_vec(),
    );
    assert_eq!(store.search_entities("riot", None, 9).unwrap(), [griot.node, person.node]);
    assert_eq!(store.search_entities("riot", Some(EntityType::Person), 9).unwrap(), [person.node]);
}

pub fn promise_7_a_second_writer_of_an_edge_adds_evidence_and_only_a_higher_one_overwrites(
    store: &dyn Store,
) {
    let (a, b) = (Node::memory(1), Node::memory(2));
    write(store, vec![Change::PutSource(a_source(1)), add(a_memory(1, "one")), add(a_memory(2, "two"))]);
    let mut by_rule = an_edge(b, a, EdgeKind::Semantic, "");
    by_rule.evidence = vec![own_evidence(1, Timestamp(100))];
    let mut by_user = an_edge(a, b, EdgeKind::Semantic, "");
    by_user.provenance = Provenance::User;
    by_user.weight = 0.9;
    by_user.touched_at = Timestamp(300);
    by_user.evidence = vec![Evidence {
        memory: None,
        quote: Some("q".into()),
        reason: Some("r".into()),
        at: Timestamp(300),
    }];
    write(store, vec![Change::PutEdge(by_rule.clone())]);
    write(store, vec![Change::PutEdge(by_user.clone())]);
    write(store, vec![Change::PutEdge(by_rule.clone())]);
    let mut wanted = by_rule.normalised().merge(by_user);
    wanted.number = 1;
    assert_eq!(store.edge_by_key(a, b, EdgeKind::Semantic, "").unwrap(), Some(wanted.clone()));
    assert_eq!(store.edge_by_key(b, a, EdgeKind::Semantic, "").unwrap(), Some(wanted.clone()));
    assert_eq!(store.edges(&[1, 5]).unwrap(), [wanted.clone()]);
    assert_eq!(store.degrees(&[a, b, Node::entity(1)], None).unwrap(), [1, 1, 0]);
    let remove = Change::RemoveEdge { source: b, target: a, kind: EdgeKind::Semantic, label: String::new() };
    write(store, vec![remove.clone()]);
    write(store, vec![remove]);
    assert!(store.edges_after(0, 9).unwrap().is_empty());
    assert_eq!(store.degrees(&[a], None).unwrap(), [0]);
    // Its number is never reused.
    write(store, vec![Change::PutEdge(an_edge(a, b, EdgeKind::Relation, "likes"))]);
    assert_eq!(store.edges_after(0, 9).unwrap()[0].number, 2);
}

pub fn promise_8_a_mention_is_evidenced_by_its_memory_until_more_is_known(store: &dyn Store) {
    let entity = an_entity(1, EntityType::Tool, "SQLite");
    let mut mention = a_mention(1, 1);
    let changes = vec![
        Change::PutSource(a_source(1)),
        add(a_memory(1, "one")),
        add(a_memory(2, "two")),
        Change::PutEntity(entity),
        Change::PutEdge(mention.clone()),
        Change::PutEdge(Edge { evidence: vec![], ..a_mention(2, 1) }),
    ];
    write(store, changes);
    mention.number = 1;
    let second = Edge { number: 2, ..a_mention(2, 1) };
    assert_eq!(store.edges(&[1, 2]).unwrap(), [mention.clone(), second]);
    let quote = Evidence { quote: Some("in SQLite".into()), ..own_evidence(1, Timestamp(500)) };
    let more = Edge { evidence: vec![quote], touched_at: Timestamp(500), ..a_mention(1, 1) };
    write(store, vec![Change::PutEdge(more.clone())]);
    assert_eq!(store.edges(&[1]).unwrap(), [mention.merge(more)]);
}

pub fn promise_9_scope_is_part_of_every_search(store: &dyn Store) {
    let mut changes = vec![Change::PutSource(a_source(1))];
    for (number, user) in [(1, None), (2, Some("ada")), (3, Some("bob"))] {
        let mut memory = a_memory(number, "shared words");
        memory.scope.user = user.map(str::to_owned);
        let vector = Some(a_vector(u64::from(number)));
        changes.push(Change::AddMemory { memory: Box::new(memory), vector });
    }
    write(store, changes);
    let all = [Node::memory(1), Node::memory(2), Node::memory(3)];
    for (user, seen) in [(None, &all[..]), (Some("ada"), &all[..2]), (Some("nobody"), &all[..1])] {
        let filter = Filter { scope: of_user(user), ..Filter::default() };
        let query = WordQuery { terms: vec!["share".into()], limit: 9, places: 9, ..WordQuery::default() };
        let words = store.search_words(&query, &filter).unwrap();
        assert_eq!(words.memories.iter().map(|hit| hit.node).collect::<Vec<_>>(), seen);
        let mut near = store.search_vectors(&unpacked(&a_vector(1)), &filter, 9).unwrap();
        near.sort_by_key(|&(node, _)| node);
        assert_eq!(near.iter().map(|&(node, _)| node).collect::<Vec<_>>(), seen);
        let always = Interval::new(Timestamp::EARLIEST, Timestamp::LATEST);
        assert_eq!(store.search_time(always, &filter, 9).unwrap(), seen);
        assert_eq!(store.latest(&filter, 9).unwrap(), seen.iter().rev().copied().collect::<Vec<_>>());
        let (_, after) = store.around(all[0], 9, 9, &filter).unwrap();
        assert_eq!(after, seen[1..]);
        assert_eq!(store.place_members(1, 0, 9, &filter).unwrap(), seen);
        let fan_out = [9; CATALOGUE.len()];
        let ask = NeighbourQuery { direction: Direction::Both, fan_out: &fan_out, filter: &filter };
        let arcs = store.neighbours(&all[..1], &ask).unwrap();
        assert!(arcs[0].iter().all(|arc| seen.contains(&arc.to)));
    }
}

pub fn promise_10_a_speaker_is_the_entity_of_that_name_when_the_words_were_written(store: &dyn Store) {
    let mut memory = a_memory(1, "Who said this?");
    memory.speaker = Some("Ada  Lovelace".into());
    let changes = vec![
        Change::PutSource(a_source(1)),
        add(memory),
        Change::PutEntity(an_entity(1, EntityType::Topic, "Ada Lovelace")),
        Change::PutEntity(an_entity(2, EntityType::Person, "Ada Lovelace")),
    ];
    write(store, changes);
    let placement = store.placements(&[Node::memory(1)]).unwrap()[0].unwrap();
    assert_eq!(placement.speaker, Some(Node::entity(2)));
    assert!(placement.asks);
    assert_eq!(placement.place, 1);
}

pub fn promise_11_facts_are_found_from_both_ends_and_replaced_by_number(store: &dyn Store) {
    let entities =
        [1, 2].map(|n| Change::PutEntity(an_entity(n, EntityType::Tool, &format!("T{n}")))).to_vec();
    write(store, entities);
    let mut uses = a_fact(1, FactObject::Entity(Node::entity(2)));
    uses.evidence = vec![own_evidence(40, Timestamp(3))];
    let literal = a_fact(2, FactObject::Literal("tabs".into()));
    write(store, vec![Change::PutFact(uses.clone()), Change::PutFact(literal.clone())]);
    uses.number = 1;
    let literal = Fact { number: 2, ..literal };
    assert_eq!(store.facts(None).unwrap(), [uses.clone(), literal.clone()]);
    assert_eq!(store.facts(Some(Node::entity(1))).unwrap(), [uses.clone()]);
    assert_eq!(store.facts(Some(Node::entity(2))).unwrap(), [uses.clone(), literal]);
    uses.superseded_at = Some(Timestamp(50));
    uses.evidence.clear();
    write(store, vec![Change::PutFact(uses.clone())]);
    assert_eq!(store.facts(Some(Node::entity(1))).unwrap(), [uses]);
    assert_eq!(store.next_numbers().unwrap().fact, 3);
}

pub fn promise_12_another_embedder_takes_over_and_vectors_of_one_have_one_length(store: &dyn Store) {
    let with = |number, vector| Change::AddMemory {
        memory: Box::new(a_memory(number, "text")),
        vector: Some(vector),
    };
    write(store, vec![Change::PutSource(a_source(1)), with(1, a_vector(1)), with(2, a_vector(2))]);
    let short = StoredVector { values: vec![1; 8], ..a_vector(3) };
    refused(store, vec![with(3, short)]);
    let other = StoredVector { model: "other".into(), values: vec![5; 16], scale: 0.05 };
    let set_vector = Change::SetVector { memory: Node::memory(2), vector: other.clone() };
    write(store, vec![set_vector]);
    assert_eq!(store.vector_model().unwrap(), Some(("other".into(), 16)));
    assert_eq!(store.vector(Node::memory(1)).unwrap(), None);
    assert_eq!(store.vector(Node::memory(2)).unwrap(), Some(other));
    let asked = [0.25; 16];
    let found = store.search_vectors(&asked, &Filter::default(), 9).unwrap();
    assert_eq!(found.iter().map(|&(node, _)| node).collect::<Vec<_>>(), [Node::memory(2)]);
    let similar = store.similarities(&asked, &[Node::memory(1), Node::memory(2)]).unwrap();
    assert!(similar[0].is_none() && similar[1].is_some());
}

pub fn promise_33_staged_vectors_are_taken_all_at_once_and_go_with_a_memory(store: &dyn Store) {
    let next = |seed: i8| StoredVector { model: "next".into(), values: vec![seed; 16], scale: 0.05 };
    let memory = |number| Change::AddMemory {
        memory: Box::new(a_memory(number, "text")),
        vector: Some(a_vector(u64::from(number))),
    };
    let stage = |vectors: Vec<(u32, Option<StoredVector>)>| Change::StageVectors {
        model: "next".into(),
        vectors: vectors.into_iter().map(|(number, vector)| (Node::memory(number), vector)).collect(),
    };
    let take = |model: &str| Change::TakeStaged { model: model.into() };
    let all = [1, 2, 3, 4].map(Node::memory);
    write(store, [vec![Change::PutSource(a_source(1))], (1..5).map(memory).collect()].concat());
    // No text has a vector of it.
    refused(store, vec![take("next")]);
    // A memory that does not exist is left out.
    write(store, vec![stage(vec![(1, Some(next(1))), (2, None), (9, Some(next(9)))])]);
    refused(store, vec![stage(vec![(3, Some(StoredVector { values: vec![1; 8], ..next(3) }))])]);
    write(store, vec![stage(vec![(3, Some(next(3)))])]);
    assert_eq!(store.staged("next", &all).unwrap(), all[..3]);
    assert_eq!(store.staged("other", &all).unwrap(), []);
    // Nothing else shows them.
    assert_eq!(store.vector_model().unwrap(), Some(("test-70".into(), 70)));
    assert_eq!(store.vector(all[0]).unwrap(), Some(a_vector(1)));
    let third = crate::remember::erase::Erased::Memory(all[2]);
    let plan = crate::remember::erase::plan(store, &third, "test", Timestamp(9)).unwrap();
    store.erase(&mut |_| Ok(Some(plan.clone()))).unwrap();
    assert_eq!(store.staged("next", &all).unwrap(), all[..2]);

    write(store, vec![take("next")]);
    assert_eq!(store.vector_model().unwrap(), Some(("next".into(), 16)));
    let vectors: Vec<_> = all.iter().map(|node| store.vector(*node).unwrap()).collect();
    assert_eq!(vectors, [Some(next(1)), None, None, None]);
    assert_eq!(store.staged("next", &all).unwrap(), []);
    let found = store.search_vectors(&[0.25; 16], &Filter::default(), 9).unwrap();
    assert_eq!(found.iter().map(|&(node, _)| node).collect::<Vec<_>>(), all[..1]);
    // Those of the same model are replaced one by one.
    write(store, vec![stage(vec![(1, Some(next(7))), (4, Some(next(4)))]), take("next")]);
    let vectors: Vec<_> = all.iter().map(|node| store.vector(*node).unwrap()).collect();
    assert_eq!(vectors, [Some(next(7)), None, None, Some(next(4))]);
}

pub fn promise_13_a_plan_sees_the_state_it_decides_on(store: &dyn Store) {
    write(store, vec![Change::PutSource(a_source(1))]);
    for round in 0..3 {
        let commit = store
            .write(&mut |view| {
                let next = view.next_numbers()?.memory;
                assert_eq!(view.revision(), Revision(1 + round));
                assert_eq!(view.latest(&Filter::default(), 9)?.len() as u64, round);
                let ordinal = view.next_ordinal(SourceId(1), None)?;
                let handle = view.free_handle(memory_id(next))?;
                let memory = Memory { ordinal, handle, ..a_memory(next, "planned") };
                Ok(ChangeSet { at: Timestamp(1), changes: vec![add(memory)] })
            })
            .unwrap();
        assert_eq!(commit.revision, Revision(2 + round));
    }
    let ordinals: Vec<u32> =
        store.memories_after(0, 9).unwrap().iter().map(|memory| memory.ordinal).collect();
    assert_eq!(ordinals, [0, 1, 2]);
    // There is no ordinal after the last one: later memories share it.
    for number in [4, 5] {
        write(store, vec![add(Memory { ordinal: Memory::LAST_ORDINAL, ..a_memory(number, "far") })]);
        assert_eq!(store.next_ordinal(SourceId(1), None).unwrap(), Memory::LAST_ORDINAL);
    }
}

pub fn promise_14_a_header_keeps_the_title_that_its_source_had(store: &dyn Store) {
    write(store, vec![Change::PutSource(a_source(1)), add(a_memory(1, "text"))]);
    let renamed = Source { title: Some("Walrus".into()), ..a_source(1) };
    write(store, vec![Change::PutSource(renamed), add(a_memory(2, "text"))]);
    store.rebuild().unwrap();
    assert_eq!(with_word(store, "walrus"), [Node::memory(2)]);
}

pub fn promise_15_passages_of_documents_are_joined_by_order_and_never_by_time(store: &dyn Store) {
    let memory = |number, kind: &str, source| Memory {
        kind: kind.into(),
        source: SourceId(source),
        occurred_at: Timestamp(i64::from(number)),
        ..a_memory(number, "text")
    };
    let changes = vec![
        Change::PutSource(a_source(1)),
        Change::PutSource(a_source(2)),
        add(memory(1, "note", 1)),
        add(memory(2, Memory::PASSAGE, 1)),
        add(memory(3, Memory::PASSAGE, 2)),
        add(memory(4, Memory::PASSAGE, 2)),
        add(memory(5, "note", 1)),
        add(memory(6, "turn", 2)),
    ];
    write(store, changes);
    let (fan_out, filter) = ([99; CATALOGUE.len()], Filter::default());
    let ask = NeighbourQuery { direction: Direction::Out, fan_out: &fan_out, filter: &filter };
    let check = || {
        let mut arcs = Vec::new();
        for number in 1..=6 {
            for arc in store.neighbours(&[Node::memory(number)], &ask).unwrap().concat() {
                let label = store.labels(&[arc.label]).unwrap().concat();
                arcs.push(
                    format!("{number} {} {label} {}", arc.kind.name(), arc.to.number()).replace("  ", " "),
                );
            }
        }
        arcs.sort();
        let wanted = [
            "1 narrative 2",
            "1 temporal backbone 5",
            "1 temporal proximity 6",
            "2 narrative 5",
            "3 narrative 4",
            "4 narrative 6",
            "5 temporal proximity 6",
        ];
        assert_eq!(arcs, wanted);
    };
    check();
    store.rebuild().unwrap();
    check();
    // They are still found by time.
    let always = Interval::new(Timestamp(0), Timestamp(9));
    assert_eq!(store.search_time(always, &filter, 9).unwrap().len(), 6);
}

pub fn promise_16_many_vectors_are_answered_each_as_if_it_were_asked_alone(store: &dyn Store) {
    let with = |number: u32, seed| {
        let mut memory = a_memory(number, "text");
        memory.scope.user = [None, Some("ada"), Some("bob")][number as usize % 3].map(Into::into);
        Change::AddMemory { memory: Box::new(memory), vector: Some(a_vector(seed)) }
    };
    let asked = [a_vector(1), a_vector(2), a_vector(9)];
    let find = |user: Option<&str>, limit| {
        let scope = of_user(user);
        let asked: Vec<(&StoredVector, &Scope)> = asked.iter().map(|vector| (vector, &scope)).collect();
        let found = store.search_alike(&asked, 0.9, limit).unwrap();
        let numbers = |hits: &Vec<(Node, f32)>| hits.iter().map(|hit| hit.0.number()).collect::<Vec<_>>();
        found.iter().map(numbers).collect::<Vec<_>>()
    };
    assert_eq!(find(Some("ada"), 9), vec![Vec::<u32>::new(); 3]);
    let alike =
        [(1, 1), (2, 1), (3, 1), (4, 1), (5, 2), (6, 2), (7, 3)].map(|(number, seed)| with(number, seed));
    write(store, [Change::PutSource(a_source(1))].into_iter().chain(alike).collect());
    assert_eq!(find(Some("ada"), 9), [vec![1, 3, 4], vec![6], vec![]]);
    assert_eq!(find(Some("ada"), 2), [vec![1, 3], vec![6], vec![]]);
    assert_eq!(find(Some("bob"), 9), [vec![2, 3], vec![5, 6], vec![]]);
    assert_eq!(find(Some("eve"), 9), [vec![3], vec![6], vec![]]);
    assert_eq!(find(None, 9), [vec![3], vec![6], vec![]]);
    let (ada, bob) = (of_user(Some("ada")), of_user(Some("bob")));
    let mixed = store.search_alike(&[(&asked[1], &bob), (&asked[1], &ada)], 0.9, 9).unwrap();
    assert_eq!(mixed.iter().map(Vec::len).collect::<Vec<_>>(), [2, 1], "each in its own scope");
    assert!(store.search_alike(&[], 0.9, 9).unwrap().is_empty());
}

pub fn promise_17_edges_of_a_node_are_all_that_are_stored_at_it(store: &dyn Store) {
    let (a, b, e) = (Node::memory(1), Node::memory(2), Node::entity(1));
    let mut edges = vec![
        a_mention(1, 1),
        an_edge(b, a, EdgeKind::Semantic, ""),
        an_edge(b, a, EdgeKind::Causal, "causes"),
    ];
    let mut changes = vec![Change::PutSource(a_source(1)), add(a_memory(1, "one")), add(a_memory(2, "two"))];
    changes.push(Change::PutEntity(an_entity(1, EntityType::Tool, "Griot")));
    changes.extend(edges.iter().cloned().map(Change::PutEdge));
    changes.push(set_deleted(b, Some(5)));
    write(store, changes);
    edges[1] = edges[1].clone().normalised();
    for (number, edge) in (1..).zip(&mut edges) {
        edge.number = number;
    }
    assert_eq!(store.edges_of(a).unwrap(), edges);
    assert_eq!(store.edges_of(b).unwrap(), edges[1..]);
    assert_eq!(store.edges_of(e).unwrap(), edges[..1]);
    assert_eq!(store.edges_of(Node::entity(7)).unwrap(), []);
}

pub fn promise_18_a_source_is_tallied_by_what_lives_on_it_and_the_earliest_memory_is_a_live_one(
    store: &dyn Store,
) {
    assert_eq!(store.counts().unwrap().earliest, None);
    assert_eq!(store.source_tallies().unwrap(), []);
    let elsewhere = Memory { source: SourceId(2), ..a_memory(3, "three") };
    let mut changes: Vec<Change> = [1, 2].map(|n| Change::PutSource(a_source(n))).to_vec();
    changes.extend([a_memory(1, "one"), a_memory(2, "two"), elsewhere].map(add));
    changes.extend([1, 2].map(|n| Change::PutEntity(an_entity(n, EntityType::Tool, &format!("T{n}")))));
    changes.extend([a_mention(1, 1), a_mention(2, 1), a_mention(3, 2)].map(Change::PutEdge));
    changes.push(Change::PutEdge(an_edge(Node::memory(2), Node::memory(3), EdgeKind::Causal, "causes")));
    write(store, changes);
    let tally = |source, memories, entities, edges| SourceTally {
        source: SourceId(source),
        memories,
        entities,
        edges,
    };
    assert_eq!(store.source_tallies().unwrap(), [tally(1, 2, 1, 3), tally(2, 1, 1, 2)]);
    assert_eq!(store.counts().unwrap().earliest, Some(Timestamp(Timestamp::HOUR)));
    write(store, vec![set_deleted(Node::memory(1), Some(5))]);
    assert_eq!(store.source_tallies().unwrap(), [tally(1, 1, 1, 2), tally(2, 1, 1, 2)]);
    assert_eq!(store.counts().unwrap().earliest, Some(Timestamp(2 * Timestamp::HOUR)));
}

pub fn promise_28_a_source_with_another_origin_is_found_by_that_and_no_two_share_one(store: &dyn Store) {
    let (first, second) = (a_source(1), a_source(2));
    write(store, vec![Change::PutSource(first.clone()), Change::PutSource(second.clone())]);
    let moved = Source { origin: "elsewhere".into(), ..first.clone() };
    write(store, vec![Change::PutSource(moved.clone())]);
    assert_eq!(store.source_by_origin(first.kind, "elsewhere").unwrap(), Some(moved));
    assert_eq!(store.source_by_origin(first.kind, &first.origin).unwrap(), None);
    let taken = Change::PutSource(Source { origin: second.origin.clone(), ..first.clone() });
    refused(store, vec![taken]);
    assert_eq!(store.source(second.id).unwrap(), Some(second.clone()));
}

pub fn promise_29_an_edge_and_a_name_live_as_long_as_something_speaks_for_them(store: &dyn Store) {
    let (one, two) = (Node::entity(1), Node::entity(2));
    let uses = Edge {
        evidence: vec![own_evidence(1, Timestamp(1))],
        ..an_edge(one, two, EdgeKind::Relation, "uses")
    };
    let mut changes = vec![Change::PutSource(a_source(1)), add(a_memory(1, "one")), add(a_memory(2, "two"))];
    changes.extend([1, 2].map(|n| Change::PutEntity(an_entity(n, EntityType::Tool, &format!("T{n}")))));
    changes.extend([a_mention(1, 1), a_mention(2, 1), uses.clone()].map(Change::PutEdge));
    write(store, changes);
    let hide = |memory, at| set_deleted(Node::memory(memory), at);
    let told = || {
        let (nodes, edges) = (store.live(&[one, two]).unwrap(), store.live_edges(&[1, 2, 3]).unwrap());
        let counts = store.counts().unwrap();
        let seen = store.entities(&[one]).unwrap()[0].clone();
        let times = (seen.first_seen.0 / Timestamp::HOUR, seen.last_seen.0 / Timestamp::HOUR);
        (nodes, edges, store.degrees(&[one, two], None).unwrap(), (counts.entities, counts.edges), times)
    };
    let whole = (vec![true, true], vec![true, true, true], vec![3, 1], (2, 3), (1, 2));
    assert_eq!(told(), whole);
    write(store, vec![hide(1, Some(9))]);
    assert_eq!(told(), (vec![true, false], vec![false, true, false], vec![1, 0], (1, 1), (2, 2)));
    assert_eq!(store.hubs(None, 9, None).unwrap(), [(one, 1)]);
    store.rebuild().unwrap();
    assert_eq!(store.integrity().unwrap(), Vec::<String>::new());
    write(store, vec![hide(1, None)]);
    assert_eq!(told(), whole);
    // Stated again without a memory, it needs none; superseding a memory keeps its evidence.
    let again = Edge { evidence: an_edge(one, two, EdgeKind::Relation, "uses").evidence, ..uses.clone() };
    let replaced = Change::SetSuperseded { memory: Node::memory(2), by: Some(memory_id(1)) };
    write(store, vec![Change::PutEdge(again), replaced, hide(1, Some(9))]);
    assert_eq!(told().1, [false, true, true]);
    // A fact keeps a name alive as long as the fact's own evidence is live.
    write(
        store,
        vec![Change::RemoveEdge { source: one, target: two, kind: EdgeKind::Relation, label: "uses".into() }],
    );
    assert_eq!(store.live(&[two]).unwrap(), [false]);
    let mut fact = a_fact(1, FactObject::Entity(two));
    fact.evidence = vec![own_evidence(2, Timestamp(3))];
    write(store, vec![Change::PutFact(fact)]);
    assert_eq!(store.live(&[two]).unwrap(), [true]);
    write(store, vec![hide(2, Some(9))]);
    assert_eq!(store.live(&[one, two]).unwrap(), [false, false]);
    assert_eq!(store.integrity().unwrap(), Vec::<String>::new());
}

pub fn promise_30_warnings_are_found_by_what_they_are_about_and_go_with_what_is_erased(store: &dyn Store) {
    let warning = |nodes: &[Node], edges: &[u32], first_seen: i64, note: Option<&str>| Warning {
        found: Finding {
            kind: WarningKind::CausedAndPrevented,
            nodes: nodes.to_vec(),
            edges: edges.to_vec(),
        },
        first_seen: Timestamp(first_seen),
        acknowledged: note.map(|note| Acknowledged {
            at: Timestamp(9),
            by: "ada".into(),
            note: Some(note.into()).filter(|note: &String| !note.is_empty()),
        }),
    };
    let (one, two, three) = (Node::memory(1), Node::memory(2), Node::entity(1));
    let (first, second) = (warning(&[two, one], &[1, 2], 7, Some("")), warning(&[two, three], &[3], 5, None));
    let put = |warning: &Warning| Change::PutWarning(Box::new(warning.clone()));
    let memories = ["one", "two"].into_iter().zip(1..).map(|(text, number)| add(a_memory(number, text)));
    let changes = [Change::PutSource(a_source(1))].into_iter().chain(memories);
    write(store, changes.chain([put(&first), put(&second)]).collect());
    assert_eq!(store.warnings().unwrap(), [second.clone(), first.clone()], "by when they were first seen");
    assert_eq!(store.warnings_about(&[one]).unwrap(), std::slice::from_ref(&first));
    assert_eq!(store.warnings_about(&[two, one]).unwrap(), [second.clone(), first.clone()]);
    assert_eq!(store.warnings_about(&[Node::memory(3)]).unwrap(), []);
    let again = Warning { first_seen: Timestamp(3), ..warning(&[two, one], &[1], 3, Some("a loop")) };
    write(store, vec![put(&again), Change::RemoveWarning(second.found.id())]);
    assert_eq!(store.warnings().unwrap(), std::slice::from_ref(&again));
    assert_eq!(store.warnings_about(&[three]).unwrap(), []);
    write(store, vec![Change::RemoveWarning(second.found.id())]);

    let plan = crate::remember::erase::plan(
        store,
        &crate::remember::erase::Erased::Memory(one),
        "test",
        Timestamp(9),
    );
    let plan = plan.unwrap();
    assert!(plan.texts.contains(&"a loop".to_string()), "{:?}", plan.texts);
    store.erase(&mut |_| Ok(Some(plan.clone()))).unwrap();
    assert_eq!(store.warnings().unwrap(), []);
    assert_eq!(store.unfinished_erasures().unwrap(), store.erasures().unwrap());
    let receipt = store.erasures().unwrap().remove(0);
    store.finish_erasure(&Erasure { finished_at: Some(Timestamp(10)), ..receipt }).unwrap();
    assert_eq!((store.unfinished_erasures().unwrap(), store.erasures().unwrap().len()), (vec![], 1));
}

pub fn promise_31_offers_are_found_by_text_from_both_ends_and_go_with_a_memory(store: &dyn Store) {
    let memory = |number, text| add(a_memory(number, text));
    let offer = |number: u32, newer: u32, other: u32, refused_at: Option<i64>| Offer {
        number,
        newer: Node::memory(newer),
        other: Node::memory(other),
        kind: OfferKind::Cause,
        probability: 0.3,
        made_at: Timestamp(7),
        refused_at: refused_at.map(Timestamp),
    };
    let put = Change::PutOffer;
    let (first, second) = (offer(1, 2, 1, None), offer(2, 3, 2, Some(9)));
    let memories = vec![Change::PutSource(a_source(1)), memory(1, "a"), memory(2, "b"), memory(3, "c")];
    write(store, memories.into_iter().chain([put(first), put(second)]).collect());
    let about = |number: u32| store.offers_about(&[Node::memory(number)]).unwrap();
    assert_eq!((about(1), about(2), about(3)), (vec![first], vec![first, second], vec![second]));
    assert_eq!(store.offers_about(&[Node::memory(3), Node::memory(2)]).unwrap(), [first, second]);
    assert_eq!(
        (store.offers_after(1, 9).unwrap(), store.offers_after(0, 1).unwrap()),
        (vec![second], vec![first])
    );
    assert_eq!(store.offers_before(0, 9).unwrap(), [second, first]);
    assert_eq!(store.offers_before(2, 9).unwrap(), [first]);
    let wanted = Wanted { offers: &[2, 5, 1], ..Wanted::default() };
    assert_eq!(store.fetch(&wanted).unwrap().offers, [second, first]);

    // The same text, live or forgotten.
    write(store, vec![set_deleted(Node::memory(1), Some(5)), memory(4, "a")]);
    assert_eq!((about(1), about(4)), (vec![first], vec![first]));
    let refused = offer(1, 2, 1, Some(8));
    write(store, vec![put(refused)]);
    assert_eq!(about(4), [refused]);

    let what = crate::remember::erase::Erased::Memory(Node::memory(2));
    let plan = crate::remember::erase::plan(store, &what, "test", Timestamp(9)).unwrap();
    store.erase(&mut |_| Ok(Some(plan.clone()))).unwrap();
    assert_eq!(store.offers_before(0, 9).unwrap(), []);
    assert_eq!(store.next_numbers().unwrap().offer, 3, "numbers are not used again");
}

pub fn promise_32_what_a_model_said_is_kept_by_memory_and_task_and_goes_with_either_memory(
    store: &dyn Store,
) {
    let reading = |memory: u32, by: u32, version: u32| Reading {
        memory: Node::memory(memory),
        task: ReadingTask::Notes,
        by: Node::memory(by),
        version,
        outcome: ReadingOutcome::Read,
        at: Timestamp(7),
        undone_at: None,
        said: vec![Said::Tags(vec!["a".into()]), Said::Context("b".into())],
    };
    let put = |reading: Reading| Change::PutReading(Box::new(reading));
    let memories = (1..=4).map(|number| add(a_memory(number, &format!("text {number}"))));
    write(store, std::iter::once(Change::PutSource(a_source(1))).chain(memories).collect());
    let unread = |after| store.unread(ReadingTask::Notes, after, 9).unwrap();
    let nodes = |numbers: &[u32]| numbers.iter().map(|number| Node::memory(*number)).collect::<Vec<_>>();
    assert_eq!((unread(0), unread(2)), (nodes(&[1, 2, 3, 4]), nodes(&[3, 4])));

    // Of its own alone; another memory's arrival is no reading.
    write(store, vec![put(reading(1, 1, 1)), put(reading(3, 3, 1)), put(reading(2, 3, 1))]);
    assert_eq!(unread(0), nodes(&[2, 4]));
    assert_eq!(store.readings_by(&nodes(&[3, 1])).unwrap(), [reading(2, 3, 1)]);
    assert_eq!(store.unread(ReadingTask::Facts, 0, 2).unwrap(), nodes(&[1, 2]));
    let about = |numbers: &[u32]| store.readings_about(&nodes(numbers)).unwrap();
    assert_eq!(about(&[3, 2]), [reading(2, 3, 1), reading(3, 3, 1)]);
    write(store, vec![put(reading(3, 3, 2))]);
    assert_eq!(about(&[3]), [reading(3, 3, 2)]);
    assert_eq!(store.readings_after(1, 1).unwrap(), [reading(2, 3, 1)]);

    // A forgotten memory is not read, and once restored it is.
    write(store, vec![set_deleted(Node::memory(2), Some(5)), put(reading(4, 4, 1))]);
    assert_eq!(unread(0), []);
    write(store, vec![set_deleted(Node::memory(2), None)]);
    assert_eq!(unread(0), nodes(&[2]));

    let what = crate::remember::erase::Erased::Memory(Node::memory(3));
    let plan = crate::remember::erase::plan(store, &what, "test", Timestamp(9)).unwrap();
    store.erase(&mut |_| Ok(Some(plan.clone()))).unwrap();
    assert_eq!(about(&[2, 3]), []);
}
