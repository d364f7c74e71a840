//! Guarantees of the rollout's telemetry for every back end.

use super::*;
use crate::backend::{EdgeEnds, Store};
use crate::model::*;
use crate::rollout::*;

pub const PROMISES: &[fn(&dyn Store)] = &[
    rollout_1_counts_add_up_by_window_and_raise_no_revision,
    rollout_2_the_mode_is_the_last_one_set,
    rollout_3_feedback_on_a_result_is_replaced_by_later_feedback,
    rollout_4_answers_and_incidents_are_kept_up_to_a_number,
    rollout_5_live_edges_of_entities_are_counted_by_end,
];

const WIDTH: i64 = 1000;

fn rollout_1_counts_add_up_by_window_and_raise_no_revision(store: &dyn Store) {
    let telemetry = store.telemetry();
    assert_eq!(telemetry.ledger(WIDTH).unwrap(), Ledger::default());
    let before = store.revision();
    let tally = Tally { requests: 2.0, graph_ms: 0.25, ..Tally::default() };
    let record = |at: i64, width: i64, keep_from: i64| {
        let measures = Measures::at(Timestamp(at), width, tally);
        telemetry.record(&Measures { keep_from: Timestamp(keep_from), ..measures }).unwrap();
    };
    let windows = || -> Vec<(i64, f64, f64)> {
        let windows = telemetry.ledger(WIDTH).unwrap().windows;
        windows.iter().map(|w| (w.start.0, w.tally.requests, w.tally.graph_ms)).collect()
    };
    for (at, width) in [(10, WIDTH), (990, WIDTH), (1000, WIDTH), (0, 7)] {
        record(at, width, 0);
    }
    assert_eq!(windows(), [(0, 4.0, 0.5), (1000, 2.0, 0.25)]);
    assert_eq!((store.refresh().unwrap().revision, store.revision()), (before, before));
    record(5000, WIDTH, 1000);
    assert_eq!(windows(), [(1000, 2.0, 0.25), (5000, 2.0, 0.25)], "what is old is deleted");
}

fn rollout_2_the_mode_is_the_last_one_set(store: &dyn Store) {
    let telemetry = store.telemetry();
    let never = Standing::default();
    assert_eq!(telemetry.standing().unwrap(), never);
    let set = |mode, at, evidence_from| Standing {
        mode,
        updated_at: Some(Timestamp(at)),
        updated_by: Some("ada".into()),
        evidence_from: Timestamp(evidence_from),
    };
    let (forced, last) = (set(Mode::Shadow, 5, 5), set(Mode::Canary, 9, 5));
    assert!(telemetry.set_mode(&forced, &never).unwrap());
    assert!(telemetry.set_mode(&last, &forced).unwrap());
    assert!(!telemetry.set_mode(&set(Mode::On, 11, 0), &never).unwrap(), "it was set meanwhile");
    assert_eq!(telemetry.standing().unwrap(), last);
    assert_eq!(telemetry.ledger(WIDTH).unwrap().standing, last);
}

fn rollout_3_feedback_on_a_result_is_replaced_by_later_feedback(store: &dyn Store) {
    let telemetry = store.telemetry();
    let (graph, baseline) = (Some(Strategy::HybridGraph), Some(Strategy::Baseline));
    let of = |answer: &str, memory: Option<u32>, strategy| Credited {
        memory: memory.map(Node::memory),
        answer: Some(answer.into()),
        strategy,
    };
    for (credited, good) in [
        (vec![of("q-1", Some(1), graph), of("q-1", Some(2), baseline)], false),
        (vec![of("q-1", None, graph)], true),
        (vec![of("q-2", Some(2), graph), Credited { memory: None, answer: None, strategy: None }], true),
        (vec![of("q-1", Some(1), graph)], true),
    ] {
        telemetry.keep_feedback(&credited, good, Timestamp(30)).unwrap();
    }
    let tally = telemetry.ledger(WIDTH).unwrap().windows[0].tally;
    let counts = (tally.good_graph, tally.bad_graph, tally.good_baseline, tally.bad_baseline);
    assert_eq!(counts, (3.0, 0.0, 0.0, 1.0));
}

fn rollout_4_answers_and_incidents_are_kept_up_to_a_number(store: &dyn Store) {
    let answered = |at: usize| Answered {
        id: format!("q-{at}"),
        at: Timestamp(at as i64),
        applied: if at.is_multiple_of(2) { Strategy::HybridGraph } else { Strategy::Baseline },
        asker: at.is_multiple_of(3).then(|| mark_of_user("ada")),
        memories: vec![(Node::memory(1), at.is_multiple_of(2)), (Node::memory(at as u32), false)],
    };
    let incident = |at: i64| Incident {
        at: Timestamp(at),
        reason: Fallback::GraphExpansionError,
        message: format!("the {at}th"),
        shadow: at % 2 == 0,
    };
    for chunk in 0..3 {
        let measures = Measures {
            answered: (chunk * 500..chunk * 500 + 500).map(answered).collect(),
            incidents: (chunk as i64 * 30..chunk as i64 * 30 + 30).map(incident).collect(),
            last_fallback: Some((Timestamp(100 - chunk as i64), Fallback::ShadowMode)),
            ..Measures::default()
        };
        store.telemetry().record(&measures).unwrap();
    }
    let ledger = store.telemetry().ledger(WIDTH).unwrap();
    assert_eq!(ledger.answers, (1500 - ANSWERS..1500).rev().map(answered).collect::<Vec<_>>());
    assert_eq!(ledger.incidents, (90 - INCIDENTS as i64..90).rev().map(incident).collect::<Vec<_>>());
    assert_eq!(ledger.last_fallback, Some((Timestamp(100), Fallback::ShadowMode)), "the latest by its time");
}

fn rollout_5_live_edges_of_entities_are_counted_by_end(store: &dyn Store) {
    let (redis, postgres) = (Node::entity(1), Node::entity(2));
    let over = an_edge(redis, postgres, EdgeKind::Relation, "replaces");
    write(
        store,
        vec![
            Change::PutSource(a_source(1)),
            add(a_memory(1, "one")),
            Change::PutEntity(an_entity(1, EntityType::Tool, "Redis")),
            Change::PutEntity(an_entity(2, EntityType::Tool, "Postgres")),
            Change::PutEdge(a_mention(1, 1)),
            Change::PutEdge(Edge { expires_at: Some(Timestamp(50)), ..over }),
        ],
    );
    let ends = |mentions, outbound, inbound| EdgeEnds { mentions, outbound, inbound };
    for (now, expected) in [(49, [ends(1, 1, 0), ends(0, 0, 1)]), (50, [ends(1, 0, 0), ends(0, 0, 0)])] {
        let found = store.telemetry().edge_ends(Timestamp(now), &[redis, postgres]).unwrap();
        assert_eq!(found, expected, "at {now}");
    }
}
