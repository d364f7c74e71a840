//! Preferences for the work that a question orders.

use griot::model::Tier;
use griot::recall::Query;
use griot::remember::Draft;

use crate::support::{NOW, Workspace};

const MEAT: &str = "We do not eat meat.";

#[test]
fn an_order_gets_the_preferences_for_its_work_first() {
    let workspace = Workspace::new();
    let engine = workspace.open();
    let tidy = Draft { tier: Some(Tier::Rule), ..Draft::new("Always wash up after you eat.") };
    engine.remember(tidy).unwrap();
    for text in [
        MEAT,
        "The table in the hall is made of oak.",
        "The train to Delft leaves at noon on Fridays.",
        "The book club reads one novel a month.",
    ] {
        engine.remember(Draft::new(text)).unwrap();
    }
    let texts = |question: &str| -> Vec<String> {
        let answer = engine.recall(&Query::new(question, NOW)).unwrap();
        answer.results.into_iter().map(|result| result.memory.text).collect()
    };
    assert_eq!(texts("book a table for Friday")[0], MEAT);
    assert_eq!(texts("What should we cook tonight?")[0], MEAT);
    let asked = texts("What is the table in the hall made of?");
    assert!(asked[0].contains("oak") && !asked.contains(&MEAT.to_owned()), "{asked:?}");
}

#[test]
fn an_order_gets_wishes_about_what_it_names() {
    let workspace = Workspace::new();
    let engine = workspace.open();
    for text in ["Ottilie Brandt moved to Delft.", "The hall has a new roof.", "Bread is sold on Mondays."] {
        engine.remember(Draft::new(text)).unwrap();
    }
    let wish = "Ottilie Brandt is reached after three in the afternoon.";
    engine.remember(Draft { kind: Some("preference".to_owned()), ..Draft::new(wish) }).unwrap();
    let first = |question: &str| {
        let answer = engine.recall(&Query::new(question, NOW)).unwrap();
        answer.results.into_iter().next().map(|result| result.memory.text)
    };
    assert_eq!(first("call Ottilie Brandt about the roof").as_deref(), Some(wish));
}
