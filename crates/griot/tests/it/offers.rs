//! What `remember` offers is kept: open, taken once an edge says so, or refused for good.

use griot::engine::{Beside, Engine, LinkRequest};
use griot::model::{EdgeKind, ErasedKind, ErrorKind, Offer, OfferKind, OfferState, Scope, SourceType};
use griot::remember::{Draft, Remembered, SourceDraft};

use crate::support::*;

const OLD: &str = "The archive of the town is kept in the old mill.";
const NEW: &str = "The archive of the town is kept in the school.";

/// An old statement, others, and a new one that may replace the old.
fn stated(engine: &Engine) -> (Remembered, Remembered) {
    let old = remember(engine, OLD);
    for text in ["The bell rings at nine.", "Bread is sold on Mondays.", "The roof leaks when it rains."] {
        remember(engine, text);
    }
    (old, remember(engine, NEW))
}

/// The kinds in which the new memory offers the other one, with the ids of the offers.
fn offered(new: &Remembered, other: &str) -> Vec<(OfferKind, String)> {
    let replaced = new.update_candidates.iter().map(|one| (OfferKind::Replacement, &one.text, &one.offer));
    let causes = new.causal_candidates.iter().map(|one| (OfferKind::Cause, &one.text, &one.offer));
    let of_other = replaced.chain(causes).filter(|(_, text, _)| *text == other);
    of_other.map(|(kind, _, id)| (kind, id.clone().unwrap())).collect()
}

fn kinds(new: &Remembered, other: &str) -> Vec<OfferKind> {
    offered(new, other).into_iter().map(|(kind, _)| kind).collect()
}

fn state(engine: &Engine, id: &str) -> Option<OfferState> {
    let offers = engine.offers(None, true, &Scope::default(), 1000).unwrap();
    offers.iter().find(|view| view.offer.id() == id).map(|view| view.state)
}

fn edge(source: &Remembered, target: &Remembered, kind: EdgeKind) -> LinkRequest {
    LinkRequest { kind, ..link(&source.id.to_string(), &target.id.to_string()) }
}

/// Stores a text again after the memory with it was forgotten.
fn again(engine: &Engine, known: &Remembered) -> Remembered {
    engine.forget(&known.id.to_string()).unwrap();
    let new = remember(engine, &known.text);
    assert_ne!(new.id, known.id);
    new
}

#[test]
fn open_offers_are_listed_likeliest_first_and_all_latest_first() {
    let (_workspace, engine) = opened();
    let (old, new) = stated(&engine);
    let open = engine.offers(None, false, &Scope::default(), 1000).unwrap();
    let all = engine.offers(None, true, &Scope::default(), 1000).unwrap();
    let own = engine.offers(Some(&new.id.to_string()), false, &Scope::default(), 1000).unwrap();
    let made = |answer: &Remembered| answer.update_candidates.len() + answer.causal_candidates.len();
    assert_eq!(own.len(), made(&new));
    assert!(open.is_sorted_by(|a, b| a.offer.probability >= b.offer.probability));
    assert!(own.is_sorted_by(|a, b| a.offer.probability >= b.offer.probability));
    assert!(all.is_sorted_by(|a, b| a.offer.number > b.offer.number));
    assert_eq!((all.len(), own.iter().all(|one| open.contains(one))), (open.len(), true));
    let about_old = own.iter().filter(|view| view.other.id == old.id);
    let mut about_old: Vec<_> = about_old.map(|view| (view.offer.kind, view.offer.id())).collect();
    let mut expected = offered(&new, OLD);
    about_old.sort_by(|a, b| a.1.cmp(&b.1));
    expected.sort_by(|a, b| a.1.cmp(&b.1));
    assert_eq!(about_old, expected);
    assert!(kinds(&new, OLD).contains(&OfferKind::Replacement), "{new:?}");
    assert!(all.iter().all(|view| view.state == OfferState::Open && view.settled_at.is_none()));
    assert_eq!(engine.offers(None, false, &Scope::default(), 2).unwrap(), open[..2]);
}

#[test]
fn documents_make_no_offers() {
    let (_workspace, engine) = opened();
    let source = SourceDraft::new(SourceType::File, "/notes/town.md");
    engine.remember_all(&source, vec![Draft::new(OLD), Draft::new(NEW)]).unwrap();
    assert_eq!(engine.offers(None, true, &Scope::default(), 10).unwrap(), []);
}

#[test]
fn an_edge_takes_an_offer_and_without_it_the_offer_is_open_again() {
    let (workspace, engine) = opened();
    let (old, new) = stated(&engine);
    let ids = offered(&new, OLD);
    let of = |kind: OfferKind| &ids.iter().find(|(of, _)| *of == kind).unwrap().1;
    let (replacement, cause) = (of(OfferKind::Replacement), of(OfferKind::Cause));

    workspace.hands.advance(5);
    engine.link(&edge(&new, &old, EdgeKind::Supersedes)).unwrap();
    assert_eq!(state(&engine, replacement), Some(OfferState::Taken));
    assert_eq!(state(&engine, cause), Some(OfferState::Open));
    // The direction of a cause does not matter: the caller knows it better.
    engine.link(&edge(&new, &old, EdgeKind::Causal)).unwrap();
    assert_eq!(state(&engine, cause), Some(OfferState::Taken));
    let about_old = engine.offers(Some(&old.id.to_string()), true, &Scope::default(), 10).unwrap();
    let taken: Vec<_> = about_old.iter().filter(|view| view.newer.id == new.id).collect();
    assert_eq!(taken.len(), 2);
    assert!(taken.iter().all(|view| view.settled_at == Some(workspace.hands.now())), "{taken:?}");

    engine.unlink(&new.id.to_string(), &old.id.to_string(), None, None).unwrap();
    assert_eq!([replacement, cause].map(|id| state(&engine, id)), [Some(OfferState::Open); 2]);
}

#[test]
fn a_replacement_that_is_noted_by_rule_is_taken() {
    let (_workspace, engine) = opened();
    remember(&engine, "From April the return ticket to the mill costs 16 euros.");
    let new = remember(&engine, "Correction: the return ticket to the mill costs 15 euros, not 16.");
    assert!(new.update_candidates[0].noted, "{new:?}");
    let id = new.update_candidates[0].offer.as_ref().unwrap();
    assert_eq!(state(&engine, id), Some(OfferState::Taken));
}

#[test]
fn a_refused_offer_is_not_made_again() {
    let (workspace, engine) = opened();
    let (old, new) = stated(&engine);
    let ids = offered(&new, OLD);
    let (_, replacement) = ids.iter().find(|(kind, _)| *kind == OfferKind::Replacement).unwrap();
    assert_eq!(engine.forget(replacement).unwrap().offers, std::slice::from_ref(replacement));
    assert_eq!(state(&engine, replacement), Some(OfferState::Refused));
    let open = engine.offers(Some(&new.id.to_string()), false, &Scope::default(), 10).unwrap();
    assert!(open.iter().all(|view| view.offer.id() != *replacement));

    // The refused kind alone, and also after a restart.
    let second = again(&engine, &new);
    assert_eq!(kinds(&second, OLD), [OfferKind::Cause]);
    drop(engine);
    let engine = workspace.open();
    let third = again(&engine, &second);
    assert_eq!(kinds(&third, OLD), [OfferKind::Cause]);

    // Both texts are other memories now, and the offer goes the other way round.
    let restated = again(&engine, &old);
    assert!(!kinds(&restated, NEW).contains(&OfferKind::Replacement), "{restated:?}");

    let (_other, copy) = opened();
    import(&copy, &records(&engine)).unwrap();
    assert_sound(&copy);
    assert!(!kinds(&again(&copy, &third), OLD).contains(&OfferKind::Replacement));
}

#[test]
fn a_refused_offer_can_be_reopened() {
    let (_workspace, engine) = opened();
    let (_, new) = stated(&engine);
    let ids = offered(&new, OLD);
    assert_eq!(kinds(&new, OLD).len(), ids.len());
    for (_, id) in &ids {
        engine.forget(id).unwrap();
    }
    assert_eq!(kinds(&again(&engine, &new), OLD), []);
    for (_, id) in &ids {
        assert_eq!(engine.restore(id).unwrap().offers, std::slice::from_ref(id));
    }
    let third = remember(&engine, NEW);
    assert_eq!(kinds(&again(&engine, &third), OLD), kinds(&new, OLD));
    assert_refused(&engine, ErrorKind::NotFound, |engine| engine.forget("o999"));
}

#[test]
fn an_import_keeps_what_either_side_refused() {
    let (_workspace, engine) = opened();
    let (_, new) = stated(&engine);
    let ids = offered(&new, OLD);
    let (_other, copy) = opened();
    import(&copy, &records(&engine)).unwrap();
    assert_eq!(exported(&copy), exported(&engine));
    engine.forget(&ids[0].1).unwrap();
    copy.forget(&ids[1].1).unwrap();
    import(&copy, &records(&engine)).unwrap();
    assert_eq!([&ids[0].1, &ids[1].1].map(|id| state(&copy, id)), [Some(OfferState::Refused); 2]);
    import(&engine, &records(&copy)).unwrap();
    assert_eq!(exported(&copy), exported(&engine));
}

#[test]
fn offers_go_with_a_memory_and_come_back_with_it() {
    let (_workspace, engine) = opened();
    let (old, new) = stated(&engine);
    let listed = |engine: &Engine| engine.offers(None, true, &Scope::default(), 1000).unwrap();
    let before = listed(&engine);
    let about_old = before.iter().filter(|view| view.newer.id == old.id || view.other.id == old.id).count();
    assert!(about_old >= kinds(&new, OLD).len());
    engine.forget(&old.id.to_string()).unwrap();
    assert_eq!(listed(&engine).len(), before.len() - about_old);
    engine.restore(&old.id.to_string()).unwrap();
    assert_eq!(listed(&engine), before);

    engine
        .erase(ErasedKind::Memory, &old.id.to_string(), "test", false, &mut |_, _| Ok(Beside::default()))
        .unwrap();
    assert_eq!(listed(&engine).len(), before.len() - about_old);
    assert_eq!(engine.read().unwrap().offers_after(0, 1000).unwrap().len(), before.len() - about_old);
    assert_sound(&engine);
    // The number of an erased offer is not given to another one.
    let last = before.iter().map(|view| view.offer.number).max().unwrap();
    let next = remember(&engine, OLD);
    assert!(offered(&next, NEW).iter().all(|(_, id)| Offer::number_of(id) > Some(last)));
}

#[test]
fn invariant_6_offers_about_others_are_neither_listed_nor_refused() {
    let (_workspace, engine) = opened();
    let draft = |text: &str, user| Draft { scope: scope(Some(user), None), ..Draft::new(text) };
    engine.remember(draft(OLD, "ada")).unwrap();
    let new = engine.remember(draft(NEW, "ada")).unwrap();
    let id = &offered(&new, OLD)[0].1;
    let [ada, bob] = ["ada", "bob"].map(|user| engine.confined_to(scope(Some(user), None)));
    let count = |engine: &Engine| engine.offers(None, true, &Scope::default(), 10).unwrap().len();
    assert_eq!((count(&ada), count(&bob)), (count(&engine), 0));
    assert_refused(&bob, ErrorKind::NotFound, |engine| engine.forget(id));
    assert_refused(&bob, ErrorKind::NotFound, |engine| {
        engine.offers(Some(&new.id.to_string()), true, &Scope::default(), 1)
    });
    assert_eq!(ada.forget(id).unwrap().offers.len(), 1);
    let of_bob = engine.offers(None, true, &scope(Some("bob"), None), 10).unwrap();
    assert_eq!(of_bob, []);
}

#[test]
fn the_only_other_memory_is_no_likely_cause_for_being_the_nearest() {
    let (_workspace, engine) = opened();
    remember(&engine, "The billing service is written in Go.");
    let unrelated = remember(&engine, "The cat has a new collar.");
    let related = remember(&engine, "The cat lost the new collar in the billing office.");
    let likeliest =
        |new: &Remembered| new.causal_candidates.iter().map(|one| one.probability).fold(0.0f32, f32::max);
    assert!(likeliest(&unrelated) < 0.1, "{:?}", unrelated.causal_candidates);
    assert!(likeliest(&related) > 0.2, "{:?}", related.causal_candidates);
}
