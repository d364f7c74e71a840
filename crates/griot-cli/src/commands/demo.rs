//! `griot demo`: a workspace that is thrown away, the project's own documentation, a team's chat, one question of each
//! intent.

use griot::engine::{Engine, Settings};
use griot::model::{Error, Result};
use griot::recall::Query;
use griot::text::Intent;
use griot_ingest::{Format, ReadOptions, read_text};
use griot_wire::Recall;

use super::session::{Session, clock, open};
use crate::args::Demo;
use crate::failure::Exit;
use crate::render;

/// Texts in the binary, so that the demo works wherever it is installed.
mod texts {
    include!(concat!(env!("OUT_DIR"), "/texts.rs"));
}

/// Results that are shown of each answer.
const SHOWN: usize = 3;

struct Question {
    intent: Intent,
    about: &'static str,
    text: &'static str,
}

const QUESTIONS: &[Question] = &[
    Question { intent: Intent::Why, about: "why: causes, walked backwards", text: "Why did Nordlift pause the pilot?" },
    Question { intent: Intent::When, about: "when: order in time", text: "When will Larkspur be generally available?" },
    Question {
        intent: Intent::Entity,
        about: "who and what: entities and what is said of them",
        text: "Who owns the native app, and what is it built with?",
    },
    Question { intent: Intent::General, about: "anything else", text: "How do we charge customers?" },
    Question {
        intent: Intent::General,
        about: "the project's own documentation",
        text: "How are chat transcripts written down as JSON Lines?",
    },
];

pub fn run(session: &Session, args: &Demo) -> Result<Exit> {
    let folder = tempfile::Builder::new()
        .prefix("griot-demo-")
        .tempdir()
        .map_err(|error| Error::unavailable("make a folder for the demo", error.to_string()))?;
    let database = folder.path().join("griot.db");
    let engine = open(&database, Settings::default())?;
    let ingested = ingest(&engine)?;
    let mut answers = Vec::new();
    for question in QUESTIONS {
        let query = Query {
            limit: SHOWN,
            intent: Some(question.intent),
            ..Query::new(question.text, clock())
        };
        answers.push(Recall::from(&engine.recall(&query)?));
    }
    engine.close()?;
    let kept = args.keep.then(|| folder.keep().join("griot.db"));
    session.out.answer(&answers, |page, answers| {
        let questions: Vec<(&str, &Recall)> =
            QUESTIONS.iter().map(|question| question.about).zip(answers.iter()).collect();
        render::demo(page, &ingested, &questions, kept.as_deref())
    })?;
    Ok(Exit::Fine)
}

fn ingest(engine: &Engine) -> Result<render::DemoTally> {
    let mut tally = render::DemoTally { documents: 0, passages: 0, messages: 0, entities: 0, edges: 0 };
    for (name, text) in texts::TEXTS {
        let is_chat = name.ends_with(".jsonl");
        let options = ReadOptions { format: is_chat.then_some(Format::Chat), ..ReadOptions::default() };
        for reading in read_text(name, text, &options)? {
            let Some(done) = engine.ingest(&reading.source, reading.drafts)? else { continue };
            if is_chat {
                tally.messages += u64::from(done.added);
            } else {
                tally.documents += 1;
                tally.passages += u64::from(done.added);
            }
            tally.entities += u64::from(done.entities);
            tally.edges += u64::from(done.edges);
        }
    }
    Ok(tally)
}

#[cfg(test)]
mod tests {
    use super::texts::TEXTS;

    #[test]
    fn the_chat_and_the_documentation_are_in_the_binary() {
        for name in ["examples/team.jsonl", "examples/decisions.md"] {
            assert!(TEXTS.iter().any(|(known, text)| *known == name && !text.is_empty()), "{name}");
        }
        assert!(TEXTS.iter().any(|(name, _)| name.starts_with("docs/")));
    }
}
