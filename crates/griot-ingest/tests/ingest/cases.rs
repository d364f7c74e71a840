//! Small documents and what is read from them: `tests/cases/*.txt`.
//!
//! A case is a line `== NAME [as FORMAT] | what it shows`, the document, a line `--`, and the reading: kind
//! and title of the source, a line for each draft, the problems; or why it is refused. `␍`, `␉` and `␄` mean
//! a carriage return, a tab and no line feed at the end. `GRIOT_GOLDEN=record` writes the readings.

use std::fs;
use std::path::Path;

use griot::remember::Draft;
use griot_ingest::{Format, ReadOptions, read_text};

use crate::line;

#[test]
fn documents_are_read_as_recorded() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    let is_recording = std::env::var("GRIOT_GOLDEN").is_ok_and(|mode| mode == "record");
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let recorded = fs::read_to_string(&path).unwrap();
        let cases = recorded.strip_prefix("== ").expect("it begins with a case").split("\n== ");
        let mut read = String::new();
        for case in cases.map(|case| case.trim_end_matches('\n')) {
            let (head, rest) = case.split_once('\n').expect("a document");
            let document = rest.split("\n--\n").next().unwrap_or_default().trim_end_matches("\n--");
            let found = format!("{head}\n{document}\n--\n{}", reading_of(head, &format!("{document}\n")));
            assert!(
                is_recording || found == case,
                "{}: read is\n{found}\nand recorded\n{case}",
                path.display()
            );
            read.push_str(&format!("== {found}\n"));
        }
        if is_recording {
            fs::write(&path, read).unwrap();
        }
    }
}

fn reading_of(head: &str, document: &str) -> String {
    let (name, _) = head.split_once(" | ").expect("what it shows");
    let (name, format) = name.split_once(" as ").map_or((name, None), |(name, format)| (name, Some(format)));
    let document = document.replace('␍', "\r").replace('␉', "\t").replace("␄\n", "");
    let format = format.map(|format| Format::named(format).unwrap());
    match read_text(name, &document, &ReadOptions { format, ..ReadOptions::default() }) {
        Err(error) => format!("refused: {}", error.why),
        Ok(readings) => {
            let [reading] = &readings[..] else { panic!("{head}: {} readings", readings.len()) };
            let title = reading.source.title.as_deref().unwrap_or("without a title");
            let mut lines = vec![format!("{} {title}", reading.source.kind.name())];
            lines.extend(reading.drafts.iter().map(|draft| line(draft) + &notes(draft)));
            lines.extend(reading.problems.iter().map(|problem| format!("! {}", problem.why)));
            lines.join("\n")
        }
    }
}

/// What [`line`] does not show.
fn notes(draft: &Draft) -> String {
    let entity = |kind: Option<griot::model::EntityType>| kind.map_or("entity", |kind| kind.name());
    let mut notes: Vec<String> =
        draft.entities.iter().map(|one| format!("{} {}", entity(one.kind), one.name)).collect();
    notes.extend(draft.importance.map(|importance| format!("importance {importance}")));
    notes.extend(draft.scope.user.iter().map(|user| format!("user {user}")));
    notes.extend(draft.scope.project.iter().map(|project| format!("project {project}")));
    notes.iter().map(|note| format!(" {{{note}}}")).collect()
}
