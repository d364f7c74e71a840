//! What is an answer worth in a world whose causes are known?

use std::collections::BTreeSet;

use serde::Deserialize;

use crate::causes::Causes;
use crate::world::Figures;

/// Results that are asked for, and counted.
pub const LIMIT: usize = 10;

/// Of the results.
pub const RESULTS: [&str; 10] = [
    "hit@1",
    "hit@5",
    "point@1",
    "point@5",
    "recall@5",
    "recall@10",
    "full@10",
    "decoy@1",
    "newest",
    "intent",
];

/// Of the chains in the answer, and of what the verb `why` traces.
pub const CHAINS: [&str; 8] =
    ["ordered", "path", "traced", "trace R", "workflow", "ahead", "turned@1", "turned"];

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Category {
    #[default]
    Why,
    Forward,
    When,
    Entity,
    General,
    Newest,
    Offtopic,
}

#[derive(Clone, PartialEq, Debug, Default, Deserialize)]
pub struct Query {
    pub id: String,
    #[serde(rename = "q")]
    pub text: String,
    pub category: Category,
    /// The intent of the question's form, in capitals.
    pub intent: String,
    /// Of WHY questions: plain, paraphrase, how/what.
    pub form: Option<String>,
    #[serde(default)]
    gold: Vec<String>,
    /// WHY: the effect (last) and all that is behind it; forward: the start (first) and all that follows.
    #[serde(default)]
    gold_chain: Vec<String>,
    /// What follows from the chain of a WHY question, and causes of a forward one: the wrong side.
    #[serde(default)]
    consequences: Vec<String>,
    #[serde(default)]
    antecedents: Vec<String>,
    #[serde(default)]
    stale: Vec<String>,
    #[serde(default)]
    decoys: Vec<String>,
    #[serde(default)]
    also_ok: Vec<String>,
}

/// What came back for a question.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Answer<'a> {
    pub shown: Vec<&'a str>,
    /// Causes first.
    pub chains: Vec<Vec<&'a str>>,
    /// What `why` finds on the side asked for, from the point of the question and from the first result.
    pub from_point: Vec<&'a str>,
    pub from_first: Vec<&'a str>,
    pub intent: &'a str,
}

impl Query {
    /// It is about causes or consequences, and has a chain as its answer.
    pub fn is_causal(&self) -> bool {
        matches!(self.category, Category::Why | Category::Forward)
    }

    pub fn gold(&self) -> &[String] {
        if self.is_causal() { &self.gold_chain } else { &self.gold }
    }

    /// The effect that a WHY question is about, the start of a forward one.
    pub fn point(&self) -> Option<&str> {
        let point = match self.category {
            Category::Why => self.gold_chain.last(),
            Category::Forward => self.gold_chain.first(),
            _ => None,
        };
        point.map(String::as_str)
    }

    pub fn named(&self) -> impl Iterator<Item = &String> {
        let [right, wrong] = [[&self.gold, &self.gold_chain], [&self.consequences, &self.antecedents]];
        let rest = [&self.stale, &self.decoys, &self.also_ok];
        right.into_iter().chain(wrong).chain(rest).flatten()
    }

    pub fn figures(&self, causes: &Causes, answer: &Answer<'_>) -> Figures {
        let mut figures = Figures::default();
        let shown = &answer.shown;
        if self.category == Category::Offtopic {
            figures.say("silent", shown.is_empty());
            return figures;
        }
        let gold: BTreeSet<&str> = self.gold().iter().map(String::as_str).collect();
        let found = |most: usize| shown.iter().take(most).filter(|id| gold.contains(*id)).count();
        let first_in = |ids: &[String]| shown.first().is_some_and(|first| ids.iter().any(|id| id == first));
        let evidence = gold.len().max(1) as f64;
        figures.say("hit@1", found(1) > 0);
        figures.say("hit@5", found(5) > 0);
        figures.set("recall@5", found(5) as f64 / evidence);
        figures.set("recall@10", found(LIMIT) as f64 / evidence);
        figures.say("full@10", found(LIMIT) == gold.len());
        figures.say("decoy@1", first_in(&self.decoys));
        figures.say("intent", self.intent.eq_ignore_ascii_case(answer.intent));
        if self.category == Category::Newest {
            let first = |ids: &[String]| shown.iter().position(|id| ids.iter().any(|other| other == id));
            let (new, old) = (first(&self.gold), first(&self.stale));
            figures.say("newest", new.is_some_and(|new| old.is_none_or(|old| new < old)));
        }
        if let Some(point) = self.point() {
            Around::new(self, causes, &gold, point).figures(answer, &mut figures);
        }
        figures
    }
}

/// The part of a world that a causal question is about.
struct Around<'a> {
    causes: &'a Causes,
    gold: &'a BTreeSet<&'a str>,
    point: &'a str,
    is_why: bool,
    /// Memories of the wrong side.
    wrong: BTreeSet<&'a str>,
}

impl<'a> Around<'a> {
    fn new(query: &'a Query, causes: &'a Causes, gold: &'a BTreeSet<&'a str>, point: &'a str) -> Self {
        let is_why = query.category == Category::Why;
        let wrong = if is_why { &query.consequences } else { &query.antecedents };
        let wrong = wrong.iter().filter(|id| !query.also_ok.contains(id)).map(String::as_str).collect();
        Self { causes, gold, point, is_why, wrong }
    }

    fn figures(&self, answer: &Answer<'_>, figures: &mut Figures) {
        let shown = &answer.shown;
        let first = |wanted: &dyn Fn(&str) -> bool| shown.iter().position(|id| wanted(id));
        let point = first(&|id| id == self.point);
        figures.say("point@1", point == Some(0));
        figures.say("point@5", point.is_some_and(|rank| rank < 5));
        let is_wrong = |id: &str| self.wrong.contains(id);
        figures.say("turned@1", shown.first().is_some_and(|id| is_wrong(id)));
        // One step from the point: its causes, or what it caused.
        let is_near = |id: &str| {
            let [cause, effect] = if self.is_why { [id, self.point] } else { [self.point, id] };
            self.gold.contains(id) && self.causes.has(cause, effect)
        };
        let near = first(&is_near).unwrap_or(usize::MAX);
        let is_ahead = first(&is_wrong).is_some_and(|wrong| wrong < near);
        figures.say("ahead", self.gold.iter().any(|id| is_near(id)) && is_ahead);
        let others = || self.gold.iter().filter(|id| **id != self.point);
        let traced = others().filter(|id| answer.from_point.contains(id)).count();
        figures.say("traced", traced == others().count());
        figures.set("trace R", traced as f64 / others().count().max(1) as f64);
        let reached = |id: &&str| answer.from_first.contains(id) || shown.first() == Some(id);
        figures.say("workflow", !shown.is_empty() && self.gold.iter().all(reached));
        let is_traced_wrong = answer.from_point.iter().any(|id| is_wrong(id));
        let chains = &answer.chains;
        figures.say("turned", is_traced_wrong || chains.iter().any(|chain| self.turns(chain)));
        let is_in_chains = |id: &&str| chains.iter().any(|chain| chain.contains(id));
        let disordered = chains.iter().any(|chain| self.is_disordered(chain));
        figures.say("ordered", self.gold.iter().all(is_in_chains) && !disordered);
        let longest = self.longest(&self.causes.in_order(&self.gold.iter().copied().collect::<Vec<_>>()));
        figures.say("path", chains.iter().any(|chain| self.longest(chain) >= longest));
    }

    /// Memories on the longest path of gold between the point and the far end, taken along `chain`.
    fn longest(&self, chain: &[&str]) -> usize {
        let chain: Vec<&str> = chain.iter().copied().filter(|id| self.gold.contains(id)).collect();
        if self.is_why {
            self.causes.longest_to(self.point, &chain)
        } else {
            self.causes.longest_from(self.point, &chain)
        }
    }

    /// Two of gold are in the wrong order.
    fn is_disordered(&self, chain: &[&str]) -> bool {
        let of_gold = |id: &str| self.gold.contains(id);
        pairs(chain).any(|(earlier, later)| {
            of_gold(earlier) && of_gold(later) && self.causes.before(earlier).contains(later)
        })
    }

    /// A consequence is before gold, or a cause of the start is after it.
    fn turns(&self, chain: &[&str]) -> bool {
        pairs(chain).any(|(earlier, later)| {
            let [wrong, right] = if self.is_why { [earlier, later] } else { [later, earlier] };
            self.wrong.contains(wrong) && self.gold.contains(right)
        })
    }
}

/// Each member with each one after it.
fn pairs<'a>(chain: &'a [&'a str]) -> impl Iterator<Item = (&'a str, &'a str)> {
    (0..chain.len()).flat_map(move |at| chain[at + 1..].iter().map(move |later| (chain[at], *later)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::causes::tests::causes;

    fn words(text: &str) -> Vec<String> {
        text.split_whitespace().map(str::to_owned).collect()
    }

    fn ids(text: &str) -> Vec<&str> {
        text.split_whitespace().collect()
    }

    /// `a` and `b` lead to `c`, that to `d` and `e`; `x` has nothing to do with them.
    const WORLD: &str = "a>b b>c s>c c>d d>e";

    fn why() -> Query {
        Query {
            category: Category::Why,
            intent: "WHY".into(),
            gold_chain: words("a b s c"),
            consequences: words("d e"),
            decoys: words("x"),
            ..Query::default()
        }
    }

    fn forward() -> Query {
        Query {
            category: Category::Forward,
            intent: "WHY".into(),
            gold_chain: words("b c d e"),
            antecedents: words("a"),
            ..Query::default()
        }
    }

    /// Figures by name, those of 0 left out.
    fn figures(query: &Query, answer: &Answer<'_>) -> String {
        let figures = query.figures(&causes(WORLD), answer);
        let names = RESULTS.iter().chain(&CHAINS).chain(&["silent"]);
        let shown =
            names.filter_map(|name| figures.get(name).filter(|value| *value > 0.0).map(|v| (name, v)));
        shown.map(|(name, value)| format!("{name} {value:.2}")).collect::<Vec<_>>().join(", ")
    }

    #[test]
    fn a_whole_chain_in_order_has_every_figure_and_nothing_turned() {
        let answer = Answer {
            shown: ids("c b a s"),
            chains: vec![ids("a b c"), ids("s c")],
            from_point: ids("b s a"),
            from_first: ids("b s a"),
            intent: "why",
        };
        assert_eq!(
            figures(&why(), &answer),
            "hit@1 1.00, hit@5 1.00, point@1 1.00, point@5 1.00, recall@5 1.00, recall@10 1.00, \
             full@10 1.00, intent 1.00, ordered 1.00, path 1.00, traced 1.00, trace R 1.00, workflow 1.00"
        );
    }

    #[test]
    fn a_consequence_as_a_cause_is_turned() {
        let answer = Answer { shown: ids("d x c s"), chains: vec![ids("d s c")], ..Answer::default() };
        assert_eq!(
            figures(&why(), &answer),
            "hit@5 1.00, point@5 1.00, recall@5 0.50, recall@10 0.50, ahead 1.00, turned@1 1.00, turned 1.00"
        );
        let traced = Answer { shown: ids("x"), from_point: ids("e a"), ..Answer::default() };
        assert_eq!(figures(&why(), &traced), "decoy@1 1.00, trace R 0.33, turned 1.00");
        let ok = Query { also_ok: words("e"), ..why() };
        assert_eq!(figures(&ok, &traced), "decoy@1 1.00, trace R 0.33");
        // After the effect a consequence is where it belongs.
        let after = Answer { chains: vec![ids("a b c d"), ids("s c")], ..Answer::default() };
        assert_eq!(figures(&why(), &after), "ordered 1.00, path 1.00");
    }

    #[test]
    fn order_and_path_are_of_single_chains() {
        let apart = Answer { chains: vec![ids("a b"), ids("b s c")], ..Answer::default() };
        assert_eq!(figures(&why(), &apart), "ordered 1.00");
        let wrong = Answer { chains: vec![ids("b a c"), ids("s c")], ..Answer::default() };
        assert_eq!(figures(&why(), &wrong), "");
        // The shorter of two ways to the effect is not the path.
        let short = Answer { chains: vec![ids("s c")], ..Answer::default() };
        assert_eq!(figures(&why(), &short), "");
    }

    #[test]
    fn forward_turns_the_sides() {
        let answer = Answer {
            shown: ids("a d b"),
            chains: vec![ids("b c d e")],
            from_point: ids("c d e"),
            from_first: ids("b c d e"),
            intent: "why",
        };
        // The first step, c, is not shown, the cause a is.
        assert_eq!(
            figures(&forward(), &answer),
            "hit@5 1.00, point@5 1.00, recall@5 0.50, recall@10 0.50, intent 1.00, ordered 1.00, \
             path 1.00, traced 1.00, trace R 1.00, workflow 1.00, ahead 1.00, turned@1 1.00"
        );
        let turned = Answer { chains: vec![ids("b a")], ..Answer::default() };
        assert_eq!(figures(&forward(), &turned), "turned 1.00");
    }

    #[test]
    fn other_questions_have_a_plain_answer_or_none() {
        let newest = Query {
            category: Category::Newest,
            intent: "WHEN".into(),
            gold: words("d"),
            stale: words("b"),
            ..Query::default()
        };
        let answer = |shown| Answer { shown: ids(shown), intent: "entity", ..Answer::default() };
        let found = "hit@5 1.00, recall@5 1.00, recall@10 1.00, full@10 1.00";
        assert_eq!(figures(&newest, &answer("x d b")), format!("{found}, newest 1.00"));
        assert_eq!(figures(&newest, &answer("b d")), found);
        assert_eq!(figures(&newest, &answer("b")), "");
        let nothing = Query { category: Category::Offtopic, ..Query::default() };
        assert_eq!(figures(&nothing, &answer("")), "silent 1.00");
        assert_eq!(figures(&nothing, &answer("x")), "");
    }
}
