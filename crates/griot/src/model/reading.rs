//! What a language model said about one memory, as data. Entities and edges that follow from it are rows of
//! their own, with the memory as evidence; this keeps what those cannot hold, and that it was read at all.

use super::{Memory, Node, Timestamp};

named! {
    /// What a language model is asked about a memory.
    ReadingTask {
        /// Names, and relations between them.
        Extraction = "extraction",
        /// Keywords, tags and a sentence of context.
        Notes = "notes",
        /// What it followed from, and what it replaces.
        Causes = "causes",
        /// Statements with a fixed predicate.
        Facts = "facts",
        /// What became of a conversation: decisions, problems and the like, as memories of their own.
        Sessions = "sessions",
    }

    /// What has become of the question.
    ReadingOutcome {
        Read = "read",
        /// The model declined.
        Refused = "refused",
        /// Its replies could not be used.
        Unreadable = "unreadable",
        /// The text was not sent: it belongs to a user.
        Withheld = "withheld",
    }
}

/// One statement of a reply.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Said {
    Entity {
        name: String,
        /// As the model wrote it.
        kind: String,
        description: String,
    },
    Relation {
        source: String,
        target: String,
        kind: String,
        description: String,
        keywords: Vec<String>,
        /// 1 to 10.
        strength: u8,
    },
    Keywords(Vec<String>),
    Tags(Vec<String>),
    Context(String),
}

/// What a language model said about one memory for one task.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reading {
    pub memory: Node,
    pub task: ReadingTask,
    /// The memory whose arrival led to it; the memory itself for its own.
    pub by: Node,
    /// Version of the prompt.
    pub version: u32,
    pub outcome: ReadingOutcome,
    pub at: Timestamp,
    /// Since when it counts no more.
    pub undone_at: Option<Timestamp>,
    pub said: Vec<Said>,
}

impl ReadingTask {
    /// The kind of memories that it is about; `None` for all.
    pub const fn only_kind(self) -> Option<&'static str> {
        match self {
            Self::Sessions => Some(Memory::TURN),
            Self::Extraction | Self::Notes | Self::Causes | Self::Facts => None,
        }
    }
}

impl Reading {
    /// Whether it marks a memory that a language model wrote, and that other one as what it is about.
    pub fn is_authorship(&self) -> bool {
        self.task == ReadingTask::Sessions && self.by != self.memory
    }

    /// Whether this note may repeat the words of an earlier one about the same memory, which `led` led to.
    /// What changes a note is written with the one that counts before the model.
    pub fn may_repeat(&self, earlier: &Self, led: &Memory) -> bool {
        let are_notes = [self, earlier].iter().all(|one| one.task == ReadingTask::Notes);
        let is_led = self.by != self.memory && self.by != earlier.by && earlier.by == led.node;
        let ended = [earlier.undone_at, led.deleted_at].into_iter().flatten().min();
        let was_seen = earlier.at <= self.at && ended.is_none_or(|ended| ended >= self.at);
        are_notes && is_led && self.memory == earlier.memory && was_seen
    }
}

impl Said {
    /// A word for its form and its parts in order: what a store keeps.
    pub fn parts(&self) -> (&'static str, Vec<String>) {
        match self {
            Self::Entity { name, kind, description } => {
                ("entity", vec![name.clone(), kind.clone(), description.clone()])
            }
            Self::Relation { source, target, kind, description, keywords, strength } => {
                let own = [source, target, kind, description].map(String::clone);
                let all = own.into_iter().chain([strength.to_string()]).chain(keywords.iter().cloned());
                ("relation", all.collect())
            }
            Self::Keywords(words) => ("keywords", words.clone()),
            Self::Tags(words) => ("tags", words.clone()),
            Self::Context(text) => ("context", vec![text.clone()]),
        }
    }

    /// The names of things that it is about.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let names = match self {
            Self::Entity { name, .. } => [Some(name), None],
            Self::Relation { source, target, .. } => [Some(source), Some(target)],
            Self::Keywords(_) | Self::Tags(_) | Self::Context(_) => [None, None],
        };
        names.into_iter().flatten().map(String::as_str)
    }

    /// What the model wrote in its own words: everything but numbers and types.
    pub fn texts(&self) -> Vec<String> {
        match self {
            Self::Entity { name, description, .. } => vec![name.clone(), description.clone()],
            Self::Relation { source, target, description, keywords, .. } => {
                [source, target, description].into_iter().chain(keywords).cloned().collect()
            }
            Self::Keywords(words) | Self::Tags(words) => words.clone(),
            Self::Context(text) => vec![text.clone()],
        }
    }

    /// `None` for a form that this program does not know.
    pub fn from_parts(form: &str, parts: Vec<String>) -> Option<Self> {
        let mut parts = parts.into_iter();
        let mut next = || parts.next();
        Some(match form {
            "entity" => Self::Entity { name: next()?, kind: next()?, description: next()? },
            "relation" => {
                let (source, target, kind, description) = (next()?, next()?, next()?, next()?);
                let strength = next()?.parse().ok()?;
                Self::Relation { source, target, kind, description, keywords: parts.collect(), strength }
            }
            "keywords" => Self::Keywords(parts.collect()),
            "tags" => Self::Tags(parts.collect()),
            "context" => Self::Context(next()?),
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_comes_back_from_its_parts() {
        let word = |text: &str| text.to_string();
        let all = [
            Said::Entity { name: word("Griot"), kind: word("tool"), description: word("a memory") },
            Said::Relation {
                source: word("Griot"),
                target: word("SQLite"),
                kind: word("uses"),
                description: String::new(),
                keywords: vec![word("store"), word("file")],
                strength: 9,
            },
            Said::Keywords(vec![word("a"), word("b")]),
            Said::Tags(vec![]),
            Said::Context(word("why it matters")),
        ];
        for said in all {
            let (form, parts) = said.parts();
            assert_eq!(Said::from_parts(form, parts), Some(said));
        }
        assert_eq!(Said::from_parts("relation", vec![word("a")]), None);
        assert_eq!(Said::from_parts("poem", vec![]), None);
    }
}
