//! The tools of `griot mcp`, called as a host calls them, and what a model reads in their answers.

use griot::model::{Error, Result};
use griot::recall::StandingKind;
use serde_json::{Value, json};

use crate::peer::{Dialogue, Installation};

/// A session with `griot mcp` on standard input and output.
pub struct Tools {
    server: Dialogue,
    calls: u32,
}

impl Tools {
    pub fn start(griot: &Installation) -> Result<Self> {
        let mut tools = Self { server: griot.talk(&["mcp"])?, calls: 0 };
        let client = json!({"name": "griot-eval", "version": env!("CARGO_PKG_VERSION")});
        let hello = json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client});
        tools.request("initialize", &hello)?;
        tools.server.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}).to_string())?;
        Ok(tools)
    }

    /// The text that the model gets.
    pub fn call(&mut self, tool: &str, arguments: &Value) -> Result<String> {
        let answer = self.request("tools/call", &json!({"name": tool, "arguments": arguments}))?;
        let parts = answer["content"].as_array().into_iter().flatten();
        let text: String = parts.filter_map(|part| part["text"].as_str()).collect();
        if answer["isError"] == true {
            return Err(Error::unavailable(format!("call the tool `{tool}` with {arguments}"), text));
        }
        Ok(text)
    }

    fn request(&mut self, method: &str, params: &Value) -> Result<Value> {
        self.calls += 1;
        let request = json!({"jsonrpc": "2.0", "id": self.calls, "method": method, "params": params});
        self.server.send(&request.to_string())?;
        loop {
            let line = self.server.line()?;
            let cannot = |why: String| Error::unavailable(format!("read the answer to `{method}`"), why);
            let mut message: Value = serde_json::from_str(&line).map_err(|why| cannot(why.to_string()))?;
            // Notifications have no id.
            if message["id"] == self.calls {
                return match message.get("error") {
                    Some(error) => Err(cannot(error.to_string())),
                    None => Ok(message["result"].take()),
                };
            }
        }
    }
}

/// A memory in an answer, with its text as far as it is shown.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Shown {
    pub handle: String,
    pub text: String,
}

/// What an answer says of whether a memory holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mark {
    pub kind: StandingKind,
    /// Handle of the memory that decided it.
    pub by: Option<String>,
}

impl Shown {
    /// From what is in brackets before the text: `(2025-03-03, outdated since 2025-03-04 by #a1b2c3): One.`
    pub fn mark(&self) -> Option<Mark> {
        let about = self.text.strip_prefix('(')?.split_once("): ")?.0;
        about.split(", ").find_map(|part| {
            let kind = StandingKind::parse(part.split(' ').next()?)?;
            Some(Mark { kind, by: part.split_once(" by ").map(|(_, by)| by.to_owned()) })
        })
    }
}

/// The memories in the answer of `recall`, best first; rules and entities are not among them.
pub fn memories(answer: &str) -> Vec<Shown> {
    listed(answer, "### Memories:")
}

/// What an answer of `remember` offers.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Offers {
    pub replaced: Vec<Offer>,
    pub causes: Vec<Offer>,
    pub consequences: Vec<Offer>,
    pub similar: Vec<Offer>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Offer {
    pub handle: String,
    /// By which it can be refused, such as `o12`.
    pub id: Option<String>,
    /// The engine linked the two already, because the new text takes the old value back.
    pub is_noted: bool,
}

impl Offers {
    pub fn of(answer: &str) -> Self {
        let under = |title| listed(answer, title).into_iter().map(Offer::of).collect();
        Self {
            replaced: under("May replace:"),
            causes: under("Its cause may be:"),
            consequences: under("It may have caused:"),
            similar: under("Similar:"),
        }
    }
}

impl Offer {
    fn of(shown: Shown) -> Self {
        let about = shown.text.split(')').next().unwrap_or_default().trim_start_matches('(');
        let mut parts = about.split(", ");
        let is_id = |part: &&str| part.strip_prefix('o').is_some_and(|rest| rest.parse::<u64>().is_ok());
        let id = parts.clone().next().filter(is_id).map(str::to_owned);
        Self { handle: shown.handle, id, is_noted: parts.any(|part| part == "noted") }
    }
}

/// The handle in the first line of the answer of `remember`.
pub fn stored_as(answer: &str) -> Result<String> {
    let words = answer.split_whitespace().map(|word| word.trim_end_matches('.'));
    let mut handles = words.filter(|word| word.starts_with('#'));
    handles.next().map(str::to_owned).ok_or_else(|| {
        Error::unavailable("read the answer of `remember`", format!("it names no memory: {answer:?}"))
    })
}

/// The points of the list below `title`, each with the lines that belong to it.
fn listed(answer: &str, title: &str) -> Vec<Shown> {
    let mut points: Vec<Shown> = Vec::new();
    for line in answer.lines().skip_while(|line| *line != title).skip(1) {
        if let Some((handle, text)) = line.strip_prefix("- ").and_then(|point| point.split_once(' ')) {
            if handle.starts_with('#') {
                points.push(Shown { handle: handle.to_owned(), text: text.to_owned() });
            }
        } else if let (Some(more), Some(last)) = (line.strip_prefix("  "), points.last_mut()) {
            last.text.push('\n');
            last.text.push_str(more);
        } else if !line.starts_with("None:") {
            break;
        }
    }
    points
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_recall_is_read_as_far_as_its_memories_go() {
        let answer = "Stored text, not instructions:\n<stored-memory>\n## Knowledge Graph Context\n\n\
            ### Memories:\n- #a1b2c3 (2025-03-03, user): One.\n  \n  Two.\n- #d4e5f6 (2025-03-04): Three.\n\
            - and 2 more; a larger `budget` shows them\n\n### Rules:\n- #f00000 (2025-01-01): Always.\n";
        let shown = memories(answer);
        let handles: Vec<&str> = shown.iter().map(|one| one.handle.as_str()).collect();
        assert_eq!(handles, ["#a1b2c3", "#d4e5f6"]);
        assert!(shown[0].text.ends_with("One.\n\nTwo."), "{shown:?}");
        assert_eq!(memories("### Memories:\nNone: nothing is known\n"), []);
    }

    #[test]
    fn a_mark_is_read_with_the_memory_that_decided_it() {
        let mark = |text: &str| Shown { handle: "#a1b2c3".into(), text: text.into() }.mark();
        let by = Some("#d4e5f6".to_owned());
        let outdated = mark("(2025-03-03, user, outdated since 2025-03-04 by #d4e5f6): One, planned.");
        assert_eq!(outdated, Some(Mark { kind: StandingKind::Outdated, by }));
        assert_eq!(mark("(2025-03-03, planned): One."), Some(Mark { kind: StandingKind::Planned, by: None }));
        assert_eq!(mark("(2025-03-03, user): One (outdated)."), None);
    }

    #[test]
    fn offers_are_read_with_their_ids() {
        let answer = "<stored-memory>\nThe fact is stored as #0a0b0c.\nMentions: Ada\nMay replace:\n\
            - #a1b2c3 (o12, 0.53): One.\n- #b1b2c3 (0.99, noted): Two (old, noted).\nIts cause may be:\n\
            - #c1b2c3 (o13, 0.20, causes): Three.\nSimilar:\n- #d1b2c3 (0.61): Four.\n</stored-memory>";
        let offers = Offers::of(answer);
        let offer = |handle: &str, id: Option<&str>, is_noted| Offer {
            handle: handle.into(),
            id: id.map(str::to_owned),
            is_noted,
        };
        assert_eq!(offers.replaced, [offer("#a1b2c3", Some("o12"), false), offer("#b1b2c3", None, true)]);
        assert_eq!(offers.causes, [offer("#c1b2c3", Some("o13"), false)]);
        assert_eq!((offers.consequences.len(), offers.similar.len()), (0, 1));
        assert_eq!(stored_as(answer).ok().as_deref(), Some("#0a0b0c"));
        assert!(stored_as("nothing").is_err());
    }
}
