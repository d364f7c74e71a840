//! An export reads back exactly, and a half-written one is refused.

use griot::model::{Lines, StoredVector, Tier, Timestamp};

use super::*;

/// An export with a line of each type and every key.
const WRITTEN: &str = include_str!("whole.jsonl");

fn read(text: &str) -> Result<Vec<Record>> {
    Reader::new(text.as_bytes()).collect()
}

#[test]
fn an_export_reads_back_exactly() {
    let records = read(WRITTEN).expect("it is whole");
    let mut again = Vec::new();
    let mut writer = Writer::new(&mut again);
    for record in &records {
        writer.write(record).expect("a vector takes it");
    }
    writer.finish().expect("a vector takes it");
    assert_eq!(String::from_utf8(again).expect("JSON is UTF-8"), WRITTEN);

    let Record::Memory { memory, vector } = &records[3] else { panic!("{:?}", records[3]) };
    assert_eq!((memory.text.as_str(), memory.tier), ("line one\nline \"two\" \u{1F600}", Tier::Working));
    assert_eq!((memory.lines, memory.ordinal), (Some(Lines { first: 1, last: 2 }), 3));
    assert_eq!(memory.occurred_at, Timestamp(1_714_728_600_123));
    let values = vec![-127, 0, 127];
    assert_eq!(vector, &Some(StoredVector { model: "static-256".into(), scale: 0.007_123_4, values }));
}

#[test]
fn a_half_written_export_is_refused_wherever_it_ends() {
    let text = WRITTEN;
    for end in (0..text.len() - 1).filter(|&end| text.is_char_boundary(end)) {
        assert!(read(&text[..end]).is_err(), "cut off at {end}");
    }
    let lines: Vec<&str> = text.lines().collect();
    let message = |text: String| read(&text).expect_err("it is damaged").to_string();
    assert_eq!(
        message(lines[..3].join("\n")),
        "cannot import the file: it ends after line 3 without its last record"
    );
    let cut = lines[3].len() / 2;
    assert_eq!(
        message(format!("{}\n{}", lines[..3].join("\n"), &lines[3][..cut])),
        "cannot import line 4: the line is cut off"
    );
}
