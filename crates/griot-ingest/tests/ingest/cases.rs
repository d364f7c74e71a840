//! Small documents and what is read from them: `tests/cases/*.txt`.
//!
//! A case is a line `== NAME [as FORMAT] | what it shows`, the document, a line `--`, and the reading:
//! format, kind, title and language of the source, a line for each draft, edge and problem; or why it is
//! refused.
//!
//! - `␍`, `␉` and `␄` mean a carriage return, a tab and no line feed at the end; `⟨C3 28⟩` means these bytes.
//! - The document of `golden/NAME` is the file in `tests/golden`.
//! - Lines `@ NAME` divide the parts of a zip archive.
//! - `= NAME` behind the title of a source is an alias of it.
//! - A database is written as its statements; `.read NAME` includes those of a file in `tests/ingest/sql`.
//!
//! `GRIOT_GOLDEN=record` writes the readings.

use std::fs;
use std::path::Path;

use griot::model::{EntityType, Error, ErrorKind};
use griot::remember::{Draft, DraftLink, DraftPlace};
use griot_ingest::{Format, ReadOptions, format_name, identify, read_bytes};
use rusqlite::Connection;
use zip::CompressionMethod;

use crate::{golden, line, packed_by};

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
    let bytes = bytes_of(name, document);
    let found = format.or_else(|| format_name(Path::new(name), &bytes)).unwrap_or("nothing").to_string();
    let format = format.map(|format| Format::named(format).unwrap());
    match read_bytes(name, bytes, &ReadOptions { format, ..ReadOptions::default() }) {
        Err(error) => {
            assert_eq!(error.kind, ErrorKind::InvalidInput, "{head}: {error}");
            format!("{found} refused: {}{}", error.why, hint(&error))
        }
        Ok(readings) => {
            let [reading] = &readings[..] else { panic!("{head}: {} readings", readings.len()) };
            let source = &reading.source;
            if let Some(name) = name.strip_prefix("golden/") {
                let known = identify(&golden(name), &ReadOptions::default()).unwrap();
                assert_eq!((known.kind, known.content_hash), (source.kind, source.content_hash), "{name}");
            }
            let title = source.title.as_deref().unwrap_or("without a title");
            let language =
                source.language.iter().map(|language| format!(" [{language}]")).collect::<String>();
            let also: String = source.aliases.iter().map(|alias| format!(" = {alias}")).collect();
            let mut lines = vec![format!("{found} {} {title}{also}{language}", source.kind.name())];
            lines.extend(reading.drafts.iter().map(|draft| line(draft) + &notes(draft)));
            lines.extend(source.links.iter().map(edge));
            let problems = reading.problems.iter();
            lines.extend(problems.map(|one| format!("! {}{}", one.why, hint(one))));
            lines.join("\n")
        }
    }
}

fn hint(error: &Error) -> String {
    error.hint.as_ref().map_or(String::new(), |hint| format!(" → {hint}"))
}

/// The bytes that a document describes.
fn bytes_of(name: &str, document: &str) -> Vec<u8> {
    if let Some(name) = name.strip_prefix("golden/") {
        return fs::read(golden(name)).unwrap();
    }
    let document = document.replace('␍', "\r").replace('␉', "\t").replace("␄\n", "");
    if let Some(parts) = document.strip_prefix("@ ") {
        let parts = parts.split("\n@ ").map(|part| part.split_once('\n').unwrap_or((part, "")));
        let parts: Vec<(&str, &[u8])> = parts.map(|(name, text)| (name, text.as_bytes())).collect();
        return packed_by(CompressionMethod::Stored, &parts);
    }
    if name.ends_with(".db") {
        return database(&document);
    }
    let mut pieces = document.split('⟨');
    let mut bytes = pieces.next().unwrap_or_default().as_bytes().to_vec();
    for (codes, text) in pieces.map(|piece| piece.split_once('⟩').expect("codes")) {
        bytes.extend(codes.split(' ').map(|code| u8::from_str_radix(code, 16).expect("a code")));
        bytes.extend(text.as_bytes());
    }
    bytes
}

fn database(statements: &str) -> Vec<u8> {
    let mut connection = Connection::open_in_memory().unwrap();
    connection.pragma_update(None, "foreign_keys", false).unwrap();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/ingest/sql");
    let (shared, own): (Vec<&str>, Vec<&str>) =
        statements.lines().partition(|line| line.starts_with(".read "));
    for name in shared {
        connection.execute_batch(&fs::read_to_string(folder.join(&name[6..])).unwrap()).unwrap();
    }
    connection.execute_batch(&own.join("\n")).unwrap();
    connection.serialize("main").unwrap().to_vec()
}

/// What [`line`] does not show.
fn notes(draft: &Draft) -> String {
    let entity = |kind: Option<EntityType>| kind.map_or("entity", |kind| kind.name());
    let mut notes: Vec<String> =
        draft.entities.iter().map(|one| format!("{} {}", entity(one.kind), one.name)).collect();
    notes.extend(draft.importance.map(|importance| format!("importance {importance}")));
    notes.extend(draft.scope.user.iter().map(|user| format!("user {user}")));
    notes.extend(draft.scope.project.iter().map(|project| format!("project {project}")));
    notes.extend(draft.agent.iter().map(|agent| format!("agent {agent}")));
    notes.iter().map(|note| format!(" {{{note}}}")).collect()
}

/// Kind, ends, label, weight, confidence, provenance and reason of an edge.
fn edge(link: &DraftLink) -> String {
    let end = |DraftPlace { session, ordinal }: &DraftPlace| {
        format!("{}#{ordinal}", session.as_deref().unwrap_or_default())
    };
    let sure = link.confidence.map_or("-".to_string(), |confidence| format!("{confidence:.2}"));
    format!(
        "{} {} → {} {} {:.2} {sure} {} {}",
        link.kind.name(),
        end(&link.source),
        end(&link.target),
        link.label.as_deref().unwrap_or("-"),
        link.weight,
        link.provenance.name(),
        link.reason.as_deref().unwrap_or("-")
    )
}
