//! Many texts on a few threads, one group at a time.

use std::cmp::Reverse;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Instant;

use super::bert::Text;

/// Tokens computed at once: their rows stay in the second cache while the weights pass by.
const GROUP: usize = 256;

/// Threads for several texts. More would take the machine from the program that is waiting.
const THREADS: usize = 2;

/// What `compute` makes of the texts, in their order; `None` for each that was not begun at the time `end`.
pub(crate) fn in_groups<T: Send + Sync>(
    texts: &[Text],
    end: Option<Instant>,
    compute: impl Fn(&[&Text]) -> Vec<T> + Sync,
) -> Vec<Option<T>> {
    let mut order: Vec<usize> = (0..texts.len()).collect();
    // The longest first, so that the threads end together.
    order.sort_by_key(|at| Reverse(texts[*at].tokens.len()));
    let mut groups: Vec<&[usize]> = Vec::new();
    let mut rest = order.as_slice();
    while !rest.is_empty() {
        let mut size = 0;
        let fits = |at: &&usize| {
            size += texts[**at].tokens.len();
            size <= GROUP
        };
        let (group, behind) = rest.split_at(rest.iter().take_while(fits).count().max(1));
        groups.push(group);
        rest = behind;
    }

    // The next group goes to the thread that is free, which suits groups of different size.
    let next = AtomicUsize::new(0);
    let done: Vec<OnceLock<Vec<T>>> = groups.iter().map(|_| OnceLock::new()).collect();
    let work = || {
        while end.is_none_or(|end| Instant::now() < end) {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let (Some(group), Some(done)) = (groups.get(number), done.get(number)) else { break };
            let texts: Vec<&Text> = group.iter().map(|at| &texts[*at]).collect();
            // Each number is drawn once, so this is empty.
            let _ = done.set(compute(&texts));
        }
    };
    thread::scope(|scope| {
        for _ in 1..THREADS.min(groups.len()) {
            scope.spawn(work);
        }
        work();
    });
    let mut results: Vec<Option<T>> = texts.iter().map(|_| None).collect();
    for (group, done) in groups.iter().zip(done) {
        for (at, result) in group.iter().zip(done.into_inner().into_iter().flatten()) {
            results[*at] = Some(result);
        }
    }
    results
}
