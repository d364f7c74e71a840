//! The memories that a new one is similar enough to for a semantic edge.

use super::RememberSettings;
use super::prepare::Prepared;
use crate::backend::Read;
use crate::embed;
use crate::model::{Node, Result, Scope, StoredVector, most_differing_signs};

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Neighbour {
    /// A memory of the store.
    Stored(Node),
    /// A draft by its position.
    InBatch(usize),
}

/// The memories nearest to each draft that get a semantic edge, including earlier drafts of the batch.
///
/// One search serves the whole batch with all its scopes, so that the vectors are read once.
pub fn neighbours(
    read: &dyn Read,
    drafts: &[&Prepared],
    settings: &RememberSettings,
) -> Result<Vec<Vec<(Neighbour, f32)>>> {
    let (least, most) = (settings.semantic_link, settings.max_semantic_edges);
    let mut found: Vec<Vec<(Neighbour, f32)>> = vec![Vec::new(); drafts.len()];
    let (positions, asked): (Vec<usize>, Vec<(&StoredVector, &Scope)>) = drafts
        .iter()
        .enumerate()
        .filter_map(|(position, draft)| Some((position, (&draft.vector.as_ref()?.1, &draft.draft.scope))))
        .unzip();
    for (position, nearest) in positions.iter().zip(read.search_alike(&asked, least, most)?) {
        found[*position].extend(nearest.into_iter().map(|(node, cosine)| (Neighbour::Stored(node), cosine)));
    }
    // The number of pairs grows with the square of the batch; the signs reject nearly all of them.
    let signs: Vec<Vec<u64>> = asked.iter().map(|(vector, _)| crate::model::signs(&vector.values)).collect();
    for (at, (vector, scope)) in asked.iter().enumerate() {
        let most_differing = most_differing_signs(least, vector.values.len());
        for (earlier, ((other, other_scope), other_signs)) in
            positions.iter().zip(asked[..at].iter().zip(&signs))
        {
            let differing: u32 = signs[at].iter().zip(other_signs).map(|(a, b)| (a ^ b).count_ones()).sum();
            if differing > most_differing {
                continue;
            }
            let cosine = embed::cosine(vector, other);
            if cosine >= least && scope.may_know(other_scope) {
                found[positions[at]].push((Neighbour::InBatch(*earlier), cosine));
            }
        }
    }
    for nearest in &mut found {
        nearest.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        nearest.truncate(most);
    }
    Ok(found)
}
