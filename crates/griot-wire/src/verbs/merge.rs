//! Merges of entities: suggest, apply and undo.

use griot::engine::MergeRequest;
use griot::model::Provenance;

use crate::call::Call;
use crate::failure::Outcome;
use crate::request::Bare;
use crate::{MergeLog, Merged, Suggestion, Unmerged};

requests! {
    /// List merges and suggested merges.
    Merges by new {
        /// Include suggestions that were dismissed.
        all [default]: bool,
    }

    /// Merge two entities into one.
    Merge by new {
        /// The entity to keep.
        kept: String,
        /// The entity to merge into it.
        merged: String,
        /// Why.
        reason [default]: Option<String>,
    }

    /// A merge, by id.
    OneMerge by new {
        /// Id of a merge, such as `g12`.
        #[schemars(regex(pattern = r"^g[1-9][0-9]{0,8}$"))]
        name: String,
    }

    /// A suggested merge, by id.
    OneSuggestion by new {
        /// Id of a suggestion, such as `p12`.
        #[schemars(regex(pattern = r"^p[1-9][0-9]{0,8}$"))]
        name: String,
    }
}

pub fn merge(call: &Call, q: Merge) -> Outcome<Merged> {
    let request = MergeRequest { kept: q.kept, merged: q.merged, reason: q.reason, by: Provenance::User };
    Ok(Merged::from(&call.of_all("merge entities")?.merge(&request)?))
}

pub fn unmerge(call: &Call, q: OneMerge) -> Outcome<Unmerged> {
    Ok(Unmerged::from(&call.of_all("undo a merge")?.unmerge(&q.name)?))
}

pub fn merges(call: &Call, q: Merges) -> Outcome<MergeLog> {
    Ok(MergeLog::of(&call.of_all("list merges")?.merge_log(q.all)?, None))
}

pub fn suggest(call: &Call, _: Bare) -> Outcome<MergeLog> {
    suggested(call, false)
}

/// Compares all names. `auto` at once merges pairs that differ only in accents, punctuation, spaces and case.
pub fn suggested(call: &Call, auto: bool) -> Outcome<MergeLog> {
    let engine = call.of_all("suggest merges")?;
    let scan = engine.suggest_merges(auto)?;
    Ok(MergeLog::of(&engine.merges()?, Some(&scan)))
}

pub fn apply(call: &Call, q: OneSuggestion) -> Outcome<Merged> {
    Ok(Merged::from(&call.of_all("merge entities")?.apply_suggestion(&q.name)?))
}

pub fn dismiss(call: &Call, q: OneSuggestion) -> Outcome<Suggestion> {
    Ok(Suggestion::from(&call.of_all("dismiss a suggestion")?.dismiss_suggestion(&q.name)?))
}
