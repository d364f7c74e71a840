//! Plays a day through the tools of `griot mcp`, in a store of its own.

use std::collections::{BTreeSet, HashMap};

use griot::model::{Result, Timestamp};
use griot::recall::{StandingKind, tokens};
use serde_json::json;

use super::script::{Act, Day, Kind, Link, Prompt, Question, Remember, Traced};
use super::tools::{Mark, Offer, Offers, Shown, Tools, memories, stored_as};
use super::{Agent, Outcome};
use crate::hooks;
use crate::peer::Installation;
use crate::world::Figures;

/// A day that is being played.
pub struct Replay<'a> {
    day: &'a Day,
    agent: Agent,
    griot: &'a Installation,
    tools: Tools,
    /// Handle of a memory by the id in the script.
    handles: HashMap<&'a str, String>,
    /// Phrases of documents by the id in the script.
    phrases: Vec<(&'a str, String)>,
    /// Full texts of memories that the script did not store itself.
    read: HashMap<String, String>,
    outcome: Outcome,
}

impl<'a> Replay<'a> {
    /// What the day came to.
    pub fn of(day: &'a Day, agent: Agent, griot: &'a Installation) -> Result<Outcome> {
        let mut replay = Self {
            day,
            agent,
            griot,
            tools: Tools::start(griot)?,
            handles: HashMap::new(),
            phrases: Vec::new(),
            read: HashMap::new(),
            outcome: Outcome::default(),
        };
        for step in &day.steps {
            replay.act(step.at, &step.act)?;
        }
        Ok(replay.outcome)
    }

    fn act(&mut self, at: Timestamp, act: &'a Act) -> Result<()> {
        match act {
            Act::Remember(memory) => self.remember(at, memory),
            Act::Ingest(document) => {
                let phrases = document.holds.iter().map(|(id, phrase)| (id.as_str(), plain(phrase)));
                self.phrases.extend(phrases);
                let arguments = json!({"text": document.ingest, "name": document.name});
                self.tools.call("ingest", &arguments).map(drop)
            }
            Act::Link(_) if self.agent == Agent::OnlyStores => Ok(()),
            Act::Link(link) => self.link(link),
            Act::Recall(looked) => self.recall(at, &looked.recall).map(drop),
            Act::Ask(question) => self.ask(at, question),
            Act::Why(traced) => self.trace(traced),
            Act::Prompt(prompt) => self.prompt(prompt),
        }
    }

    fn remember(&mut self, at: Timestamp, memory: &'a Remember) -> Result<()> {
        let mut arguments = json!({"text": memory.remember, "occurred_at": at.to_string()});
        if self.agent == Agent::FollowsGuide {
            for (key, value) in [("kind", &memory.kind), ("tier", &memory.tier)] {
                value.iter().for_each(|value| arguments[key] = json!(value));
            }
        }
        let answer = self.tools.call("remember", &arguments)?;
        self.outcome.remembered.push(tokens(&answer));
        self.handles.insert(&memory.id, stored_as(&answer)?);
        if self.agent == Agent::FollowsGuide {
            self.judge(&memory.id, &Offers::of(&answer))?;
        }
        Ok(())
    }

    /// Links what is offered and true, and refuses what is offered and not.
    fn judge(&mut self, new: &str, offers: &Offers) -> Result<()> {
        let truths = links_of(self.day, new);
        let mut offered: Vec<Link> = Vec::new();
        for (way, list) in [
            (Way::Replaced, &offers.replaced),
            (Way::Cause, &offers.causes),
            (Way::Consequence, &offers.consequences),
            (Way::Similar, &offers.similar),
        ] {
            for offer in list {
                let others = self.ids(&offer.handle)?;
                let is_of_both = |link: &&Link| others.contains(&link.from) || others.contains(&link.to);
                let links: Vec<&Link> = truths.iter().filter(is_of_both).collect();
                let right: Vec<&Link> = links.iter().copied().filter(|link| way.says(link)).collect();
                let is_turned = right.iter().any(|link| way.turns(link, new));
                match way {
                    Way::Replaced => self.outcome.replaced.add(!right.is_empty(), is_turned),
                    Way::Cause | Way::Consequence => self.outcome.caused.add(!right.is_empty(), is_turned),
                    Way::Similar => {}
                }
                if right.is_empty() && way != Way::Similar {
                    let other: Vec<String> = others.into_iter().collect();
                    self.miss(|| format!("{new} is offered {} wrongly as {way:?}", other.join(" or ")));
                }
                for link in &links {
                    self.link(link)?;
                }
                self.refuse(offer, links.is_empty())?;
                offered.extend(right.into_iter().cloned());
            }
        }
        for link in &truths {
            let other = if link.from == new { &link.to } else { &link.from };
            if !self.is_known(other) {
                continue;
            }
            let is_offered = offered.contains(link);
            let pairs = match link.link.as_str() {
                "supersedes" => &mut self.outcome.replaced,
                _ => &mut self.outcome.caused,
            };
            pairs.truths.add(is_offered);
            if !is_offered {
                self.miss(|| format!("{new}: not offered {other} ({})", link.link));
            }
        }
        Ok(())
    }

    fn refuse(&mut self, offer: &Offer, is_wrong: bool) -> Result<()> {
        if is_wrong && offer.is_noted {
            self.outcome.noted_wrongly += 1;
        }
        match &offer.id {
            Some(id) if is_wrong => self.tools.call("forget", &json!({"name": id})).map(drop),
            _ => Ok(()),
        }
    }

    /// Makes an edge, unless an end is part of a document that cannot be found.
    fn link(&mut self, link: &Link) -> Result<()> {
        let (Some(from), Some(to)) = (self.handle(&link.from), self.handle(&link.to)) else { return Ok(()) };
        let mut arguments = json!({"source": from, "target": to, "kind": link.link});
        link.reason.iter().for_each(|reason| arguments["reason"] = json!(reason));
        self.tools.call("link", &arguments).map(drop)
    }

    /// The handle of a memory of the script, or of the passage with its phrase that was read before.
    fn handle(&self, id: &str) -> Option<String> {
        let phrase = self.phrases.iter().find(|(own, _)| *own == id).map(|(_, phrase)| phrase);
        let passage = phrase.and_then(|phrase| self.read.iter().find(|(_, text)| text.contains(phrase)));
        self.handles.get(id).or(passage.map(|(handle, _)| handle)).cloned()
    }

    fn is_known(&self, id: &str) -> bool {
        self.handles.contains_key(id) || self.phrases.iter().any(|(own, _)| *own == id)
    }

    /// What the script calls the memory with this handle; a passage of a document may have several names.
    fn ids(&mut self, handle: &str) -> Result<BTreeSet<String>> {
        let own = self.handles.iter().filter(|(_, of)| *of == handle).map(|(id, _)| (*id).to_owned());
        let own: BTreeSet<String> = own.collect();
        if !own.is_empty() {
            return Ok(own);
        }
        if !self.read.contains_key(handle) {
            let text = self.tools.call("inspect", &json!({"name": handle}))?;
            self.read.insert(handle.to_owned(), plain(&text));
        }
        let text = &self.read[handle];
        let held = self.phrases.iter().filter(|(_, phrase)| text.contains(phrase));
        Ok(held.map(|(id, _)| (*id).to_owned()).collect())
    }

    fn recall(&mut self, at: Timestamp, question: &str) -> Result<Vec<Shown>> {
        let answer = self.tools.call("recall", &json!({"query": question, "now": at.to_string()}))?;
        self.outcome.recalled.push(tokens(&answer));
        let shown = memories(&answer);
        for memory in &shown {
            self.judge_mark(question, memory)?;
        }
        Ok(shown)
    }

    /// Whether a result is marked as it holds, by what the day says is true.
    fn judge_mark(&mut self, question: &str, memory: &Shown) -> Result<()> {
        let mark = memory.mark();
        let own = self.ids(&memory.handle)?;
        // Of a part of a document it is not known which of its statements is marked.
        let [id] = &own.iter().collect::<Vec<_>>()[..] else { return Ok(()) };
        let is_replaced = self.successors(id).iter().any(|new| self.is_known(new));
        let is_change = |mark: &Mark| matches!(mark.kind, StandingKind::Outdated | StandingKind::Cancelled);
        if is_replaced {
            self.outcome.changes.add(mark.as_ref().is_some_and(is_change));
        }
        let Some(mark) = mark else { return Ok(()) };
        let is_right = match (&mark.kind, &mark.by) {
            (StandingKind::Outdated | StandingKind::Cancelled, Some(by)) => {
                let by = self.ids(by)?;
                self.successors(id).iter().any(|new| by.contains(*new))
            }
            (StandingKind::Outdated, None) => is_replaced || self.day.ends.contains(*id),
            (StandingKind::Temporary, _) => self.day.ends.contains(*id),
            (StandingKind::Planned, _) => self.day.plans.contains(*id) && !is_replaced,
            (StandingKind::Current, _) => self.day.replaces.iter().any(|(new, _)| new == *id),
            (StandingKind::Cancelled | StandingKind::Contradicted, _) => false,
        };
        self.outcome.marks.add(is_right);
        if !is_right {
            self.miss(|| format!("{question}: marked wrongly: {} {}", memory.handle, memory.text));
        }
        Ok(())
    }

    /// What replaces a memory, straight or over several steps.
    fn successors(&self, id: &str) -> Vec<&'a str> {
        let mut old: Vec<&str> = vec![id];
        let mut new: Vec<&'a str> = Vec::new();
        while let Some(id) = old.pop() {
            for (by, _) in self.day.replaces.iter().filter(|(_, replaced)| replaced == id) {
                if !new.contains(&by.as_str()) {
                    new.push(by);
                    old.push(by);
                }
            }
        }
        new
    }

    fn ask(&mut self, at: Timestamp, question: &Question) -> Result<()> {
        let shown = self.recall(at, &question.ask)?;
        let is_gold = |memory: &Shown| question.gold.iter().any(|id| self.shows(id, memory));
        let rank = shown.iter().position(is_gold);
        let mut figures = Figures::default();
        if question.kind == Kind::Never {
            figures.say("silent", shown.is_empty());
        } else {
            figures.say("first", rank == Some(0));
            figures.say("three", rank.is_some_and(|rank| rank < 3));
            figures.say("seen", rank.is_some());
        }
        let outdated: Vec<&str> = self.outdated(question);
        if !outdated.is_empty() && question.kind != Kind::Before {
            let is_old = |memory: &Shown| outdated.iter().any(|id| self.shows(id, memory));
            figures.say("old first", rank != Some(0) && shown.first().is_some_and(is_old));
        }
        if rank != Some(0) && !(question.kind == Kind::Never && shown.is_empty()) {
            let first = shown.iter().take(3).map(|one| format!("\n      {} {}", one.handle, one.text));
            let first: String = first.collect();
            let gold = question.gold.join(" or ");
            let found = rank.map_or("not seen".to_owned(), |rank| format!("at {}", rank + 1));
            self.miss(|| format!("{:?}: {}  [{gold}] {found}{first}", question.kind, question.ask));
        }
        self.outcome.asked.push((question.kind, figures));
        Ok(())
    }

    /// Memories that were replaced, straight or over several steps, by what answers a question.
    fn outdated(&self, question: &Question) -> Vec<&'a str> {
        let mut new: Vec<&str> = question.gold.iter().map(String::as_str).collect();
        let mut old: Vec<&'a str> = Vec::new();
        while let Some(id) = new.pop() {
            for (_, replaced) in self.day.replaces.iter().filter(|(by, _)| by == id) {
                if !old.contains(&replaced.as_str()) && !question.gold.contains(replaced) {
                    old.push(replaced);
                    new.push(replaced);
                }
            }
        }
        old
    }

    /// Whether the model reads this memory there, of a document the phrase.
    fn shows(&self, id: &str, memory: &Shown) -> bool {
        let is_held = || {
            let text = plain(&memory.text);
            self.phrases.iter().any(|(own, phrase)| *own == id && text.contains(phrase))
        };
        self.handles.get(id).is_some_and(|handle| *handle == memory.handle) || is_held()
    }

    fn trace(&mut self, traced: &Traced) -> Result<()> {
        let Some(handle) = self.handle(&traced.why) else { return Ok(()) };
        let answer = self.tools.call("why", &json!({"name": handle, "direction": "causes"}))?;
        let causes = answer.split("What followed from it").next().unwrap_or_default();
        let named = traced.gold.iter().filter_map(|id| self.handle(id));
        let is_found = named.into_iter().any(|handle| causes.contains(&handle));
        self.outcome.traced.add(is_found);
        if !is_found {
            self.miss(|| format!("why {}: {answer}", traced.why));
        }
        Ok(())
    }

    fn prompt(&mut self, prompt: &Prompt) -> Result<()> {
        let block = hooks::added_to(self.griot, &prompt.prompt)?;
        let lines = block.lines().filter_map(|line| line.strip_prefix("- ")?.split_once(' '));
        let shown: Vec<Shown> =
            lines.map(|(handle, text)| Shown { handle: handle.to_owned(), text: text.to_owned() }).collect();
        let is_right = match prompt.gold.is_empty() {
            true => block.is_empty(),
            false => shown.iter().any(|one| prompt.gold.iter().any(|id| self.shows(id, one))),
        };
        if !block.is_empty() {
            self.outcome.added.push(tokens(&block));
        }
        match prompt.gold.is_empty() {
            true => self.outcome.ordinary.add(is_right),
            false => self.outcome.brought.add(is_right),
        }
        if !is_right {
            self.miss(|| format!("prompt: {}  [{}]\n{block}", prompt.prompt, prompt.gold.join(" or ")));
        }
        Ok(())
    }

    fn miss(&mut self, line: impl FnOnce() -> String) {
        self.outcome.misses.push(format!("  {}: {}\n", self.day.name, line()));
    }
}

/// As what a memory is offered for a new one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Way {
    Replaced,
    Cause,
    Consequence,
    Similar,
}

impl Way {
    /// Whether it proposes such a link, one way round or the other.
    fn says(self, link: &Link) -> bool {
        match self {
            Self::Replaced => link.link == "supersedes",
            Self::Cause | Self::Consequence => link.link == "causal",
            Self::Similar => false,
        }
    }

    /// Whether it proposes the link the wrong way round.
    fn turns(self, link: &Link, new: &str) -> bool {
        match self {
            Self::Replaced | Self::Consequence => link.from != new,
            Self::Cause => link.to != new,
            Self::Similar => false,
        }
    }
}

/// All true links that a memory is an end of.
fn links_of(day: &Day, id: &str) -> Vec<Link> {
    let link = |kind: &str, (from, to): &(String, String)| Link {
        link: kind.to_owned(),
        from: from.clone(),
        to: to.clone(),
        reason: None,
    };
    let replaced = day.replaces.iter().map(|pair| link("supersedes", pair));
    let caused = day.causes.0.keys().map(|pair| link("causal", pair));
    replaced.chain(caused).filter(|link| link.from == id || link.to == id).collect()
}

/// Without marks of Markdown and line breaks, which a passage may lose.
fn plain(text: &str) -> String {
    text.replace('`', "").split_whitespace().collect::<Vec<_>>().join(" ")
}
