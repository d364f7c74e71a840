//! `answer`: a question answered by a language model from the memories that `recall` finds; `usage`: what
//! language models were asked and what it cost.

use griot::model::{Error, MemoryId, Timestamp, mark_of_memory};
use griot_models::{Failure, LanguageModel, Ledger, Question, Reply, Run};

use super::recall::{self, Recall};
use crate::answer::{
    Answered, Cited, Claim, FORM, ModelUse, Packed, Statement, TASK, Usage, UsageRow, UsageToday, UsageTotal,
    VERSION, checked, pack, read, schema, text_of,
};
use crate::call::Call;
use crate::failure::Outcome;
use crate::model::{failed, shown_to};
use crate::request::{usual, within};

requests! {
    /// Show what language models were asked and what it cost.
    UsageQuery {
        /// Number of days, today included.
        #[schemars(range(min = 1, max = 3660))]
        #[arg(long, value_name = "COUNT", default_value_t = 30, help = "Number of days, today included")]
        days [default = "usual::<30>"]: usize,
    }
}

/// What the ledger calls these requests.
const PURPOSE: &str = "answer";

/// Recalls, sends what may be sent, and checks the reply. Without a model this is an error; if the model
/// fails, the memories are the answer.
pub fn answer(call: &Call, q: Recall) -> Outcome<Answered> {
    let settings = &call.engine.settings().model;
    let model = LanguageModel::new(settings).map_err(|failure| Error::from(shown_to(call, failure)))?;
    let found = recall::recall(call, q)?.recall;
    let packed = pack(&found, settings);
    let run = Run::new(call.engine.now());
    let mut answered = Answered {
        query: found.query.clone(),
        text: None,
        statements: Vec::new(),
        supported: false,
        cited: Vec::new(),
        withheld: packed.withheld.clone(),
        abstained: None,
        truncated: false,
        failure: None,
        model: ModelUse {
            provider: model.provider().name().to_string(),
            name: model.name().to_string(),
            kept: false,
            calls: 0,
            input_tokens: 0,
            output_tokens: 0,
            cost: None,
        },
        recall: found,
    };
    if packed.memories.is_empty() {
        let why = match (answered.recall.results.is_empty(), answered.recall.abstained.as_deref()) {
            (true, Some(why)) => why,
            (true, None) => "no memory in the workspace matches",
            (false, _) => "nothing that was found may be sent to the model; `withheld` says why",
        };
        answered.abstained = Some(why.to_string());
        return Ok(answered);
    }
    match asked(call, &model, &packed, &run) {
        Ok(reply) => {
            let (statements, dropped) = checked(&reply.value, &packed.memories);
            if statements.is_empty() {
                answered.abstained = Some("the model found no answer in the memories".to_string());
            }
            answered.truncated = reply.truncated || dropped;
            answered.model.kept = reply.kept;
            answered.cited = cited(&statements, &answered.recall);
            answered.supported = !statements.is_empty() && statements.iter().all(|one| one.supported);
            answered.text = text_of(&statements);
            answered.statements = statements;
        }
        Err(failure) => {
            answered.failure = Some(failed(call, failure));
        }
    }
    let (used, spent) = (&mut answered.model, run.spent());
    (used.calls, used.input_tokens, used.output_tokens) = (spent.calls, spent.input, spent.output);
    used.cost = spent.cost.map(|cost| cost as f64 / 1_000_000.0);
    Ok(answered)
}

fn asked(
    call: &Call,
    model: &LanguageModel,
    packed: &Packed,
    run: &Run,
) -> Result<Reply<Vec<Claim>>, Failure> {
    let ledger = Ledger::for_database(&call.lies.database)?;
    let ids = packed.memories.iter().filter_map(|(_, id)| MemoryId::parse(id));
    let marks: Vec<_> = ids.map(mark_of_memory).collect();
    let schema = schema();
    let question = Question {
        purpose: PURPOSE,
        version: VERSION,
        task: TASK,
        content: &packed.content,
        form: FORM,
        schema: Some(&schema),
        can_wait: false,
        memories: &marks,
    };
    let still = || packed.memories.iter().all(|(_, id)| call.whole.owner_of(id).is_ok());
    model.ask(&ledger, run, &question, read, &still)
}

/// What the statements cite, once each.
fn cited(statements: &[Statement], found: &crate::Recall) -> Vec<Cited> {
    let mut cited: Vec<Cited> = Vec::new();
    for handle in statements.iter().flat_map(|one| &one.citations) {
        if cited.iter().any(|known| known.handle == *handle) {
            continue;
        }
        let result = found.results.iter().find(|result| result.handle == *handle).map(|result| Cited {
            handle: handle.clone(),
            id: result.id.clone(),
            occurred_at: result.occurred_at,
            cite: result.cite.clone(),
            trust: result.source.trust.clone(),
            flags: result.flags.clone(),
        });
        let rule = || {
            found.rules.iter().find(|rule| rule.handle == *handle).map(|rule| Cited {
                handle: handle.clone(),
                id: rule.id.clone(),
                occurred_at: rule.occurred_at,
                cite: None,
                trust: None,
                flags: rule.flags.clone(),
            })
        };
        cited.extend(result.or_else(rule));
    }
    cited
}

pub fn usage(call: &Call, q: UsageQuery) -> Outcome<Usage> {
    call.of_all("show the usage of language models")?;
    within("the number of days", q.days, 1, 3660)?;
    let now = call.engine.now();
    let since = Timestamp(now.0.saturating_sub((q.days as i64 - 1) * Timestamp::DAY));
    let rows = match Ledger::find(&call.lies.database)? {
        Some(ledger) => ledger.usage(since)?,
        None => Vec::new(),
    };
    let sum = |rows: &mut dyn Iterator<Item = &griot_models::Usage>| {
        rows.fold(UsageTotal::default(), |sum, row| UsageTotal {
            calls: sum.calls + row.calls,
            kept: sum.kept + row.kept,
            input_tokens: sum.input_tokens.saturating_add(row.input_tokens),
            output_tokens: sum.output_tokens.saturating_add(row.output_tokens),
            cost: match (sum.cost, row.cost) {
                (Some(a), Some(b)) => Some(a + b),
                (a, b) => a.or(b),
            },
        })
    };
    let today = sum(&mut rows.iter().filter(|row| row.day.date() == now.date()));
    let settings = &call.engine.settings().model;
    let left = |most: u64, used: u64| (most > 0).then(|| most.saturating_sub(used));
    let cost_left = (settings.day_cost - today.cost.unwrap_or(0.0)).max(0.0);
    Ok(Usage {
        total: sum(&mut rows.iter()),
        today: UsageToday {
            calls_left: left(settings.day_calls, today.calls),
            tokens_left: left(settings.day_tokens, today.input_tokens.saturating_add(today.output_tokens)),
            cost_left: (settings.day_cost > 0.0).then_some(cost_left),
        },
        rows: rows.iter().map(UsageRow::from).collect(),
    })
}
