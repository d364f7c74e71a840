//! Rich text (`.rtf`) as Markdown, with headings, lists and tables.
//!
//! A group is a pair of braces; destinations without text (fonts, styles, pictures) are skipped as a whole.
//! The depth of groups is limited, and nothing recurses.

use std::collections::HashMap;

use encoding_rs::{Encoding, WINDOWS_1252};
use griot::model::Result;

use crate::readers::document;
use crate::readers::markup::{heading, item, one_line, paragraph, table};
use crate::readers::reader::{Batch, Read, Reader};

pub(crate) const READER: Reader = Reader {
    name: "rtf",
    mime: "application/rtf",
    summary: "passages with headings; lists and tables stay as Markdown",
    own_extensions: &["rtf"],
    magic: |head| head.bytes.starts_with(b"{\\rtf"),
    read: |_| Read::Bytes(read),
    ..Reader::BASE
};

const DEPTH: usize = 1_000;
/// Groups without text. Those that begin with `\*` are skipped, too.
const SILENT: [&str; 19] = [
    "fonttbl",
    "colortbl",
    "pict",
    "object",
    "header",
    "headerl",
    "headerr",
    "headerf",
    "footer",
    "footerl",
    "footerr",
    "footerf",
    "themedata",
    "datastore",
    "listtable",
    "listoverridetable",
    "fldinst",
    "xe",
    "tc",
];

#[derive(Clone, Default)]
struct State {
    is_silent: bool,
    /// Number of fallback bytes after a Unicode character, for old readers.
    skip: usize,
    target: Target,
    level: Option<usize>,
    is_list: bool,
    in_table: bool,
    is_hidden: bool,
}

/// What the words of a group belong to.
#[derive(Clone, Copy, Default, PartialEq)]
enum Target {
    #[default]
    Text,
    Styles,
    Info,
    Title,
    /// The marker of a list item.
    Mark,
}

#[derive(Default)]
struct Parser {
    state: State,
    above: Vec<State>,
    /// Default: windows-1252.
    encoding: Option<&'static Encoding>,
    /// Bytes to decode.
    raw: Vec<u8>,
    text: String,
    mark: String,
    title: String,
    row: Vec<String>,
    rows: Vec<Vec<String>>,
    out: String,
    /// Levels of headings by the number of their style.
    levels: HashMap<i32, usize>,
    style: i32,
    style_name: String,
    /// Number of characters to skip.
    skip: usize,
    /// Half of a character beyond the first plane.
    half: Option<u16>,
}

fn read(bytes: &[u8], batch: &mut Batch) -> Result<()> {
    if !bytes.starts_with(b"{\\rtf") {
        return Err(batch.error("it is not rich text: it does not begin with `{\\rtf`"));
    }
    let mut parser = Parser { state: State { skip: 1, ..State::default() }, ..Parser::default() };
    match parser.read(bytes) {
        Ok(true) => {}
        Ok(false) => batch.problem("it ends too early: a group is not closed"),
        Err(why) => return Err(batch.error(why)),
    }
    parser.end_paragraph();
    parser.end_table();
    batch.title = Some(one_line(&parser.title)).filter(|title| !title.is_empty());
    document::read_converted(&parser.out, &[], None, batch);
    Ok(())
}

impl Parser {
    /// Whether all groups were closed.
    fn read(&mut self, bytes: &[u8]) -> Result<bool, String> {
        let mut at = 0;
        while let Some(&byte) = bytes.get(at) {
            at += 1;
            match byte {
                b'{' => {
                    if self.above.len() >= DEPTH {
                        return Err(format!("byte {at} is nested more than {DEPTH} groups deep"));
                    }
                    self.flush();
                    self.above.push(self.state.clone());
                }
                b'}' => {
                    self.flush();
                    self.end_style();
                    match self.above.pop() {
                        Some(state) => self.state = state,
                        None => return Ok(true),
                    }
                    if self.above.is_empty() {
                        return Ok(true);
                    }
                }
                b'\\' => at = self.control(bytes, at),
                b'\r' | b'\n' => {}
                byte => self.byte(byte),
            }
        }
        Ok(false)
    }

    /// Reads a control word or symbol after a backslash; returns its end.
    fn control(&mut self, bytes: &[u8], at: usize) -> usize {
        let Some(&first) = bytes.get(at) else { return at };
        if !first.is_ascii_alphabetic() {
            match first {
                b'\'' => {
                    let code = bytes.get(at + 1..at + 3).and_then(|code| std::str::from_utf8(code).ok());
                    let Some(byte) = code.and_then(|code| u8::from_str_radix(code, 16).ok()) else {
                        return at + 1;
                    };
                    self.byte(byte);
                    return at + 3;
                }
                b'~' => self.words("\u{A0}"),
                b'_' => self.words("-"),
                b'\\' | b'{' | b'}' => self.byte(first),
                b'*' => self.state.is_silent = true,
                b'\n' | b'\r' => self.word("par", None),
                _ => {}
            }
            return at + 1;
        }
        let letters = bytes[at..].iter().take(32).take_while(|byte| byte.is_ascii_alphabetic()).count();
        let name = String::from_utf8_lossy(&bytes[at..at + letters]).into_owned();
        let mut end = at + letters;
        let digits = bytes[end..].iter().enumerate().take(11);
        let digits =
            digits.take_while(|(at, byte)| byte.is_ascii_digit() || (*at == 0 && **byte == b'-')).count();
        let number =
            std::str::from_utf8(&bytes[end..end + digits]).ok().and_then(|number| number.parse::<i32>().ok());
        end += digits;
        if bytes.get(end) == Some(&b' ') {
            end += 1;
        }
        if name == "bin" {
            return end.saturating_add(usize::try_from(number.unwrap_or(0)).unwrap_or(0)).min(bytes.len());
        }
        self.word(&name, number);
        end
    }

    fn word(&mut self, name: &str, number: Option<i32>) {
        if name != "u" {
            self.flush();
        }
        let value = number.unwrap_or(0);
        match name {
            "u" => self.unicode((value & 0xFFFF) as u16),
            "uc" => self.state.skip = usize::try_from(value).unwrap_or(1).min(8),
            "ansicpg" => {
                self.encoding = Encoding::for_label(format!("windows-{value}").as_bytes());
            }
            "stylesheet" => self.state.target = Target::Styles,
            "info" => self.state.target = Target::Info,
            "title" if self.state.target == Target::Info => self.state.target = Target::Title,
            "author" | "operator" | "company" | "subject" | "doccomm" | "keywords" | "comment"
                if self.state.target == Target::Info =>
            {
                self.state.is_silent = true;
            }
            name if SILENT.contains(&name) => self.state.is_silent = true,
            // The marker identifies a list item.
            "listtext" | "pntext" => {
                self.state.target = Target::Mark;
                self.mark.clear();
                if let Some(above) = self.above.last_mut() {
                    above.is_list = true;
                }
            }
            "s" if self.state.target == Target::Styles => self.style = value,
            "s" => self.state.level = self.levels.get(&value).copied(),
            "outlinelevel" if self.state.target == Target::Styles && (0..9).contains(&value) => {
                self.levels.insert(self.style, value as usize + 1);
            }
            "outlinelevel" => self.state.level = (0..9).contains(&value).then(|| value as usize + 1),
            "v" => self.state.is_hidden = number != Some(0),
            "par" | "sect" | "page" => self.end_paragraph(),
            "pard" => {
                self.state.level = None;
                self.state.is_list = false;
                self.state.in_table = false;
            }
            "intbl" => self.state.in_table = true,
            "cell" => self.row.push(std::mem::take(&mut self.text)),
            "row" => self.rows.push(std::mem::take(&mut self.row)),
            "line" => self.words("\n"),
            "tab" => self.words("\t"),
            "emdash" => self.words("—"),
            "endash" => self.words("–"),
            "lquote" => self.words("‘"),
            "rquote" => self.words("’"),
            "ldblquote" => self.words("“"),
            "rdblquote" => self.words("”"),
            "bullet" => self.words("•"),
            _ => {}
        }
    }

    /// A unit of UTF-16.
    fn unicode(&mut self, unit: u16) {
        self.flush_bytes();
        let c = match self.half.take() {
            Some(half) => char::decode_utf16([half, unit]).next().and_then(std::result::Result::ok),
            None if (0xD800..0xDC00).contains(&unit) => {
                self.half = Some(unit);
                None
            }
            None => char::from_u32(u32::from(unit)),
        };
        if let Some(c) = c.filter(|c| *c != '\0') {
            self.words(c.encode_utf8(&mut [0; 4]));
        }
        self.skip = self.state.skip;
    }

    fn byte(&mut self, byte: u8) {
        if self.skip > 0 {
            self.skip -= 1;
        } else if byte != 0 {
            self.raw.push(byte);
        }
    }

    fn flush(&mut self) {
        self.skip = 0;
        self.flush_bytes();
    }

    fn flush_bytes(&mut self) {
        if self.raw.is_empty() {
            return;
        }
        let raw = std::mem::take(&mut self.raw);
        let (words, _) = self.encoding.unwrap_or(WINDOWS_1252).decode_without_bom_handling(&raw);
        self.words(&words);
    }

    fn words(&mut self, words: &str) {
        if self.state.is_silent || self.state.is_hidden {
            return;
        }
        match self.state.target {
            Target::Text => self.text.push_str(words),
            Target::Styles => self.style_name.push_str(words),
            Target::Title => self.title.push_str(words),
            Target::Mark => self.mark.push_str(words),
            Target::Info => {}
        }
    }

    /// `heading 1;` in the table of styles.
    fn end_style(&mut self) {
        if self.state.target != Target::Styles {
            return;
        }
        let name = std::mem::take(&mut self.style_name).trim_end_matches(';').trim().to_lowercase();
        if let Some(level) = name.strip_prefix("heading ").and_then(|level| level.parse::<usize>().ok()) {
            self.levels.insert(self.style, level.clamp(1, 6));
        }
    }

    fn end_paragraph(&mut self) {
        self.flush();
        if self.state.in_table {
            return self.words("\n");
        }
        let text = std::mem::take(&mut self.text);
        if text.trim().is_empty() {
            return;
        }
        self.end_table();
        if let Some(level) = self.state.level {
            heading(level, &text, &mut self.out);
        } else if self.state.is_list {
            let mark = markdown_mark(&std::mem::take(&mut self.mark));
            item(0, &mark, &one_line(&text), &mut self.out);
        } else {
            if !self.out.is_empty() && !self.out.ends_with("\n\n") {
                self.out.push('\n');
            }
            paragraph(&text, &mut self.out);
        }
        self.state.is_list = false;
    }

    fn end_table(&mut self) {
        if !self.row.is_empty() {
            self.rows.push(std::mem::take(&mut self.row));
        }
        table(&std::mem::take(&mut self.rows), &mut self.out);
    }
}

/// `2.` if the list is numbered so; other numbers, such as `b)` or `2.1`, become part of the item. The rest
/// are bullets; some are characters of a symbol font.
fn markdown_mark(mark: &str) -> String {
    let mark = one_line(mark);
    let number = mark.strip_suffix(['.', ')']).unwrap_or(&mark);
    if !number.is_empty() && number.len() < 9 && number.bytes().all(|digit| digit.is_ascii_digit()) {
        return format!("{number}.");
    }
    let is_count = mark.chars().any(char::is_numeric) || (mark.ends_with(['.', ')']) && !number.is_empty());
    if is_count { format!("- {mark}") } else { "-".to_string() }
}
