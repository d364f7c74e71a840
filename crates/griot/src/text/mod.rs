//! Reads a text by rules alone: its terms, sentences, passages, names, causes, dates, intent, language.
//!
//! Every function here is pure: the same text (and, where time matters, the same `now`) gives the same answer
//! on any machine. None reads a clock, a disk or the network, none panics on any text, and all run in linear
//! time. Ranges are byte ranges of the given text, on character boundaries.
//!
//! The lists of words are in `crates/griot/data/`, where they can be corrected without reading code.

#[macro_use]
mod words;

mod alert;
mod alike;
mod anchor;
mod asked;
mod asked_cues;
mod calendar;
mod capitals;
#[cfg(test)]
pub(crate) mod cases;
mod cause;
mod chinese_time;
mod chunk;
mod clause;
mod date;
mod entity;
mod excerpt;
mod fold;
mod german;
mod german_names;
mod hanzi;
mod intent;
mod intent_cues;
mod intervals;
#[cfg(test)]
mod labelled;
mod language;
mod layout;
mod markdown;
mod marks;
mod mention;
mod name_kind;
mod name_words;
mod names;
mod negation;
mod pointing;
mod progress;
#[cfg(test)]
mod properties;
mod property;
mod query;
mod reaction;
mod sentence;
mod spans;
mod statement;
mod stem;
mod terms;
mod ties;
mod timespan;
mod translate;
mod values;
mod wish;
mod work;

pub use crate::model::normal_name;
pub use alert::{Alert, Secret, alerts, instructs, masked, secrets};
pub use anchor::{EventAnchor, event_anchors};
pub use asked::{Asked, AskedKind, asked};
pub use asked_cues::cue_terms;
pub use calendar::without_days;
pub use cause::{CauseDirection, CauseSignal, cause_signals, sub_type_of};
pub use chunk::{Chunk, chunk_markdown, chunk_plain, markdown_title};
pub use date::{
    absolute_expressions, parse_absolute_time, parse_instant, parse_time, time_expressions, times_asked,
    years_in,
};
pub use entity::entities;
pub use excerpt::{excerpt, window};
pub use intent::{IntentReading, read_intent};
pub use intent_cues::Intent;
pub use language::{Language, language};
pub use mention::{EntityMention, EntityRule};
pub use name_words::{bare_name, is_everyday, is_honorific};
pub use negation::{negates, numbers};
pub use pointing::{Pointing, PointingKind, pointing_clauses};
pub use progress::{Progress, closed_subjects, progress};
pub use property::{Left, Topic, has_change};
pub use query::{
    QueryTerm, capital_terms, content_terms, content_words, covered, is_stop_term, is_vague, overlap,
    query_terms, term_key, token_set, word_set,
};
pub use reaction::{is_reaction, ungreeted};
pub use sentence::sentences;
pub use statement::{Act, Statement, holds_until, says_when, takes_back, times_ahead, times_named};
pub use terms::for_each_term;
pub(crate) use terms::is_unspaced;
pub use ties::{Alike, TieText, Ties};
pub use timespan::{TimeExpression, TimeRelation};
pub use translate::{Translation, Translator};
pub use values::{ValueKind, Values, held_values, wanted_values};
pub use wish::{standing_wish, wish_features};
pub use work::{Order, Work, governs, order, ordered, states_wish, words_of};
