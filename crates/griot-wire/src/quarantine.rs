//! Rows of the database that a repair removed or changed, as they were, in JSON Lines.
//!
//! ```json
//! {"at": "2026-01-02T03:04:05Z", "table": "edge", "why": "edge cannot be read", "row": {"number": 7, …}}
//! ```
//!
//! Text stays text and numbers stay numbers; bytes are `{"base64": "…"}`, and numbers that JSON cannot
//! express are their names. The file contains stored texts, so it is as private as the database, and is
//! removed when something is erased.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use griot::engine::{Cell, RemovedRow};
use griot::model::Timestamp;
use serde_json::{Map, Value, json};

use crate::Time;

/// What follows the name of the database.
pub const SUFFIX: &str = griot::engine::QUARANTINE;

/// One line, with its end.
pub fn line(row: &RemovedRow, at: Timestamp) -> String {
    let cells: Map<String, Value> =
        row.columns.iter().map(|(name, cell)| (name.clone(), value(cell))).collect();
    let mut line = json!({ "at": Time(at), "table": row.table, "why": row.why, "row": cells }).to_string();
    line.push('\n');
    line
}

fn value(cell: &Cell) -> Value {
    match cell {
        Cell::Null => Value::Null,
        Cell::Integer(number) => (*number).into(),
        Cell::Real(number) if number.is_finite() => (*number).into(),
        Cell::Real(number) => number.to_string().into(),
        Cell::Text(text) => text.as_str().into(),
        Cell::Bytes(bytes) => json!({ "base64": STANDARD.encode(bytes) }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_is_one_line_whatever_it_holds() {
        let columns = vec![
            ("number".to_owned(), Cell::Integer(7)),
            ("weight".to_owned(), Cell::Real(f64::INFINITY)),
            ("quote".to_owned(), Cell::Text("one\ntwo \"three\"".into())),
            ("memory".to_owned(), Cell::Bytes(vec![1, 2, 3])),
            ("reason".to_owned(), Cell::Null),
        ];
        let row = RemovedRow { table: "edge".into(), why: "edge cannot be read".into(), columns };
        let line = line(&row, Timestamp(0));
        assert_eq!(line.matches('\n').count(), 1);
        assert_eq!(
            line.trim_end(),
            concat!(
                r#"{"at":"1970-01-01T00:00:00Z","table":"edge","why":"edge cannot be read","row":{"#,
                r#""number":7,"weight":"inf","quote":"one\ntwo \"three\"","memory":{"base64":"AQID"},"#,
                r#""reason":null}}"#
            )
        );
    }
}
