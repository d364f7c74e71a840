//! Finds candidates and measures their signals.
//!
//! Four signals find candidates, each complete within the scope: words, vectors, names, times. The
//! neighbourhood of the best ones is added, because a memory is scored in context: its session or document
//! and its neighbours count. The number of candidates does not depend on the requested number of results, so
//! that the top 5 are the first 5 of the top 50 (invariant 4).

use std::collections::HashMap;

use foldhash::fast::FixedState;

use crate::backend::{Answers, Batch, CATALOGUE_SIZE, Like, Listing, Look, Place, Placement, WordHit};
use crate::embed::StaticEmbedder;
use crate::model::{EdgeKind, Interval, Memory, Node, Result};
use crate::text;

use super::signals::{SIGNALS, SignalName, Values};
use super::{Limits, Question, languages};

/// Best matches from which the walk starts and with which other candidates are compared.
pub const SEEDS: usize = 3;
/// Similarity of a match with itself: that of a paraphrase, so that it alone does not rank a match first.
const LIKE_ITSELF: f32 = 0.7;

/// The most that BM25 gives for a word with an IDF of 1: `k1 + 1`.
const MOST_FOR_A_WORD: f32 = 2.2;
/// Words of a memory that stands for itself; a shorter one is understood from its surroundings.
const STANDS_ALONE: f32 = 50.0;
/// Words of a question in a talk. A longer one may say as much as it asks.
const BRIEF: u32 = 12;
/// Best candidates whose texts are read, and how much their parts have to count for it.
const READ: usize = 60;
const LITTLE: f32 = 0.1;
/// Bytes of a text in which times are looked for.
const READ_FOR_TIMES: usize = 4096;
/// Words of a document that is about one thing.
const ONE_THING: f32 = 500.0;

/// How much the surroundings of a memory count: 1 for a short one, less for a long one.
fn short(placement: &Placement) -> f32 {
    (STANDS_ALONE / (placement.length.max(1)) as f32).min(1.0)
}

/// How much a document says of its passages: 1 for a short one and for a session, which is one talk; less for
/// a long one, which has most words somewhere.
fn about_one_thing(placement: &Placement) -> f32 {
    (ONE_THING / placement.document_length.max(1) as f32).min(1.0)
}

/// Weight of a seed relative to the others: `exp(4 · score / best)`.
pub fn sharpness(score: f32, best: f32) -> f32 {
    const SHARPNESS: f32 = 4.0;
    (SHARPNESS * score / best).exp()
}

/// The signal that first found a candidate.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Found {
    Match,
    Time,
    Place,
    Graph,
}

#[derive(Clone, Debug)]
pub struct Candidate {
    pub node: Node,
    pub found: Found,
    pub placement: Placement,
    pub values: Values,
    /// Cosine with the question as measured; `None` without a vector.
    pub cosine: Option<f32>,
    /// The place in the order; only differences within one question mean something.
    pub order: f32,
    /// The first score until the candidates are ordered, then the probability that it bears on the question.
    pub score: f32,
}

type Map<K, V> = HashMap<K, V, FixedState>;

/// All candidates of a question and the inputs needed to measure further ones.
#[derive(Default)]
pub struct Pool {
    pub candidates: Vec<Candidate>,
    position: Map<Node, usize>,
    hits: Map<Node, WordHit>,
    /// Attributes that the store returned for memories, whether candidates or not.
    known: Map<Node, Known>,
    places: Map<Place, f32>,
    /// Share of the question's names that a memory mentions.
    mentions: Map<Node, f32>,
    /// Bits of the question's words that name what a memory mentions, by whatever name.
    naming: Map<Node, u64>,
    best: Best,
    idf: Vec<f32>,
    idf_sum: f32,
    /// Bits of the words that no memory contains, and that name nothing.
    uncontained: u64,
    by_ordinal: Map<(Place, u32), usize>,
    place_cosine: Map<Place, f32>,
    /// Set once the candidates are ordered.
    matches: Option<Matches>,
}

/// Attributes of a memory that need no row.
#[derive(Default)]
struct Known {
    placement: Option<Placement>,
    cosine: Option<f32>,
    years: Vec<i16>,
}

/// The best matches, with which all candidates are compared.
struct Matches {
    /// Bits of the question's words that the best match contains.
    had: u64,
    /// The best matches with their weights.
    echoes: Vec<(Node, f32)>,
}

/// The best value of each measure, used for normalisation.
#[derive(Default)]
struct Best {
    body: f32,
    full: f32,
    header: f32,
    place: f32,
    cosine: f32,
}

impl Pool {
    /// Makes candidates of the first search's results and of the neighbourhood of the best.
    pub fn collect(question: &Question<'_>, mut found: Answers, limits: &Limits) -> Result<Self> {
        let mut hits = found.words.drain(..);
        let mut words = hits.next().unwrap_or_default();
        for (hits, translated) in hits.zip(&question.translations) {
            languages::merge(&mut words, hits, &translated.question.translates);
        }
        let nearest = nearest_of(std::mem::take(&mut found.vectors));
        let mut pool = Self {
            hits: words.memories.iter().map(|hit| (hit.node, *hit)).collect(),
            places: words.places.iter().copied().collect(),
            idf: words.idf,
            ..Self::default()
        };
        pool.weigh_terms();
        let mut nodes: Vec<(Node, Found)> = Vec::new();
        nodes.extend(words.memories.iter().map(|hit| (hit.node, Found::Match)));
        nodes.extend(nearest.iter().map(|(node, _)| (*node, Found::Match)));
        let mentioning = pool.mentioning(question, &found);
        nodes.extend(mentioning.into_iter().map(|node| (node, Found::Match)));
        nodes.extend(found.lists.concat().into_iter().map(|node| (node, Found::Time)));
        pool.learn(found);
        for (node, cosine) in &nearest {
            pool.known.entry(*node).or_default().cosine = Some(*cosine);
        }
        pool.admit(question, nodes)?;
        pool.measure_bests(&nearest);
        let around = pool.surroundings(question, &words.places, limits)?;
        pool.admit(question, around)?;
        pool.learn_places();
        pool.measure_from(question, 0);
        Ok(pool)
    }

    /// Stores the attributes in an answer, so that they are not requested again.
    pub fn learn(&mut self, answers: Answers) {
        let Answers { nodes, placements, years, alike, .. } = answers;
        let cosine_of = |at: usize| {
            let cosines = alike.iter().filter_map(|cosines| cosines.get(at).copied().flatten());
            cosines.max_by(f32::total_cmp)
        };
        let mut years = years.into_iter();
        for (at, (node, placement)) in nodes.into_iter().zip(placements).enumerate() {
            let cosine = cosine_of(at);
            let years = years.next().unwrap_or_default();
            self.known.entry(node).or_insert(Known { placement, cosine, years });
        }
    }

    /// Those of these nodes whose attributes are not known yet.
    pub fn unknown(&self, nodes: impl Iterator<Item = Node>) -> Vec<Node> {
        nodes.filter(|node| !self.known.contains_key(node)).collect()
    }

    /// A word that no memory contains would get the highest weight; for coverage it weighs as much as a word
    /// that occurs in one memory.
    fn weigh_terms(&mut self) {
        let rarest = self.idf.iter().copied().fold(1.0f32, f32::max);
        for (bit, idf) in (0u32..).zip(&mut self.idf) {
            if *idf <= 0.0 {
                *idf = rarest;
                self.uncontained |= 1u64.checked_shl(bit).unwrap_or(0);
            }
        }
        self.idf_sum = self.idf.iter().sum();
    }

    /// IDF-weighted share of the question's words that no memory contains, and that name nothing.
    pub fn unknown_share(&self) -> f32 {
        self.coverage(self.uncontained)
    }

    /// Memories that mention a name of the question; fills `mentions`.
    fn mentioning(&mut self, question: &Question<'_>, found: &Answers) -> Vec<Node> {
        let Some(arcs) = found.arcs.first() else { return Vec::new() };
        let named = &question.understood.entities;
        let rarity = |degree: u32| 1.0 / (1.0 + (f32::max(degree as f32, 1.0)).ln());
        let all: f32 =
            named.iter().zip(&found.degrees).map(|(e, &d)| e.trust * rarity(d)).sum::<f32>().max(1e-6);
        let mut nodes = Vec::new();
        for ((entity, arcs), &degree) in named.iter().zip(arcs).zip(&found.degrees) {
            for arc in arcs {
                *self.mentions.entry(arc.to).or_default() += entity.trust * rarity(degree) / all;
                *self.naming.entry(arc.to).or_default() |= entity.terms;
                nodes.push(arc.to);
            }
            if !arcs.is_empty() {
                self.uncontained &= !entity.terms;
            }
        }
        nodes.sort();
        nodes.dedup();
        nodes
    }

    /// Adds nodes that are not candidates yet. The first request for a node decides `found`.
    fn admit(&mut self, question: &Question<'_>, nodes: Vec<(Node, Found)>) -> Result<()> {
        let mut fresh: Vec<(Node, Found)> = Vec::new();
        for (node, found) in nodes {
            if !self.position.contains_key(&node) {
                self.position.insert(node, self.candidates.len() + fresh.len());
                fresh.push((node, found));
            }
        }
        self.candidates.reserve(fresh.len());
        let unknown = self.unknown(fresh.iter().map(|(node, _)| *node));
        if !unknown.is_empty() {
            let likes = question.likes();
            let batch = Batch::within(&question.filter);
            let look = Look { nodes: &unknown, ..question.look(&likes) };
            self.learn(question.read.search_one(&Batch { look, ..batch })?);
        }
        for (node, found) in fresh {
            let known = self.known.get(&node);
            let placement = known.and_then(|known| known.placement);
            let placement = placement.unwrap_or(Placement { node, ..Placement::default() });
            let cosine = known.and_then(|known| known.cosine);
            self.by_ordinal.insert((placement.place, placement.ordinal), self.candidates.len());
            self.candidates.push(Candidate {
                node,
                found,
                placement,
                values: [0.0; SIGNALS],
                cosine,
                order: 0.0,
                score: 0.0,
            });
        }
        Ok(())
    }

    fn measure_bests(&mut self, nearest: &[(Node, f32)]) {
        for hit in self.hits.values() {
            self.best.body = self.best.body.max(hit.body);
            self.best.full = self.best.full.max(hit.full);
            self.best.header = self.best.header.max(hit.header);
        }
        self.best.place = self.places.values().copied().fold(0.0, f32::max);
        self.best.cosine = nearest.first().map_or(0.0, |(_, cosine)| *cosine);
        for candidate in &self.candidates {
            self.best.cosine = self.best.cosine.max(candidate.cosine.unwrap_or(0.0));
        }
    }

    /// Neighbours of the best matches and members of the best sessions.
    fn surroundings(
        &mut self,
        question: &Question<'_>,
        places: &[(Place, f32)],
        limits: &Limits,
    ) -> Result<Vec<(Node, Found)>> {
        let mut best: Vec<(f32, &Candidate)> = self
            .candidates
            .iter()
            .map(|c| {
                let words = self.hits.get(&c.node).map_or(0.0, |hit| share(hit.full, self.best.full));
                (words + share(c.cosine.unwrap_or(0.0), self.best.cosine), c)
            })
            .collect();
        best.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.node.cmp(&b.1.node)));
        let mut lists = Vec::new();
        for (_, candidate) in best.iter().take(limits.neighboured) {
            let Placement { place, ordinal, .. } = candidate.placement;
            lists.push(Listing::Place { place, around: ordinal, limit: 7 });
        }
        for (place, _) in places.iter().take(limits.places) {
            let Some((_, anchor)) = best.iter().find(|(_, c)| c.placement.place == *place) else { continue };
            let around = anchor.placement.ordinal;
            lists.push(Listing::Place { place: *place, around, limit: limits.place_members });
        }
        if lists.is_empty() {
            return Ok(Vec::new());
        }
        let likes = question.likes();
        let look = Look { found: usize::MAX, ..question.look(&likes) };
        let batch = Batch { lists: &lists, look, ..Batch::within(&question.filter) };
        let mut found = question.read.search_one(&batch)?;
        let nodes = std::mem::take(&mut found.lists).concat();
        self.learn(found);
        Ok(nodes.into_iter().map(|node| (node, Found::Place)).collect())
    }

    fn learn_places(&mut self) {
        for candidate in &self.candidates {
            let best = self.place_cosine.entry(candidate.placement.place).or_default();
            *best = best.max(candidate.cosine.unwrap_or(0.0));
        }
    }

    /// The candidate `offset` ordinals further in the same session, if there is one.
    fn neighbour(&self, placement: &Placement, offset: i64) -> Option<&Candidate> {
        let ordinal = u32::try_from(i64::from(placement.ordinal) + offset).ok()?;
        self.by_ordinal.get(&(placement.place, ordinal)).map(|&position| &self.candidates[position])
    }

    /// Computes the signals of the candidates from this index on.
    fn measure_from(&mut self, question: &Question<'_>, from: usize) {
        for position in from..self.candidates.len() {
            self.candidates[position].values = self.measure(question, position);
        }
        self.measure_years(question, from);
    }

    fn measure(&self, question: &Question<'_>, position: usize) -> Values {
        use SignalName as S;
        let candidate = &self.candidates[position];
        let placement = &candidate.placement;
        let mut values = [0.0; SIGNALS];
        let mut set = |signal: S, value: f32| values[signal as usize] = value;
        if let Some(hit) = self.hits.get(&candidate.node) {
            set(S::Words, share(hit.body, self.best.body));
            set(S::WordsInContext, share(hit.full, self.best.full));
            set(S::Header, share(hit.header, self.best.header));
            set(S::Possible, share(hit.full, self.idf_sum * MOST_FOR_A_WORD).min(1.0));
        }
        let matched = self.matched(candidate);
        if matched != 0 {
            set(S::Coverage, self.coverage(matched));
            let capitals = question.understood.capitals;
            set(S::Named, share(self.weight(matched & capitals), self.weight(capitals)));
            let highest = (1.0 + question.context.head.memories as f32).ln();
            set(S::Rarity, share(self.rarest(matched), highest).min(1.0));
        }
        let own = short(placement) * about_one_thing(placement);
        let place = share(self.places.get(&placement.place).copied().unwrap_or(0.0), self.best.place);
        set(S::Place, own * place);
        let cosine = candidate.cosine.unwrap_or(0.0).max(0.0);
        set(S::Meaning, share(cosine, self.best.cosine));
        set(S::Cosine, cosine);
        let in_place = self.place_cosine.get(&placement.place).copied().unwrap_or(0.0);
        set(S::PlaceMeaning, own * share(in_place, self.best.cosine));
        let near = |offset: i64, value: &dyn Fn(&Candidate) -> f32| {
            self.neighbour(placement, offset).map_or(0.0, |c| own * short(&c.placement) * value(c))
        };
        let body = |c: &Candidate| self.hits.get(&c.node).map_or(0.0, |hit| share(hit.body, self.best.body));
        let meaning = |c: &Candidate| share(c.cosine.unwrap_or(0.0), self.best.cosine);
        set(S::Before, near(-1, &body));
        set(S::After, near(1, &body));
        set(S::Around, [-3, -2, 2, 3].map(|offset| near(offset, &body)).into_iter().fold(0.0, f32::max));
        set(S::BeforeMeaning, near(-1, &meaning));
        set(S::AfterMeaning, near(1, &meaning));
        let is_asked = placement.speaker.is_some_and(|speaker| question.entities.contains(&speaker));
        set(S::Speaker, f32::from(u8::from(is_asked)));
        set(S::Entities, self.mentions.get(&candidate.node).copied().unwrap_or(0.0).min(1.0));
        let fit = question.spans.iter().map(|span| span.fit(placement.occurred_at)).fold(0.0, f32::max);
        set(S::Time, fit);
        let only_asks = placement.asks && placement.length <= BRIEF;
        set(S::States, f32::from(u8::from(!only_asks)));
        values
    }

    /// The highest IDF among these words of the question.
    fn rarest(&self, terms: u64) -> f32 {
        let held = self.idf.iter().enumerate().filter(|(bit, _)| terms >> bit & 1 == 1);
        held.map(|(_, idf)| *idf).fold(0.0, f32::max)
    }

    /// IDF-weighted share of the question's words among these.
    fn coverage(&self, terms: u64) -> f32 {
        share(self.weight(terms), self.idf_sum)
    }

    /// The sum of the IDFs of these words of the question.
    fn weight(&self, terms: u64) -> f32 {
        self.idf.iter().enumerate().filter(|(bit, _)| terms >> bit & 1 == 1).map(|(_, idf)| idf).sum()
    }

    /// Reads years only if the question names a span.
    fn measure_years(&mut self, question: &Question<'_>, from: usize) {
        if question.spans.is_empty() {
            return;
        }
        for candidate in &mut self.candidates[from..] {
            let years = self.known.get(&candidate.node).map_or(&[][..], |known| &known.years);
            let (mut nearest, mut encloses) = (0.0f32, 0.0f32);
            for span in &question.spans {
                let (first, last) = span.years();
                for &year in years {
                    let distance = f32::from((first - year).max(year - last).max(0));
                    nearest = nearest.max(1.0 / (1.0 + distance / 2.0));
                }
                let ends = (years.first(), years.last());
                if matches!(ends, (Some(&a), Some(&b)) if a <= first && last <= b) {
                    encloses = 1.0;
                }
            }
            let time = &mut candidate.values[SignalName::Time as usize];
            *time = time.max(nearest);
            candidate.values[SignalName::YearSpan as usize] = encloses;
        }
    }

    /// Adds memories that the graph reached. Keeps the best values unchanged, so that the scores of other
    /// candidates do not move.
    pub fn extend(&mut self, question: &Question<'_>, nodes: Vec<Node>) -> Result<()> {
        let from = self.candidates.len();
        self.admit(question, nodes.into_iter().map(|node| (node, Found::Graph)).collect())?;
        self.measure_from(question, from);
        self.compare(question, from)
    }

    /// Keeps the best candidates by score, best first.
    pub fn keep_best(&mut self, most: usize) {
        let better = |a: &Candidate, b: &Candidate| b.score.total_cmp(&a.score).then(a.node.cmp(&b.node));
        if most < self.candidates.len() {
            self.candidates.select_nth_unstable_by(most, better);
            self.candidates.truncate(most);
        }
        self.candidates.sort_unstable_by(better);
        self.index();
    }

    /// Notes where each candidate is, after they were moved.
    pub fn index(&mut self) {
        let places = self.candidates.iter().enumerate();
        self.position = places.clone().map(|(at, c)| (c.node, at)).collect();
        self.by_ordinal = places.map(|(at, c)| ((c.placement.place, c.placement.ordinal), at)).collect();
    }

    /// Selects the best matches and compares all candidates with them. Expects the candidates in order.
    pub fn compare_with_best(&mut self, question: &Question<'_>) -> Result<()> {
        let Some(first) = self.candidates.first() else { return Ok(()) };
        let (top, had) = (first.score, self.matched(first));
        let best = self.candidates.iter().take(SEEDS);
        let echoes = best.map(|candidate| (candidate.node, sharpness(candidate.score, top))).collect();
        self.matches = Some(Matches { had, echoes });
        self.compare(question, 0)
    }

    /// Bits of the question's words that the candidate contains, or that name what it mentions.
    pub fn matched(&self, candidate: &Candidate) -> u64 {
        let contained = self.hits.get(&candidate.node).map_or(0, |hit| hit.matched);
        contained | self.naming.get(&candidate.node).copied().unwrap_or(0)
    }

    /// Compares the candidates from this index on with the best matches: similarity, words that they lack.
    fn compare(&mut self, question: &Question<'_>, from: usize) -> Result<()> {
        let Some(Matches { had, echoes }) = &self.matches else { return Ok(()) };
        let fresh = &self.candidates[from..];
        if fresh.is_empty() {
            return Ok(());
        }
        let complements: Vec<f32> = fresh.iter().map(|c| self.coverage(self.matched(c) & !had)).collect();
        let nodes: Vec<Node> = fresh.iter().map(|c| c.node).collect();
        let likes: Vec<Like<'_>> = echoes.iter().map(|(node, _)| Like::Memory(*node)).collect();
        let batch = Batch::within(&question.filter);
        let look = Look { nodes: &nodes, alike: &likes, ..batch.look };
        let alike = question.read.search_one(&Batch { look, ..batch })?.alike;
        let (mut sums, mut weights) = (vec![0.0f32; nodes.len()], 0.0);
        for ((echo, weight), cosines) in echoes.iter().zip(alike) {
            // Skip a match without a vector.
            if cosines.is_empty() {
                continue;
            }
            weights += weight;
            for ((sum, cosine), node) in sums.iter_mut().zip(cosines).zip(&nodes) {
                let similarity = if node == echo { LIKE_ITSELF } else { cosine.unwrap_or(0.0).max(0.0) };
                *sum += weight * similarity;
            }
        }
        for ((candidate, complement), sum) in self.candidates[from..].iter_mut().zip(complements).zip(sums) {
            candidate.values[SignalName::Complement as usize] = complement;
            candidate.values[SignalName::Echo as usize] = if weights > 0.0 { sum / weights } else { 0.0 };
        }
        self.read_best(question, from)
    }

    /// Reads the texts of the best candidates from this index on, if their parts or the times that they name
    /// count.
    fn read_best(&mut self, question: &Question<'_>, from: usize) -> Result<()> {
        let counts = self.parts_count(question);
        let asked: Vec<Interval> = question.spans_within().collect();
        if counts < LITTLE && asked.is_empty() {
            return Ok(());
        }
        let best: Vec<Node> = self.candidates[from..].iter().take(READ).map(|one| one.node).collect();
        let memories = question.read.memories(&best)?;
        if counts >= LITTLE {
            let texts: Vec<&str> = memories.iter().map(|memory| memory.text.as_str()).collect();
            let translated =
                question.translations.iter().filter_map(|one| Some(one.embedded.as_ref()?.0.as_str()));
            let mut nearest = vec![0.0f32; texts.len()];
            for asked in std::iter::once(question.query.question()).chain(translated) {
                let near = StaticEmbedder::nearest_parts(asked, &texts)?;
                nearest.iter_mut().zip(near).for_each(|(best, near)| *best = best.max(near));
            }
            for (memory, near) in memories.iter().zip(nearest) {
                self.set(memory.node, SignalName::Part, counts * near);
            }
        }
        let is_within =
            |time: &Interval| asked.iter().any(|asked| asked.start <= time.start && time.end <= asked.end);
        let names_it = |memory: &&Memory| {
            let read = &memory.text[..memory.text.floor_char_boundary(READ_FOR_TIMES)];
            !asked.is_empty() && text::times_named(read, memory.occurred_at).iter().any(is_within)
        };
        for memory in memories.iter().filter(names_it) {
            self.set(memory.node, SignalName::Time, 1.0);
        }
        Ok(())
    }

    fn set(&mut self, node: Node, signal: SignalName, value: f32) {
        if let Some(candidate) = self.get_mut(node) {
            candidate.values[signal as usize] = value;
        }
    }

    /// How much it counts, 0..=1, how near a part of a text comes to the question. The vector of a long text
    /// is the mean of all that it speaks of. Names and times are found by signals of their own, which know
    /// more of them than vectors do.
    fn parts_count(&self, question: &Question<'_>) -> f32 {
        if !question.understood.times.is_empty() {
            return 0.0;
        }
        let read = &self.candidates[..self.candidates.len().min(READ)];
        let long: f32 = read.iter().map(|one| 1.0 - short(&one.placement)).sum();
        let named = share(self.weight(question.understood.capitals), self.idf_sum);
        share(long, read.len() as f32) * (1.0 - named)
    }

    pub fn get(&self, node: Node) -> Option<&Candidate> {
        self.position.get(&node).map(|&position| &self.candidates[position])
    }

    pub fn get_mut(&mut self, node: Node) -> Option<&mut Candidate> {
        self.position.get(&node).map(|&position| &mut self.candidates[position])
    }
}

/// The memories nearest to the question in any language, best first.
fn nearest_of(lists: Vec<Vec<(Node, f32)>>) -> Vec<(Node, f32)> {
    let mut lists = lists.into_iter();
    let mut nearest = lists.next().unwrap_or_default();
    if lists.len() == 0 {
        return nearest;
    }
    for (node, cosine) in lists.flatten() {
        match nearest.iter_mut().find(|(known, _)| *known == node) {
            Some((_, known)) => *known = known.max(cosine),
            None => nearest.push((node, cosine)),
        }
    }
    nearest.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    nearest
}

/// A fan-out of `most` mentions and nothing else.
pub fn mentions_of(most: usize) -> [usize; CATALOGUE_SIZE] {
    let mut fan_out = [0; CATALOGUE_SIZE];
    fan_out[EdgeKind::Mentions as usize] = most;
    fan_out
}

/// The best candidates by score, best first.
pub fn best_of(candidates: &[Candidate], most: usize) -> Vec<(Node, f32)> {
    let scored = candidates.iter().map(|candidate| (candidate.node, candidate.score));
    let mut best: Vec<(Node, f32)> = scored.filter(|(_, score)| *score > 0.0).collect();
    best.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    best.truncate(most);
    best
}

/// The share of a non-negative value in the best; 0 if the best is 0.
pub fn share(value: f32, best: f32) -> f32 {
    if best > 0.0 { (value / best).max(0.0) } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::{Placement, about_one_thing};

    #[test]
    fn a_long_document_says_less_of_its_passages() {
        let of = |document_length| about_one_thing(&Placement { document_length, ..Placement::default() });
        assert_eq!([0, 500, 1_000, 5_000].map(of), [1.0, 1.0, 0.5, 0.1]);
    }
}
