//! Sizes and counts: the storage seam, public names, import cycles, files, functions.

use super::modules::Crate;
use super::rust::{self, Token};
use super::source::File;

const SEAM: &str = "crates/griot/src/backend/";
/// Traits next to the seam: `Search` and `Store` are implemented once for every back end, and a back end may
/// do without telemetry.
const BESIDE: [&str; 3] = ["Search", "Store", "Telemetry"];
/// Files above this are counted; see `files` for the limit.
const LONG_FILE: usize = 500;
/// A test of the engine counts what a recall asks of its back end, and holds it to this constant.
const REQUESTS: &str = "REQUESTS_PER_RECALL";

/// A table of what there is, and the most that it should be.
pub fn table(files: &[File], crates: &[Crate<'_>], cycles: &[Vec<&str>], against: usize) -> String {
    let traits = seam(files);
    let each = traits.iter().map(|(name, count)| format!("{name} {count}")).collect::<Vec<_>>();
    let of_seam = traits.iter().filter(|(name, _)| !BESIDE.contains(&name.as_str()));
    let public = crates.iter().find(|tree| tree.name == "griot").map_or(0, |tree| tree.public.len());
    let in_cycles = cycles.iter().map(|cycle| cycle.len().to_string()).collect::<Vec<_>>().join(", ");
    let in_cycles = if cycles.is_empty() { String::new() } else { format!("files: {in_cycles}") };
    let (length, place) = longest_function(files);
    let long = files.iter().filter(|file| length_of(file) > LONG_FILE).count();
    let requests = requests(files).map_or_else(|| "not counted".to_string(), grouped);
    let rows = [
        ("", "is".to_string(), "goal", String::new()),
        (
            "methods of the storage seam",
            grouped(of_seam.map(|(_, count)| count).sum()),
            "24",
            each.join(", "),
        ),
        ("public names of griot", grouped(public), "80", String::new()),
        ("import cycles", grouped(cycles.len()), "0", in_cycles),
        ("imports against the tables", grouped(against), "0", String::new()),
        ("files over 500 lines", grouped(long), "", String::new()),
        ("longest function, lines", grouped(length), "", place),
        ("lines of Rust", grouped(files.iter().map(length_of).sum()), "", String::new()),
        ("requests per recall", requests, "12", String::new()),
    ];
    let line = |(name, value, goal, detail)| {
        let line = format!("{name:28} {value:>11} {goal:>5}  {detail}");
        format!("{}\n", line.trim_end())
    };
    rows.map(line).concat()
}

fn length_of(file: &File) -> usize {
    file.text.lines().count()
}

fn grouped(number: usize) -> String {
    match number {
        0..1_000 => number.to_string(),
        _ => format!("{},{:03}", grouped(number / 1_000), number % 1_000),
    }
}

/// The public traits of the seam, each with the number of methods that a back end has to implement.
fn seam(files: &[File]) -> Vec<(String, usize)> {
    let mut traits = Vec::new();
    for file in files.iter().filter(|file| file.name.starts_with(SEAM)) {
        let tokens = file.product();
        for at in 0..tokens.len() {
            if tokens[at].is("pub") && tokens.get(at + 1).is_some_and(|token| token.is("trait")) {
                let name = tokens.get(at + 2).map_or("", |token| token.text);
                let end = rust::end_of_item(&tokens, at);
                traits.push((name.to_string(), required(&tokens[at..end])));
            }
        }
    }
    traits
}

/// Methods of a trait without a body.
fn required(tokens: &[Token<'_>]) -> usize {
    let starts = (0..tokens.len()).filter(|at| tokens[*at].is("fn"));
    starts.filter(|at| body(tokens, *at).is_none()).count()
}

/// Where the braces of the function at `start` begin and end; `None` if it has none.
fn body(tokens: &[Token<'_>], start: usize) -> Option<(usize, usize)> {
    let mut at = start;
    loop {
        match tokens.get(at)?.text {
            ";" => return None,
            "{" => return Some((at, rust::end_of_group(tokens, at) - 1)),
            "(" | "[" => at = rust::end_of_group(tokens, at),
            _ => at += 1,
        }
    }
}

/// Lines and location of the longest function outside tests.
fn longest_function(files: &[File]) -> (usize, String) {
    let mut longest = (0, String::new());
    for file in files {
        let tokens = file.product();
        for at in 0..tokens.len() {
            let Some(name) = tokens.get(at + 1).filter(|name| tokens[at].is("fn") && name.is_name()) else {
                continue;
            };
            let Some((_, end)) = body(&tokens, at) else { continue };
            let lines = tokens[end].line - tokens[at].line + 1;
            if lines > longest.0 {
                longest = (lines, format!("{} in {}:{}", name.text, file.name, tokens[at].line));
            }
        }
    }
    longest
}

fn requests(files: &[File]) -> Option<usize> {
    files.iter().filter(|file| file.name.starts_with("crates/") && file.text.contains(REQUESTS)).find_map(
        |file| {
            let tokens = rust::tokens(&file.text);
            let at = tokens.windows(2).position(|pair| pair[0].is("const") && pair[1].is(REQUESTS))?;
            let value = tokens[at..].iter().skip_while(|token| !token.is("=")).nth(1)?;
            value.text.parse().ok()
        },
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_counted() {
        let file = |name: &str, text: &str| File { name: name.into(), text: text.into(), is_test: false };
        let files = [
            file("crates/griot/src/lib.rs", "pub mod backend;\n"),
            file(
                "crates/griot/src/backend/mod.rs",
                "pub trait Read {\n fn a(&self) -> [u8; 2];\n fn b() { c; }\n}\ntrait Own { fn d(); }\n",
            ),
            file("crates/griot/tests/it/seam.rs", "const REQUESTS_PER_RECALL: usize = 11;\n"),
        ];
        assert_eq!(seam(&files), [("Read".to_string(), 1)]);
        assert_eq!(longest_function(&files), (1, "b in crates/griot/src/backend/mod.rs:3".to_string()));
        assert_eq!(requests(&files), Some(11));
        assert_eq!((grouped(999), grouped(91_747)), ("999".to_string(), "91,747".to_string()));
    }
}
