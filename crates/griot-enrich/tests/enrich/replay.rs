//! Recorded replies of a model, from a folder outside the project: `GRIOT_REPLIES=FOLDER cargo test -p
//! griot-enrich --test enrich -- --ignored --nocapture`. Prints how many were read, and what was skipped.

use std::path::Path;

use griot_enrich::{notes, sessions};
use serde_json::Value;

/// The records of a file, one JSON object a line.
fn records(folder: &Path, name: &str) -> Vec<Value> {
    let text = std::fs::read_to_string(folder.join(name)).expect("a record");
    text.lines().map(|line| serde_json::from_str(line).expect("a record")).collect()
}

#[test]
#[ignore = "needs GRIOT_REPLIES, a folder with recorded replies"]
fn recorded_replies_are_read() {
    let folder = std::env::var("GRIOT_REPLIES").expect("a record");
    let folder = Path::new(&folder);
    let neighbours = |record: &Value| record["neighbours"].as_array().map_or(0, Vec::len);
    let count = |name: &str, read: &dyn Fn(&Value) -> Result<(usize, u32), String>| {
        let records = records(folder, name);
        let (mut found, mut skipped, mut refused) = (0, 0, 0);
        for record in &records {
            match read(record) {
                Ok((parts, lost)) => (found, skipped) = (found + parts, skipped + lost),
                Err(why) => {
                    println!("{name}: {why}: {record}");
                    refused += 1;
                }
            }
        }
        println!(
            "{name}: {} replies, {found} parts read, {skipped} skipped, {refused} refused",
            records.len()
        );
        assert_eq!(refused, 0, "{name}");
    };
    count("notes.jsonl", &|record| notes::read_note(&record["reply"]).map(|_| (1, 0)));
    count("links.jsonl", &|record| {
        notes::read_links(&record["reply"], neighbours(record))
            .map(|links| (links.found.len(), links.skipped))
    });
    count("evolution.jsonl", &|record| {
        let most = neighbours(record);
        notes::read_evolution(&record["reply"], most).map(|changes| (changes.found.len(), changes.skipped))
    });
    count("observations.jsonl", &|record| {
        sessions::read(&record["reply"]).map(|found| (found.found.len(), found.skipped))
    });
}
