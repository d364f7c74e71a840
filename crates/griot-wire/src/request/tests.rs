//! Requests as clients write them.

use super::*;
use crate::verbs::recall::Recall;
use crate::verbs::remember::{Remember, RememberBatch};

#[test]
fn a_remember_has_every_key_of_a_draft() {
    let request: Remember = serde_json::from_str(r#"{"text": "x"}"#).expect("a text is enough");
    let json = serde_json::to_value(request).expect("it serialises");
    for name in crate::draft::keys() {
        assert!(json.get(&name).is_some(), "{name}");
    }
}

#[test]
fn the_settings_are_those_of_who_asks_or_else_of_whom_is_spoken() {
    let agent =
        |json: &str| serde_json::from_str::<Recall>(json).expect("it is right").place().expect("it is").agent;
    assert_eq!(agent(r#"{"query": "x"}"#), None);
    assert_eq!(agent(r#"{"query": "x", "agent": "scout"}"#).as_deref(), Some("scout"));
    let both = r#"{"query": "x", "agent": "scout", "scope": {"agentId": "guide"}}"#;
    assert_eq!(agent(both).as_deref(), Some("guide"));
    let batch = r#"{"memories": [{"text": "x"}, {"text": "y", "agent": "scout"}]}"#;
    let batch: RememberBatch = serde_json::from_str(batch).expect("it is right");
    assert_eq!(batch.place().expect("it is").agent.as_deref(), Some("scout"));
}

#[test]
fn both_ways_to_name_a_scope_must_agree() {
    let place = |json: &str| serde_json::from_str::<Bare>(json).expect("it is right").place();
    let named =
        place(r#"{"user": "ada", "scope": {"tenantId": "acme", "userId": "ada", "projectId": "shop"}}"#);
    let expected = Place {
        workspace: Some("acme".into()),
        user: Some("ada".into()),
        project: Some("shop".into()),
        agent: None,
    };
    assert_eq!(named, Ok(expected));
    assert!(place(r#"{"user": "ada", "scope": {"userId": "ben"}}"#).is_err());
    assert!(place(r#"{"user": " "}"#).is_err());
    assert!(serde_json::from_str::<Bare>(r#"{"scope": {"tenant": "x"}}"#).is_err());
}
