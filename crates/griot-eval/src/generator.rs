//! What does a large workspace of a working life look like?
//!
//! Memories of about 300 characters: decisions, events, observations, preferences, facts and notes of people
//! who run services, with causes given in words, Zipf-skewed words and names, near duplicates, and times
//! spread over two years. Memory `i` is a function of the seed and `i` alone, so a million of them need no
//! room, and a question can be asked about any of them. Nothing here comes from a data set.

use std::collections::{HashMap, HashSet};

use griot::model::Timestamp;

use crate::random::{Random, Zipf};

/// Common English words, most frequent first.
const COMMON_WORDS: &str = include_str!("../data/words.txt");
/// Names, sentences with slots and questions, in sections.
const PHRASES: &str = include_str!("../data/phrases.txt");

/// Sections of first sentences: one for each kind of memory.
const KINDS: [&str; 6] = ["decision", "event", "observation", "preference", "fact", "note"];
/// Shares of the kinds in twentieths, as positions in [`KINDS`].
const KIND_SHARES: [usize; 20] = [0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 4, 4, 4, 5, 5, 5, 5];
/// Most memories are of middling importance.
const IMPORTANCE: [u8; 10] = [1, 2, 2, 3, 3, 3, 3, 3, 4, 5];
/// Sections of questions of 5 to 10 words, asked in turn.
const QUESTIONS: [&str; 4] = ["ask why", "ask when", "ask who or what", "ask anything"];
/// Distinct words that slots draw from: the common ones, then words made of syllables.
const VOCABULARY: usize = 24_000;

const PEOPLE: usize = 2_000;
const SERVICES: usize = 1_500;
const CUSTOMERS: usize = 800;
const PROJECTS: usize = 24;
const USERS: usize = 40;

/// 2024-01-01T00:00:00Z and two years in milliseconds.
const START: i64 = 1_704_067_200_000;
const SPAN: i64 = 731 * Timestamp::DAY;

/// How often a memory repeats an earlier one but for its last sentence, as people do.
const NEAR_DUPLICATES: f64 = 0.03;
/// How far back the repeated one is at most.
const DUPLICATE_REACH: usize = 50;

#[derive(Clone, PartialEq, Debug)]
pub struct GeneratedMemory {
    pub text: String,
    pub kind: String,
    pub user: Option<String>,
    pub project: Option<String>,
    /// `agent/…`, `chat/…` or `file/…`.
    pub source: String,
    pub session: Option<String>,
    pub speaker: Option<String>,
    pub occurred_at: Timestamp,
    pub tags: Vec<String>,
    /// 1 to 5.
    pub importance: u8,
}

/// `count` memories of one seed.
pub struct Generator {
    seed: u64,
    count: usize,
    /// By section.
    phrases: HashMap<&'static str, Vec<&'static str>>,
    words: Skewed,
    people: Skewed,
    services: Skewed,
    customers: Skewed,
    tools: Skewed,
    projects: Skewed,
    users: Skewed,
}

/// Names of which the first come up more often.
struct Skewed {
    names: Vec<String>,
    ranks: Zipf,
}

impl Skewed {
    fn new(names: impl Iterator<Item = String>, exponent: f64, flatten: f64) -> Self {
        let names: Vec<String> = names.collect();
        Self { ranks: Zipf::new(names.len(), exponent, flatten), names }
    }

    fn draw(&self, random: &mut Random) -> &str {
        &self.names[self.ranks.draw(random)]
    }
}

/// What one memory is about: its sentences and its question speak of the same things.
struct Topic<'a> {
    who: [&'a str; 2],
    service: [&'a str; 2],
    tool: [&'a str; 2],
    customer: &'a str,
    words: [&'a str; 6],
}

impl Generator {
    pub fn new(seed: u64, count: usize) -> Self {
        let real: Vec<&str> = COMMON_WORDS.lines().collect();
        let known: HashSet<&str> = real.iter().copied().collect();
        let made = (0..).map(made_word).filter(|word| !known.contains(word.as_str()));
        let words = real.iter().map(|&w| w.to_owned()).chain(made).take(VOCABULARY);
        let mut phrases: HashMap<&str, Vec<&str>> = HashMap::new();
        let mut section = "";
        for line in PHRASES.lines().skip(1).filter(|line| !line.is_empty()) {
            match line.strip_prefix("## ") {
                Some(name) => section = name,
                None => phrases.entry(section).or_default().push(line),
            }
        }
        let (first_names, roles, trades) =
            (&phrases["first names"], &phrases["roles of services"], &phrases["trades"]);
        // Names take other numbers than vocabulary words, so a name is not also a word.
        let name = |number: usize| capitalised(&made_word(VOCABULARY + number));
        let person = |i: usize| format!("{} {}", first_names[i % first_names.len()], name(i % 700));
        let service = |i: usize| {
            let (stem, role) = (name(1_000 + i), roles[i % roles.len()]);
            if i.is_multiple_of(3) {
                format!("{}_{}", stem.to_lowercase(), role.to_lowercase())
            } else {
                format!("{stem}{role}")
            }
        };
        let customer = |i: usize| format!("{} {}", name(3_000 + i), trades[i % trades.len()]);
        let project = |i: usize| made_word(VOCABULARY + 5_000 + i);
        let user = |i: usize| first_names[i % first_names.len()].to_lowercase();
        Self {
            seed,
            count,
            // Mandelbrot's shift keeps the first few ranks from being in every text.
            words: Skewed::new(words, 1.0, 2.7),
            people: Skewed::new((0..PEOPLE).map(person), 1.0, 2.0),
            services: Skewed::new((0..SERVICES).map(service), 1.0, 2.0),
            customers: Skewed::new((0..CUSTOMERS).map(customer), 0.9, 1.0),
            tools: Skewed::new(phrases["tools"].iter().map(|tool| (*tool).to_owned()), 0.8, 1.0),
            projects: Skewed::new((0..PROJECTS).map(project), 0.8, 0.0),
            users: Skewed::new((0..USERS).map(user), 0.8, 0.0),
            phrases,
        }
    }

    pub fn memories(&self) -> impl ExactSizeIterator<Item = GeneratedMemory> {
        (0..self.count).map(|index| self.memory(index))
    }

    /// Memory `index`; also beyond `count`, for writes into a workspace that holds the others.
    pub fn memory(&self, index: usize) -> GeneratedMemory {
        let (original, back) = self.original(index);
        let mut memory = self.fresh(original, index);
        if back > 0 {
            let mut random = Random::of(self.seed ^ 0xd0b1e, index as u64);
            let topic = self.topic(&mut Random::of(self.seed, original as u64));
            let cut = memory.text.trim_end_matches('.').rfind(". ").map_or(memory.text.len(), |at| at + 1);
            memory.text.truncate(cut);
            memory.text.push(' ');
            self.write(&mut memory.text, random.pick(&self.phrases["updates"]), &topic, &mut random);
        }
        memory
    }

    /// `n` questions about memories spread over all of them: in turn why, when, who or what, anything else.
    pub fn queries(&self, n: usize) -> Vec<String> {
        (0..n)
            .map(|number| {
                let mut random = Random::of(self.seed ^ 0x9e5710, number as u64);
                let (original, _) = self.original(random.below(self.count));
                let topic = self.topic(&mut Random::of(self.seed, original as u64));
                let mut text = String::new();
                let templates = &self.phrases[QUESTIONS[number % QUESTIONS.len()]];
                self.write(&mut text, random.pick(templates), &topic, &mut random);
                text
            })
            .collect()
    }

    /// The memory that `index` repeats and how far back it is; itself and 0 for most.
    fn original(&self, index: usize) -> (usize, usize) {
        let mut random = Random::of(self.seed ^ 0xd0b1e5, index as u64);
        if index > DUPLICATE_REACH && random.chance(NEAR_DUPLICATES) {
            let back = 1 + random.below(DUPLICATE_REACH);
            return (index - back, back);
        }
        (index, 0)
    }

    /// The text of `original` at the time of `index`.
    fn fresh(&self, original: usize, index: usize) -> GeneratedMemory {
        let mut random = Random::of(self.seed, original as u64);
        let topic = self.topic(&mut random);
        let kind = KINDS[KIND_SHARES[random.below(KIND_SHARES.len())]];
        let mut text = String::with_capacity(400);
        self.write(&mut text, random.pick(&self.phrases[kind]), &topic, &mut random);
        let causal = random.chance(0.35);
        if causal {
            text.push(' ');
            self.write(&mut text, random.pick(&self.phrases["causes"]), &topic, &mut random);
        }
        for _ in 0..1 + random.below(4) + usize::from(!causal) {
            text.push(' ');
            self.write(&mut text, random.pick(&self.phrases["details"]), &topic, &mut random);
        }

        let project = random.chance(0.9).then(|| self.projects.draw(&mut random));
        let topic_of = project.unwrap_or("general");
        let user = random.chance(0.7).then(|| self.users.draw(&mut random).to_owned());
        let wobble = random.below(6 * Timestamp::HOUR as usize) as i64;
        let spread = SPAN as i128 * index as i128 / self.count.max(1) as i128;
        let occurred_at = Timestamp(START + spread as i64 + wobble);
        let day = occurred_at.date();
        let (source, session, speaker) = match random.below(20) {
            0..9 => {
                let agent = random.pick(&self.phrases["agents"]);
                let session = format!("{agent} {day} {}", 1 + random.below(3));
                (format!("agent/{agent}"), Some(session), None)
            }
            9..16 => {
                let (speaker, _) = topic.who[0].split_once(' ').unwrap_or((topic.who[0], ""));
                (format!("chat/{topic_of}"), Some(format!("{topic_of} {day}")), Some(speaker.to_owned()))
            }
            _ => {
                let chapter = &self.words.names[random.below(400)];
                (format!("file/{topic_of}/{chapter}.md"), None, None)
            }
        };
        let tags = (0..random.below(4)).map(|_| random.pick(&self.phrases["tags"]).to_owned()).collect();
        GeneratedMemory {
            text,
            kind: kind.to_owned(),
            user,
            project: project.map(str::to_owned),
            source,
            session,
            speaker,
            occurred_at,
            tags,
            importance: IMPORTANCE[random.below(IMPORTANCE.len())],
        }
    }

    fn topic(&self, random: &mut Random) -> Topic<'_> {
        Topic {
            who: std::array::from_fn(|_| self.people.draw(random)),
            service: std::array::from_fn(|_| self.services.draw(random)),
            tool: std::array::from_fn(|_| self.tools.draw(random)),
            customer: self.customers.draw(random),
            words: std::array::from_fn(|_| self.words.draw(random)),
        }
    }

    /// Appends `template` with its slots filled.
    fn write(&self, text: &mut String, template: &str, topic: &Topic, random: &mut Random) {
        use std::fmt::Write;
        let mut rest = template;
        while let Some((before, after)) = rest.split_once('{') {
            text.push_str(before);
            let (slot, after) = after.split_once('}').unwrap_or((after, ""));
            rest = after;
            match slot {
                "who" => text.push_str(topic.who[0]),
                "who2" => text.push_str(topic.who[1]),
                "service" => text.push_str(topic.service[0]),
                "service2" => text.push_str(topic.service[1]),
                "tool" => text.push_str(topic.tool[0]),
                "tool2" => text.push_str(topic.tool[1]),
                "customer" => text.push_str(topic.customer),
                // What a text is about comes up in it more than once.
                "topic" => text.push_str(topic.words[random.below(topic.words.len())]),
                "word" => text.push_str(self.words.draw(random)),
                // A word from anywhere in the vocabulary: most of them are rare.
                "rare" => text.push_str(&self.words.names[random.below(VOCABULARY)]),
                // Writing to a String cannot fail.
                "n" => _ = write!(text, "{}", 2 + random.below(98)),
                "ms" => _ = write!(text, "{}", 20 + 10 * random.below(200)),
                "version" => {
                    _ = write!(text, "{}.{}.{}", random.below(5), random.below(20), random.below(10))
                }
                "clock" => _ = write!(text, "{:02}:{:02}", 6 + random.below(14), 5 * random.below(12)),
                "weekday" => text.push_str(random.pick(&self.phrases["weekdays"])),
                "month" => text.push_str(random.pick(&self.phrases["months"])),
                other => unreachable!("no slot {other:?} in {template:?}"),
            }
        }
        text.push_str(rest);
    }
}

/// Word `number` of an invented language: two syllables, each number another word.
fn made_word(number: usize) -> String {
    const ONSETS: [&str; 24] = [
        "b", "br", "c", "ch", "d", "dr", "f", "fl", "g", "gr", "h", "k", "l", "m", "n", "p", "pr", "r", "s",
        "st", "t", "tr", "v", "z",
    ];
    const NUCLEI: [&str; 10] = ["a", "e", "i", "o", "u", "ai", "ea", "io", "ou", "y"];
    const CODAS: [&str; 12] = ["", "n", "r", "l", "s", "m", "ck", "nd", "rt", "sk", "x", "lt"];
    const SPACE: usize = ONSETS.len() * NUCLEI.len() * ONSETS.len() * NUCLEI.len() * CODAS.len();
    // A factor without a common divisor with SPACE = 2¹⁰·3³·5² visits every word once, far from the one
    // before.
    let mut rest = number % SPACE * 314_159 % SPACE;
    let mut word = String::new();
    for part in [&ONSETS[..], &NUCLEI, &ONSETS, &NUCLEI, &CODAS] {
        word.push_str(part[rest % part.len()]);
        rest /= part.len();
    }
    word
}

fn capitalised(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use std::collections::{HashMap, HashSet};

    use super::*;

    #[test]
    fn the_seed_decides_everything() {
        let (one, two) = (Generator::new(7, 300), Generator::new(7, 300));
        assert!(one.memories().eq(two.memories()));
        assert_eq!(one.queries(40), two.queries(40));
        let other = Generator::new(8, 300);
        assert!(one.memories().zip(other.memories()).all(|(a, b)| a.text != b.text));
    }

    #[test]
    fn texts_are_distinct_and_of_300_characters() {
        let generator = Generator::new(1, 5_000);
        let texts: Vec<String> = generator.memories().map(|m| m.text).collect();
        assert_eq!(texts.iter().collect::<HashSet<_>>().len(), texts.len());
        let mean = texts.iter().map(|t| t.chars().count()).sum::<usize>() / texts.len();
        assert!((270..=330).contains(&mean), "{mean}");
        assert!(texts.iter().all(|t| !t.contains(['{', '}']) && !t.contains("  ")));
    }

    #[test]
    fn the_vocabulary_is_large_and_skewed() {
        let generator = Generator::new(1, 4_000);
        let vocabulary: HashSet<&String> = generator.words.names.iter().collect();
        assert_eq!(vocabulary.len(), VOCABULARY);
        let mut holding: HashMap<String, usize> = HashMap::new();
        for memory in generator.memories() {
            let words: HashSet<&str> = memory.text.split(|c: char| !c.is_alphanumeric()).collect();
            for word in words {
                *holding.entry(word.to_lowercase()).or_default() += 1;
            }
        }
        assert!(holding.len() > 8_000, "{} words in 4,000 memories", holding.len());
        let once = holding.values().filter(|&&n| n == 1).count();
        assert!(once * 4 > holding.len(), "a quarter of the words come up once: {once}");
        let service = generator.services.names[0].split('_').next().unwrap_or_default();
        assert!(holding[service] > 50, "the first service is known to many");
    }

    #[test]
    fn times_run_over_two_years_and_kinds_are_mixed() {
        let generator = Generator::new(1, 2_000);
        let memories: Vec<GeneratedMemory> = generator.memories().collect();
        assert_eq!(memories[0].occurred_at.date().to_string(), "2024-01-01");
        assert_eq!(memories[1999].occurred_at.date().to_string(), "2025-12-31");
        let kinds: HashSet<&str> = memories.iter().map(|m| m.kind.as_str()).collect();
        assert_eq!(kinds.len(), KINDS.len());
        assert!(memories.iter().all(|m| (1..=5).contains(&m.importance)));
        assert!(memories.iter().any(|m| m.user.is_none()) && memories.iter().any(|m| m.project.is_none()));
        let causal =
            memories.iter().filter(|m| m.text.contains("ecause") || m.text.contains("due to")).count();
        assert!(causal > 50, "{causal}");
    }

    #[test]
    fn some_memories_repeat_an_earlier_one_but_for_the_end() {
        let generator = Generator::new(1, 2_000);
        let mut repeats = 0;
        for index in 0..2_000 {
            let (original, back) = generator.original(index);
            if back > 0 {
                repeats += 1;
                let (a, b) = (generator.fresh(original, original).text, generator.memory(index).text);
                let same = a.bytes().zip(b.bytes()).take_while(|(a, b)| a == b).count();
                assert!(same * 3 > a.len() && a != b, "{a}\n{b}");
            }
        }
        assert!((30..100).contains(&repeats), "{repeats}");
    }

    #[test]
    fn questions_have_5_to_12_words_of_their_memory() {
        let generator = Generator::new(1, 1_000);
        for query in generator.queries(200) {
            // Names of people and customers are two words.
            let words = query.split_whitespace().count();
            assert!((5..=12).contains(&words), "{query}");
        }
    }
}
