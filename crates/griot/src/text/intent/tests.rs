//! The intent of questions in five languages.

use super::Intent::*;
use super::*;

#[track_caller]
fn check(cases: &[(&str, Intent)]) {
    for (query, expected) in cases {
        let reading = read_intent(query);
        assert_eq!(reading.intent, *expected, "{query}: {reading:?}");
        assert!((0.0..=1.0).contains(&reading.confidence));
    }
}

#[test]
fn why_asks_for_reasons() {
    check(&[
        ("Why did we choose SQLite?", Why),
        ("What caused the outage?", Why),
        ("What led to the migration?", Why),
        ("What made Gina start her store?", Why),
        ("How come the build is slow?", Why),
        ("Tell me the reason for the rewrite", Why),
        ("Can you explain why we switched?", Why),
        ("explain why it failed", Why),
        ("What is the reason for the delay?", Why),
        ("reason we moved to Rust", Why),
        ("the rationale behind SQLite", Why),
        ("Warum nutzen wir SQLite?", Why),
        ("Was war der Grund für den Umzug?", Why),
        ("Pourquoi avons-nous choisi Rust ?", Why),
        ("¿Por qué elegimos Rust?", Why),
        ("我们为什么选择 SQLite？", Why),
        ("迁移的原因", Why),
    ]);
}

#[test]
fn when_asks_for_times() {
    check(&[
        ("When was the release?", When),
        ("What year did we start?", When),
        ("In which year was it founded?", When),
        ("How long ago did Caroline move?", When),
        ("Since when do we use Redis?", When),
        ("What happened before the launch?", When),
        ("Give me a timeline of the project", When),
        ("Do you remember when we moved?", When),
        ("Wann war der Umzug?", When),
        ("Seit wann nutzen wir Redis?", When),
        ("Quand avons-nous commencé ?", When),
        ("¿Cuándo empezamos?", When),
        ("我们什么时候发布的？", When),
    ]);
}

#[test]
fn who_what_and_where_ask_for_things() {
    check(&[
        ("Who wrote the parser?", Entity),
        ("Whose idea was it?", Entity),
        ("Which company owns it?", Entity),
        ("What is GraphRAG?", Entity),
        ("Tell me about Caroline", Entity),
        ("Where did Caroline move from?", Entity),
        ("memories related to React", Entity),
        ("Wer hat das geschrieben?", Entity),
        ("Was ist Griot?", Entity),
        ("Qui a écrit cela ?", Entity),
        ("¿Quién lo escribió?", Entity),
        ("谁写的？", Entity),
    ]);
}

#[test]
fn the_rest_is_general() {
    check(&[
        ("", General),
        ("sqlite performance", General),
        ("How do I build it?", General),
        ("What did Caroline research?", General),
        ("Does Melanie like pottery?", General),
        ("the car was also where we left it", General),
    ]);
}

#[test]
fn the_main_clause_wins() {
    check(&[
        ("When did we decide why to switch?", When),
        ("Why did we switch when the release was near?", Why),
        ("Who was there when it crashed?", Entity),
        ("Why did the team who wrote it leave?", Why),
        ("What happened when we deployed?", General),
        ("After we moved, why did it fail?", Why),
        ("Hi! When is the next release?", When),
    ]);
}

#[test]
fn what_is_next_to_a_weak_question_word_decides() {
    check(&[
        ("What is the deadline for the grant?", When),
        ("What was the main motive?", Why),
        ("What is the status of the audit?", General),
        ("What kept the job from running?", Why),
        ("What has been delaying us?", Why),
        ("What cakes has Nate made?", Entity),
        ("What flavour does Nina like?", Entity),
        ("Which change broke the login?", Entity),
        ("Was hat den Alarm ausgelöst?", Why),
        ("Was ist der Liefertermin?", When),
        ("¿Qué impidió la entrega?", Why),
        ("Qu'est-ce qui a retardé le train ?", Why),
        ("Qu'est-ce que Griot ?", Entity),
        ("Qu'est-ce que tu penses du plan ?", General),
    ]);
}

#[test]
fn a_query_without_question_word_has_its_noun() {
    check(&[
        ("deadline grant application", When),
        ("author parser rewrite", Entity),
        ("motivation for the rewrite", Why),
        ("Kündigungsfrist Wohnung", When),
        ("pros and cons of the new vendor", General),
        ("Has the deadline passed?", General),
    ]);
}

#[test]
fn politeness_is_not_the_question() {
    check(&[
        ("Who can tell me when the office opens?", When),
        ("Who remembers why we left?", Why),
        ("Who knows why we left?", Entity),
        ("Wer kann mir erklären, warum das so ist?", Why),
        ("谁能告诉我为什么失败？", Why),
        ("Did Nina mention where she lives?", Entity),
    ]);
}

#[test]
fn counts_and_events_are_about_time_if_they_name_it() {
    check(&[
        ("How many more weeks do we have?", When),
        ("How many customers do we have?", General),
        ("Combien de mois reste-t-il ?", When),
        ("¿Cuántas personas vinieron?", General),
        ("What happened in June 2023?", When),
        ("What happened to the parser?", General),
        ("What did we do last Friday?", When),
        ("What did we do about the leak?", General),
    ]);
}

#[test]
fn a_clause_before_the_question_does_not_decide() {
    check(&[
        ("When we moved the office, who helped?", Entity),
        ("When we chose a host, why did Anna object?", Why),
        ("When did we move, and who helped?", When),
        ("Quand nous avons déménagé, qui a aidé ?", Entity),
    ]);
}
