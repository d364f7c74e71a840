//! Questions in another language than the texts.

use griot::recall::{Query, Recall};
use griot::remember::Draft;

use crate::support::{NOW, Workspace};

const GERMAN: [&str; 4] = [
    "Das Fenster in der Küche ist undicht und wird am Montag vom Schreiner repariert.",
    "Wir haben die Heizung auf achtzehn Grad gestellt, weil die Rechnung zu hoch war.",
    "Der Hund vom Nachbarn bellt nachts, das ist nicht mehr auszuhalten und wir schlafen kaum.",
    "Unser Auto steht bis Freitag in der Werkstatt, der Motor ist kaputt und es wird teuer.",
];
const ENGLISH: [&str; 3] = [
    "The bakery on the corner opens at six, and they sell out of rye bread by nine.",
    "Our daughter has a swimming lesson every Thursday with the new teacher.",
    "The doctor said that the pills have to be taken with water after breakfast.",
];

fn ask(texts: &[&[&str]], question: &str) -> Recall {
    let workspace = Workspace::new();
    let engine = workspace.open();
    for text in texts.concat() {
        engine.remember(Draft::new(text)).unwrap();
    }
    engine.recall(&Query::new(question, NOW)).unwrap()
}

fn first(texts: &[&[&str]], question: &str) -> String {
    ask(texts, question).results.into_iter().next().map(|one| one.memory.text).unwrap_or_default()
}

#[test]
fn a_question_finds_texts_in_other_languages() {
    let both: &[&[&str]] = &[&GERMAN, &ENGLISH];
    assert_eq!(first(&[&GERMAN], "Which window is leaking in the kitchen?"), GERMAN[0]);
    assert_eq!(first(both, "Why is the neighbour's dog a problem at night?"), GERMAN[2]);
    assert_eq!(first(both, "Wer gibt der Tochter Unterricht im Schwimmen?"), ENGLISH[1]);
    assert_eq!(first(both, "Was hat der Arzt zum Frühstück gesagt?"), ENGLISH[2]);
    // What is in the language of the question is found as before.
    assert_eq!(first(both, "When does the bakery open?"), ENGLISH[0]);
    assert_eq!(first(both, "Wo steht das Auto?"), GERMAN[3]);
}

#[test]
fn a_question_is_translated_only_where_the_store_holds_the_language() {
    let question = "Which window is leaking in the kitchen?";
    let languages = |texts: &[&[&str]]| -> Vec<&'static str> {
        let translations = ask(texts, question).understanding.translations;
        translations.into_iter().map(|one| one.language.name()).collect()
    };
    assert!(languages(&[&ENGLISH]).is_empty());
    assert_eq!(languages(&[&GERMAN, &ENGLISH]), ["german"]);
    // A word or two of another language are a name or a quotation.
    assert!(languages(&[&ENGLISH, &["The film is called Das Boot und ich.", "Los Angeles"]]).is_empty());
}
