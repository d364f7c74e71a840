//! What the caller is asked to judge after a memory was stored: similar memories, possible causes, and how it differs from
//! what was known. All of it is a suggestion.

use std::collections::BTreeMap;

use crate::backend::{Direction, Filter, NeighbourQuery, Read};
use crate::model::{CATALOGUE, EdgeKind, Memory, Node, Result, Scope};
use crate::text;

use super::cause::{Clue, guess};
use super::prepare::Prepared;
use super::{CausalCandidate, Diff, DiffSuggestion, RememberSettings, SemanticCandidate};

/// A memory beside the new one.
pub struct Likeness {
    pub memory: Memory,
    pub cosine: Option<f32>,
    /// Share of common words, 0..1.
    pub overlap: f32,
}

/// The stored memories most like the draft, best first, by cosine where there are vectors and by words where not.
pub fn likenesses(
    read: &dyn Read,
    prepared: &Prepared,
    except: Option<Node>,
    settings: &RememberSettings,
) -> Result<Vec<Likeness>> {
    let filter = within(&prepared.draft.scope);
    // One more than is shown, because the memory itself is among the nearest.
    let limit = settings.max_semantic_candidates + settings.max_semantic_edges + 1;
    let nearest: Vec<(Node, Option<f32>)> = match &prepared.vector {
        Some((vector, _)) => read
            .search_vectors(vector, &filter, limit)?
            .into_iter()
            .map(|(node, cosine)| (node, Some(cosine)))
            .collect(),
        None => {
            let terms = text::query_terms(&prepared.draft.text).into_iter().filter(|t| !t.stop).map(|t| t.text);
            let query = crate::backend::WordQuery { terms: terms.collect(), limit };
            read.search_words(&query, &filter)?.memories.into_iter().map(|hit| (hit.node, None)).collect()
        }
    };
    let nearest: Vec<_> = nearest.into_iter().filter(|(node, _)| Some(*node) != except).collect();
    let memories = read.memories(&nearest.iter().map(|(node, _)| *node).collect::<Vec<_>>())?;
    let mut found = Vec::with_capacity(memories.len());
    for memory in memories {
        let cosine = nearest.iter().find(|(node, _)| *node == memory.node).and_then(|(_, cosine)| *cosine);
        let overlap = text::overlap(&prepared.words, &text::token_set(&memory.text));
        found.push(Likeness { memory, cosine, overlap });
    }
    Ok(found)
}

/// Least share of common words for a candidate where there are no vectors (Mnemon: 0.10 is noise).
const WORDS_FALLBACK: f32 = 0.10;

pub fn semantic(likenesses: &[Likeness], linked: &[Node], settings: &RememberSettings) -> Vec<SemanticCandidate> {
    let mut candidates = Vec::new();
    let mut reviewed = 0;
    for likeness in likenesses {
        let auto_linked = linked.contains(&likeness.memory.node);
        let similarity = likeness.cosine.unwrap_or(likeness.overlap);
        let least = if likeness.cosine.is_some() { settings.semantic_review } else { WORDS_FALLBACK };
        if !auto_linked && (similarity < least || reviewed == settings.max_semantic_candidates) {
            continue;
        }
        reviewed += usize::from(!auto_linked);
        let measure = if likeness.cosine.is_some() { "cosine" } else { "common words" };
        candidates.push(SemanticCandidate {
            id: likeness.memory.id,
            handle: likeness.memory.handle.clone(),
            text: likeness.memory.text.clone(),
            kind: likeness.memory.kind.clone(),
            similarity,
            auto_linked,
            reason: format!("{measure} {similarity:.2}"),
        });
    }
    candidates
}

/// How the draft differs from the most similar memory. Seed 004's system replaced what it took for an update and destroyed
/// unrelated memories by it; here it is only said.
pub fn diff(prepared: &Prepared, likenesses: &[Likeness]) -> Diff {
    let mut best: Option<(f32, &Likeness)> = None;
    for likeness in likenesses {
        // Cosine counts where it is high; below that it says "same subject", not "same statement".
        let similarity = match likeness.cosine {
            Some(cosine) if cosine >= 0.85 => cosine.max(likeness.overlap),
            _ => likeness.overlap,
        };
        if best.is_none_or(|(known, _)| similarity > known) {
            best = Some((similarity, likeness));
        }
    }
    let Some((similarity, likeness)) = best else {
        return Diff {
            suggestion: DiffSuggestion::Add,
            with: None,
            similarity: 0.0,
            reason: "nothing is like it".into(),
        };
    };
    let (new, old) = (&prepared.draft.text, &likeness.memory.text);
    let negated = text::negates(new) != text::negates(old);
    let numbers = text::numbers(new) != text::numbers(old);
    let (suggestion, reason) = if similarity < 0.5 {
        (DiffSuggestion::Add, "no memory says nearly the same".to_string())
    } else if negated && similarity >= 0.5 {
        (DiffSuggestion::Conflict, "one of the two negates or replaces what the other says".to_string())
    } else if similarity > 0.9 && !numbers {
        (DiffSuggestion::Duplicate, "says nearly the same".to_string())
    } else if numbers {
        (DiffSuggestion::Update, "says nearly the same with other numbers".to_string())
    } else {
        (DiffSuggestion::Update, "says much the same in other words".to_string())
    };
    let with = (suggestion != DiffSuggestion::Add).then(|| (likeness.memory.id, likeness.memory.handle.clone()));
    Diff { suggestion, with, similarity: similarity.min(1.0), reason }
}

/// Memories within two hops that may have led to the new one, or followed from it.
pub fn causal(
    read: &dyn Read,
    new: &Memory,
    prepared: &Prepared,
    settings: &RememberSettings,
) -> Result<Vec<CausalCandidate>> {
    /// Per node and kind; entities named everywhere connect nothing.
    const FAN_OUT: usize = 20;
    let fan_out = [FAN_OUT; CATALOGUE.len()];
    let filter = within(&new.scope);
    let ask = NeighbourQuery { direction: Direction::Both, fan_out: &fan_out, filter: &filter };
    let mut reached: BTreeMap<Node, (u8, EdgeKind)> = BTreeMap::new();
    let mut linked = Vec::new();
    let mut frontier = vec![new.node];
    for hop in 1..=2u8 {
        let mut next = Vec::new();
        for arcs in read.neighbours(&frontier, &ask)? {
            for arc in arcs {
                if hop == 1 && arc.kind == EdgeKind::Causal {
                    linked.push(arc.to);
                }
                if arc.to != new.node && !reached.contains_key(&arc.to) {
                    reached.insert(arc.to, (hop, arc.kind));
                    next.push(arc.to);
                }
            }
        }
        next.sort();
        frontier = next;
    }
    let nodes: Vec<Node> = reached.keys().copied().filter(|n| n.is_memory() && !linked.contains(n)).collect();
    let later = Clue { text: &new.text, words: &prepared.words, signals: &prepared.causes };
    let mut candidates: Vec<CausalCandidate> = Vec::new();
    for memory in read.memories(&nodes)? {
        let (hop, via) = reached[&memory.node];
        let words = text::token_set(&memory.text);
        let signals = text::cause_signals(&memory.text);
        let earlier = Clue { text: &memory.text, words: &words, signals: &signals };
        let overlap = text::overlap(&words, &prepared.words);
        let guessed = guess(&earlier, &later, settings.causal_overlap / 2.0);
        let (candidate_is_cause, sub_type, reason) = match guessed {
            Some(guess) => (guess.forward, guess.sub_type, guess.reason),
            None if overlap >= settings.causal_overlap => {
                let earlier_first = memory.occurred_at <= new.occurred_at;
                (earlier_first, text::sub_type_of(&new.text), "no cause word, but the same words".to_string())
            }
            None => continue,
        };
        candidates.push(CausalCandidate {
            id: memory.id,
            handle: memory.handle,
            text: memory.text,
            kind: memory.kind,
            hop,
            via: via.name(),
            signal: overlap,
            suggested_sub_type: sub_type,
            candidate_is_cause,
            reason,
        });
    }
    candidates.sort_by(|a, b| b.signal.total_cmp(&a.signal).then(a.hop.cmp(&b.hop)).then(a.id.cmp(&b.id)));
    candidates.truncate(settings.max_causal_candidates);
    Ok(candidates)
}

fn within(scope: &Scope) -> Filter {
    Filter { scope: scope.clone(), ..Filter::default() }
}
