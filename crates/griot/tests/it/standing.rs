//! What holds now, what held before, and how each result stands.

use griot::engine::{Engine, LinkRequest, WhyDirection};
use griot::model::{EdgeKind, EntityType, Interval, Timestamp};
use griot::recall::{Query, Recall, StandingKind};
use griot::remember::{Action, Draft, EntityDraft};

use crate::support::{NOW, Workspace, link, said};

fn ask(text: &str) -> Query {
    Query { floor: false, ..Query::new(text, NOW) }
}

fn place(answer: &Recall, text: &str) -> Option<usize> {
    answer.results.iter().position(|result| result.memory.text == text)
}

const OLD: &str = "The archive is kept in the cellar of the mill.";
const NEW: &str = "From now on the archive is kept in the attic of the school.";

#[test]
fn an_edge_says_which_memory_holds() {
    let workspace = Workspace::new();
    let engine = workspace.open();
    let old = engine.remember(said(OLD, 90)).unwrap();
    let new = engine.remember(said(NEW, 30)).unwrap();
    for day in 1..6 {
        engine.remember(said(&format!("On day {day} the bakery sold rye bread."), 60 + day)).unwrap();
    }
    let supersedes =
        LinkRequest { kind: EdgeKind::Supersedes, ..link(&new.id.to_string(), &old.id.to_string()) };
    engine.link(&supersedes).unwrap();

    let now = engine.recall(&ask("Where is the archive kept now?")).unwrap();
    assert_eq!(now.results[0].memory.text, NEW);
    assert!(place(&now, OLD).is_none_or(|at| at > 0));
    let standing = now.results[0].standing.clone().unwrap();
    assert_eq!((standing.kind, standing.certain), (StandingKind::Current, true));

    let before = engine.recall(&ask("Where was the archive kept before?")).unwrap();
    let at = place(&before, OLD).unwrap();
    let standing = before.results[at].standing.clone().unwrap();
    assert_eq!(standing.kind, StandingKind::Outdated);
    assert_eq!(standing.by.unwrap().id, new.id);
    assert!(at < place(&before, NEW).unwrap_or(usize::MAX));

    let then = Query { as_of: Some(Timestamp(NOW.0 - 60 * Timestamp::DAY)), ..ask("Where is the archive?") };
    let then = engine.recall(&then).unwrap();
    assert_eq!(then.results[0].memory.text, OLD);
    let kind = then.results[0].standing.as_ref().map(|standing| standing.kind);
    assert_ne!(kind, Some(StandingKind::Outdated), "it was replaced later");
}

#[test]
fn what_is_replaced_later_is_not_outdated_at_an_earlier_time() {
    let workspace = Workspace::new();
    let engine = workspace.open();
    let old = engine.remember(said(OLD, 90)).unwrap();
    let new = engine.remember(said(NEW, 30)).unwrap();
    let supersedes =
        LinkRequest { kind: EdgeKind::Supersedes, ..link(&new.id.to_string(), &old.id.to_string()) };
    engine.link(&supersedes).unwrap();
    // A property, a reason, a name alone, and whether: each is read in another way.
    for text in [
        "Where is the archive?",
        "Why is the archive kept in the cellar?",
        "archive cellar mill",
        "Is the archive kept in the cellar?",
    ] {
        let outdated = |days: Option<i64>| {
            let as_of = days.map(|days| Timestamp(NOW.0 - days * Timestamp::DAY));
            let answer = engine.recall(&Query { as_of, superseded: true, ..ask(text) }).unwrap();
            let at = place(&answer, OLD).unwrap_or_else(|| panic!("{text} at {days:?}"));
            answer.results[at].standing.as_ref().map(|standing| standing.kind)
        };
        assert_ne!(outdated(Some(60)), Some(StandingKind::Outdated), "{text}");
        assert_eq!(outdated(Some(10)), Some(StandingKind::Outdated), "{text}");
        assert_eq!(outdated(None), Some(StandingKind::Outdated), "{text}");
    }
}

#[test]
fn the_texts_alone_order_what_changed() {
    let workspace = Workspace::new();
    let engine = workspace.open();
    engine.remember(said(OLD, 90)).unwrap();
    engine.remember(said("The bell of the school rings at nine.", 70)).unwrap();
    engine.remember(said("The mill grinds rye and wheat.", 50)).unwrap();
    engine.remember(said(NEW, 30)).unwrap();
    let now = engine.recall(&ask("Where is the archive kept now?")).unwrap();
    assert_eq!(now.results[0].memory.text, NEW);
    let before = engine.recall(&ask("Where was the archive kept before?")).unwrap();
    assert_eq!(before.results[0].memory.text, OLD);
}

const CHANGE: &str = "From next week on our flour comes from the mill of Brandt, no longer from Kornhaus.";

#[test]
fn a_document_is_outdated_by_what_is_said_to_have_changed() {
    let handbook = "Flour comes from Kornhaus in sacks of 25 kg. Butter and milk come from the dairy. \
                    The key to the oven room hangs behind the bin, and the baker cleans the stone.";
    let ask_about = |document: &str, read: i64| {
        let workspace = Workspace::new();
        let engine = workspace.open();
        engine.remember(said(CHANGE, 30)).unwrap();
        engine.remember(Draft { kind: Some("passage".into()), ..said(document, read) }).unwrap();
        for day in 1..6 {
            engine.remember(said(&format!("On day {day} the shop sold rye bread."), 60 + day)).unwrap();
        }
        engine.recall(&ask("Where does our flour come from?")).unwrap()
    };
    // Whether its file is older than the change or younger.
    for read in [60, 1] {
        let answer = ask_about(handbook, read);
        assert_eq!(answer.results[0].memory.text, CHANGE, "read {read} days ago");
        let at = place(&answer, handbook).unwrap();
        let standing = answer.results[at].standing.clone().unwrap();
        assert_eq!((standing.kind, standing.certain), (StandingKind::Outdated, false));
        assert_eq!(standing.since, Some(answer.results[0].memory.occurred_at));
    }
    // A document that has the change, and one that speaks of something else, stand.
    for document in [handbook.replace("Kornhaus", "the mill of Brandt"), handbook.replace("Flour", "Yeast")] {
        let answer = ask_about(&document, 1);
        let at = place(&answer, &document).unwrap();
        assert_eq!(answer.results[at].standing, None, "{document}");
    }
}

#[test]
fn a_document_is_outdated_by_a_later_one_if_both_state_their_day() {
    let (old, new) = ("The rye loaf costs 3 euros and 20 cents.", "The rye loaf costs 4 euros and 60 cents.");
    let ask_about = |part_of_day: i64| {
        let workspace = Workspace::new();
        let engine = workspace.open();
        let texts = [(old, 200), (new, 100), ("Breaks are thirty minutes.", 150), ("Rye is sold.", 50)];
        for (text, days) in texts {
            let day = Timestamp(NOW.0 - days * Timestamp::DAY).day_start();
            let at = Some(Timestamp(day.0 + part_of_day));
            engine
                .remember(Draft { occurred_at: at, kind: Some("passage".into()), ..Draft::new(text) })
                .unwrap();
        }
        engine.recall(&ask("What does the rye loaf cost?")).unwrap()
    };
    let answer = ask_about(0);
    assert_eq!(answer.results[0].memory.text, new);
    let standing = answer.results[place(&answer, old).unwrap()].standing.clone().unwrap();
    assert_eq!((standing.kind, standing.certain), (StandingKind::Outdated, false));
    // The time of a file is only a bound.
    let answer = ask_about(Timestamp::HOUR);
    assert_eq!(answer.results[place(&answer, old).unwrap()].standing, None);
}

#[test]
fn what_opens_on_a_day_holds_from_that_day() {
    let new = "From 1 January 2030 the archive is kept in the attic of the school, as the mill is not dry.";
    let workspace = Workspace::new();
    let engine = workspace.open();
    engine.remember(said(OLD, 90)).unwrap();
    engine.remember(said(new, 30)).unwrap();
    let kind = |answer: &Recall, text: &str| {
        let standing = answer.results[place(answer, text).unwrap()].standing.as_ref();
        standing.map(|standing| standing.kind)
    };
    let question = ask("Where is the archive kept?");
    let now = engine.recall(&question).unwrap();
    assert_eq!((kind(&now, OLD), kind(&now, new)), (None, Some(StandingKind::Planned)));
    let then = Query { as_of: Some(Timestamp::from_day(2030, 2, 1).unwrap()), ..question };
    let then = engine.recall(&then).unwrap();
    assert_ne!(kind(&then, new), Some(StandingKind::Planned));
}

#[test]
fn what_gives_no_reason_does_not_hide_the_reason() {
    let reason = "The yearly service costs 65 euros, because grease became dearer.";
    let workspace = Workspace::new();
    let engine = workspace.open();
    let old = engine.remember(said(reason, 30)).unwrap();
    let new = engine.remember(said("The yearly service costs 69 euros.", 10)).unwrap();
    let supersedes =
        LinkRequest { kind: EdgeKind::Supersedes, ..link(&new.id.to_string(), &old.id.to_string()) };
    engine.link(&supersedes).unwrap();
    let first = |question: &str| engine.recall(&ask(question)).unwrap().results.remove(0).memory.text;
    assert_eq!(first("Why does the yearly service cost more?"), reason);
    assert_ne!(first("What does the yearly service cost?"), reason);
}

#[test]
fn an_exception_that_is_over_outdates_nothing() {
    let rule = "The choir rehearses in the town hall on Monday evenings.";
    let exception = "Until 12 March 2020 the choir rehearses in the school on Monday evenings now.";
    let workspace = Workspace::new();
    let engine = workspace.open();
    let day = |day| Some(Timestamp::from_day(2020, 1, day).unwrap());
    engine.remember(Draft { occurred_at: day(3), ..Draft::new(rule) }).unwrap();
    engine.remember(Draft { occurred_at: day(20), ..Draft::new(exception) }).unwrap();
    let answer = engine.recall(&ask("Where does the choir rehearse?")).unwrap();
    let standing = answer.results[place(&answer, rule).unwrap()].standing.as_ref();
    assert_ne!(standing.map(|standing| standing.kind), Some(StandingKind::Outdated));
    let standing = answer.results[place(&answer, exception).unwrap()].standing.as_ref();
    assert_eq!(standing.map(|standing| standing.kind), Some(StandingKind::Outdated));
}

#[test]
fn a_question_with_one_word_beside_a_month_is_answered_by_what_has_the_word() {
    let rent = "The rent of the workshop is 940 euros.";
    let workspace = Workspace::new();
    let engine = workspace.open();
    let on = |month, text: &str| Draft {
        occurred_at: Some(Timestamp::from_day(2024, month, 10).unwrap()),
        ..Draft::new(text)
    };
    engine.remember(on(2, rent)).unwrap();
    engine.remember(on(3, "Emil will paint the Submarine in December 2040.")).unwrap();
    engine.remember(on(8, "Street works in front of the door, few walk-ins.")).unwrap();
    let texts = |question: &str| -> Vec<String> {
        let answer = engine.recall(&Query::new(question, NOW)).unwrap();
        answer.results.into_iter().map(|result| result.memory.text).collect()
    };
    assert_eq!(texts("What was the rent in August 2024?")[0], rent);
    assert_eq!(texts("What will Emil do in December 2040?").len(), 1);
    assert_eq!(texts("What happened in August 2024?"), ["Street works in front of the door, few walk-ins."]);
}

#[test]
fn of_two_notes_that_differ_in_their_end_the_later_comes_first() {
    let new = "The key to the cellar is with Tomas.";
    let workspace = Workspace::new();
    let engine = workspace.open();
    // The name alone makes the older one nearer in meaning.
    for (text, days) in [
        ("The key to the cellar is with Lena.", 300),
        (new, 150),
        ("Breaks are thirty minutes.", 200),
        ("Rye is sold.", 100),
    ] {
        engine.remember(said(text, days)).unwrap();
    }
    let answer = engine.recall(&ask("Who has the key to the cellar?")).unwrap();
    assert_eq!(answer.results[0].memory.text, new);
}

#[test]
fn what_is_announced_counts_from_its_day_on() {
    let old = "Flour comes from Kornhaus in sacks of 25 kg.";
    let stands = |days: i64| {
        let workspace = Workspace::new();
        let engine = workspace.open();
        engine.remember(said(old, 90)).unwrap();
        engine.remember(said(CHANGE, days)).unwrap();
        for day in 1..6 {
            engine.remember(said(&format!("On day {day} the shop sold rye bread."), 60 + day)).unwrap();
        }
        let answer = engine.recall(&ask("Where does our flour come from?")).unwrap();
        answer.results[place(&answer, old).unwrap()].standing.as_ref().map(|standing| standing.kind)
    };
    assert_eq!(stands(30), Some(StandingKind::Outdated));
    assert_eq!(stands(1), None);
}

#[test]
fn no_passage_is_shown_below_the_floor() {
    let workspace = Workspace::new();
    let engine = workspace.open();
    for text in [
        "New people get a contract for six months. Breaks are thirty minutes.",
        "The big oven is heated at two in the morning. It needs an hour to reach 240 degrees.",
        "The shop opens at half past six from Tuesday to Saturday. On Sundays only the hatch is open.",
        "Flour comes from Kornhaus in sacks of 25 kg. Butter and milk come from the dairy.",
    ] {
        engine.remember(Draft { kind: Some("passage".into()), ..said(text, 10) }).unwrap();
    }
    let found = |floor: bool| {
        engine.recall(&Query { floor, ..ask("What do the breaks last?") }).unwrap().results.len()
    };
    assert!(found(false) > 1);
    assert_eq!(found(true), 1);
}

#[test]
fn only_what_states_the_same_property_makes_outdated() {
    let workspace = Workspace::new();
    let engine = workspace.open();
    let pays = "The guest house Harrow Hill pays 39 euros a month.";
    engine.remember(said(pays, 90)).unwrap();
    for text in ["The bell rings at nine.", "Bread is sold on Mondays.", "The roof leaks when it rains."] {
        engine.remember(said(text, 70)).unwrap();
    }
    engine.remember(said("From now on the door codes of Harrow Hill are sent by post.", 50)).unwrap();
    let standing = || {
        let answer = engine.recall(&ask("What does Harrow Hill pay now?")).unwrap();
        let at = place(&answer, pays).unwrap();
        answer.results[at].standing.as_ref().map(|standing| standing.kind)
    };
    assert_eq!(standing(), None);
    engine.remember(said("From now on the guest house Harrow Hill pays 45 euros a month.", 20)).unwrap();
    assert_eq!(standing(), Some(StandingKind::Outdated));
}

#[test]
fn an_earlier_time_lifts_nothing_that_is_beside_the_question() {
    let workspace = Workspace::new();
    let engine = workspace.open();
    for (text, days) in [
        ("The big oven stopped at three.", 38),
        ("The roof of the shop leaks when it rains.", 37),
        ("A guest complained that the rye came at nine.", 36),
        ("We buy flour from Brandt now, Kornhaus raised the price by a fifth.", 20),
    ] {
        engine.remember(said(text, days)).unwrap();
    }
    let as_of = Some(Timestamp(NOW.0 - 35 * Timestamp::DAY));
    let asked = Query { as_of, ..Query::new("Where do we buy flour?", NOW) };
    for result in engine.recall(&asked).unwrap().results {
        assert!(result.memory.text.contains("flour"), "{}", result.memory.text);
    }
}

#[test]
fn what_is_done_is_no_plan() {
    let workspace = Workspace::new();
    let engine = workspace.open();
    let done = "We hired two more guards, because the pool of the mill will open in May.";
    let plan = "The mill will get a pool next summer.";
    engine.remember(said(done, 30)).unwrap();
    engine.remember(said(plan, 30)).unwrap();
    let answer = engine.recall(&ask("Does the mill have a pool now?")).unwrap();
    let kind = |text: &str| {
        let at = place(&answer, text).unwrap();
        answer.results[at].standing.as_ref().map(|standing| standing.kind)
    };
    assert_eq!((kind(done), kind(plan)), (None, Some(StandingKind::Planned)));
}

#[test]
fn what_was_never_said_of_a_known_name_is_improbable() {
    let workspace = Workspace::new();
    let engine = workspace.open();
    engine.remember(said("Mara Lind plays the cello in the town band.", 30)).unwrap();
    engine.remember(said("The town band meets in the school.", 20)).unwrap();
    let score = |text: &str| engine.recall(&ask(text)).unwrap().results[0].score;
    assert!(score("What is the shoe size of Mara Lind?") < 0.5 * score("What does Mara Lind play?"));
}

#[test]
fn what_is_said_of_another_one_is_improbable_of_a_name() {
    let workspace = Workspace::new();
    let engine = workspace.open();
    let known = [
        "Mara plays the cello in the town band.",
        "Tom is allergic to peanuts.",
        "The town band meets in the school.",
        "Coach Miller has a red boat.",
        "The school is painted in May.",
        "Mara rides to work by bicycle.",
        "Tom keeps bees behind the mill.",
        "The mill sells flour on Saturdays.",
        "The red boat is for sale.",
        "Flour costs two euros a bag.",
    ];
    known.iter().for_each(|text| drop(engine.remember(said(text, 30)).unwrap()));
    let first = |text: &str| {
        let answer = engine.recall(&ask(text)).unwrap();
        (answer.results[0].memory.text.clone(), answer.results[0].score)
    };
    let (tom, mara) = (first("What is Tom allergic to?"), first("What is Mara allergic to?"));
    assert_eq!((tom.0.as_str(), mara.0.as_str()), (known[1], known[1]));
    assert!(mara.1 < 0.3 * tom.1, "{} and {}", mara.1, tom.1);
    // A title is part of the name, and nothing that is asked.
    let (boat, fear) = (first("What boat does Coach Miller have?"), first("What does Coach Miller fear?"));
    assert!(fear.1 < 0.5 * boat.1, "{} and {}", fear.1, boat.1);
}

#[test]
fn what_is_shown_for_its_time_has_the_floor() {
    let workspace = Workspace::new();
    let engine = workspace.open();
    let day = engine.remember(said("The flour came late.", 30)).unwrap().occurred_at;
    engine.remember(said("The oven was cleaned.", 20)).unwrap();
    let question = format!("What happened on {}?", &day.to_string()[..10]);
    let answer = engine.recall(&Query::new(question, NOW)).unwrap();
    assert_eq!((answer.results.len(), place(&answer, "The flour came late.")), (1, Some(0)));
    assert!(answer.results[0].score >= engine.settings().recall.floor, "{}", answer.results[0].score);
}

#[test]
fn a_new_memory_names_what_it_may_replace() {
    let workspace = Workspace::new();
    let engine = workspace.open();
    let old = engine.remember(said(OLD, 90)).unwrap();
    for text in ["The bell rings at nine.", "Bread is sold on Mondays.", "The roof leaks when it rains."] {
        engine.remember(said(text, 60)).unwrap();
    }
    let new = engine.remember(said(NEW, 30)).unwrap();
    assert!(new.update_candidates.len() <= 3);
    assert_eq!(new.update_candidates[0].id, old.id);
}

#[test]
fn a_correction_in_so_many_words_is_noted_and_can_be_undone() {
    let workspace = Workspace::new();
    let engine = workspace.open();
    let old = engine.remember(said("From April the return ticket to the mill costs 16 euros.", 40)).unwrap();
    let new = engine
        .remember(said("Correction: the return ticket to the mill costs 15 euros, not 16.", 30))
        .unwrap();
    assert!(new.update_candidates[0].noted, "{:?}", new.update_candidates);
    let by = |engine: &griot::engine::Engine| engine.show(&old.id.to_string()).unwrap().superseded_by;
    assert_eq!(by(&engine), Some(new.id));
    engine.unlink(&new.id.to_string(), &old.id.to_string(), Some(EdgeKind::Supersedes), None).unwrap();
    assert_eq!(by(&engine), None);
}

/// Two memories of a chain, the first of which a later one replaced, among others.
fn chained(workspace: &Workspace, is_linked: bool) -> griot::engine::Engine {
    let engine = workspace.open();
    let start = engine.remember(said("The mill compares its sacks by weight.", 90)).unwrap().id.to_string();
    let end =
        engine.remember(said("A hundred sacks were sent back to the farm.", 60)).unwrap().id.to_string();
    let later = engine.remember(said("The mill compares its sacks by volume.", 30)).unwrap().id.to_string();
    for day in 1..6 {
        engine.remember(said(&format!("On day {day} the bakery sold rye bread."), 40 + day)).unwrap();
    }
    if is_linked {
        engine.link(&LinkRequest { kind: EdgeKind::Causal, ..link(&start, &end) }).unwrap();
    }
    engine.link(&LinkRequest { kind: EdgeKind::Supersedes, ..link(&later, &start) }).unwrap();
    engine
}

#[test]
fn what_was_replaced_stays_in_its_chain() {
    let workspace = Workspace::new();
    let engine = chained(&workspace, true);
    let answer = engine.recall(&ask("What came of the mill comparing its sacks by weight?")).unwrap();
    let start = place(&answer, "The mill compares its sacks by weight.").unwrap();
    assert!(start < place(&answer, "A hundred sacks were sent back to the farm.").unwrap());
}

#[test]
fn a_linked_cause_makes_an_answer_likelier() {
    let answers = |is_linked: bool, floor: f32| {
        let workspace = Workspace::new();
        let engine = chained(&workspace, is_linked);
        let query = Query { least: Some(floor), ..Query::new("Why did sacks return to the farm?", NOW) };
        !engine.recall(&query).unwrap().results.is_empty()
    };
    // Floors from nothing to certainty: a linked cause is never the reason to be silent, and once an answer.
    let floors = (0..60).map(|step| step as f32 / 60.0);
    let pairs: Vec<(bool, bool)> =
        floors.map(|floor| (answers(false, floor), answers(true, floor))).collect();
    assert!(pairs.iter().all(|(alone, linked)| *linked || !alone), "{pairs:?}");
    assert!(pairs.iter().any(|(alone, linked)| *linked && !alone), "{pairs:?}");
}

#[test]
fn a_value_that_returns_is_stored_again() {
    let (first, second) = ("The code of the gate is 1111.", "The code of the gate is 2222.");
    let workspace = Workspace::new();
    let engine = workspace.open();
    let remember = |text: &str, days: i64| engine.remember(said(text, days)).unwrap();
    let old = remember(first, 90);
    assert_eq!(remember(first, 80).action, Action::Skipped);
    remember(second, 60);
    let new = remember(first, 30);
    assert_eq!((new.action, new.id == old.id), (Action::Added, false));
    let again = remember(first, 10);
    assert_eq!((again.action, again.id), (Action::Skipped, new.id));
    // Stated with a time before the change, it is what was known.
    assert_eq!(remember(second, 70).action, Action::Skipped);

    let answer = engine.recall(&ask("What is the code of the gate?")).unwrap();
    let best = &answer.results[0];
    assert_eq!(
        (best.memory.id, best.standing.as_ref().map(|one| one.kind)),
        (new.id, Some(StandingKind::Current))
    );
    let standing = answer.results[place(&answer, second).unwrap()].standing.as_ref();
    assert_eq!(standing.map(|standing| standing.kind), Some(StandingKind::Outdated));
}

#[test]
fn what_was_replaced_by_name_is_stored_again() {
    let workspace = Workspace::new();
    let engine = workspace.open();
    let old = engine.remember(said(OLD, 90)).unwrap();
    let by = Draft { supersedes: Some(old.handle.to_string()), ..said("It went to the attic.", 60) };
    engine.remember(by).unwrap();
    let new = engine.remember(said(OLD, 30)).unwrap();
    assert_eq!((new.action, new.id == old.id), (Action::Added, false));
}

#[test]
fn what_is_to_come_is_found_by_the_time_that_its_text_names() {
    let workspace = Workspace::new();
    let engine = workspace.open();
    let (flood, regatta) = ("In August the cellar was flooded.", "The regatta is on 14 August.");
    for (text, days) in [(flood, 290), (regatta, 10), ("The board met on a boat.", 9)] {
        engine.remember(said(text, days)).unwrap();
    }
    let found = |question: &str| -> Vec<String> {
        let answer = engine.recall(&Query::new(question, NOW)).unwrap();
        answer.results.into_iter().map(|result| result.memory.text).collect()
    };
    assert_eq!(found("What are we doing in August?"), [regatta]);
    assert_eq!(found("What happened in August?"), [flood]);
    assert_eq!(found("What are we doing in October?"), [""; 0]);
}

#[test]
fn a_document_is_not_outdated_by_the_notes_of_an_old_release() {
    let workspace = Workspace::new();
    let engine = workspace.open();
    let manual = "Flour comes from Kornhaus in sacks of 25 kg. Butter and milk come from the dairy.";
    let passage = |text: &str, at: i64| Draft {
        kind: Some("passage".into()),
        occurred_at: Some(Timestamp(at)),
        ..Draft::new(text)
    };
    let day = Timestamp(NOW.0 - 400 * Timestamp::DAY).day_start().0;
    engine.remember(passage(CHANGE, day)).unwrap();
    engine.remember(passage(manual, NOW.0 - Timestamp::DAY + 5)).unwrap();
    let answer = engine.recall(&ask("Where does our flour come from?")).unwrap();
    assert_eq!(answer.results[place(&answer, manual).unwrap()].standing, None);
}

/// The first result, and how it is marked.
fn first(engine: &Engine, question: &str) -> (String, Option<StandingKind>) {
    let result = engine.recall(&ask(question)).unwrap().results.remove(0);
    (result.memory.text, result.standing.map(|standing| standing.kind))
}

fn kind_of(engine: &Engine, question: &str, text: &str) -> Option<StandingKind> {
    let answer = engine.recall(&ask(question)).unwrap();
    let at = place(&answer, text).unwrap_or_else(|| panic!("{text} is among the results"));
    answer.results[at].standing.as_ref().map(|standing| standing.kind)
}

#[test]
fn a_labelled_plan_is_planned_until_its_time_has_come() {
    let workspace = Workspace::new();
    let engine = workspace.open();
    // One is for 20 June, the other was for 20 May.
    let (coming, gone) = ("Plan: paint the boat house on 20 June.", "Plan: replace the old mast on 20 May.");
    engine.remember(said(coming, 20)).unwrap();
    engine.remember(said(gone, 40)).unwrap();
    let planned = Some(StandingKind::Planned);
    assert_eq!(first(&engine, "Is the boat house painted?"), (coming.to_string(), planned));
    assert_ne!(kind_of(&engine, "Is the old mast replaced?", gone), planned);
}

#[test]
fn what_is_called_off_is_cancelled() {
    let workspace = Workspace::new();
    let engine = workspace.open();
    let (plan, off) = ("Plan: the trip to the lake is in July.", "Cancelled: no trip to the lake in July.");
    engine.remember(said(plan, 40)).unwrap();
    engine.remember(said(off, 10)).unwrap();
    assert_eq!(kind_of(&engine, "Is the trip to the lake on?", plan), Some(StandingKind::Cancelled));
}

#[test]
fn what_a_change_leaves_is_outdated_since_the_first_change() {
    let workspace = Workspace::new();
    let engine = workspace.open();
    let old = "The builds run on Jenkins with two parallel containers.";
    engine.remember(said(old, 90)).unwrap();
    let change = engine.remember(said("The builds moved from Jenkins to Buildbot last night.", 50)).unwrap();
    engine.remember(said("The builds moved from Buildbot to Tekton last night.", 10)).unwrap();
    let answer = engine.recall(&ask("What do the builds run on now?")).unwrap();
    let standing = answer.results[place(&answer, old).unwrap()].standing.clone().unwrap();
    assert_eq!((standing.kind, standing.by.unwrap().id), (StandingKind::Outdated, change.id));
}

#[test]
fn a_brief_question_of_a_talk_does_not_answer_the_question() {
    let workspace = Workspace::new();
    let engine = workspace.open();
    let talk = |text: &str, days| Draft { session: Some("choir".into()), ..said(text, days) };
    let (asked, told) = ("Where do we get red scarves?", "Red scarves are at the market hall.");
    engine.remember(talk(asked, 4)).unwrap();
    engine.remember(talk(told, 4)).unwrap();
    for text in ["See you on Tuesday.", "The piano is tuned again."] {
        engine.remember(talk(text, 5)).unwrap();
    }
    assert_eq!(first(&engine, "Where do we get red scarves?").0, told);
}

#[test]
fn a_period_of_the_caller_answers_what_happened() {
    let workspace = Workspace::new();
    let engine = workspace.open();
    engine.remember(said("Signed the lease for hall 9.", 5)).unwrap();
    engine.remember(said("The cat has a new collar.", 60)).unwrap();
    let week = Interval::new(Timestamp(NOW.0 - 7 * Timestamp::DAY), NOW);
    let query = Query { occurred: Some(week), ..Query::new("what happened", NOW) };
    let found: Vec<String> =
        engine.recall(&query).unwrap().results.into_iter().map(|result| result.memory.text).collect();
    assert_eq!(found, ["Signed the lease for hall 9."]);
}

#[test]
fn a_name_that_only_the_caller_gave_finds_its_memory() {
    let workspace = Workspace::new();
    let engine = workspace.open();
    let text = "The billing service is written in Go.";
    let entities = vec![EntityDraft::named("Mira Holt", Some(EntityType::Person))];
    engine.remember(Draft { entities, ..said(text, 5) }).unwrap();
    engine.remember(said("The cat has a new collar.", 6)).unwrap();
    for question in ["Mira Holt", "who is Mira Holt?"] {
        let answer = engine.recall(&Query::new(question, NOW)).unwrap();
        assert_eq!(
            answer.results.first().map(|result| result.memory.text.as_str()),
            Some(text),
            "{question}"
        );
    }
}

#[test]
fn what_happened_later_is_no_cause() {
    let crack = "There is a crack in the north wall.";
    let effect = "We rented a scaffold because of the crack in the north wall.";
    let causes = |of: i64, later: i64| {
        let workspace = Workspace::new();
        let engine = workspace.open();
        engine.remember(said(crack, of)).unwrap();
        let effect = engine.remember(said(effect, later)).unwrap();
        let why = engine.why(&effect.id.to_string(), WhyDirection::Causes, 4, 0.0, None).unwrap();
        why.causes.len()
    };
    assert_eq!((causes(20, 10), causes(10, 20)), (1, 0));
}

#[test]
fn two_memories_are_enough_for_a_change() {
    for (notes, questions) in [
        (["The booth is at gate 3.", "The booth is at gate 7."], ["Where is the booth?", "booth gate"]),
        (
            ["The builds run on Jenkins.", "The builds moved from Jenkins to Buildbot."],
            ["What do the builds run on?", "build system"],
        ),
        (
            ["The desk lamp costs 34 euros.", "The desk lamp went up to 39 euros."],
            ["How much is the desk lamp?", "desk lamp price"],
        ),
    ] {
        let workspace = Workspace::new();
        let engine = workspace.open();
        engine.remember(said(notes[0], 90)).unwrap();
        engine.remember(said(notes[1], 9)).unwrap();
        for question in questions {
            assert_eq!(first(&engine, question).0, notes[1], "{question}");
            assert_eq!(kind_of(&engine, question, notes[0]), Some(StandingKind::Outdated), "{question}");
        }
    }
}
