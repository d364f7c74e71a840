//! The guarantees of every back end, defined once and tested against each: [`check`] is the suite for a
//! third-party one.
//!
//! `promises`, `merges` and `rollout` are named examples; `log` checks the change log at each write; `random`
//! applies the same random ChangeSets to the reference store, to SQLite, and to the rows of the reference
//! store under an index, and compares (`same`) the answers to every request of `Read`; `confined` views such
//! histories through one scope; `making` builds test values for all.

#![allow(clippy::unwrap_used)]

#[cfg(test)]
mod confined;
mod log;
mod making;
mod merges;
mod promises;
#[cfg(test)]
mod random;
mod rollout;
mod same;

use super::memory::MemoryBackend;
use crate::backend::{Backend, Store};
use crate::store::Indexed;

pub use making::*;
pub use same::assert_same_answers;

/// Tests every guarantee of a back end on new, empty stores: its rows and change log directly, its searches
/// through the index over them. Compares the answers with those of the reference store. Panics at the first
/// violation.
pub fn check<B: Backend>(make: impl Fn() -> B) {
    for promise in PROMISES {
        keeps(*promise, make());
    }
}

fn keeps(promise: fn(&dyn Store), backend: impl Backend) {
    let (store, oracle) = (Indexed::new(log::Logged(backend)).unwrap(), MemoryBackend::new());
    promise(&store);
    promise(&oracle);
    assert_same_answers(&oracle, &store);
    assert_eq!(store.integrity().unwrap(), Vec::<String>::new());
    store.rebuild().unwrap();
    assert_eq!(store.integrity().unwrap(), Vec::<String>::new());
}

/// Tests a back end that stores telemetry.
pub fn check_telemetry<S: Store>(make: impl Fn() -> S) {
    for promise in rollout::PROMISES {
        promise(&make());
    }
}

/// Turns guarantees into a list and into tests of both back ends, named after them.
macro_rules! promises {
    ($($module:ident::$promise:ident,)+) => {
        const PROMISES: &[fn(&dyn Store)] = &[$($module::$promise),+];

        #[cfg(test)]
        mod of_stores {
            $(#[test]
            fn $promise() {
                super::on_each(super::$module::$promise);
            })+
        }
    };
}

promises! {
    promises::promise_1_a_change_set_is_one_revision_and_an_empty_one_is_none,
    promises::promise_2_a_failed_plan_or_step_leaves_everything_as_it_was,
    promises::promise_3_a_memory_comes_back_as_it_came,
    promises::promise_4_the_same_content_is_found_by_its_hash_while_it_lives,
    promises::promise_5_handles_are_short_free_and_found_by_a_piece,
    promises::promise_6_entities_are_found_by_names_aliases_and_former_ids,
    promises::promise_7_a_second_writer_of_an_edge_adds_evidence_and_only_a_higher_one_overwrites,
    promises::promise_8_a_mention_is_evidenced_by_its_memory_until_more_is_known,
    promises::promise_9_scope_is_part_of_every_search,
    promises::promise_10_a_speaker_is_the_entity_of_that_name_when_the_words_were_written,
    promises::promise_11_facts_are_found_from_both_ends_and_replaced_by_number,
    promises::promise_12_another_embedder_takes_over_and_vectors_of_one_have_one_length,
    promises::promise_13_a_plan_sees_the_state_it_decides_on,
    promises::promise_14_a_header_keeps_the_title_that_its_source_had,
    promises::promise_15_passages_of_documents_are_joined_by_order_and_never_by_time,
    promises::promise_16_many_vectors_are_answered_each_as_if_it_were_asked_alone,
    promises::promise_17_edges_of_a_node_are_all_that_are_stored_at_it,
    promises::promise_18_a_source_is_tallied_by_what_lives_on_it_and_the_earliest_memory_is_a_live_one,
    promises::promise_28_a_source_with_another_origin_is_found_by_that_and_no_two_share_one,
    promises::promise_29_an_edge_and_a_name_live_as_long_as_something_speaks_for_them,
    promises::promise_30_warnings_are_found_by_what_they_are_about_and_go_with_what_is_erased,
    promises::promise_31_offers_are_found_by_text_from_both_ends_and_go_with_a_memory,
    promises::promise_32_what_a_model_said_is_kept_by_memory_and_task_and_goes_with_either_memory,
    promises::promise_33_staged_vectors_are_taken_all_at_once_and_go_with_a_memory,
    merges::promise_19_a_merge_moves_all_that_hangs_on_an_entity_in_one_revision,
    merges::promise_20_an_undo_brings_back_exactly_what_was,
    merges::promise_21_what_came_after_a_merge_stays_and_is_said,
    merges::promise_22_merges_of_one_entity_are_undone_last_first,
    merges::promise_23_only_two_live_entities_can_be_merged,
    merges::promise_24_types_are_counted_and_never_below_nothing,
    merges::promise_25_an_edge_is_written_under_its_number_or_refused,
    merges::promise_26_a_suggestion_keeps_what_became_of_it,
}

/// Tests a guarantee on each back end.
#[cfg(test)]
fn on_each(promise: fn(&dyn Store)) {
    use super::memory::RowsInMemory;
    use crate::backend::sqlite::{Options, SqliteBackend};
    let folder = tempfile::tempdir().unwrap();
    keeps(promise, SqliteBackend::open(&folder.path().join("store.db"), Options::default()).unwrap());
    keeps(promise, RowsInMemory::new(None));
}
