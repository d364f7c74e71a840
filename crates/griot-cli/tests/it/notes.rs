//! `griot notes`: the versions of a note, and taking one back.

use griot::engine::{Access, Engine, Settings};
use griot::model::{ReadingOutcome, ReadingTask, Said};
use griot::remember::reading::ReadingDraft;

use crate::{Home, Parts, has};

#[test]
fn notes_are_listed_latest_first_and_undone_one_by_one() {
    let home = Home::new();
    let old = home.remember("The archive is kept in the old mill.", &[]);
    let new = home.remember("The mill burned down in May.", &[]);
    has(&home.ok(&["notes", &old]), "no notes");
    home.refused(&["notes", &old, "--undo"], 1, "it has no note that counts");
    home.refused(&["notes", "ffffff"], 1, "ffffff");

    let database = home.path().join("home/workspaces/default/griot.db");
    let engine = Engine::open(&database, Access { create: false, read_only: false }, Settings::default());
    let engine = engine.expect("it opens");
    let [first, later] = [&old, &new].map(|handle| engine.show(handle).expect("it is there").id);
    let note = |context: &str| ReadingDraft {
        said: vec![
            Said::Keywords(vec!["archive".into(), "mill".into()]),
            Said::Tags(vec!["town".into()]),
            Said::Context(context.into()),
        ],
        ..ReadingDraft::new(first, ReadingTask::Notes, 1, ReadingOutcome::Read)
    };
    let changed = ReadingDraft { by: Some(later), ..note("It is gone\u{1b}[2J.") };
    engine.put_readings(&[note("It has a room."), changed]).expect("they are stored");
    drop(engine);

    let text = home.ok(&["notes", &old]);
    has(&text, &format!("counts, because of #{new}"));
    has(&text, "keywords  archive, mill");
    assert!(!text.contains('\u{1b}'), "{text}");
    let notes = home.json(&["notes", &old]);
    assert_eq!((&notes[0]["by"], &notes[0]["counts"]), (&format!("#{new}").into(), &true.into()));
    assert_eq!((notes[1]["context"].text(), &notes[1]["by"]), ("It has a room.", &serde_json::Value::Null));

    let undone = home.json(&["notes", &old, "--undo"]);
    assert_eq!((&undone[0]["counts"], &undone[1]["counts"]), (&false.into(), &true.into()));
    has(&home.ok(&["notes", &old]), "undone");
    home.ok(&["notes", &old, "--undo"]);
    home.refused(&["notes", &old, "--undo"], 1, "it has no note that counts");
}
