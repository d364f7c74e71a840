//! Is a kind meant as it was typed?

use griot::model::{Error, Result};
use griot_wire::request::{Bare, Request};

use crate::session::{Session, Use};

/// Refuses a kind that no memory has if it looks like a mistyped one. `further` ends the hint.
pub fn known_kinds(session: &Session, kinds: &[String], further: &str) -> Result<()> {
    if kinds.iter().all(|kind| USUAL_KINDS.contains(&kind.as_str())) {
        return Ok(());
    }
    let call = session.call(Use::Read, &Bare::NOTHING.place()?)?;
    let known = call.engine.status()?.counts.memories_by_kind;
    for kind in kinds.iter().filter(|kind| !known.contains_key(*kind)) {
        let names = USUAL_KINDS.into_iter().chain(known.keys().map(String::as_str));
        if let Some(near) = names.filter(|name| is_slip(kind, name)).min_by_key(|name| slips(kind, name)) {
            let error = Error::invalid(format!("use the kind `{kind}`"), "no memory has this kind");
            return Err(error.hint(format!("did you mean `{near}`?{further}")));
        }
    }
    Ok(())
}

/// How to store a kind that looks like a mistyped one.
pub const KEEP_KIND: &str = " --new-kind keeps it";

const USUAL_KINDS: [&str; 9] =
    ["insight", "decision", "fact", "preference", "event", "observation", "note", "passage", "turn"];

fn slips(typed: &str, known: &str) -> usize {
    strsim::osa_distance(&typed.to_lowercase(), known)
}

/// One mistake, or two in a long word.
fn is_slip(typed: &str, known: &str) -> bool {
    slips(typed, known) <= if known.chars().count() >= 7 { 2 } else { 1 }
}
