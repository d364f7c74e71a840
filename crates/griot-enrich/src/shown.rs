//! What is sent of a memory: its text with secrets masked, and what is printed with it.

use std::collections::HashMap;

use griot::Engine;
use griot::engine::ModelSettings;
use griot::model::{Memory, Result, SourceId};
use griot::text::masked;
use serde_json::{Value, json};

/// Characters of a token, rather too few than too many.
pub(crate) const CHARACTERS: usize = 3;

/// The view of memories that a model gets.
pub(crate) struct Shown<'a> {
    pub(crate) engine: &'a Engine,
    settings: &'a ModelSettings,
    titles: HashMap<SourceId, String>,
}

impl<'a> Shown<'a> {
    pub(crate) fn new(engine: &'a Engine, settings: &'a ModelSettings) -> Result<Self> {
        let sources = engine.sources()?.into_iter().map(|view| view.source);
        let titles = sources.filter_map(|source| Some((source.id, source.title?))).collect();
        Ok(Self { engine, settings, titles })
    }

    /// Whether the memory may be sent at all.
    pub(crate) fn admits(&self, memory: &Memory) -> bool {
        memory.scope.user.is_none() || self.settings.private_texts
    }

    /// The memory as an object; a text that is too long is cut.
    pub(crate) fn passage(&self, memory: &Memory) -> Value {
        self.one_of(1, memory)
    }

    /// The same for one of so many texts in a request.
    pub(crate) fn one_of(&self, texts: usize, memory: &Memory) -> Value {
        let most = self.settings.context_tokens.saturating_mul(CHARACTERS) / texts.max(1);
        let text: String = clean(&memory.text).chars().take(most).collect();
        let mut passage = json!({"text": text});
        let mut say = |name: &str, value: Option<&str>| {
            if let Some(value) = value {
                passage[name] = Value::from(clean(value));
            }
        };
        say("title", self.titles.get(&memory.source).map(String::as_str));
        say("heading", memory.heading.last().map(String::as_str));
        say("speaker", memory.speaker.as_deref());
        passage["when"] = Value::from(memory.occurred_at.to_string());
        passage
    }
}

/// The text with secrets masked.
pub(crate) fn clean(text: &str) -> String {
    masked(text).unwrap_or_else(|| text.to_string())
}
