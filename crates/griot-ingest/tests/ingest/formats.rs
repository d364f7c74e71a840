//! Text formats with a structure of their own: tables, YAML, XML, reStructuredText, notebooks, subtitles.

use griot_ingest::Format;

use crate::{lines, problems, read, refusal};

#[test]
fn rows_are_memories_with_the_names_of_their_columns() {
    let reading = read("a.csv", "id,City,Note\n1,Oslo,\"cold, but\nbright\"\n\n2,Rome,\n");
    assert_eq!(
        lines(&reading),
        ["passage 2-3 #0 | id: 1⏎City: Oslo⏎Note: cold, but⏎bright", "passage 5-5 #1 | id: 2⏎City: Rome"]
    );
    assert_eq!(problems(&reading), [""; 0]);
    for text in ["id;price\n1;2,5\n2;3,5\n", "id\tprice\n1\t2,5\n2\t3,5\n", "id|price\n1|2,5\n2|3,5\n"] {
        assert_eq!(lines(&read("a.csv", text))[0], "passage 2-2 #0 | id: 1⏎price: 2,5", "{text}");
    }
    assert_eq!(lines(&read("a.tsv", "a\tb, c\n1\t2\n")), ["passage 2-2 #0 | a: 1⏎b, c: 2"]);
}

#[test]
fn rows_without_names_are_numbered_and_times_are_read() {
    assert_eq!(lines(&read("a.csv", "7,x\n8,y\n"))[0], "passage 1-1 #0 | column 1: 7⏎column 2: x");
    assert_eq!(lines(&read("a.csv", "a,b\n1,2,3\n"))[0], "passage 2-2 #0 | a: 1⏎b: 2⏎column 3: 3");
    assert_eq!(
        lines(&read("a.csv", "date,event,place\n2026-03-02,launch,Oslo\n"))[0],
        "passage 2-2 #0 2026-03-02T00:00:00Z | date: 2026-03-02⏎event: launch⏎place: Oslo"
    );
}

#[test]
fn rows_of_records_are_records() {
    assert_eq!(
        lines(&read("a.csv", "Time,Speaker,Text\n2026-03-02 10:00,Ada,we ship\n")),
        ["passage 2-2 #0 2026-03-02T10:00:00Z Ada | we ship"]
    );
}

#[test]
fn yaml_is_told_by_its_keys() {
    let reading =
        read("a.yaml", "# c\nname: shop\nzip: 01234\nports: [80, 443]\ndb: &db\n  host: pg\ncopy: *db\n");
    assert_eq!(
        lines(&reading),
        ["passage #0 | name: shop⏎zip: 01234⏎⏎ports[0]: 80⏎ports[1]: 443⏎⏎db.host: pg⏎⏎copy.host: pg"]
    );
    let reading = read("a.yml", "- text: one\n  tags: [x]\n- text: two\n");
    assert_eq!(lines(&reading), ["passage #0 [x] | one", "passage #1 | two"]);
    assert_eq!(lines(&read("a.yml", "---\na: 1\n---\na: 2\n")), ["passage #0 | a: 1", "passage #1 | a: 2"]);
}

#[test]
fn yaml_that_wants_too_much_is_refused() {
    let mut bomb = "a0: &a0 [lol, lol, lol, lol, lol, lol, lol, lol, lol]\n".to_string();
    for n in 1..12 {
        let before = vec![format!("*a{}", n - 1); 9].join(", ");
        bomb.push_str(&format!("a{n}: &a{n} [{before}]\n"));
    }
    let why = refusal("a.yaml", &bomb);
    assert!(why.contains("the limit of") || why.contains("repeats more than"), "{why}");
    assert!(
        refusal("a.yaml", &"- ".repeat(5000)).contains("nested"),
        "{}",
        refusal("a.yaml", &"- ".repeat(5000))
    );
    assert!(refusal("a.yaml", "a: [1\nb: }").starts_with("cannot read `a.yaml`: line 2, column"));
}

#[test]
fn xml_is_told_by_its_elements() {
    let text = "<?xml version=\"1.0\"?>\n<shop xmlns=\"urn:x\"><item id=\"7\"><name>Tea &amp; milk</name></item>\
                <item id=\"8\"><note>Some <b>bold</b>\n words.</note></item><empty/></shop>";
    assert_eq!(
        lines(&read("a.xml", text)),
        [
            "passage #0 | item[1]/@id: 7⏎item[1]/name: Tea & milk⏎⏎item[2]/@id: 8⏎item[2]/note: Some bold words."
        ]
    );
    assert_eq!(refusal("a.xml", "<a><b></a>").split(": ").nth(1), Some("line 1 is not XML"));
    assert!(refusal("a.xml", &"<a>".repeat(1000)).contains("more than 200 elements deep"));
    let bomb = "<!DOCTYPE r [<!ENTITY a \"lol\"><!ENTITY b \"&a;&a;&a;\">]><r>&b;</r>";
    assert_eq!(lines(&read("a.xml", bomb)), ["passage #0 | &b;"]);
}

#[test]
fn rst_keeps_its_headings_and_lines() {
    let text = "=====\nGuide\n=====\n\nIntro.\n\nInstall\n-------\n\nRun it::\n\n    # not a heading\n    make\n\nUse\n---\n\nAgain.\n";
    let reading = read("a.rst", text);
    assert_eq!(reading.source.title.as_deref(), Some("Guide"));
    assert_eq!(
        lines(&reading),
        [
            "passage 5-5 #0 (Guide) | Intro.",
            "passage 10-13 #1 (Guide > Install) | Run it::⏎⏎    # not a heading⏎    make",
            "passage 18-18 #2 (Guide > Use) | Again.",
        ]
    );
}

const NOTEBOOK: &str = r##"{"cells": [
 {"cell_type": "markdown", "source": ["# Sales\n", "By month."]},
 {"cell_type": "code", "source": "print(total)", "outputs": [
   {"output_type": "stream", "text": ["42\n"]},
   {"output_type": "execute_result", "data": {"text/plain": "'ok'", "image/png": "aGk="}},
   {"output_type": "error", "ename": "KeyError", "evalue": "x", "traceback": []}]},
 {"cell_type": "code", "source": [], "outputs": []}],
 "metadata": {"language_info": {"name": "python"}}, "nbformat": 4}"##;

#[test]
fn notebooks_keep_code_and_what_it_printed() {
    let reading = read("a.ipynb", NOTEBOOK);
    assert_eq!(reading.source.title.as_deref(), Some("Sales"));
    assert_eq!(
        lines(&reading),
        ["passage #0 (Sales) | By month.⏎⏎```python⏎print(total)⏎```⏎⏎Output:⏎⏎```⏎42⏎'ok'⏎KeyError: x⏎```"]
    );
    assert_eq!(
        refusal("a.ipynb", "{\"a\": 1}"),
        "cannot read `a.ipynb`: it is not a notebook: it has no `cells`"
    );
    assert!(refusal("a.ipynb", "{\"cells\": [").contains("it ends too early"));
}

#[test]
fn subtitles_are_told_with_their_times() {
    let text = "WEBVTT\n\n1\n00:00:01.000 --> 00:00:02.500 align:start\n<v Ada>We <i>ship</i>\n\n00:02.500 --> 00:04.000\n<v Ada>on Friday.\n\n\
                00:00:05.000 --> 00:00:06.000\n<v Bob>Good &amp; well.\n";
    assert_eq!(
        lines(&read("2026-03-02.vtt", text)),
        [
            "turn 4-8 #0 2026-03-02T00:00:01Z Ada (00:00:01–00:00:04) | We ship on Friday.",
            "turn 10-11 #1 2026-03-02T00:00:05Z Bob (00:00:05–00:00:06) | Good & well.",
        ]
    );
    let text =
        "1\n00:00:01,000 --> 00:00:02,000\nWe ship\n\n2\n00:00:02,000 --> 00:00:03,000\nWe ship\non Friday\n";
    assert_eq!(lines(&read("a.srt", text)), ["passage 2-8 #0 (00:00:01–00:00:03) | We ship on Friday"]);
    let reading = read("a.srt", "1\n00:00 --> x\nhi\n\n2\n00:00:02,000 --> 00:00:03,000\nho\n");
    assert_eq!(problems(&reading), ["cannot read `a.srt`: line 2 has no times that can be read"]);
    assert_eq!(reading.drafts.len(), 1);
}

#[test]
fn every_format_has_a_name() {
    for format in Format::ALL {
        assert_eq!(Format::parse(format.name()), Some(format));
    }
}

#[test]
fn the_reference_page_has_a_row_for_each_format_and_an_ending_for_one_row() {
    let page = griot_ingest::formats_page();
    let rows: Vec<Vec<&str>> = page
        .lines()
        .filter(|line| line.starts_with("| `"))
        .map(|line| line.trim_matches('|').split(" | ").map(str::trim).collect())
        .collect();
    let names: Vec<&str> = rows.iter().map(|row| row[0].trim_matches('`')).collect();
    let known = Format::ALL.iter().map(|format| format.name()).chain(["sqlite"]);
    assert_eq!(names, known.collect::<Vec<_>>());
    assert!(rows.iter().all(|row| row.len() == 4 && !row[2].is_empty() && !row[3].is_empty()), "{page}");
    let mut endings: Vec<&str> = rows.iter().flat_map(|row| row[1].split_whitespace()).collect();
    let all = endings.len();
    endings.sort_unstable();
    endings.dedup();
    assert_eq!(endings.len(), all, "{page}");
}
