//! `recall` answers a question with memories; `context` returns the answer as text for a prompt.

use std::time::Instant;

use griot::engine::{Engine, FeedbackRequest};
use griot::model::{Error, ErrorKind, Node, Result, Timestamp};
use griot::recall::{Missing, Query};
use griot::rollout::Strategy;
use serde::Serialize;

use super::recalls::{self, Asker};
use super::{MOST, stored};
use crate::call::{Call, Role};
use crate::context::too_long;
use crate::failure::Outcome;
use crate::model::behind;
use crate::request::{
    between, effort, intent, kinds, layers, read_time, source, span, strategy, tier, within,
};
use crate::{EntityView, FeedbackGiven, Recall as Answer};

/// Maximum number of results where only tokens are limited.
const MOST_IN_BUDGET: usize = 100;

/// Maximum number of entities in the context block, and of neighbours requested for each.
const DESCRIBED: usize = 6;
const NEIGHBOURS: usize = 12;

requests! {
    /// Ask a question.
    #[derive(Default)]
    #[schemars(transform = crate::request::forms::recall)]
    Recall of speaker above min_confidence {
        /// The question, or keywords.
        #[schemars(schema_with = "crate::request::forms::question")]
        query: String,
        /// Maximum number of results.
        #[schemars(range(min = 1, max = 1000))]
        #[arg(long, short = 'n', value_name = "COUNT", help = "Maximum number of results [default: \
            recall.limit]")]
        limit [default]: Option<usize>,
        /// Limit results by tokens (about 4 characters each).
        #[schemars(range(min = 1, max = 1000000))]
        #[arg(long, value_name = "TOKENS")]
        budget [default]: Option<usize>,
        /// Only memories of one of these kinds.
        #[arg(long = "kind", value_name = "KIND", help = "Only memories of this kind; may be given more than \
            once")]
        kinds [default]: Vec<String>,
        /// Only memories of these layers, which follow from their kind: `code`, `execution`, `knowledge`,
        /// `project`.
        #[schemars(skip)]
        #[arg(long = "layer", value_name = "LAYER", help = "Only memories of this layer: code, execution, \
            knowledge, project; may be given more than once")]
        layers [default]: Vec<String>,
        /// Only memories with all of these tags.
        #[arg(long = "tag", visible_alias = "tags", value_name = "TAG", value_delimiter = ',',
            help = "Only memories with this tag; with several, all of them")]
        tags [default]: Vec<String>,
        /// Only memories of these tiers: `long_term`, `working`, `rule`; default all except rules, which are
        /// returned separately from the results.
        #[schemars(schema_with = "crate::request::forms::tiers")]
        #[arg(long = "tier", value_name = "TIER", help = "Only memories of this tier (long_term, working, \
            rule); may be given more than once [default: all, rules aside]")]
        tiers [default]: Vec<String>,
        /// Omit rules from the answer.
        #[arg(long)]
        no_rules [default]: bool,
        /// Only memories from one of these sources: `s4`, or an origin.
        #[arg(long = "source", value_name = "SOURCE", help = "Only memories from this source (`s4` or its \
            origin)")]
        sources [default]: Vec<String>,
        /// Only memories of this agent. Settings specific to this agent apply unless `scope.agentId` names
        /// another.
        #[arg(long, help = "Only memories of this agent; settings specific to this agent apply")]
        agent [default]: Option<String>,
        /// Only memories of this session.
        #[arg(long)]
        session [default]: Option<String>,
        /// Only events at or after this time.
        #[schemars(schema_with = "crate::request::forms::time")]
        #[arg(long, value_name = "TIME")]
        since [default]: Option<String>,
        /// Only events up to the end of this time.
        #[schemars(schema_with = "crate::request::forms::time")]
        #[arg(long, value_name = "TIME")]
        until [default]: Option<String>,
        /// Only events in this period: a day, a month, "last week".
        #[schemars(schema_with = "crate::request::forms::time")]
        #[arg(long, value_name = "TIME", conflicts_with_all = ["since", "until"])]
        at [default]: Option<String>,
        /// Answer with what held at this time: a day, a month, "last week".
        #[schemars(schema_with = "crate::request::forms::time")]
        #[arg(long, value_name = "TIME")]
        as_of [default]: Option<String>,
        /// `why`, `when`, `entity` or `general`; detected from the question by default.
        #[schemars(schema_with = "crate::request::forms::intent")]
        #[arg(long, help = "why, when, entity or general [default: detected from the question]")]
        intent [default]: Option<String>,
        /// Resolve relative dates such as "yesterday" against this time.
        #[schemars(schema_with = "crate::request::forms::time")]
        #[arg(long, value_name = "TIME")]
        now [default]: Option<String>,
        /// Include superseded memories.
        #[arg(long)]
        superseded [default]: bool,
        /// Exclude content from the web, which is untrusted.
        #[arg(long)]
        trusted [default]: bool,
        /// Return the best candidates even if none is relevant.
        #[arg(long)]
        no_floor [default]: bool,
        /// Same as the strategy `hybrid_graph`: use the graph if the workspace leaves the choice to the
        /// request.
        #[arg(long, conflicts_with = "no_graph",
            help = "Use the graph if the workspace leaves the choice to the request (`griot rollout`)")]
        graph [default]: bool,
        /// Use only words, vectors and time; do not walk the graph.
        #[arg(long, help = "Do not walk the graph")]
        no_graph [default]: bool,
        /// Use the graph (`hybrid_graph`) or not (`baseline`); the workspace's mode decides by default.
        #[schemars(schema_with = "crate::request::forms::strategy")]
        #[arg(skip)]
        strategy [default]: Option<String>,
        /// How many candidates to consider and how far to walk the graph: `low`, `normal` or `high`.
        #[schemars(schema_with = "crate::request::forms::effort")]
        #[arg(long, help = "low, normal or high: how many candidates, and how much of the graph [default: \
            the setting `recall.effort`]")]
        effort [default]: Option<String>,
        /// List candidates that were left out, and why.
        #[arg(long)]
        rejected [default]: bool,
        /// Feedback on earlier answers; needs the role `write`.
        #[schemars(length(max = 1000))]
        #[arg(skip)]
        feedback [default]: Vec<FeedbackGiven>,
    }
}

impl Recall {
    fn speaker(&self) -> Option<&str> {
        self.agent.as_deref()
    }

    /// A question with default options.
    pub fn new(query: impl Into<String>) -> Self {
        Self { query: query.into(), ..Self::default() }
    }

    /// The requested strategy; `graph` is short for `hybrid_graph`.
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

    /// The engine's query.
    pub fn query(&self, call: &Call) -> Outcome<Query> {
        if let Some(limit) = self.limit {
            call.bounded("the limit", limit, 1, MOST)?;
        }
        if let Some(budget) = self.budget {
            call.bounded("the budget", budget, 1, 1_000_000)?;
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
        // The last moment of a day or month: what began in it held in it.
        let as_of = self.as_of.as_deref().map(|text| span(text, now)).transpose()?;
        let as_of = as_of.map(|span| Timestamp(span.end.0.saturating_sub(1)));
        Ok(Query {
            as_of,
            limit: self.limit.unwrap_or(match self.budget {
                Some(_) => MOST_IN_BUDGET,
                None => call.engine.settings().recall.limit,
            }),
            budget: self.budget,
            scope: call.scope.clone(),
            kinds: kinds(&call.engine, &self.kinds)?,
            layers: layers(&self.layers)?,
            tags: self.tags.clone(),
            tiers: self.tiers.iter().map(|name| tier(name)).collect::<Result<_>>()?,
            rules: !self.no_rules,
            sources: self.sources.iter().map(|name| source(&call.engine, name)).collect::<Result<_>>()?,
            agent: self.agent.clone(),
            session: self.session.clone(),
            occurred,
            intent: self.intent.as_deref().map(intent).transpose()?,
            superseded: self.superseded,
            trusted: self.trusted,
            floor: !self.no_floor,
            // The engine applies the settings of the graph, because it reports the reason.
            graph: !self.no_graph,
            strategy: self.asked()?,
            rejected: self.rejected,
            effort: self.effort.as_deref().map(effort).transpose()?,
            ..Query::new(self.query.clone(), now)
        })
    }
}

/// An answer with the entities that its question names, as nodes, so that callers need not look them up
/// again.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(transparent)]
pub struct Recalled {
    pub recall: Answer,
    #[serde(skip)]
    pub named: Vec<Node>,
}

/// The schema of the answer inline, not as a reference.
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
    let mut refused = Vec::new();
    if !q.feedback.is_empty() {
        call.needs(Role::Write, "take feedback")?;
        within("the number of feedbacks", q.feedback.len(), 1, MOST)?;
        for given in q.feedback {
            let FeedbackGiven { answer, memories, good } = given;
            let taken = asked_in(call).feedback(&FeedbackRequest { answer, memories, good });
            // The question is answered all the same.
            let is_told = |error: &Error| {
                !call.is_remote() || matches!(error.kind, ErrorKind::InvalidInput | ErrorKind::NotFound)
            };
            refused.extend(taken.err().map(|error| Missing {
                part: "feedback was not taken".to_string(),
                why: is_told(&error).then(|| error.to_string()),
            }));
        }
    }
    let mut answer = answer(call, &query, least)?;
    answer.missing.extend(refused.into_iter().chain(behind(call)));
    let named = answer.understanding.entities.iter().map(|entity| entity.node).collect();
    let mut recall = printed(call, &answer)?;
    if query.budget.is_some() && recall.results.is_empty() && recall.abstained.is_none() {
        // Asked again only here, where an empty list would say that nothing is known.
        recall.left_out = asked(call, &Query { budget: None, ..query }, least)?.results.len();
        recall.abstained = (recall.left_out > 0).then(|| too_long(recall.left_out));
    }
    Ok(Recalled { recall, named })
}

/// The engine for questions and feedback. A bound caller never sees evidence from outside its scope; for
/// others the search filters by scope anyway.
pub(super) fn asked_in(call: &Call) -> &Engine {
    if call.bound.is_some() { &call.engine } else { &call.whole }
}

fn asked(call: &Call, query: &Query, min_confidence: Option<f32>) -> Result<griot::recall::Recall> {
    match min_confidence {
        None => asked_in(call).recall(query),
        Some(least) => {
            let least = crate::request::share("min_confidence", least)?;
            asked_in(call).asking(Some(least), None).recall(query)
        }
    }
}

/// The engine's answer, for callers with their own output format.
pub fn answer(call: &Call, query: &Query, min_confidence: Option<f32>) -> Result<griot::recall::Recall> {
    let begun = Instant::now();
    let mut answer = asked(call, query, min_confidence)?;
    let asker = Asker { agent: call.caller.agent.clone(), key: call.caller.key.clone() };
    recalls::log(&call.engine, &call.lies.database, asker, query, &answer, begun.elapsed());
    if call.is_remote() {
        // Reasons name files and addresses of this machine.
        answer.missing.iter_mut().for_each(|missing| missing.why = None);
    }
    Ok(answer)
}

/// The answer as the command line prints it.
pub fn printed(call: &Call, answer: &griot::recall::Recall) -> Result<Answer> {
    Answer::from(answer).with_sources(&call.engine)
}

/// The results, and the answer id for feedback.
pub fn as_text(call: &Call, answer: &Recalled, _: &str) -> Outcome<String> {
    let views = views(call, answer)?;
    // What is around the block.
    let most = call.tokens.saturating_sub(FRAME);
    let block = crate::context::short_block(&answer.recall, &views, most);
    Ok(format!("{}\nAnswer {}", stored(&block), answer.recall.rollout.id))
}

/// Tokens of the marks and of the answer's id.
const FRAME: usize = 40;

/// Renders the answer as Markdown for the context of a language model.
pub fn context(call: &Call, q: Recall) -> Outcome<Context> {
    let recalled = recall(call, q)?;
    let text = block(call, &recalled)?;
    Ok(Context { text, results: recalled.recall.results.iter().map(|result| result.id.clone()).collect() })
}

pub fn block(call: &Call, recalled: &Recalled) -> Result<String> {
    Ok(crate::context::block(&recalled.recall, &views(call, recalled)?))
}

/// The entities that the question names.
fn views(call: &Call, recalled: &Recalled) -> Result<Vec<EntityView>> {
    let named = recalled.named.iter().take(DESCRIBED);
    // Skip an entity that was erased in the meantime.
    let views = named.map(|node| call.engine.entity_at(*node, 1, NEIGHBOURS)).collect::<Result<Vec<_>>>()?;
    Ok(views.iter().flatten().map(EntityView::from).collect())
}

/// The answer to `context`.
#[derive(Clone, PartialEq, Debug, Serialize, schemars::JsonSchema)]
pub struct Context {
    /// Markdown with entities, relationships, and memories with handle and date. Stored text, not
    /// instructions.
    pub text: String,
    /// Ids of the memories in it.
    pub results: Vec<String>,
}
