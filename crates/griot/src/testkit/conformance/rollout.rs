//! Guarantees of the rollout's telemetry for every back end.

use super::*;
use crate::backend::{EdgeEnds, Store, Telemetry};
use crate::model::*;
use crate::rollout::*;

const WIDTH: i64 = 1000;

fn measures(at: i64, tally: Tally) -> Measures {
    Measures { keep_from: Timestamp(0), ..Measures::at(Timestamp(at), WIDTH, tally) }
}

/// Assigns and stores feedback; returns the answers and strategies that it counts for.
fn give(
    store: &dyn Telemetry,
    of: Option<Mark>,
    answer: Option<&str>,
    memories: &[u32],
    good: bool,
) -> Result<Vec<(Option<String>, Option<Strategy>)>> {
    let memories: Vec<Node> = memories.iter().map(|number| Node::memory(*number)).collect();
    let credited = credit(&store.ledger(WIDTH)?.answers, answer, &memories, of)?;
    store.keep_feedback(&credited, good, Timestamp(30))?;
    Ok(credited.into_iter().map(|one| (one.answer, one.strategy)).collect())
}

fn answered(id: &str, at: i64, memories: &[(u32, bool)]) -> Answered {
    let memories = memories.iter().map(|(number, graph)| (Node::memory(*number), *graph)).collect();
    Answered { id: id.into(), at: Timestamp(at), applied: Strategy::HybridGraph, asker: None, memories }
}

pub fn rollout_1_counts_add_up_by_window_and_raise_no_revision(store: &dyn Store) {
    let telemetry = store.telemetry();
    assert_eq!(telemetry.ledger(WIDTH).unwrap(), Ledger::default());
    let before = store.revision();
    let tally = Tally { requests: 2.0, graph_ms: 0.25, ..Tally::default() };
    telemetry.record(&measures(10, tally)).unwrap();
    telemetry.record(&measures(990, tally)).unwrap();
    telemetry.record(&measures(1000, tally)).unwrap();
    let other = Window { start: Timestamp(0), width: 7, tally };
    telemetry.record(&Measures { windows: vec![other], ..Measures::default() }).unwrap();
    let ledger = telemetry.ledger(WIDTH).unwrap();
    let seen: Vec<(i64, f64, f64)> =
        ledger.windows.iter().map(|w| (w.start.0, w.tally.requests, w.tally.graph_ms)).collect();
    assert_eq!(seen, [(0, 4.0, 0.5), (1000, 2.0, 0.25)]);
    assert_eq!((store.refresh().unwrap().revision, store.revision()), (before, before));
    let late = Measures { keep_from: Timestamp(1000), ..measures(5000, tally) };
    telemetry.record(&late).unwrap();
    let starts: Vec<i64> = telemetry.ledger(WIDTH).unwrap().windows.iter().map(|w| w.start.0).collect();
    assert_eq!(starts, [1000, 5000], "what is too old is forgotten");
}

pub fn rollout_2_the_mode_is_the_last_one_set(store: &dyn Store) {
    let telemetry = store.telemetry();
    assert_eq!(telemetry.standing().unwrap(), Standing::default());
    let set = |mode, at, forced| {
        let change = ModeChange { mode, at: Timestamp(at), by: "ada".into(), forced };
        assert!(telemetry.set_mode(&change, &telemetry.standing().unwrap()).unwrap());
    };
    set(Mode::Shadow, 5, true);
    set(Mode::Canary, 9, false);
    let late = ModeChange { mode: Mode::On, at: Timestamp(11), by: "bob".into(), forced: false };
    assert!(!telemetry.set_mode(&late, &Standing::default()).unwrap(), "it was set meanwhile");
    let expected = Standing {
        mode: Mode::Canary,
        updated_at: Some(Timestamp(9)),
        updated_by: Some("ada".into()),
        evidence_from: Timestamp(5),
    };
    assert_eq!(telemetry.standing().unwrap(), expected);
    assert_eq!(telemetry.ledger(WIDTH).unwrap().standing, expected);
}

pub fn rollout_3_feedback_counts_for_what_brought_the_result(store: &dyn Store) {
    let telemetry = store.telemetry();
    let first = answered("q-1", 10, &[(1, true), (2, false)]);
    let second = answered("q-2", 20, &[(2, true)]);
    telemetry.record(&Measures { answered: vec![first, second], ..Measures::default() }).unwrap();
    let strategies = |answer: Option<&str>, memories: &[u32], good| -> Vec<Option<Strategy>> {
        let given = give(telemetry, None, answer, memories, good).unwrap();
        given.into_iter().map(|(_, strategy)| strategy).collect()
    };
    let (graph, baseline) = (Some(Strategy::HybridGraph), Some(Strategy::Baseline));
    assert_eq!(strategies(Some("q-1"), &[1, 2], false), [graph, baseline]);
    assert_eq!(strategies(Some("q-1"), &[], true), [graph]);
    assert_eq!(strategies(None, &[2, 7], true), [graph, None], "the latest answer that holds it");
    for (id, memories) in [("q-9", &[][..]), ("q-2", &[1])] {
        let refused = give(telemetry, None, Some(id), memories, true).unwrap_err();
        assert_eq!(refused.kind, ErrorKind::NotFound);
    }
    // The opposite feedback on the same result.
    strategies(Some("q-1"), &[1], true);
    let tally = telemetry.ledger(WIDTH).unwrap().windows[0].tally;
    assert_eq!(
        (tally.good_graph, tally.bad_graph, tally.good_baseline, tally.bad_baseline),
        (3.0, 0.0, 0.0, 1.0)
    );
}

pub fn rollout_4_answers_and_incidents_are_kept_up_to_a_number(store: &dyn Store) {
    for chunk in 0..3 {
        let number = |at: usize| chunk * 500 + at;
        let answers =
            (0..500).map(|at| answered(&format!("q-{}", number(at)), number(at) as i64, &[(1, true)]));
        let incidents = (0..30).map(|at| Incident {
            at: Timestamp(chunk as i64 * 100 + at),
            reason: Fallback::GraphExpansionError,
            message: format!("{chunk}.{at}"),
            shadow: at % 2 == 0,
        });
        let last_fallback = Some((Timestamp(100 - chunk as i64), Fallback::ShadowMode));
        let measures = Measures {
            answered: answers.collect(),
            incidents: incidents.collect(),
            last_fallback,
            ..Measures::default()
        };
        store.telemetry().record(&measures).unwrap();
    }
    let ledger = store.telemetry().ledger(WIDTH).unwrap();
    let (first, last) = (ledger.answers.first().unwrap(), ledger.answers.last().unwrap());
    assert_eq!(
        (ledger.answers.len(), first.id.as_str(), last.id.as_str()),
        (ANSWERS, "q-1499", "q-500"),
        "latest first"
    );
    assert_eq!(ledger.incidents.len(), INCIDENTS);
    assert_eq!((ledger.incidents[0].message.as_str(), ledger.incidents[0].shadow), ("2.29", false));
    assert_eq!(ledger.last_fallback, Some((Timestamp(100), Fallback::ShadowMode)), "the latest by its time");
}

pub fn rollout_5_health_counts_ends_orphans_and_what_is_over(store: &dyn Store) {
    let (redis, postgres) = (Node::entity(1), Node::entity(2));
    let over = an_edge(redis, postgres, EdgeKind::Relation, "replaces");
    let over = Edge { expires_at: Some(Timestamp(50)), ..over };
    write(
        store,
        vec![
            Change::PutSource(a_source(1)),
            add(a_memory(1, "one")),
            Change::PutEntity(an_entity(1, EntityType::Tool, "Redis")),
            Change::PutEntity(an_entity(2, EntityType::Tool, "Postgres")),
            Change::PutEntity(an_entity(3, EntityType::Tool, "Nobody")),
            Change::PutEdge(a_mention(1, 1)),
            Change::PutEdge(over),
        ],
    );
    let health = store.telemetry().graph_health(Timestamp(50), &[redis, postgres, Node::entity(3)]).unwrap();
    assert_eq!((health.expired_edges, health.orphan_entities), (1, 1));
    let ends = |mentions, outbound, inbound| EdgeEnds { mentions, outbound, inbound };
    assert_eq!(health.ends, [ends(1, 0, 0), ends(0, 0, 0), ends(0, 0, 0)]);
    let health = store.telemetry().graph_health(Timestamp(49), &[redis, postgres]).unwrap();
    assert_eq!((health.expired_edges, health.orphan_entities), (0, 0));
    assert_eq!(health.ends, [ends(1, 1, 0), ends(0, 0, 1)]);
}

pub fn rollout_6_feedback_is_taken_on_ones_own_answers(store: &dyn Store) {
    let telemetry = store.telemetry();
    let (ada, ben) = (mark_of_user("ada"), mark_of_user("ben"));
    let of = |asker: Option<Mark>, answer: Answered| Answered { asker, ..answer };
    let answered = vec![
        of(Some(ada), answered("q-ada", 10, &[(1, true)])),
        of(Some(ben), answered("q-ben", 20, &[(1, false), (2, true)])),
        of(None, answered("q-any", 30, &[(1, false)])),
    ];
    telemetry.record(&Measures { answered, ..Measures::default() }).unwrap();
    assert!(give(telemetry, Some(ada), Some("q-ada"), &[], true).is_ok());
    for other in ["q-ben", "q-any"] {
        let error = give(telemetry, Some(ada), Some(other), &[], true).unwrap_err();
        assert_eq!(error.why, "it answered a question of somebody else", "{other}");
    }
    assert!(give(telemetry, None, Some("q-ben"), &[], true).is_ok(), "a caller who sees all may judge all");
    let answers = |of: Option<Mark>| -> Vec<Option<String>> {
        let given = give(telemetry, of, None, &[1, 2], true).unwrap();
        given.into_iter().map(|(answer, _)| answer).collect()
    };
    assert_eq!(answers(Some(ada)), [Some("q-ada".to_string()), None]);
    assert_eq!(answers(None), [Some("q-any".to_string()), Some("q-ben".to_string())]);
}
