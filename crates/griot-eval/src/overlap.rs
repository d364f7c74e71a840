//! Does a reader see what other programs see? The words that Griot reads from documents, against those that
//! `pdftotext` and `pandoc` print.
//!
//! Words are runs of letters and digits, without case and compatibility forms (`ﬁ` is `fi`); an ideograph is
//! a word of its own, for lines break between them anywhere. Each counts as often as it occurs. Targets
//! of links are not compared: passages keep them, plain text does not.

use std::collections::{BTreeMap, HashMap};
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use clap::Args;
use griot::model::{Error, Result};
use griot::remember::Draft;
use griot::text::normal_name;
use griot_ingest::{Format, ReadOptions, Reading, files, read_file};

use crate::output;

/// Fewer words than these are no text layer, such as those of a stamp on a scanned page.
const FEW: usize = 10;
/// A passage repeats no more characters of the one before it; what is longer is said twice in the document.
const REPEATED: usize = 320;
/// So many words are listed on each side.
const LISTED: usize = 12;

/// Compare the words read from documents with those that `pdftotext` and `pandoc` print; exit 1 where too
/// few are shared.
#[derive(Args)]
pub struct Options {
    /// Documents (pdf, docx, odt, epub, rtf, html), or folders of them.
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    /// Words of the other program that have to be read, as a share.
    #[arg(long, default_value_t = 0.95)]
    bar: f64,
    /// List the words that were missed or added most often.
    #[arg(long)]
    misses: bool,
}

impl Options {
    pub fn perform(&self) -> Result<bool> {
        output::print(&format!("{:<5} {:>6} {:>9} {:>8}  document\n", "", "recall", "precision", "words"))?;
        let documents = measure(&self.paths, |document| output::print(&document.line(self.misses)))?;
        output::print(&table(&documents, self.bar))?;
        Ok(documents.iter().all(|document| document.holds(self.bar)))
    }
}

#[derive(Clone, Debug)]
struct Document {
    path: PathBuf,
    format: Format,
    outcome: Outcome,
}

#[derive(Clone, Debug)]
enum Outcome {
    Compared(Overlap),
    /// The other program finds next to nothing; so many words are ours.
    NoText(usize),
    /// Nothing to compare with, and why.
    Unmeasured(String),
}

/// Words of both, as a share of theirs and of ours.
#[derive(Clone, Debug, Default)]
struct Overlap {
    recall: f64,
    precision: f64,
    /// Of the other program.
    words: usize,
    /// Most frequent first.
    missed: Vec<(String, usize)>,
    added: Vec<(String, usize)>,
    /// What the reader said.
    problems: Vec<String>,
}

impl Document {
    fn holds(&self, bar: f64) -> bool {
        match &self.outcome {
            Outcome::Compared(overlap) => overlap.recall >= bar,
            Outcome::NoText(_) => true,
            Outcome::Unmeasured(_) => false,
        }
    }

    fn line(&self, misses: bool) -> String {
        let (name, path) = (self.format.name(), self.path.display());
        let overlap = match &self.outcome {
            Outcome::Compared(overlap) => overlap,
            Outcome::NoText(ours) => {
                return format!("{name:<5} no text layer, {ours} words of ours  {path}\n");
            }
            Outcome::Unmeasured(why) => return format!("{name:<5} NOT MEASURED: {why}  {path}\n"),
        };
        let Overlap { recall, precision, words, missed, added, problems } = overlap;
        let mut out = format!("{name:<5} {recall:>6.3} {precision:>9.3} {words:>8}  {path}\n");
        out.extend(problems.iter().map(|problem| format!("      {problem}\n")));
        for (what, words) in [("missed", missed), ("added", added)] {
            let listed: Vec<String> = words.iter().map(|(word, count)| format!("{word} {count}")).collect();
            if misses && !listed.is_empty() {
                out.push_str(&format!("      {what}: {}\n", listed.join(", ")));
            }
        }
        out
    }
}

/// Compares each document, in the order of the paths; of folders those that something can be compared with.
fn measure(paths: &[PathBuf], mut report: impl FnMut(&Document) -> Result<()>) -> Result<Vec<Document>> {
    let mut found = Vec::new();
    for path in paths {
        let all = files(path)?.files;
        found.extend(
            all.into_iter().filter(|file| file == path || Reference::of(Format::detect(file, "")).is_some()),
        );
    }
    let mut documents = Vec::new();
    for path in found {
        let format = Format::detect(&path, "");
        let outcome = match Reference::of(format).map(|reference| reference.print(&path)) {
            Some(Ok(theirs)) => compare(&path, format, &theirs),
            Some(Err(why)) => Outcome::Unmeasured(why),
            None => Outcome::Unmeasured("there is no other program to compare with".into()),
        };
        let document = Document { path, format, outcome };
        report(&document)?;
        documents.push(document);
    }
    if documents.is_empty() {
        let hint = "name files or folders with .pdf, .docx, .odt, .epub, .rtf or .html";
        return Err(Error::not_found("compare documents", "there are none").hint(hint));
    }
    Ok(documents)
}

/// A program that prints the words of a document.
struct Reference {
    program: &'static str,
    package: &'static str,
    /// Around the path.
    before: &'static [&'static str],
    after: &'static [&'static str],
}

impl Reference {
    fn of(format: Format) -> Option<Self> {
        let before: &[&str] = match format {
            Format::Pdf => {
                return Some(Self {
                    program: "pdftotext",
                    package: "poppler-utils",
                    before: &["-q"],
                    after: &["-"],
                });
            }
            Format::Word => &["--from=docx"],
            Format::OpenText => &["--from=odt"],
            Format::Epub => &["--from=epub"],
            Format::RichText => &["--from=rtf"],
            Format::Html => &["--from=html"],
            _ => return None,
        };
        // Lines so wide that no column of a table breaks a word.
        let after = &["--to=plain", "--wrap=none", "--columns=1000", "--quiet"];
        Some(Self { program: "pandoc", package: "pandoc", before, after })
    }

    fn print(&self, path: &Path) -> Result<String, String> {
        let Self { program, package, before, after } = self;
        let mut command = Command::new(program);
        let ran = command.args(*before).arg(path).args(*after).stdin(Stdio::null()).output();
        let output = ran.map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => format!("{program} is not there; install {package}"),
            _ => format!("{program} does not start: {error}"),
        })?;
        if !output.status.success() {
            let said = String::from_utf8_lossy(&output.stderr);
            return Err(format!(
                "{program} fails: {}",
                said.trim().lines().next().unwrap_or("it says nothing")
            ));
        }
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    }
}

fn compare(path: &Path, format: Format, theirs: &str) -> Outcome {
    let read = read_file(path, &ReadOptions::default());
    let (text, problems) = match &read {
        Ok(readings) => (
            readings.iter().map(|reading| text_of(reading, format)).collect(),
            readings
                .iter()
                .flat_map(|reading| &reading.problems)
                .map(|problem| problem.why.clone())
                .collect(),
        ),
        Err(error) => (String::new(), vec![format!("refused: {}", error.why)]),
    };
    let (theirs, ours) = (words(theirs), words(&text));
    let count = |words: &HashMap<String, usize>| words.values().sum::<usize>();
    if count(&theirs) < FEW {
        return Outcome::NoText(count(&ours));
    }
    Outcome::Compared(Overlap { problems, ..Overlap::of(&theirs, &ours) })
}

impl Overlap {
    fn of(theirs: &HashMap<String, usize>, ours: &HashMap<String, usize>) -> Self {
        let both: usize = theirs.iter().map(|(word, count)| count.min(ours.get(word).unwrap_or(&0))).sum();
        let share =
            |whole: &HashMap<String, usize>| both as f64 / whole.values().sum::<usize>().max(1) as f64;
        Self {
            recall: share(theirs),
            precision: share(ours),
            words: theirs.values().sum(),
            missed: beyond(theirs, ours),
            added: beyond(ours, theirs),
            problems: Vec::new(),
        }
    }
}

/// What `one` has more of.
fn beyond(one: &HashMap<String, usize>, other: &HashMap<String, usize>) -> Vec<(String, usize)> {
    let more =
        one.iter().map(|(word, count)| (word.clone(), count.saturating_sub(*other.get(word).unwrap_or(&0))));
    let mut more: Vec<(String, usize)> = more.filter(|(_, count)| *count > 0).collect();
    more.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    more.truncate(LISTED);
    more
}

/// What the document says: each heading where it begins, and no passage's end again in the next one.
fn text_of(reading: &Reading, format: Format) -> String {
    let mut out = String::new();
    // The file's own name is no title that anybody reads in it.
    let path = Path::new(&reading.source.origin);
    let title =
        reading.source.title.as_deref().filter(|title| path.file_stem().is_none_or(|stem| stem != *title));
    let mut before: Option<&Draft> = None;
    let mut headings: &[String] = &[];
    for draft in &reading.drafts {
        // `page 3` is a name that we give.
        if format != Format::Pdf {
            let same = draft.heading.iter().zip(headings).take_while(|(one, other)| one == other).count();
            draft.heading[same..]
                .iter()
                .for_each(|heading| out.extend(["\n", without_targets(heading).as_str()]));
            headings = &draft.heading;
        }
        let again = before.filter(|before| before.heading == draft.heading);
        let text = &draft.text[again.map_or(0, |before| repeated(&before.text, &draft.text))..];
        out.extend(["\n", without_targets(text).as_str()]);
        before = Some(draft);
    }
    // Some readers take it out of the text, and some programs print it.
    let is_there = title.is_none_or(|title| normal_name(&out).contains(&normal_name(title)));
    if !is_there {
        out.extend(["\n", title.unwrap_or_default()]);
    }
    out
}

/// How much of the beginning of a passage is the end of the one before it.
fn repeated(before: &str, text: &str) -> usize {
    let ends = text.char_indices().map(|(at, c)| at + c.len_utf8()).take(REPEATED);
    ends.filter(|end| before.ends_with(&text[..*end])).last().unwrap_or(0)
}

/// Markdown without what is between `](` and `)`.
fn without_targets(markdown: &str) -> String {
    let mut out = String::new();
    let mut rest = markdown;
    while let Some(at) = rest.find("](") {
        let end = rest[at..].find([')', '\n']).map_or(rest.len(), |end| at + end);
        out.push_str(&rest[..at]);
        out.push(' ');
        rest = &rest[end..];
    }
    out + rest
}

fn words(text: &str) -> HashMap<String, usize> {
    let text: String = text.chars().filter(|c| *c != '\u{AD}').collect();
    let mut counts = HashMap::new();
    for run in normal_name(&text).split(|c: char| !c.is_alphanumeric()) {
        let mut rest = run;
        while let Some(first) = rest.chars().next() {
            let end = match is_ideograph(first) {
                true => first.len_utf8(),
                false => rest.find(is_ideograph).unwrap_or(rest.len()),
            };
            *counts.entry(rest[..end].to_string()).or_default() += 1;
            rest = &rest[end..];
        }
    }
    counts
}

fn is_ideograph(c: char) -> bool {
    matches!(c as u32, 0x2E80..=0x9FFF | 0xF900..=0xFAFF | 0x2_0000..=0x3_FFFF)
}

/// What the documents of each format come to.
fn table(documents: &[Document], bar: f64) -> String {
    let mut formats: BTreeMap<&str, Vec<&Outcome>> = BTreeMap::new();
    for document in documents {
        formats.entry(document.format.name()).or_default().push(&document.outcome);
    }
    let mut out = format!(
        "\n{:<7} {:>9} {:>7} {:>7} {:>10} {:>10} {:>8} {:>12}\n",
        "format",
        "documents",
        "mean",
        "least",
        format!("below {bar}"),
        "precision",
        "no text",
        "not measured"
    );
    for (name, outcomes) in &formats {
        let mut compared = Vec::new();
        let (mut without, mut unmeasured) = (0, 0);
        for outcome in outcomes {
            match outcome {
                Outcome::Compared(overlap) => compared.push(overlap),
                Outcome::NoText(_) => without += 1,
                Outcome::Unmeasured(_) => unmeasured += 1,
            }
        }
        let mean = |part: fn(&Overlap) -> f64| {
            compared.iter().map(|overlap| part(overlap)).sum::<f64>() / compared.len().max(1) as f64
        };
        let least = compared.iter().map(|overlap| overlap.recall).fold(1.0, f64::min);
        let below = compared.iter().filter(|overlap| overlap.recall < bar).count();
        let (recall, precision) = (mean(|overlap| overlap.recall), mean(|overlap| overlap.precision));
        let figures = match compared.len() {
            0 => format!("{:>9} {:>7} {:>7} {:>10} {:>10}", 0, "", "", "", ""),
            count => format!("{count:>9} {recall:>7.3} {least:>7.3} {below:>10} {precision:>10.3}"),
        };
        out.push_str(&format!("{name:<7} {figures} {without:>8} {unmeasured:>12}\n"));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use griot_ingest::read_text;

    fn counted(text: &str) -> Vec<(String, usize)> {
        let mut words: Vec<_> = words(text).into_iter().collect();
        words.sort();
        words
    }

    #[test]
    fn words_are_letters_and_digits_without_case() {
        let of = |word: &str, count| (word.to_string(), count);
        assert_eq!(counted("The ﬁle, the file_2"), [of("2", 1), of("file", 2), of("the", 2)]);
        assert_eq!(counted("数据a数"), [of("a", 1), of("据", 1), of("数", 2)]);
    }

    #[test]
    fn shares_are_of_theirs_and_of_ours() {
        let overlap = Overlap::of(&words("one two two three"), &words("two two two one five"));
        assert_eq!((overlap.recall, overlap.precision), (0.75, 0.6));
        assert_eq!(overlap.missed, [("three".to_string(), 1)]);
        assert_eq!(overlap.added, [("five".to_string(), 1), ("two".to_string(), 1)]);
    }

    #[test]
    fn what_passages_repeat_counts_once() {
        let body: String = (0..2000).map(|n| format!("word{n} stands here. ")).collect();
        let text = format!("# Many\n\n{body}\n\n## More\n\nSee [the end](https://example.org/end).\n");
        let readings = read_text("many.md", &text, &ReadOptions::default()).expect("it is read");
        assert!(readings[0].drafts.len() > 3);
        let ours = words(&text_of(&readings[0], Format::Markdown));
        assert_eq!(ours, words(&format!("Many {body} More See the end")));
    }
}
