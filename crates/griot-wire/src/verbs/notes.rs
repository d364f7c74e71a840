//! `notes`: what a language model noted of a memory, and taking the latest back.

use crate::Note;
use crate::call::Call;
use crate::failure::Outcome;
use crate::request::Named;

pub fn notes(call: &Call, q: Named) -> Outcome<Vec<Note>> {
    Ok(call.engine.notes(&q.name)?.iter().map(Note::from).collect())
}

pub fn undo(call: &Call, q: Named) -> Outcome<Vec<Note>> {
    call.own_memory("undo the note", &q.name)?;
    Ok(call.engine.undo_note(&q.name)?.iter().map(Note::from).collect())
}
