//! The cues of `data/intent_cues.tsv`, and the sets of words that may surround them. The head of that file
//! says where each kind of cue counts.

use std::sync::LazyLock;

use super::language::Language;
use super::words::{KeyMap, Phrases, key, lines};

named! {
    Intent {
        Why = "why",
        When = "when",
        Entity = "entity",
        General = "general",
    }

    /// Where a cue counts.
    Place {
        Ask = "ask",
        Start = "start",
        Any = "any",
        Head = "head",
        Focus = "focus",
        Act = "act",
        Event = "event",
        Span = "span",
        Count = "count",
    }
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Cue {
    pub intent: Intent,
    pub place: Place,
    pub weight: f32,
    pub language: Language,
}

pub(super) struct Cues {
    pub phrases: Phrases<Cue>,
    /// German nouns of one word, which may be the last part of a compound.
    pub compounds: KeyMap<Cue>,
}

pub(super) static CUES: LazyLock<Cues> = LazyLock::new(|| {
    let mut language = Language::Other;
    let mut phrases = Vec::new();
    let mut compounds = KeyMap::default();
    for line in lines(include_str!("../../data/intent_cues.tsv")) {
        let columns: Vec<&'static str> = line.split('\t').collect();
        match columns[..] {
            ["language", name] => language = Language::parse(name).unwrap_or(Language::Other),
            [intent, place, weight, list] => {
                let Some(cue) = cue(intent, place, weight, language) else { continue };
                for phrase in list.split(" | ") {
                    if language == Language::German && matches!(cue.place, Place::Head | Place::Focus) {
                        compounds.entry(key(phrase)).or_insert(cue);
                    }
                    phrases.push((phrase, cue));
                }
            }
            _ => {}
        }
    }
    Cues { phrases: Phrases::new(phrases), compounds }
});

fn cue(intent: &str, place: &str, weight: &str, language: Language) -> Option<Cue> {
    let (intent, place) = (Intent::parse(intent)?, Place::parse(place)?);
    Some(Cue { intent, place, weight: weight.parse().ok()?, language })
}

word_sets! {
    /// Words that may precede the question word of a main clause: greetings, requests, prepositions.
    LEAD_IN = include_str!("../../data/question_lead_in.txt");
    /// Question words of one language that are everyday words in another.
    AMBIGUOUS = "was wo wen wem wer wie wozu quel quels qui comment où que qu quoi quelle quelles woran";
    GERMAN_ONLY = "was wo wen wem wer wie";
    ROMANCE_ONLY = "que qu qui quoi comment où";
    /// Inside a sentence these begin a subordinate clause.
    JOINING = "when where how wie wo was quand où comment que qu";
    /// Inside a sentence these usually belong to the noun before them.
    RELATIVE = "who whose whom which what qui welche welcher welches welchem welchen quel quelle lequel \
        laquelle";
    /// After these words a question word asks: "tell me when", "explain why".
    FOLLOWS_VERB = "me us know knows remember remembers recall recalls explain explains find out ask asks \
        tell tells say says show understand wonder sure about since until till by from and or mention \
        mentioned mentions forgot decided learned mir uns weißt weiß wissen sag sagen sagt erinnert erklär \
        erkläre erklären seit bis und herausfinden gesagt erzählt sais sait savoir dis dire souvient \
        souviens rappelle explique et saber sabes sabe dime decir recuerda recuerdas acuerda explica 说 道 诉 \
        释";
    /// At the beginning these ask, or begin a clause of time.
    OPENS_CLAUSE = "when where quand";
    /// These determine the noun after them: "which change broke it" asks for a change.
    DETERMINERS = "which welche welcher welches welchem welchen quel quelle quels quelles lequel laquelle \
        cuál cuáles ein eine einen einem of";
    /// "Que", "qu'est-ce que": the question word is the object.
    OBJECT_QUESTIONS = "que qu";
    FRENCH_VERBS = "je tu il elle on nous vous ils elles a ai as avons avez ont avait avaient doit faut peut \
        dit";
    ENGLISH_AUXILIARIES = "do does did is are was were am has have had can could will would should shall may \
        might must";
    /// After "what" these show that it is the object: "what did we make".
    ENGLISH_SUBJECTS = "do does did can could will would should shall may might must i you we they he she \
        the a an my our your their his her this these those";
    /// May come between "what" and its verb.
    BEFORE_ACT = "is was are were has have had been be being it that may might could exactly really actually \
        finally ever probably possibly then on earth also still always usually currently suddenly";
    /// Between "what" and the verb these show that "what" has no noun: "what happens if it is full".
    NOT_IN_NOUN = "else if when after before since because while that to us me him them and or happens \
        happened about";
    /// The wanted noun comes before these words.
    CLOSES_FOCUS = "of for with in on at to from by about behind between that which who whose when where why \
        how if do does did is are was were has have had can could will would should i you we they he she it \
        used von für mit in an auf zu bei aus über zwischen dass wenn ist sind war waren hat haben hatte \
        wird wir ich sie de du des pour avec dans sur à entre par que qui est sont était avons a ont nous on \
        del para con en sobre entre por es son fue era ha han";
    /// Questions for a person that may be polite requests.
    PERSONS = "who wer qui quién 谁";
    OFFERS = "can could would might may will remembers recalls kann könnte würde mag erinnert peut pourrait \
        voudrait se rappelle me puede podría nos recuerda 能 可 还 记";
    POLITE_VERBS = "tell explain remember remembers recall recalls know say think suggest sagen erklären \
        verraten erinnert dire expliquer souvient rappelle decir explicar acuerda recuerda 诉 释 得";
    YES_OR_NO = "is are was were am do does did has have had can could will would should shall may might \
        must isn aren wasn weren don doesn didn hasn haven hadn couldn won wouldn shouldn ist sind war waren \
        hat haben hatte hatten gibt gab wird werden kann können soll sollen sollte sollten muss müssen darf \
        dürfen est es hay había está están ha han hemos fue era puede pueden podemos debemos deberíamos";
    ASKED_PERSONS = "you anyone anybody someone somebody du sie ihr jemand tu vous usted alguien";
    /// Words that put an event before or after another.
    TIME_RELATIONS = "before after since during between next first then afterwards later until while vor \
        nach seit während zwischen danach davor zuvor zuerst anschließend avant après depuis pendant entre \
        ensuite puis antes después tras desde durante entre luego 后 前";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_of_the_cues_is_read() {
        for line in lines(include_str!("../../data/intent_cues.tsv")) {
            let columns: Vec<&str> = line.split('\t').collect();
            let is_read = match columns[..] {
                ["language", name] => Language::parse(name).is_some(),
                [intent, place, weight, list] => {
                    cue(intent, place, weight, Language::Other)
                        .is_some_and(|cue| (0.0..=1.0).contains(&cue.weight))
                        && list
                            .split(" | ")
                            .all(|phrase| !phrase.trim().is_empty() && phrase.trim() == phrase)
                }
                _ => false,
            };
            assert!(is_read, "{line}");
        }
    }
}
