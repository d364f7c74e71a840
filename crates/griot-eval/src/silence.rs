//! Is recall silent where nothing is known, and does it still answer what is?
//!
//! Each set becomes one workspace of the units of its largest pool. It is asked its own questions, questions
//! of the sets of the other kind (about people in conversations, or about encyclopaedias and manuals), and
//! what people say to an assistant all day; the everyday prompts are those that no fit has seen. Several sets
//! with `--together` also make one workspace of everything, which has no strangers but the everyday prompts.

use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use griot::embed::Embedder;
use griot::model::Result;
use griot::settings::Settings;

use crate::dataset::{self, Query, Set, Unit};
use crate::embedder::EmbedderOptions;
use crate::output;
use crate::random::Random;
use crate::workspace::Workspace;

/// Prompts that no fit has seen, written without knowing the rules for reactions.
const EVERYDAY: &str = include_str!("../data/everyday_unseen.txt");

/// Count what is answered of a set's own questions, of those of other sets, and of everyday prompts.
#[derive(Args)]
pub struct Options {
    #[arg(required = true)]
    sets: Vec<PathBuf>,
    /// Questions of each kind.
    #[arg(long, default_value_t = 100)]
    questions: usize,
    /// Also ask one workspace with the units of all sets.
    #[arg(long)]
    together: bool,
    #[arg(long, default_value_t = 7)]
    seed: u64,
    #[command(flatten)]
    embedder: EmbedderOptions,
}

impl Options {
    pub fn perform(&self) -> Result<bool> {
        let (sets, embedder) = (dataset::read_all(&self.sets)?, self.embedder.open()?);
        let head = ["memories", "answered", "silent: foreign", "everyday", "everyday, hooks"];
        let mut text = format!("{:20}", "set");
        text.extend(head.iter().map(|name| format!("{name:>16}")));
        output::print(&(text + "\n"))?;
        for set in &sets {
            let pools = set.pools();
            let Some(pool) = pools.iter().max_by_key(|pool| pool.units.len()) else { continue };
            let strangers = self.some(set.strangers(&sets));
            self.row(
                &set.name,
                &pool.units,
                &self.some(pool.queries.iter().copied()),
                &strangers,
                &embedder,
            )?;
        }
        if self.together {
            let units: Vec<&Unit> = sets.iter().flat_map(|set| &set.units).collect();
            let own = self.some(sets.iter().flat_map(|set: &Set| &set.queries));
            self.row("all together", &units, &own, &[], &embedder)?;
        }
        Ok(true)
    }

    /// Some of these questions.
    fn some<'a>(&self, from: impl Iterator<Item = &'a Query>) -> Vec<&'a Query> {
        Random::new(self.seed).some(from.filter(|query| query.is_answerable()), self.questions)
    }

    fn row(
        &self,
        name: &str,
        units: &[&Unit],
        own: &[&Query],
        strangers: &[&Query],
        embedder: &Arc<dyn Embedder>,
    ) -> Result<()> {
        let mut workspace = Workspace::temporary(embedder)?;
        workspace.ingest(units)?;
        let everyday: Vec<&str> = EVERYDAY.lines().collect();
        let answers = |question: &str, least: Option<f32>| -> Result<bool> {
            let query = griot::recall::Query { least, ..workspace.query(question) };
            Ok(!workspace.recall(&query)?.results.is_empty())
        };
        let share = |questions: &mut dyn Iterator<Item = &str>, least, wanted: bool| -> Result<String> {
            let (mut right, mut all) = (0, 0);
            for question in questions {
                all += 1;
                right += usize::from(answers(question, least)? == wanted);
            }
            Ok(if all == 0 {
                "-".to_owned()
            } else {
                format!("{:.2}", f64::from(right as u32) / f64::from(all))
            })
        };
        let cells = [
            units.len().to_string(),
            share(&mut own.iter().map(|query| query.text.as_str()), None, true)?,
            share(&mut strangers.iter().map(|query| query.text.as_str()), None, false)?,
            share(&mut everyday.iter().copied(), None, false)?,
            share(&mut everyday.iter().copied(), Some(Settings::default().hooks.floor), false)?,
        ];
        let mut text = format!("{name:20}");
        text.extend(cells.iter().map(|cell| format!("{cell:>16}")));
        output::print(&(text + "\n"))
    }
}
