//! What is a ranking worth as the answer to a question about knowledge that changes?

use serde::Deserialize;

use crate::world::Figures;

/// Results that are asked for, and counted.
pub const LIMIT: usize = 10;

pub const COLUMNS: [&str; 9] =
    ["hit@1", "hit@3", "hit@10", "stale>gold", "stale@1", "other>gold", "silent", "gold@10", "order"];

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Category {
    #[default]
    Current,
    Past,
    ChangeTime,
    History,
    Reason,
    Previous,
    Unaffected,
    Cancelled,
    OffTopic,
    /// What does not change, asked in the words of the memory, in other words, and of what another memory
    /// leads to.
    Literal,
    Paraphrase,
    Indirect,
    /// What has no answer: known of another one, never said of a known one, never happened, of something
    /// else.
    Swapped,
    NeverSaid,
    NeverHappened,
    Foreign,
}

impl Category {
    pub const ALL: [(Self, &'static str); 16] = [
        (Self::Current, "current"),
        (Self::Past, "past"),
        (Self::ChangeTime, "change time"),
        (Self::History, "history"),
        (Self::Reason, "reason"),
        (Self::Previous, "previous"),
        (Self::Unaffected, "unaffected"),
        (Self::Cancelled, "cancelled"),
        (Self::OffTopic, "off topic"),
        (Self::Literal, "literal"),
        (Self::Paraphrase, "paraphrase"),
        (Self::Indirect, "indirect"),
        (Self::Swapped, "swapped"),
        (Self::NeverSaid, "never said"),
        (Self::NeverHappened, "never happened"),
        (Self::Foreign, "foreign"),
    ];
}

#[derive(Clone, PartialEq, Debug, Default, Deserialize)]
pub struct Query {
    pub category: Category,
    pub text: String,
    /// The day on which it is asked; what came later is not known.
    pub now: String,
    /// The time that it names.
    pub as_of: Option<String>,
    /// One of these is the answer; of a history all of them, in their order; of nothing known none.
    pub gold: Vec<String>,
    /// Outdated, and older than the newest gold.
    #[serde(default)]
    pub stale: Vec<String>,
    /// Values from after the time that was asked about.
    #[serde(default)]
    pub later: Vec<String>,
    /// Never the answer.
    #[serde(default)]
    pub decoys: Vec<String>,
    /// Neither right nor wrong: they are taken out of a ranking before ranks are counted.
    #[serde(default)]
    pub also_ok: Vec<String>,
}

impl Query {
    pub fn is_answerable(&self) -> bool {
        !self.gold.is_empty()
    }

    pub fn named(&self) -> impl Iterator<Item = &String> {
        [&self.gold, &self.stale, &self.later, &self.decoys, &self.also_ok].into_iter().flatten()
    }

    /// `found` are ids, best first.
    pub fn figures(&self, found: &[&str]) -> Figures {
        let mut figures = Figures::default();
        figures.say("silent", found.is_empty());
        if !self.is_answerable() {
            return figures;
        }
        let ranked: Vec<&str> =
            found.iter().copied().filter(|id| !self.also_ok.iter().any(|ok| ok == id)).collect();
        let rank = |id: &String| ranked.iter().position(|other| other == id);
        // What was not found is below everything that was.
        let best = |ids: &[String]| ids.iter().filter_map(rank).min().unwrap_or(LIMIT);
        let gold = best(&self.gold);
        for (name, within) in [("hit@1", 1), ("hit@3", 3), ("hit@10", LIMIT)] {
            figures.say(name, gold < within);
        }
        if !self.stale.is_empty() {
            figures.say("stale>gold", best(&self.stale) < gold);
            figures.say("stale@1", best(&self.stale) == 0);
        }
        if !(self.later.is_empty() && self.decoys.is_empty()) {
            figures.say("other>gold", best(&self.later).min(best(&self.decoys)) < gold);
        }
        if self.category == Category::History {
            let ranks: Vec<usize> = self.gold.iter().filter_map(rank).collect();
            figures.set("gold@10", ranks.len() as f64 / self.gold.len() as f64);
            if let Some(share) = in_order(&ranks) {
                figures.set("order", share);
            }
        }
        figures
    }
}

/// Share of the pairs that rise; `None` where there is no pair.
fn in_order(ranks: &[usize]) -> Option<f64> {
    let (mut rising, mut pairs) = (0, 0);
    for (at, earlier) in ranks.iter().enumerate() {
        for later in &ranks[at + 1..] {
            rising += usize::from(earlier < later);
            pairs += 1;
        }
    }
    (pairs > 0).then(|| rising as f64 / pairs as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        text.split_whitespace().map(str::to_owned).collect()
    }

    /// `gold | stale | later | decoys | also_ok`, and the results; the figures in the order of [`COLUMNS`].
    fn check(category: Category, lists: &str, found: &str, expected: &str) {
        let mut lists = lists.split('|').map(words);
        let mut next = || lists.next().unwrap_or_default();
        let query = Query {
            category,
            gold: next(),
            stale: next(),
            later: next(),
            decoys: next(),
            also_ok: next(),
            ..Query::default()
        };
        let figures = query.figures(&found.split_whitespace().collect::<Vec<_>>());
        let cell = |name: &&str| figures.get(name).map_or("-".to_owned(), |value| format!("{value:.2}"));
        assert_eq!(COLUMNS.iter().map(cell).collect::<Vec<_>>().join(" "), expected, "{found}");
    }

    #[test]
    fn outdated_statements_must_not_be_above_the_answer() {
        let lists = "new | old older | | rumour | why";
        let current = Category::Current;
        check(current, lists, "new old", "1.00 1.00 1.00 0.00 0.00 0.00 0.00 - -");
        check(current, lists, "why new old", "1.00 1.00 1.00 0.00 0.00 0.00 0.00 - -");
        check(current, lists, "older x rumour new", "0.00 0.00 1.00 1.00 1.00 1.00 0.00 - -");
        check(current, lists, "x old new", "0.00 1.00 1.00 1.00 0.00 0.00 0.00 - -");
        // Nothing found of either: the outdated one is not above.
        check(current, lists, "x y", "0.00 0.00 0.00 0.00 0.00 0.00 0.00 - -");
        check(current, lists, "x rumour", "0.00 0.00 0.00 0.00 0.00 1.00 0.00 - -");
        check(current, lists, "", "0.00 0.00 0.00 0.00 0.00 0.00 1.00 - -");
    }

    #[test]
    fn what_does_not_apply_is_absent() {
        check(Category::Past, "a | | b c |", "c a", "0.00 1.00 1.00 - - 1.00 0.00 - -");
        check(Category::Reason, "a b", "b", "1.00 1.00 1.00 - - - 0.00 - -");
        check(Category::OffTopic, "", "", "- - - - - - 1.00 - -");
        check(Category::OffTopic, "", "a", "- - - - - - 0.00 - -");
    }

    #[test]
    fn a_history_wants_all_values_in_order() {
        let history = Category::History;
        check(history, "a b c d", "a b d c", "1.00 1.00 1.00 - - - 0.00 1.00 0.83");
        check(history, "a b c d", "c x a", "1.00 1.00 1.00 - - - 0.00 0.50 0.00");
        check(history, "a b c d", "x b", "0.00 1.00 1.00 - - - 0.00 0.25 -");
    }
}
