//! `griot demo`: a temporary workspace with this project's documentation and a team's chat, and one question
//! of each intent.

use griot::engine::{Engine, LinkRequest, Settings, WhyDirection};
use griot::model::{EdgeKind, Error, Result, Scope};
use griot::recall::Query;
use griot_ingest::{Format, ReadOptions, read_text};
use griot_wire::{Path, Recall, Timeline, Why};

use super::fine;
use crate::args::Demo;
use crate::failure::Exit;
use crate::render::{self, Asked, Further, Page};
use crate::session::{Session, clock, open};

/// Texts in the binary, so that the demo works wherever it is installed.
mod texts {
    include!(concat!(env!("OUT_DIR"), "/texts.rs"));
}

/// Results to show of each answer.
const SHOWN: usize = 3;

struct Question {
    about: &'static str,
    text: &'static str,
    further: Verb,
}

/// The follow-up on the best result.
#[derive(Clone, Copy)]
enum Verb {
    /// What led to it, nearest first: questions whose first answers a person links as causes.
    Why(&'static [&'static str]),
    Timeline,
    Path(&'static str, &'static str),
    Explain,
}

const QUESTIONS: &[Question] = &[
    Question {
        about: "why: causes, linked by hand and walked backwards",
        text: "Why were nine visits missed?",
        further: Verb::Why(&[
            "Redis hit its four gigabytes and evicted the notification stream",
            "I switched the eviction policy of Redis to allkeys-lru",
        ]),
    },
    Question {
        about: "when: order in time",
        text: "When will Larkspur be generally available?",
        further: Verb::Timeline,
    },
    Question {
        about: "who and what: entities and what joins them",
        text: "Who owns the native app, and what is it built with?",
        further: Verb::Path("Ines", "React Native"),
    },
    Question {
        about: "anything: and the reasons for an answer",
        text: "What do we charge per technician?",
        further: Verb::Explain,
    },
];

pub fn run(session: &Session, args: &Demo) -> Result<Exit> {
    let folder = tempfile::Builder::new()
        .prefix("griot-demo-")
        .tempdir()
        .map_err(|error| Error::unavailable("make a folder for the demo", error.to_string()))?;
    let engine = open(&folder.path().join("griot.db"), Settings::default())?;
    let ingested = ingest(&engine)?;
    let asked = QUESTIONS.iter().map(|question| ask(&engine, question)).collect::<Result<Vec<Asked>>>()?;
    engine.close()?;
    let kept = args.keep.then(|| folder.keep().join("griot.db"));
    let answers: Vec<&Recall> = asked.iter().map(|asked| &asked.answer).collect();
    fine(session.out.answer(&answers, |page, _| render::demo(page, &ingested, &asked, kept.as_deref())))
}

fn ask(engine: &Engine, question: &Question) -> Result<Asked> {
    let query = Query { limit: SHOWN, ..Query::new(question.text, clock()) };
    let answer = Recall::from(&engine.recall(&query)?).with_sources(engine)?;
    // Without `#`, which starts a comment in most shells.
    let best = answer.results.first().map(|result| result.handle.trim_start_matches('#').to_string());
    let further: Option<Further> = match (question.further, best) {
        (Verb::Why(causes), Some(best)) => {
            let mut commands = link_chain(engine, causes, &best)?;
            let why = Why::from(&engine.why(&best, WhyDirection::Causes, 5, 0.0, None)?);
            let text = move |page| render::why(page, &why, WhyDirection::Causes);
            commands.push(format!("why {best} --direction causes"));
            Some((commands.join("\n$ griot "), Box::new(text)))
        }
        (Verb::Timeline, Some(best)) => {
            let timeline = engine.timeline(Some(&best), 2, 2, None, &Scope::default())?;
            let timeline = Timeline::from(&timeline);
            let text = move |page| render::timeline(page, &timeline);
            Some((format!("timeline {best} --before 2 --after 2"), Box::new(text)))
        }
        // Without this step if the example no longer has these names.
        (Verb::Path(from, to), _) => engine.path(from, to, 6).ok().map(|path| {
            let path = Path::from(path.as_deref());
            let text = move |page| render::path(page, &path, 6);
            (format!("path \"{from}\" \"{to}\""), Box::new(text) as Box<dyn Fn(Page) -> String>)
        }),
        (Verb::Explain, Some(_)) => {
            let best = Recall { results: answer.results.iter().take(1).cloned().collect(), ..answer.clone() };
            let command = format!("recall \"{}\" --limit 1 --explain", answer.query);
            Some((command, Box::new(move |page| render::recall(page, &best, true))))
        }
        (_, None) => None,
    };
    Ok(Asked { about: question.about, answer, further })
}

/// Links the first answer of each question as the cause of the one before it, the first one of `effect`: the
/// commands that do so.
fn link_chain(engine: &Engine, causes: &[&str], effect: &str) -> Result<Vec<String>> {
    let mut effect = effect.to_string();
    let mut commands = Vec::new();
    for text in causes {
        let query = Query { limit: 1, ..Query::new(*text, clock()) };
        let Some(found) = engine.recall(&query)?.results.pop() else { continue };
        let cause = found.memory.handle.to_string().trim_start_matches('#').to_string();
        engine.link(&LinkRequest::new(&cause, &effect, EdgeKind::Causal))?;
        commands.push(format!("link {cause} {effect} --kind causal"));
        effect = cause;
    }
    Ok(commands)
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
