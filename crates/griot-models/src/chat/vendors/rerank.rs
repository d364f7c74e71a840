//! Relevance of texts for a question. All four interfaces take a question with texts and give back positions
//! with numbers, each under names of its own.

use griot::engine::RerankProvider;
use serde_json::{Value, json};

use super::{MAX_REPLY, Request, bearer, strange, sum};
use crate::chat::Tokens;
use crate::chat::connection::Connection;
use crate::chat::failure::{FITTING, Failure, FailureKind};

pub(crate) fn rerank(
    connection: &Connection,
    provider: RerankProvider,
    question: &str,
    texts: &[String],
) -> Request {
    let model = &connection.model;
    let body = match provider {
        RerankProvider::Tei => {
            json!({"query": question, "texts": texts, "raw_scores": false, "truncate": true})
        }
        RerankProvider::Voyage => {
            json!({"model": model, "query": question, "documents": texts, "truncation": true})
        }
        RerankProvider::Jina => {
            json!({"model": model, "query": question, "documents": texts, "return_documents": false})
        }
        _ => json!({"model": model, "query": question, "documents": texts}),
    };
    let (url, headers) = (connection.at(&["rerank"]), bearer(connection));
    Request { url, headers, body, max_reply: MAX_REPLY }
}

/// What the provider counted; `None` where it does not say.
pub(crate) fn rerank_tokens(reply: &Value) -> Option<Tokens> {
    let of_cohere = || sum(reply.pointer("/meta/tokens")?, &["input_tokens"]);
    let input = reply.get("usage").and_then(|usage| sum(usage, &["total_tokens"])).or_else(of_cohere)?;
    Some(Tokens { input, output: 0, flex: false })
}

/// The relevance of each of so many texts, in their order.
pub(crate) fn relevance(provider: RerankProvider, reply: &Value, texts: usize) -> Result<Vec<f32>, Failure> {
    let (list, named, score) = match provider {
        RerankProvider::Tei => (Some(reply), "list of results", "score"),
        RerankProvider::Voyage => (reply.get("data"), "data", "relevance_score"),
        _ => (reply.get("results"), "results", "relevance_score"),
    };
    let list = list.and_then(Value::as_array).ok_or_else(|| strange(named))?;
    let wrong = |why: String| Failure::new(FailureKind::Unreadable, why).hint(FITTING);
    let mut found: Vec<Option<f32>> = vec![None; texts];
    for one in list {
        let at = one.get("index").and_then(Value::as_u64).ok_or_else(|| strange("index"))?;
        let of = one.get(score).and_then(Value::as_f64).ok_or_else(|| strange(score))?;
        let place = usize::try_from(at).ok().and_then(|at| found.get_mut(at));
        let place = place.ok_or_else(|| wrong(format!("it names text {at} of {texts}")))?;
        if place.replace(of as f32).is_some() {
            return Err(wrong(format!("it names text {at} twice")));
        }
    }
    let missing = found.iter().filter(|one| one.is_none_or(|of| !of.is_finite())).count();
    if missing > 0 {
        return Err(wrong(format!("it says nothing usable about {missing} of {texts} texts")));
    }
    Ok(found.into_iter().flatten().collect())
}
