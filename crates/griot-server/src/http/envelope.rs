//! The envelope of the memory SDK: `{ok, data, error, meta}` around answers and refusals under `/api/sdk/`.

use axum::Json;
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};

use crate::failure::{Failure, Kind};

/// Version of the SDK's contract that the envelope follows.
const CONTRACT: &str = "2026-02-11";

/// An answer in the envelope; `data` is JSON already.
pub fn envelope(endpoint: &str, data: &[u8], request_id: Option<&str>) -> Response {
    let data: Value = serde_json::from_slice(data).unwrap_or_default();
    Json(json!({"ok": true, "data": data, "error": Value::Null, "meta": meta(endpoint, request_id)}))
        .into_response()
}

fn meta(endpoint: &str, request_id: Option<&str>) -> Value {
    let now = jiff::Timestamp::now().strftime("%Y-%m-%dT%H:%M:%SZ").to_string();
    json!({"version": CONTRACT, "endpoint": endpoint, "requestId": request_id, "timestamp": now})
}

/// A refusal in the envelope.
pub fn refusal(endpoint: &str, failure: &Failure, request_id: &str) -> Value {
    let kind = match failure.kind {
        Kind::Engine(griot::model::ErrorKind::InvalidInput) => "validation_error",
        Kind::Engine(griot::model::ErrorKind::NotFound) | Kind::NoRoute => "not_found_error",
        Kind::Unauthenticated | Kind::Forbidden => "auth_error",
        Kind::RateLimited => "rate_limit_error",
        Kind::Engine(griot::model::ErrorKind::Conflict) => "conflict_error",
        _ => "internal_error",
    };
    let (code, details) = match &failure.sdk {
        Some(sdk) => (sdk.0.to_string(), sdk.1.clone()),
        None => (failure.kind.name().to_uppercase(), failure.body(request_id)),
    };
    json!({
        "ok": false,
        "data": Value::Null,
        "error": {
            "type": kind, "code": code, "message": failure.sentence(),
            "status": failure.kind.status(), "retryable": failure.kind.is_retryable(), "details": details,
        },
        "meta": meta(endpoint, Some(request_id)),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_may_have_the_code_that_clients_expect() {
        let refused = || {
            griot::model::Error::new(griot::model::ErrorKind::Conflict, "set the rollout", "the gate is shut")
        };
        let details = json!({"reasonCodes": ["GRAPH_ERROR_RATE_ABOVE_LIMIT"]});
        let sdk = Some(Box::new(("CANARY_ROLLOUT_BLOCKED", details.clone())));
        let body = refusal("/api/sdk/v1/graph/rollout", &Failure { sdk, ..refused().into() }, "r1");
        let error = &body["error"];
        assert_eq!((&error["code"], &error["details"]), (&json!("CANARY_ROLLOUT_BLOCKED"), &details));
        assert_eq!((&error["status"], &error["type"]), (&json!(409), &json!("conflict_error")));
        let body = refusal("/api/sdk/v1/graph/rollout", &refused().into(), "r1");
        assert_eq!(
            (&body["error"]["code"], &body["error"]["details"]["why"]),
            (&json!("CONFLICT"), &json!("the gate is shut"))
        );
    }
}
