//! Questions: `recall` and `traverse`.

use griot::model::{Error, Result, SourceId, Timestamp};
use griot::recall::Query;
use griot::rollout::Strategy;
use griot::settings::RecallSettings;
use serde::{Deserialize, Serialize};

use super::{Place, Request, Scope, between, effort, intent, span, ten, words};
use crate::FeedbackGiven;
use crate::draft::{parse_tier, read_time};

requests! {
    /// Ask a question.
    #[schemars(transform = crate::request::forms::recall)]
    Recall of speaker {
        /// The question, or words.
        #[schemars(schema_with = "crate::request::forms::question")]
        query: String,
        /// At most so many results.
        #[serde(default)]
        #[schemars(range(min = 1, max = 1000))]
        limit: Option<usize>,
        /// Fill this many tokens (about 4 characters each) instead.
        #[serde(default)]
        #[schemars(range(min = 1, max = 1000000))]
        budget: Option<usize>,
        /// Only memories of one of these kinds.
        #[serde(default)]
        kinds: Vec<String>,
        /// Only memories of these layers, which follow from their kind: `code`, `execution`, `knowledge`,
        /// `project`.
        #[serde(default)]
        #[schemars(skip)]
        layers: Vec<String>,
        /// Only memories with all of these tags.
        #[serde(default)]
        tags: Vec<String>,
        /// Only memories of these tiers: `long_term`, `working`, `rule`; default all but rules, which come
        /// beside the results.
        #[serde(default)]
        #[schemars(schema_with = "crate::request::forms::tiers")]
        tiers: Vec<String>,
        /// Leave out the rules beside the results.
        #[serde(default)]
        no_rules: bool,
        /// Only memories from one of these sources: `s4`, or an origin.
        #[serde(default)]
        sources: Vec<String>,
        /// Only memories of this agent. Its own settings count, if it has some and `scope.agentId` names no
        /// other.
        #[serde(default)]
        agent: Option<String>,
        /// Only memories of this session.
        #[serde(default)]
        session: Option<String>,
        /// Only what happened then or later.
        #[serde(default)]
        #[schemars(schema_with = "crate::request::forms::time")]
        since: Option<String>,
        /// Only what happened until the end of then.
        #[serde(default)]
        #[schemars(schema_with = "crate::request::forms::time")]
        until: Option<String>,
        /// Only what happened then: a day, a month, "last week".
        #[serde(default)]
        #[schemars(schema_with = "crate::request::forms::time")]
        at: Option<String>,
        /// `why`, `when`, `entity` or `general`; default what the question says.
        #[serde(default)]
        #[schemars(schema_with = "crate::request::forms::intent")]
        intent: Option<String>,
        /// Read "yesterday" and the like as seen from this time.
        #[serde(default)]
        #[schemars(schema_with = "crate::request::forms::time")]
        now: Option<String>,
        /// Show memories that another one replaced, too.
        #[serde(default)]
        superseded: bool,
        /// Nothing from the web, which anybody may have written.
        #[serde(default)]
        trusted: bool,
        /// Return the best there is, even if nothing is relevant.
        #[serde(default)]
        no_floor: bool,
        /// The same as the strategy `hybrid_graph`: ask for the graph where the workspace leaves it to the
        /// request.
        #[serde(default)]
        graph: bool,
        /// Answer from words, vectors and time alone.
        #[serde(default)]
        no_graph: bool,
        /// Ask for the graph (`hybrid_graph`) or decline it (`baseline`); default what the workspace's mode
        /// says.
        #[serde(default)]
        #[schemars(schema_with = "crate::request::forms::strategy")]
        strategy: Option<String>,
        /// `low`, `normal` or `high`.
        #[serde(default)]
        #[schemars(schema_with = "crate::request::forms::effort")]
        effort: Option<String>,
        /// List what was left out, and why.
        #[serde(default)]
        rejected: bool,
        /// What results of earlier answers were worth; needs the role `write`.
        #[serde(default)]
        #[schemars(length(max = 1000))]
        feedback: Vec<FeedbackGiven>,
    }

    /// Walk the graph from a question.
    Traverse {
        /// Where to start: a question, or words.
        #[schemars(schema_with = "crate::request::forms::question")]
        query: String,
        /// How many nodes are followed at each step.
        #[serde(default = "ten")]
        #[schemars(range(min = 1, max = 1000))]
        width: usize,
        /// How many nodes are visited in all.
        #[serde(default = "five_hundred")]
        #[schemars(range(min = 1, max = 10000))]
        budget: usize,
        /// How many steps, 1 to 10.
        #[serde(default = "four")]
        #[schemars(range(min = 1, max = 10))]
        depth: usize,
        /// Only nodes of these layers: `code`, `execution`, `knowledge`, `project`; the ways to them may lead
        /// through others.
        #[serde(default)]
        #[schemars(schema_with = "crate::request::forms::node_layers")]
        layers: Vec<String>,
        /// `why`, `when`, `entity` or `general`; default what the question says.
        #[serde(default)]
        #[schemars(schema_with = "crate::request::forms::intent")]
        intent: Option<String>,
    }
}

fn four() -> usize {
    4
}
fn five_hundred() -> usize {
    500
}

impl Recall {
    fn speaker(&self) -> Option<&str> {
        self.agent.as_deref()
    }

    /// A question and nothing else.
    pub fn new(query: impl Into<String>) -> Self {
        Self {
            query: query.into(),
            limit: None,
            budget: None,
            kinds: Vec::new(),
            layers: Vec::new(),
            tags: Vec::new(),
            tiers: Vec::new(),
            no_rules: false,
            sources: Vec::new(),
            agent: None,
            session: None,
            since: None,
            until: None,
            at: None,
            intent: None,
            now: None,
            superseded: false,
            trusted: false,
            no_floor: false,
            graph: false,
            no_graph: false,
            strategy: None,
            effort: None,
            rejected: false,
            feedback: Vec::new(),
            user: None,
            project: None,
            scope: None,
        }
    }

    /// The strategy that is asked for: `graph` is the short way to say one of them.
    fn asked(&self) -> Result<Option<Strategy>> {
        let said = self.strategy.as_deref().map(words::strategy).transpose()?;
        match said {
            _ if self.graph && self.no_graph => {
                Err(Error::invalid("recall", "`graph` and `no_graph` exclude each other"))
            }
            Some(Strategy::Baseline) if self.graph => {
                Err(Error::invalid("recall", "`graph` and the strategy `baseline` exclude each other"))
            }
            _ if self.graph => Ok(Some(Strategy::HybridGraph)),
            said => Ok(said),
        }
    }

    /// The engine's question. `source` finds a source by its id or origin.
    pub fn to_query(
        &self,
        settings: &RecallSettings,
        clock: Timestamp,
        source: impl Fn(&str) -> Result<SourceId>,
    ) -> Result<Query> {
        if self.limit.is_some() && self.budget.is_some() {
            return Err(Error::invalid("recall", "`limit` and `budget` exclude each other"));
        }
        let now = self.now.as_deref().map_or(Ok(clock), |text| read_time(text, clock))?;
        let occurred = match &self.at {
            Some(_) if self.since.is_some() || self.until.is_some() => {
                return Err(Error::invalid("recall", "`at` excludes `since` and `until`"));
            }
            Some(at) => Some(span(at, now)?),
            None => between(self.since.as_deref(), self.until.as_deref(), now)?,
        };
        Ok(Query {
            limit: self.limit.unwrap_or(settings.limit),
            budget: self.budget,
            scope: self.place()?.scope(),
            kinds: self.kinds.clone(),
            layers: words::layers(&self.layers)?,
            tags: self.tags.clone(),
            tiers: self.tiers.iter().map(|name| parse_tier(name)).collect::<Result<_>>()?,
            rules: !self.no_rules,
            sources: self.sources.iter().map(|name| source(name)).collect::<Result<_>>()?,
            agent: self.agent.clone(),
            session: self.session.clone(),
            occurred,
            intent: self.intent.as_deref().map(intent).transpose()?,
            superseded: self.superseded,
            trusted: self.trusted,
            floor: !self.no_floor,
            // What the settings say about the graph is the engine's to apply: it names the reason.
            graph: !self.no_graph,
            strategy: self.asked()?,
            rejected: self.rejected,
            effort: self.effort.as_deref().map(effort).transpose()?,
            ..Query::new(self.query.clone(), now)
        })
    }
}
