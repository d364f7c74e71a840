//! Entries are kept, pruned and erased.

use std::time::Duration;

use griot::model::{
    ErasedKind, Erasure, ErasureCounts, Handle, Revision, mark_of_entity, mark_of_memory, mark_of_user,
};

use super::*;

const SOON: Duration = Duration::from_secs(20);

fn memory(number: u128) -> MemoryId {
    MemoryId(Uuid::from_u128(number))
}

fn asked(at: i64, question: &str, gave: &[u128]) -> LoggedRecall {
    let given = gave.iter().map(|number| Given {
        memory: memory(*number),
        handle: Handle(format!("a{number:05}")),
        score: 0.5,
    });
    LoggedRecall {
        at: Timestamp(at),
        agent: Some("tester".into()),
        key: None,
        user: None,
        project: None,
        question: question.into(),
        strategy: "baseline".into(),
        milliseconds: 1.5,
        given: given.collect(),
        named: Vec::new(),
    }
}

fn database() -> (tempfile::TempDir, std::path::PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let database = folder.path().join("griot.db");
    std::fs::write(&database, "").expect("a database");
    (folder, database)
}

fn questions(log: &RecallLog) -> Vec<String> {
    let all = log.list(&Wish { limit: 99_999, ..Wish::default() }).expect("entries");
    all.into_iter().map(|entry| entry.question).collect()
}

fn receipt(kind: ErasedKind, marks: Vec<Mark>, beside: Vec<Mark>) -> Erasure {
    Erasure {
        number: 1,
        kind,
        at: Timestamp(0),
        by: "test".into(),
        before: Revision(1),
        after: Revision(2),
        finished_at: None,
        counts: ErasureCounts::default(),
        marks,
        beside,
    }
}

#[test]
fn entries_are_written_in_the_background_and_listed_latest_first() {
    let (_folder, database) = database();
    assert!(RecallLog::find(&database).expect("it looks").is_none());
    for at in 1..=3 {
        log(&database, asked(at, &format!("question {at}"), &[1, 2]), 7);
    }
    flush(SOON);
    let kept = RecallLog::find(&database).expect("it opens").expect("it is there");
    assert_eq!(questions(&kept), ["question 3", "question 2", "question 1"]);
    let other = Wish { agent: Some("other"), limit: 9, ..Wish::default() };
    assert_eq!(kept.list(&other).expect("entries"), []);
    let first = Wish { before: Some(Timestamp(2)), limit: 9, ..Wish::default() };
    assert_eq!(kept.list(&first).expect("entries"), [asked(1, "question 1", &[1, 2])]);
}

#[test]
fn what_cannot_be_written_is_lost_and_nothing_else_happens() {
    let (_folder, database) = database();
    let path = private::beside(&database, END);
    std::fs::write(&path, "this is no database, and long enough not to be taken for an empty one".repeat(9))
        .expect("a damaged log");
    log(&database, asked(1, "lost", &[]), 7);
    flush(SOON);
    assert_eq!(RecallLog::find(&database).expect_err("it is damaged").kind, ErrorKind::Corrupt);
    // A workspace that is gone does not come back with its log.
    let gone = database.with_file_name("gone.db");
    log(&gone, asked(1, "lost", &[]), 7);
    flush(SOON);
    assert!(!private::beside(&gone, END).exists());
}

#[test]
fn old_entries_and_the_first_of_too_many_are_removed() {
    let (_folder, database) = database();
    let log = RecallLog::for_database(&database).expect("it opens");
    log.add(&[asked(5, "old", &[1]), asked(20, "new", &[1])], Timestamp(10)).expect("they are added");
    assert_eq!(questions(&log), ["new"]);
    log.prune(Timestamp(30)).expect("it is pruned");
    assert_eq!(questions(&log), [""; 0]);
    let many: Vec<LoggedRecall> = (0..MOST + 2).map(|at| asked(at, &at.to_string(), &[])).collect();
    log.add(&many, Timestamp(0)).expect("they are added");
    let kept = questions(&log);
    assert_eq!((kept.len() as i64, kept.last().map(String::as_str)), (MOST, Some("2")));
    assert_eq!(oldest(Timestamp(10 * Timestamp::DAY), 7), Timestamp(3 * Timestamp::DAY));
}

#[test]
fn an_erasure_takes_what_names_or_quotes_the_erased() {
    let (folder, database) = database();
    let log = RecallLog::for_database(&database).expect("it opens");
    let filled = || {
        let mut of_ada = asked(3, "what does she drink?", &[]);
        of_ada.user = Some("ada".into());
        let mut of_entity = asked(4, "who keeps the lighthouse?", &[]);
        of_entity.named = vec![mark_of_entity(7)];
        let entries = [
            asked(1, "where do herons stand?", &[1, 2]),
            asked(2, "why In The Reeds All Morning?", &[]),
            of_ada,
            of_entity,
            asked(5, "kept", &[3]),
        ];
        log.change("empty it", |transaction| transaction.execute("DELETE FROM recall", [])).expect("empty");
        log.add(&entries, Timestamp(0)).expect("they are added");
    };
    let left = |receipt: &Erasure, texts: Option<&[String]>| {
        filled();
        log.erase(receipt, texts).expect("it is erased");
        let mut left = questions(&log);
        left.reverse();
        left.iter()
            .map(|question| question.split(' ').next().unwrap_or_default().to_string())
            .collect::<Vec<_>>()
    };
    let text = ["the heron stood in the reeds all morning".to_string()];
    let memory_1 = receipt(ErasedKind::Memory, vec![mark_of_memory(memory(1))], vec![]);
    assert_eq!(left(&memory_1, Some(&text)), ["what", "who", "kept"]);
    let holds = |word: &str| {
        std::fs::read_dir(folder.path()).expect("the folder").flatten().any(|entry| {
            let bytes = std::fs::read(entry.path()).expect("a file");
            bytes.windows(word.len()).any(|window| window == word.as_bytes())
        })
    };
    assert!(!holds("herons stand") && !holds("The Reeds All") && holds("lighthouse"));
    let user = receipt(ErasedKind::User, vec![], vec![mark_of_user("ada")]);
    assert_eq!(left(&user, Some(&[])), ["where", "why", "who", "kept"]);
    let entity = receipt(ErasedKind::Entity, vec![mark_of_entity(7)], vec![]);
    assert_eq!(left(&entity, Some(&["Heron".to_string()])), ["why", "what", "kept"]);
    // Another process does not know the texts.
    assert_eq!(left(&memory_1, None), [""; 0]);
}

#[test]
fn every_table_says_how_it_is_erased() {
    let (_folder, database) = database();
    let log = RecallLog::for_database(&database).expect("it opens");
    let sql =
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name";
    let mut statement = log.connection.prepare(sql).expect("the schema");
    let rows = statement.query_map([], |row| row.get(0)).expect("rows");
    let found: Vec<String> = rows.collect::<rusqlite::Result<_>>().expect("names");
    assert_eq!(found, erase::TABLES.iter().map(|(name, _)| *name).collect::<Vec<_>>());
}
