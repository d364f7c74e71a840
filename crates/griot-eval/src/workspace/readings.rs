//! What a language model would read out of a workspace, with replies that are known. They go the way of those
//! of a model: through its parsers, and into the store as readings.

use griot::model::{Error, Memory, MemoryId, ReadingOutcome, ReadingTask, Result};
use griot::remember::reading::{ReadingDraft, ReadingTally, SaidFact};
use griot_enrich::causes::{self, Sheet};
use griot_enrich::facts;
use serde_json::{Value, json};

use super::Workspace;

/// How sure the one who knows is.
const SURE: f64 = 0.9;

impl Workspace {
    /// Reads the causes of all memories that were not read yet. `decide` knows what the first of two units
    /// has to do with the second, an earlier one: `caused_by`, `led_to`, `replaces` or `none`.
    pub fn read_causes(&self, decide: &dyn Fn(&str, &str) -> &'static str) -> Result<usize> {
        const PAGE: usize = 500;
        let (mut after, mut links) = (0, 0);
        loop {
            let page = self.engine.unread(ReadingTask::Causes, after, PAGE)?;
            let Some(last) = page.last() else { return Ok(links) };
            after = last.node.number();
            for memory in &page {
                links += self.read_causes_of(memory, decide)?;
            }
        }
    }

    fn read_causes_of(&self, memory: &Memory, decide: &dyn Fn(&str, &str) -> &'static str) -> Result<usize> {
        let sheet = Sheet::of(&self.engine, std::slice::from_ref(memory), &|_| true)?;
        let decisions = sheet.pairs().filter_map(|(number, earlier, memory)| {
            let relation = decide(self.unit(memory.id)?, self.unit(earlier.id)?);
            Some(json!({"number": number, "relation": relation, "confidence": SURE, "reason": "it is known"}))
        });
        let decisions: Vec<Value> = decisions.collect();
        let reply = Value::from(json!({"decisions": decisions}).to_string());
        let decided =
            causes::read(&reply, sheet.texts()).map_err(|why| Error::invalid("read a reply", why))?;
        let least = self.settings.enrich.least_confidence;
        let tally = self.engine.put_readings(&sheet.drafts(&decided, least, causes::VERSION))?;
        Ok(tally.links as usize)
    }

    /// Stores the facts of a reply about one unit; says what became of them.
    pub fn read_facts(&self, memory: MemoryId, said: Vec<SaidFact>) -> Result<ReadingTally> {
        let (task, outcome) = (ReadingTask::Facts, ReadingOutcome::Read);
        let draft = ReadingDraft { facts: said, ..ReadingDraft::new(memory, task, facts::VERSION, outcome) };
        self.engine.put_readings(&[draft])
    }

    /// Facts that contradict another one.
    pub fn contradictions(&self) -> Result<usize> {
        let views = self.engine.facts(None, None, None)?;
        Ok(views.iter().filter(|view| !view.contradicts.is_empty()).count())
    }
}
