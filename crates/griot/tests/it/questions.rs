//! Questions as people type them: about a day, without capitals, about what was replaced since.

use griot::engine::LinkRequest;
use griot::model::{EdgeKind, EntityType, Timestamp};
use griot::recall::Query;
use griot::remember::{Draft, EntityDraft};

use crate::support::{NOW, Workspace, link, said};

#[test]
fn a_day_that_is_over_is_found_in_the_text() {
    let workspace = Workspace::new();
    let engine = workspace.open();
    let meeting = "The parents meet on 24 September at seven in room 203.";
    let september = Timestamp::from_day(2023, 9, 1).unwrap();
    engine.remember(Draft { occurred_at: Some(september), ..Draft::new(meeting) }).unwrap();
    for day in 2..9 {
        let at = Timestamp(september.0 + day * Timestamp::DAY);
        engine
            .remember(Draft { occurred_at: Some(at), ..Draft::new(format!("Bread {day} is sold.")) })
            .unwrap();
    }
    let asked = Timestamp::from_day(2023, 11, 30).unwrap();
    let found = |question: &str| engine.recall(&Query::new(question, asked)).unwrap().results;
    let answer = found("what is on 24 september");
    assert_eq!(answer.first().map(|result| result.memory.text.as_str()), Some(meeting));
    assert!(found("what is on 25 september").is_empty());
}

#[test]
fn a_greeting_is_no_part_of_the_question_but_of_the_answer() {
    let workspace = Workspace::new();
    let engine = workspace.open();
    engine.remember(said("Jonas takes his pill every morning.", 30)).unwrap();
    engine.remember(said("The tyres are in the garage.", 3)).unwrap();
    let greeted = "Good morning, what happened last week?";
    let answer = engine.recall(&Query { floor: false, ..Query::new(greeted, NOW) }).unwrap();
    assert_eq!(answer.query, greeted);
    assert_eq!(answer.understanding.times.iter().map(|(words, _)| words).collect::<Vec<_>>(), ["last week"]);
    assert!(!answer.understanding.terms.contains(&"morn".to_string()), "{:?}", answer.understanding.terms);
}

#[test]
fn a_name_without_its_capital_is_known_where_nothing_has_one() {
    let workspace = Workspace::new();
    let engine = workspace.open();
    let named = |text: &str, name: &str| Draft {
        entities: vec![EntityDraft::named(name, Some(EntityType::Person))],
        ..said(text, 30)
    };
    engine.remember(named("Emil keeps rabbits.", "Emil")).unwrap();
    engine.remember(named("Rose reads maps.", "Rose")).unwrap();
    let names = |question: &str| -> Vec<String> {
        let answer = engine.recall(&Query { floor: false, ..Query::new(question, NOW) }).unwrap();
        answer.understanding.entities.into_iter().map(|entity| entity.name).collect()
    };
    assert_eq!(names("what does emil keep"), ["Emil"]);
    assert_eq!(names("emils rabbits"), ["Emil"]);
    assert_eq!(names("Wo sind Emils Hasen?"), ["Emil"]);
    // A word of every day is a name only with its capital.
    assert_eq!(names("how much is a rose"), [""; 0]);
    assert_eq!(names("What does Rose read?"), ["Rose"]);
    assert_eq!(names("The word emil in a sentence with a capital"), [""; 0]);
}

#[test]
fn what_was_replaced_twice_brings_what_holds() {
    let workspace = Workspace::new();
    let engine = workspace.open();
    let [first, second, third] = [
        ("The hall has a red carpet and forty chairs.", 90),
        ("It is parquet now.", 60),
        ("We took it out, the floor is bare stone.", 30),
    ]
    .map(|(text, days)| engine.remember(said(text, days)).unwrap().id.to_string());
    for day in 1..9 {
        engine.remember(said(&format!("On day {day} the bakery sold rye bread."), 60 + day)).unwrap();
    }
    for (new, old) in [(&second, &first), (&third, &second)] {
        engine.link(&LinkRequest { kind: EdgeKind::Supersedes, ..link(new, old) }).unwrap();
    }
    for question in ["Write a note about the carpet of the hall", "red carpet hall saturday"] {
        let answer = engine.recall(&Query::new(question, NOW)).unwrap();
        let texts: Vec<&str> = answer.results.iter().map(|result| result.memory.text.as_str()).collect();
        assert_eq!(texts.first(), Some(&"We took it out, the floor is bare stone."), "{question}");
        assert!(!texts.contains(&"The hall has a red carpet and forty chairs."), "{texts:?}");
    }
}
