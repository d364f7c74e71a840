//! Does Griot know what holds now, what held then, and when it changed?
//!
//! Each world becomes a workspace: its memories come in by order of time, and each question is asked on its
//! day, when exactly the memories up to that day are known. Nothing says what replaces what. With `--judge` a
//! caller who knows the answers links what replaces what, but only among the memories that `remember` offers;
//! with `--read` a language model that knows them, but only among the memories that it is asked about.

mod score;

use std::collections::{BTreeSet, HashMap};
use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use griot::embed::Embedder;
use griot::model::{Error, Memory, MemoryId, Result, Timestamp};
use griot::recall::{Recall, StandingKind};
use griot::text::{parse_instant, time_expressions};
use serde::Deserialize;

use self::score::{COLUMNS, Category, LIMIT, Query};
use crate::embedder::EmbedderOptions;
use crate::output;
use crate::workspace::Workspace;
use crate::world::{self, Asking, Figures, Group, Means, Said, Share};

/// Ask worlds in which knowledge changes what holds, what held, and when it changed.
#[derive(Args)]
pub struct Options {
    /// Files of worlds, or folders of them.
    #[arg(required = true)]
    worlds: Vec<PathBuf>,
    /// A caller who knows the answers judges what `remember` offers.
    #[arg(long)]
    judge: bool,
    /// A language model that knows the answers reads the memories.
    #[arg(long, conflicts_with = "judge")]
    read: bool,
    /// What is changed later comes in as passages of a document.
    #[arg(long)]
    documents: bool,
    /// All comes in as passages of documents that state their day.
    #[arg(long, conflicts_with = "documents")]
    minutes: bool,
    /// Each question is asked in a store of its own property, of two memories or a few.
    #[arg(long)]
    alone: bool,
    #[command(flatten)]
    asking: Asking,
    #[command(flatten)]
    embedder: EmbedderOptions,
}

#[derive(Clone, PartialEq, Debug, Deserialize)]
struct World {
    world: String,
    memories: Vec<Said>,
    queries: Vec<Query>,
    /// Properties with their values in order of time.
    #[serde(default)]
    lines: Vec<Line>,
}

#[derive(Clone, PartialEq, Debug, Deserialize)]
struct Line {
    values: Vec<Value>,
}

/// The memory that states a value.
#[derive(Clone, PartialEq, Debug, Deserialize)]
struct Value {
    id: String,
}

impl world::World for World {
    fn memories(&self) -> &[Said] {
        &self.memories
    }

    fn named(&self) -> Vec<&str> {
        let values = self.lines.iter().flat_map(|line| &line.values).map(|value| &value.id);
        self.queries.iter().flat_map(Query::named).chain(values).map(String::as_str).collect()
    }
}

/// Who says what replaces what.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Judge {
    NoOne,
    Caller(Offers),
    Model,
}

/// What `remember` offered to the caller who judges.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Offers {
    remembered: usize,
    offered: usize,
    /// Memories that a new one replaces, and how many of them were offered.
    replaced: usize,
    found: usize,
}

/// The category of each question, whether it has an answer, and its figures.
struct Asked {
    category: Category,
    is_answerable: bool,
    figures: Figures,
    marks: Marks,
}

/// Results that are said to be outdated or cancelled by a memory, right if it states the same property; and
/// results whose property had a later value, right if it is said of them.
#[derive(Clone, Copy, Default)]
struct Marks {
    made: Share,
    changes: Share,
}

impl Options {
    pub fn perform(&self) -> Result<bool> {
        let mut worlds: Vec<World> = world::read_all(&self.worlds)?;
        if self.documents {
            worlds.iter_mut().for_each(World::write_down);
        }
        if self.minutes {
            worlds.iter_mut().for_each(World::take_minutes);
        }
        let embedder = self.embedder.open()?;
        let mut judge = match (self.judge, self.read) {
            (true, _) => Judge::Caller(Offers::default()),
            (false, true) => Judge::Model,
            (false, false) => Judge::NoOne,
        };
        let mut all = Vec::new();
        let mut text = String::new();
        for world in &worlds {
            let parts = if self.alone { world.parts() } else { vec![world.clone()] };
            let mut asked = Vec::new();
            for part in parts {
                asked.extend(part.ask(&mut judge, self.asking, &embedder)?);
            }
            text += &line(&world.world, &asked);
            all.extend(asked);
        }
        let mut marks = Marks::default();
        for one in &all {
            marks.made.join(one.marks.made);
            marks.changes.join(one.marks.changes);
        }
        let marks = format!("marks right {}, changes marked {}", marks.made.text(), marks.changes.text());
        output::print(&format!("{text}\n{}{marks}\n", table(&all)))?;
        if let Judge::Caller(offers) = judge {
            output::print(&offers.line())?;
        }
        Ok(true)
    }
}

/// The share of questions about the present whose first result is the answer: without judgement, with judged
/// offers, and read by a model.
pub fn present_first(paths: &[PathBuf], embedder: &Arc<dyn Embedder>) -> Result<Means> {
    let worlds: Vec<World> = world::read_all(paths)?;
    let mut means = Means::default();
    let judges = [Judge::NoOne, Judge::Caller(Offers::default()), Judge::Model];
    for (mean, mut judge) in means.iter_mut().zip(judges) {
        let mut asked = Vec::new();
        for world in &worlds {
            asked.extend(world.ask(&mut judge, Asking::default(), embedder)?);
        }
        let rows = asked.iter().filter(|one| one.category == Category::Current).map(|one| &one.figures);
        *mean = Group { name: "", rows: rows.collect() }.mean("hit@1");
    }
    Ok(means)
}

impl World {
    /// Makes the first values of properties passages of a document: they stand in a handbook, and what comes
    /// later was said.
    fn write_down(&mut self) {
        let ids = |values: &[Value]| values.iter().map(|value| value.id.clone()).collect::<Vec<_>>();
        let changed = || self.lines.iter().filter(|line| line.values.len() > 1);
        let first: BTreeSet<String> = changed().flat_map(|line| ids(&line.values[..1])).collect();
        let later: BTreeSet<String> = changed().flat_map(|line| ids(&line.values[1..])).collect();
        for memory in &mut self.memories {
            if first.contains(&memory.id) && !later.contains(&memory.id) {
                memory.kind = Some(Memory::PASSAGE.to_owned());
                memory.speaker = None;
            }
        }
    }

    /// Makes all memories passages of documents that state the day on which they were said.
    fn take_minutes(&mut self) {
        for memory in &mut self.memories {
            memory.kind = Some(Memory::PASSAGE.to_owned());
            memory.speaker = None;
            memory.occurred_at = memory.occurred_at.map(Timestamp::day_start);
        }
    }

    /// For each question that has an answer a world of the memories that state its property.
    fn parts(&self) -> Vec<Self> {
        let part = |query: &Query| {
            let is_named = |value: &Value| query.named().any(|id| *id == value.id);
            let lines = self.lines.iter().filter(|line| line.values.iter().any(is_named));
            let own: BTreeSet<&str> =
                lines.flat_map(|line| &line.values).map(|value| value.id.as_str()).collect();
            let is_own = |memory: &&Said| own.contains(memory.id.as_str()) || query.gold.contains(&memory.id);
            Self {
                memories: self.memories.iter().filter(is_own).cloned().collect(),
                queries: vec![query.clone()],
                ..self.clone()
            }
        };
        self.queries.iter().filter(|query| query.is_answerable()).map(part).collect()
    }

    fn ask(&self, judge: &mut Judge, asking: Asking, embedder: &Arc<dyn Embedder>) -> Result<Vec<Asked>> {
        let mut workspace = Workspace::temporary(embedder)?;
        let mut waiting: Vec<&Said> = self.memories.iter().collect();
        waiting.sort_by_key(|memory| memory.occurred_at);
        let mut queries = Vec::new();
        for query in &self.queries {
            queries.push((self.end_of(&query.now)?, query));
        }
        queries.sort_by_key(|(now, _)| *now);
        let mut ids = HashMap::new();
        let mut asked = Vec::new();
        for (now, query) in queries {
            let known = waiting.partition_point(|memory| memory.occurred_at.is_none_or(|at| at <= now));
            let known: Vec<&Said> = waiting.drain(..known).collect();
            match judge {
                Judge::Caller(offers) => self.judge(&known, &mut workspace, &mut ids, offers)?,
                Judge::NoOne | Judge::Model if known.is_empty() => {}
                Judge::NoOne | Judge::Model => {
                    let drafts = known.iter().map(|memory| (memory.id.as_str(), memory.draft()));
                    workspace.say_all("griot", drafts.collect())?;
                }
            }
            if *judge == Judge::Model {
                let replaced = self.replaced();
                let decide = |new: &str, old: &str| {
                    if replaced.contains(&(new, old)) { "replaces" } else { "none" }
                };
                workspace.read_causes(&decide)?;
            }
            let as_of = query.as_of.as_deref().map(|day| self.last_moment(day, now)).transpose()?;
            let answer = workspace.recall(&griot::recall::Query {
                limit: LIMIT,
                now,
                as_of,
                floor: !asking.no_floor,
                ..workspace.query(&query.text)
            })?;
            asking.show(&workspace, &format!("{:?}", query.category), &query.text, &query.gold, &answer)?;
            let found: Vec<&str> =
                answer.results.iter().filter_map(|result| workspace.unit(result.memory.id)).collect();
            let mut figures = query.figures(&found);
            figures.set("score", answer.results.first().map_or(0.0, |first| f64::from(first.score)));
            asked.push(Asked {
                category: query.category,
                is_answerable: query.is_answerable(),
                figures,
                marks: self.marks(&workspace, &answer, as_of.unwrap_or(now)),
            });
        }
        Ok(asked)
    }

    fn marks(&self, workspace: &Workspace, answer: &Recall, moment: Timestamp) -> Marks {
        let mut marks = Marks::default();
        for result in &answer.results {
            let Some(own) = workspace.unit(result.memory.id) else { continue };
            let standing = result
                .standing
                .as_ref()
                .filter(|standing| matches!(standing.kind, StandingKind::Outdated | StandingKind::Cancelled));
            let by = standing.and_then(|standing| workspace.unit(standing.by.as_ref()?.id));
            if let Some(by) = by {
                marks.made.add(self.later(own).any(|later| later == by));
            }
            let is_known = |id: &str| {
                let said = self.memories.iter().find(|memory| memory.id == id);
                said.is_some_and(|memory| memory.occurred_at.is_none_or(|at| at <= moment))
            };
            if self.later(own).any(is_known) {
                marks.changes.add(standing.is_some());
            }
        }
        marks
    }

    /// The memories that state a later value of a property of this one.
    fn later<'a>(&'a self, own: &'a str) -> impl Iterator<Item = &'a str> {
        let of = move |line: &'a Line| line.values.iter().skip_while(move |value| value.id != own).skip(1);
        self.lines.iter().flat_map(of).map(|value| value.id.as_str()).filter(move |id| *id != own)
    }

    /// The last second of a day.
    fn end_of(&self, day: &str) -> Result<Timestamp> {
        parse_instant(&format!("{day}T23:59:59Z")).ok_or_else(|| self.no_time(day))
    }

    /// The last moment of a day or a month: what began in it held in it.
    fn last_moment(&self, span: &str, now: Timestamp) -> Result<Timestamp> {
        let named = time_expressions(span, now);
        named.first().map(|named| Timestamp(named.interval.end.0 - 1)).ok_or_else(|| self.no_time(span))
    }

    fn no_time(&self, text: &str) -> Error {
        Error::invalid(format!("ask the world {:?}", self.world), format!("{text:?} is no day"))
    }

    /// Remembers one memory after another. Where a new one replaces an older one that is offered, it is
    /// linked so.
    fn judge<'a>(
        &'a self,
        known: &[&'a Said],
        workspace: &mut Workspace,
        ids: &mut HashMap<&'a str, MemoryId>,
        offers: &mut Offers,
    ) -> Result<()> {
        let replaced = self.replaced();
        for memory in known {
            let answer = workspace.say(&memory.id, "user", memory.draft())?;
            ids.insert(&memory.id, answer.id);
            let similar = answer.semantic_candidates.iter().map(|candidate| candidate.id);
            let outdated = answer.update_candidates.iter().map(|candidate| candidate.id);
            let compared = answer.diff.with.as_ref().map(|(id, _)| *id);
            let offered: BTreeSet<MemoryId> = similar.chain(outdated).chain(compared).collect();
            offers.remembered += 1;
            offers.offered += offered.len();
            for (_, old) in replaced.iter().filter(|(new, _)| *new == memory.id) {
                offers.replaced += 1;
                if let Some(old) = ids.get(old).filter(|old| offered.contains(old)) {
                    offers.found += 1;
                    workspace.link_replaced(answer.id, *old)?;
                }
            }
        }
        Ok(())
    }

    /// New and old memory: the newest answer to what holds, and the older statements that it makes outdated.
    fn replaced(&self) -> BTreeSet<(&str, &str)> {
        let times: HashMap<&str, Option<Timestamp>> =
            self.memories.iter().map(|memory| (memory.id.as_str(), memory.occurred_at)).collect();
        let time = |id: &str| times.get(id).copied().flatten();
        let mut pairs = BTreeSet::new();
        for query in self.queries.iter().filter(|query| query.category == Category::Current) {
            // The first of several at the same time.
            let Some(new) = query.gold.iter().rev().max_by_key(|id| time(id)) else { continue };
            let older = query.stale.iter().filter(|old| time(old) < time(new));
            pairs.extend(older.map(|old| (new.as_str(), old.as_str())));
        }
        pairs
    }
}

impl Offers {
    fn line(&self) -> String {
        format!(
            "replaced memories offered: {} of {}; {:.1} offered a memory\n",
            self.found,
            self.replaced,
            self.offered as f64 / self.remembered.max(1) as f64
        )
    }
}

/// What one world came to.
fn line(name: &str, asked: &[Asked]) -> String {
    let groups = [true, false].map(|is_answerable| Group { name, rows: answerable(asked, is_answerable) });
    let cell = |group: &Group, figure: &str| {
        group.mean(figure).map_or("-".to_owned(), |(mean, _)| format!("{mean:.2}"))
    };
    let [known, unknown] = &groups;
    format!(
        "{name:24} first {}, first three {}, outdated above {}; off topic silent {}\n",
        cell(known, "hit@1"),
        cell(known, "hit@3"),
        cell(known, "stale>gold"),
        cell(unknown, "silent"),
    )
}

fn answerable(asked: &[Asked], is_answerable: bool) -> Vec<&Figures> {
    asked.iter().filter(|one| one.is_answerable == is_answerable).map(|one| &one.figures).collect()
}

/// A line for each category, and one for all questions that have an answer.
fn table(asked: &[Asked]) -> String {
    let of = |category| asked.iter().filter(move |one| one.category == category).map(|one| &one.figures);
    let mut groups: Vec<Group> =
        Category::ALL.map(|(category, name)| Group { name, rows: of(category).collect() }).into();
    groups.push(Group { name: "answerable", rows: answerable(asked, true) });
    groups.push(Group { name: "unanswerable", rows: answerable(asked, false) });
    // Of the first result.
    world::table(&[&COLUMNS[..], &["score"]].concat(), &groups)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::embedder::built_in;
    use crate::world::World as _;

    fn yard() -> World {
        let text = include_str!("../../data/boat_yard.json");
        World::parse(Path::new("boat_yard.json"), text).expect("the data of this crate")
    }

    fn property(ids: &[&str]) -> Line {
        Line { values: ids.iter().map(|id| Value { id: (*id).to_owned() }).collect() }
    }

    #[test]
    fn the_newest_answer_replaces_the_older_ones() {
        let world = yard();
        let pairs = [("b11", "b1"), ("b11", "b5"), ("b5", "b1"), ("b7", "b2")];
        assert_eq!(world.replaced(), pairs.into());
    }

    #[test]
    fn a_value_has_the_values_after_it_in_its_lines() {
        let mut world = yard();
        world.lines = vec![property(&["b1", "b5", "b11"]), property(&["b5", "b2"])];
        assert_eq!(world.later("b5").collect::<Vec<_>>(), ["b11", "b2"]);
        assert_eq!(world.later("b11").count() + world.later("b9").count(), 0);
    }

    #[test]
    fn a_question_is_asked_on_its_day_with_what_is_known_then() {
        let world = yard();
        let asked =
            world.ask(&mut Judge::NoOne, Asking::default(), &built_in()).expect("the yard can be asked");
        assert_eq!(asked.len(), world.queries.len());
        // The first is of March: nothing can be outdated but the price of February.
        let [march, ..] = &asked[..] else { panic!("no questions") };
        assert_eq!((march.category, march.figures.get("hit@10")), (Category::Current, Some(1.0)));
        let text = table(&asked);
        let names: Vec<&str> = text.lines().map(|line| line.get(..16).unwrap_or_default().trim()).collect();
        let is_asked = |category| asked.iter().any(|one| one.category == category);
        let mut expected: Vec<&str> =
            Category::ALL.iter().filter(|(category, _)| is_asked(*category)).map(|(_, name)| *name).collect();
        expected.extend(["answerable", "unanswerable"]);
        assert_eq!(names[1..], expected);
        let count = |at: usize| text.lines().rev().nth(at).and_then(|line| line.split_whitespace().nth(1));
        assert_eq!([count(1), count(0)], [Some("10"), Some("1")]);
    }

    #[test]
    fn a_caller_who_judges_what_is_offered_takes_outdated_statements_away() {
        let world = yard();
        let mut judge = Judge::Caller(Offers::default());
        let judged = world.ask(&mut judge, Asking::default(), &built_in()).expect("the yard can be asked");
        let Judge::Caller(offers) = judge else { panic!("they are counted") };
        assert_eq!((offers.remembered, offers.replaced), (12, 4));
        assert!(offers.found > 0 && offers.found <= offers.replaced, "{offers:?}");
        let outdated = |asked: &[Asked]| {
            Group { name: "", rows: answerable(asked, true) }.mean("stale>gold").map(|(mean, _)| mean)
        };
        let alone =
            world.ask(&mut Judge::NoOne, Asking::default(), &built_in()).expect("the yard can be asked");
        assert!(outdated(&judged) <= outdated(&alone));
        let read = world.ask(&mut Judge::Model, Asking::default(), &built_in()).expect("it can be asked");
        assert!(outdated(&read) <= outdated(&alone));
    }

    #[test]
    fn a_question_alone_has_a_store_of_its_property() {
        let mut world = yard();
        world.lines = vec![property(&["b1", "b5", "b11"]), property(&["b2", "b7"])];
        let parts = world.parts();
        let answerable = world.queries.iter().filter(|query| query.is_answerable()).count();
        assert_eq!(parts.len(), answerable);
        for part in parts {
            assert_eq!(part.queries.len(), 1);
            let has = |id: &String| part.memories.iter().any(|memory| memory.id == *id);
            assert!(part.queries[0].gold.iter().all(has));
            assert!(part.memories.len() < world.memories.len());
        }
    }

    #[test]
    fn a_day_that_is_none_is_an_error() {
        let mut world = yard();
        world.queries[0].now = "soon".into();
        let error = world
            .ask(&mut Judge::NoOne, Asking::default(), &built_in())
            .map(|_| ())
            .expect_err("no day")
            .to_string();
        assert_eq!(error, "cannot ask the world \"boat-yard\": \"soon\" is no day");
    }
}
