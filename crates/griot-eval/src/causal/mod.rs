//! Does "why?" bring what led to something, and "what did it lead to?" what followed?
//!
//! Each world becomes a workspace once for every [`Run`]: its memories come in one after another, and its
//! questions are asked at its end. [`crate::why`] is the part of this that tests and `check` measure, on
//! worlds of this repository.

mod offers;
mod score;

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use griot::embed::Embedder;
use griot::engine::WhyDirection;
use griot::model::{MemoryId, Provenance, Result, Timestamp};
use serde::Deserialize;

use self::offers::{Offered, Offers};
use self::score::{Answer, CHAINS, Category, LIMIT, Query, RESULTS};
use crate::causes::Causes;
use crate::dataset;
use crate::embedder::EmbedderOptions;
use crate::output;
use crate::workspace::Workspace;
use crate::world::{self, Asking, Figures, Group, Means, Said};

/// Ask worlds of causes why and what followed, with more and more of their causes linked.
#[derive(Args)]
pub struct Options {
    /// Files of worlds, or folders of them.
    #[arg(required = true)]
    worlds: Vec<PathBuf>,
    #[command(flatten)]
    asking: Asking,
    #[command(flatten)]
    embedder: EmbedderOptions,
}

#[derive(Clone, PartialEq, Debug, Deserialize)]
struct World {
    #[serde(deserialize_with = "dataset::timestamp")]
    now: Option<Timestamp>,
    memories: Vec<Said>,
    causes: Vec<Cause>,
    supersedes: Vec<Replaced>,
    queries: Vec<Query>,
}

#[derive(Clone, PartialEq, Debug, Deserialize)]
struct Cause {
    cause: String,
    effect: String,
    sub_type: String,
    /// A word of a text points to the cause.
    explicit: bool,
}

#[derive(Clone, PartialEq, Debug, Deserialize)]
struct Replaced {
    new: String,
    old: String,
}

impl world::World for World {
    fn memories(&self) -> &[Said] {
        &self.memories
    }

    fn named(&self) -> Vec<&str> {
        let causes = self.causes.iter().flat_map(|pair| [&pair.cause, &pair.effect]);
        let replaced = self.supersedes.iter().flat_map(|pair| [&pair.new, &pair.old]);
        let asked = self.queries.iter().flat_map(Query::named);
        causes.chain(replaced).chain(asked).map(String::as_str).collect()
    }
}

/// What a caller links.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Run {
    Nothing,
    /// The true causes among what `remember` offers, when it offers them.
    Offered,
    /// The true causes and replacements among what a language model is asked about.
    Read,
    /// All true causes, after all memories.
    Causes,
    /// Also what replaces what.
    Replaced,
}

impl Run {
    const ALL: [(Self, &'static str); 5] = [
        (Self::Nothing, "no edges"),
        (Self::Offered, "judged offers"),
        (Self::Read, "read by a model"),
        (Self::Causes, "all edges"),
        (Self::Replaced, "all edges and supersedes"),
    ];
}

/// A question with its figures.
struct Asked<'a> {
    query: &'a Query,
    figures: Figures,
}

impl Options {
    pub fn perform(&self) -> Result<bool> {
        let worlds: Vec<World> = world::read_all(&self.worlds)?;
        let embedder = self.embedder.open()?;
        for (run, name) in Run::ALL {
            let (offers, asked) = measure(&worlds, run, self.asking, &embedder)?;
            // What a caller links at the end changes no offer.
            let offers = match run {
                Run::Nothing => offers.line() + &offers.rules(),
                Run::Offered => offers.line(),
                Run::Read | Run::Causes | Run::Replaced => String::new(),
            };
            output::print(&format!("{name}\n{offers}{}\n", table(&asked)))?;
        }
        Ok(true)
    }
}

/// The share of WHY questions with the whole chain among ten results: without edges, with judged offers, and
/// read by a model.
pub fn whole_chains(paths: &[PathBuf], embedder: &Arc<dyn Embedder>) -> Result<Means> {
    let worlds: Vec<World> = world::read_all(paths)?;
    let mut means = Means::default();
    for (mean, run) in means.iter_mut().zip([Run::Nothing, Run::Offered, Run::Read]) {
        let (_, asked) = measure(&worlds, run, Asking::default(), embedder)?;
        let rows = asked.iter().filter(|one| one.query.category == Category::Why).map(|one| &one.figures);
        *mean = Group { name: "", rows: rows.collect() }.mean("full@10");
    }
    Ok(means)
}

fn measure<'a>(
    worlds: &'a [World],
    run: Run,
    asking: Asking,
    embedder: &Arc<dyn Embedder>,
) -> Result<(Offers, Vec<Asked<'a>>)> {
    let mut offers = Offers::default();
    let mut asked = Vec::new();
    for world in worlds {
        asked.extend(world.ask(run, asking, embedder, &mut offers)?);
    }
    Ok((offers, asked))
}

impl World {
    fn ask(
        &self,
        run: Run,
        asking: Asking,
        embedder: &Arc<dyn Embedder>,
        offers: &mut Offers,
    ) -> Result<Vec<Asked<'_>>> {
        let pairs = self.causes.iter().map(|pair| ((pair.cause.clone(), pair.effect.clone()), pair.explicit));
        let causes = Causes(pairs.collect());
        let mut workspace = Workspace::temporary(embedder)?;
        let mut ids: HashMap<&str, MemoryId> = HashMap::new();
        let mut seen = Offered::new();
        for memory in &self.memories {
            let origin = memory.source.as_deref().unwrap_or("user");
            let answer = workspace.say(&memory.id, origin, memory.draft())?;
            ids.insert(&memory.id, answer.id);
            offers.count(&workspace, &causes, &memory.id, &answer, &mut seen);
            if run == Run::Offered {
                for (cause, effect) in causes.among(&memory.id, &workspace.offered(&answer)) {
                    self.link(&workspace, &ids, cause, effect)?;
                }
            }
        }
        offers.add(&causes, &seen);
        if run == Run::Read {
            workspace.read_causes(&|new, old| self.decided(&causes, new, old))?;
        }
        if matches!(run, Run::Causes | Run::Replaced) {
            for pair in &self.causes {
                self.link(&workspace, &ids, &pair.cause, &pair.effect)?;
            }
        }
        if run == Run::Replaced {
            for pair in &self.supersedes {
                workspace.link_replaced(ids[pair.new.as_str()], ids[pair.old.as_str()])?;
            }
        }
        for (cause, effect) in workspace.causes_by_rule()? {
            offers.add_rule(&causes, cause, effect);
        }
        let ask =
            |query| Ok(Asked { query, figures: self.figures(query, asking, &causes, &workspace, &ids)? });
        self.queries.iter().map(ask).collect()
    }

    /// What the first of two memories has to do with the second, as a model would say it.
    fn decided(&self, causes: &Causes, new: &str, old: &str) -> &'static str {
        match () {
            () if causes.has(old, new) => "caused_by",
            () if causes.has(new, old) => "led_to",
            () if self.supersedes.iter().any(|pair| pair.new == new && pair.old == old) => "replaces",
            () => "none",
        }
    }

    /// A caller says that one led to the other, and how.
    fn link(
        &self,
        workspace: &Workspace,
        ids: &HashMap<&str, MemoryId>,
        cause: &str,
        effect: &str,
    ) -> Result<()> {
        let same = |pair: &&Cause| pair.cause == cause && pair.effect == effect;
        let sub_type = self.causes.iter().find(same).map(|pair| pair.sub_type.as_str());
        workspace.link_cause(ids[cause], ids[effect], sub_type, Provenance::User)
    }

    fn figures(
        &self,
        query: &Query,
        asking: Asking,
        causes: &Causes,
        workspace: &Workspace,
        ids: &HashMap<&str, MemoryId>,
    ) -> Result<Figures> {
        /// Steps that `why` takes from the point of a question, and from the first result by default.
        const DEPTHS: [usize; 2] = [10, 5];
        let asked = workspace.query(&query.text);
        let found = workspace.recall(&griot::recall::Query {
            limit: LIMIT,
            now: self.now.unwrap_or(asked.now),
            floor: !asking.no_floor,
            ..asked
        })?;
        asking.show(workspace, &format!("{:?}", query.category), &query.text, query.gold(), &found)?;
        let mut answer = Answer {
            shown: found.results.iter().filter_map(|result| workspace.unit(result.memory.id)).collect(),
            chains: workspace.chains(&found),
            intent: found.understanding.intent.name(),
            ..Answer::default()
        };
        if let Some(point) = query.point() {
            let direction = match query.category {
                Category::Forward => WhyDirection::Consequences,
                _ => WhyDirection::Causes,
            };
            let traced = |memory, direction, depth| -> Result<Vec<&str>> {
                let found = workspace.why(memory, direction, depth)?;
                Ok(if query.category == Category::Forward { found.consequences } else { found.causes })
            };
            answer.from_point = traced(ids[point], direction, DEPTHS[0])?;
            if let Some(first) = found.results.first() {
                answer.from_first = traced(first.memory.id, WhyDirection::Both, DEPTHS[1])?;
            }
        }
        Ok(query.figures(causes, &answer))
    }
}

/// The figures of the results, and of the chains of causal questions.
fn table(asked: &[Asked<'_>]) -> String {
    let group = |name, wanted: &dyn Fn(&Query) -> bool| {
        let rows = asked.iter().filter(|one| wanted(one.query)).map(|one| &one.figures);
        Group { name, rows: rows.collect() }
    };
    let category = |name, category| group(name, &move |query: &Query| query.category == category);
    let form = |name, form: &'static str| {
        group(name, &move |query: &Query| {
            query.category == Category::Why && query.form.as_deref() == Some(form)
        })
    };
    let causal = [
        category("why", Category::Why),
        form("  plain", "plain"),
        form("  paraphrased", "paraphrase"),
        form("  how and what", "how/what"),
        category("forward", Category::Forward),
    ];
    let others = [
        category("when", Category::When),
        category("entity", Category::Entity),
        category("general", Category::General),
        category("newest", Category::Newest),
    ];
    let chains = world::table(&CHAINS, &causal);
    let results = world::table(&RESULTS, &causal.into_iter().chain(others).collect::<Vec<_>>());
    results + &chains + &world::table(&["silent"], &[category("off topic", Category::Offtopic)])
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::embedder::built_in;
    use crate::world::World as _;

    fn choir() -> World {
        let text = include_str!("../../data/choir.json");
        World::parse(Path::new("choir.json"), text).expect("the data of this crate")
    }

    /// Where all causes are linked, every chain is traced; where none are, what rules found is.
    #[test]
    fn a_world_is_traced_as_far_as_its_causes_are_linked() {
        let worlds = [choir()];
        let traced = Run::ALL.map(|(run, _)| {
            let (offers, asked) =
                measure(&worlds, run, Asking::default(), &built_in()).expect("the choir can be asked");
            let rows = asked.iter().filter(|one| one.query.is_causal()).map(|one| &one.figures);
            let causal = Group { name: "causal", rows: rows.collect() };
            assert_eq!((offers.remembered, offers.edges, asked.len(), causal.rows.len()), (12, 5, 10, 5));
            assert!(offers.directed <= offers.causal && offers.causal <= offers.offered, "{offers:?}");
            assert_eq!(causal.mean("turned"), Some((0.0, 5)), "{run:?}");
            causal.mean("trace R").map(|(mean, _)| mean).unwrap_or_default()
        });
        let [nothing, offered, read, causes, replaced] = traced;
        assert!(nothing < 1.0 && nothing <= offered && offered <= causes, "{traced:?}");
        assert!(nothing < read && read <= causes, "{traced:?}");
        assert_eq!((causes, replaced), (1.0, 1.0));
    }

    #[test]
    fn a_table_has_a_line_for_each_kind_of_question() {
        let world = choir();
        let asked: Vec<Asked> =
            world.queries.iter().map(|query| Asked { query, figures: Figures::default() }).collect();
        let text = table(&asked);
        let names: Vec<&str> = text.lines().map(|line| line.get(..16).unwrap_or_default().trim()).collect();
        let causal = ["", "why", "plain", "paraphrased", "how and what", "forward"];
        let others = ["when", "entity", "general", "newest"];
        assert_eq!(names, [&causal[..], &others, &causal, &["", "off topic"]].concat());
    }
}
