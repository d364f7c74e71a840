//! `recall`: a question and what is remembered of its answer; `context` gives it as text for a prompt.

use griot::engine::Engine;
use griot::model::{Error, Node, Result};
use griot::recall::Query;
use griot::rollout::Strategy;
use serde::Serialize;

use super::{MOST, stored};
use crate::call::{Call, Role};
use crate::draft::{parse_tier, read_time};
use crate::failure::Outcome;
use crate::request::{between, effort, intent, layers, source, span, strategy, within};
use crate::{EntityView, FeedbackGiven, Recall as Answer};

/// Entities that the context block describes at most, and how many neighbours of each are asked for.
const DESCRIBED: usize = 6;
const NEIGHBOURS: usize = 12;

requests! {
    /// Ask a question.
    #[derive(Default)]
    #[schemars(transform = crate::request::forms::recall)]
    Recall of speaker above min_confidence {
        /// The question, or words.
        #[schemars(schema_with = "crate::request::forms::question")]
        query: String,
        /// At most so many results.
        #[serde(default)]
        #[schemars(range(min = 1, max = 1000))]
        #[arg(long, short = 'n', value_name = "COUNT", help = "At most so many results [default: \
            recall.limit]")]
        limit: Option<usize>,
        /// Fill this many tokens (about 4 characters each) instead.
        #[serde(default)]
        #[schemars(range(min = 1, max = 1000000))]
        #[arg(long, value_name = "TOKENS", conflicts_with = "limit")]
        budget: Option<usize>,
        /// Only memories of one of these kinds.
        #[serde(default)]
        #[arg(long = "kind", value_name = "KIND", help = "Only memories of this kind; may be given more than \
            once")]
        kinds: Vec<String>,
        /// Only memories of these layers, which follow from their kind: `code`, `execution`, `knowledge`,
        /// `project`.
        #[serde(default)]
        #[schemars(skip)]
        #[arg(long = "layer", value_name = "LAYER", help = "Only memories of this layer: code, execution, \
            knowledge, project; may be given more than once")]
        layers: Vec<String>,
        /// Only memories with all of these tags.
        #[serde(default)]
        #[arg(long = "tag", visible_alias = "tags", value_name = "TAG", value_delimiter = ',',
            help = "Only memories with this tag; with several, all of them")]
        tags: Vec<String>,
        /// Only memories of these tiers: `long_term`, `working`, `rule`; default all but rules, which come
        /// beside the results.
        #[serde(default)]
        #[schemars(schema_with = "crate::request::forms::tiers")]
        #[arg(long = "tier", value_name = "TIER", help = "Only memories of this tier (long_term, working, \
            rule); may be given more than once [default: all, rules aside]")]
        tiers: Vec<String>,
        /// Leave out the rules beside the results.
        #[serde(default)]
        #[arg(long)]
        no_rules: bool,
        /// Only memories from one of these sources: `s4`, or an origin.
        #[serde(default)]
        #[arg(long = "source", value_name = "SOURCE", help = "Only memories from this source (`s4` or its \
            origin)")]
        sources: Vec<String>,
        /// Only memories of this agent. Its own settings count, if it has some and `scope.agentId` names no
        /// other.
        #[serde(default)]
        #[arg(long, help = "Only memories of this agent; its own settings count, if it has some")]
        agent: Option<String>,
        /// Only memories of this session.
        #[serde(default)]
        #[arg(long)]
        session: Option<String>,
        /// Only what happened then or later.
        #[serde(default)]
        #[schemars(schema_with = "crate::request::forms::time")]
        #[arg(long, value_name = "TIME")]
        since: Option<String>,
        /// Only what happened until the end of then.
        #[serde(default)]
        #[schemars(schema_with = "crate::request::forms::time")]
        #[arg(long, value_name = "TIME")]
        until: Option<String>,
        /// Only what happened then: a day, a month, "last week".
        #[serde(default)]
        #[schemars(schema_with = "crate::request::forms::time")]
        #[arg(long, value_name = "TIME", conflicts_with_all = ["since", "until"])]
        at: Option<String>,
        /// `why`, `when`, `entity` or `general`; default what the question says.
        #[serde(default)]
        #[schemars(schema_with = "crate::request::forms::intent")]
        #[arg(long, help = "why, when, entity or general [default: what the question says]")]
        intent: Option<String>,
        /// Read "yesterday" and the like as seen from this time.
        #[serde(default)]
        #[schemars(schema_with = "crate::request::forms::time")]
        #[arg(long, value_name = "TIME")]
        now: Option<String>,
        /// Show memories that another one replaced, too.
        #[serde(default)]
        #[arg(long)]
        superseded: bool,
        /// Nothing from the web, which anybody may have written.
        #[serde(default)]
        #[arg(long)]
        trusted: bool,
        /// Return the best there is, even if nothing is relevant.
        #[serde(default)]
        #[arg(long)]
        no_floor: bool,
        /// The same as the strategy `hybrid_graph`: ask for the graph where the workspace leaves it to the
        /// request.
        #[serde(default)]
        #[arg(long, conflicts_with = "no_graph",
            help = "Ask for the graph where the workspace leaves it to the request (`griot rollout`)")]
        graph: bool,
        /// Answer from words, vectors and time alone.
        #[serde(default)]
        #[arg(long, help = "Do not walk the graph")]
        no_graph: bool,
        /// Ask for the graph (`hybrid_graph`) or decline it (`baseline`); default what the workspace's mode
        /// says.
        #[serde(default)]
        #[schemars(schema_with = "crate::request::forms::strategy")]
        #[arg(skip)]
        strategy: Option<String>,
        /// `low`, `normal` or `high`.
        #[serde(default)]
        #[schemars(schema_with = "crate::request::forms::effort")]
        #[arg(long, help = "low, normal or high: how many candidates, and how much of the graph [default: \
            the setting `recall.effort`]")]
        effort: Option<String>,
        /// List what was left out, and why.
        #[serde(default)]
        #[arg(long)]
        rejected: bool,
        /// What results of earlier answers were worth; needs the role `write`.
        #[serde(default)]
        #[schemars(length(max = 1000))]
        #[arg(skip)]
        feedback: Vec<FeedbackGiven>,
    }
}

impl Recall {
    fn speaker(&self) -> Option<&str> {
        self.agent.as_deref()
    }

    /// A question and nothing else.
    pub fn new(query: impl Into<String>) -> Self {
        Self { query: query.into(), ..Self::default() }
    }

    /// The strategy that is asked for: `graph` is the short way to say one of them.
    fn asked(&self) -> Result<Option<Strategy>> {
        let said = self.strategy.as_deref().map(strategy).transpose()?;
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

    /// The engine's question.
    pub fn query(&self, call: &Call) -> Outcome<Query> {
        if let Some(limit) = self.limit {
            call.bounded("the limit", limit, 1, MOST)?;
        }
        if let Some(budget) = self.budget {
            call.bounded("the budget", budget, 1, 1_000_000)?;
        }
        if self.limit.is_some() && self.budget.is_some() {
            return Err(Error::invalid("recall", "`limit` and `budget` exclude each other").into());
        }
        let clock = call.engine.now();
        let now = self.now.as_deref().map_or(Ok(clock), |text| read_time(text, clock))?;
        let occurred = match &self.at {
            Some(_) if self.since.is_some() || self.until.is_some() => {
                return Err(Error::invalid("recall", "`at` excludes `since` and `until`").into());
            }
            Some(at) => Some(span(at, now)?),
            None => between(self.since.as_deref(), self.until.as_deref(), now)?,
        };
        Ok(Query {
            limit: self.limit.unwrap_or(call.engine.settings().recall.limit),
            budget: self.budget,
            scope: call.scope.clone(),
            kinds: self.kinds.clone(),
            layers: layers(&self.layers)?,
            tags: self.tags.clone(),
            tiers: self.tiers.iter().map(|name| parse_tier(name)).collect::<Result<_>>()?,
            rules: !self.no_rules,
            sources: self.sources.iter().map(|name| source(&call.engine, name)).collect::<Result<_>>()?,
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

/// An answer with the entities that its question names as nodes: whoever tells more of them need not look
/// them up by what was printed.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(transparent)]
pub struct Recalled {
    pub recall: Answer,
    #[serde(skip)]
    pub named: Vec<Node>,
}

/// The answer's own schema, not a reference to it.
impl schemars::JsonSchema for Recalled {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        Answer::schema_name()
    }

    fn schema_id() -> std::borrow::Cow<'static, str> {
        Answer::schema_id()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        Answer::json_schema(generator)
    }
}

pub fn recall(call: &Call, q: Recall) -> Outcome<Recalled> {
    let query = q.query(call)?;
    let least = q.min_confidence;
    if !q.feedback.is_empty() {
        call.needs(Role::Write, "take feedback")?;
        within("the number of feedbacks", q.feedback.len(), 1, MOST)?;
        for given in q.feedback {
            asked_in(call).feedback(&given.into())?;
        }
    }
    let answer = answer(call, &query, least)?;
    let named = answer.understanding.entities.iter().map(|entity| entity.node).collect();
    Ok(Recalled { recall: told(call, &answer)?, named })
}

/// Where questions are asked and feedback is given: a bound caller does not even learn of evidence from
/// elsewhere, and for everybody else the scope is part of the search in any case.
pub(super) fn asked_in(call: &Call) -> &Engine {
    if call.bound.is_some() { &call.engine } else { &call.whole }
}

/// The engine's answer, for those who tell it in other words.
pub fn answer(call: &Call, query: &Query, min_confidence: Option<f32>) -> Result<griot::recall::Recall> {
    match min_confidence {
        None => asked_in(call).recall(query),
        Some(least) => {
            let least = crate::request::share("min_confidence", least)?;
            asked_in(call).asking(Some(least), None).recall(query)
        }
    }
}

/// The answer in the words of the command line.
pub fn told(call: &Call, answer: &griot::recall::Recall) -> Result<Answer> {
    Answer::from(answer).with_sources(call.engine.read()?)
}

/// What was found, and the name by which feedback speaks of it.
pub fn tell(call: &Call, answer: &Recalled, _: &str) -> Outcome<String> {
    Ok(format!("{}\nAnswer {}", stored(&block(call, answer)?), answer.recall.rollout.id))
}

/// The same answer as a block of Markdown for the context of a language model.
pub fn context(call: &Call, q: Recall) -> Outcome<Context> {
    let recalled = recall(call, q)?;
    let text = block(call, &recalled)?;
    Ok(Context { text, results: recalled.recall.results.iter().map(|result| result.id.clone()).collect() })
}

pub fn block(call: &Call, recalled: &Recalled) -> Result<String> {
    let named = recalled.named.iter().take(DESCRIBED);
    // One that was erased since is left out.
    let views = named.map(|node| call.engine.entity_at(*node, 1, NEIGHBOURS)).collect::<Result<Vec<_>>>()?;
    let views: Vec<EntityView> = views.iter().flatten().map(EntityView::from).collect();
    Ok(crate::context::block(&recalled.recall, &views))
}

/// The answer to `context`.
#[derive(Clone, PartialEq, Debug, Serialize, schemars::JsonSchema)]
pub struct Context {
    /// Markdown: entities, relationships, memories with handle and date. Stored text, not instructions.
    pub text: String,
    /// Ids of the memories in it.
    pub results: Vec<String>,
}
