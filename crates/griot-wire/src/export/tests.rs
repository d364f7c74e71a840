//! An export reads back exactly, and a damaged one is refused with its line.

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

#[test]
fn what_is_no_export_is_refused_with_its_line() {
    for (from, to, expected) in [
        (
            "\"griot-export\"",
            "\"other\"",
            "cannot import the file: its format is `other`, not `griot-export`",
        ),
        (
            "\"version\":3",
            "\"version\":4",
            "cannot import the file: it has version 4 of the export format, this griot reads up to 3",
        ),
        ("\"kind\":\"mentions\"", "\"kind\":\"likes\"", "cannot import line 5: unknown kind of edge `likes`"),
        ("\"records\":9", "\"records\":8", "cannot import line 10: 9 records came before it, 8 were written"),
        (
            "{\"type\":\"header\"",
            "{\"type\":\"hello\"",
            "cannot import line 1: it is not the header of a griot export",
        ),
    ] {
        let text = WRITTEN.replacen(from, to, 1);
        assert_eq!(read(&text).expect_err("it is damaged").to_string(), expected);
    }
    let twice = format!("{WRITTEN}{WRITTEN}");
    assert!(read(&twice).expect_err("it is two").to_string().contains("two exports were joined"));
}
