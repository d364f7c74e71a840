//! A whole workspace as JSON Lines: one record a line, each with its `type`.
//!
//! ```text
//! {"type":"header","format":"griot-export","version":5,…}   first
//! {"type":"source",…}  {"type":"entity",…}  {"type":"memory",…}  {"type":"edge",…}  {"type":"fact",…}
//! {"type":"types",…}  {"type":"offer",…}  {"type":"reading",…}  {"type":"merge",…}  {"type":"suggestion",…}
//! {"type":"end","records":1234}                             last: a file without it is incomplete
//! ```
//!
//! Edges and facts name their ends by public ids (`tool:redis`, the UUID of a memory), so that a workspace
//! with other numbers can import them. Reading and writing hold one record at a time. An error names the
//! line.

mod line;
mod merges;
mod rows;

use std::io::{BufRead, Write};

use griot::engine::Record;
use griot::model::{Error, Result};

use line::{HeaderLine, Line};

pub const FORMAT: &str = "griot-export";
/// Version 2 knows merges, version 3 keys, version 4 offers, version 5 readings; earlier ones are read as
/// well.
pub const VERSION: u32 = 5;

/// Writes records as they come; [`Writer::finish`] writes the last line.
pub struct Writer<W: Write> {
    sink: W,
    records: u64,
}

impl<W: Write> Writer<W> {
    pub fn new(sink: W) -> Self {
        Self { sink, records: 0 }
    }

    pub fn write(&mut self, record: &Record) -> std::io::Result<()> {
        self.line(&Line::from(record))?;
        self.records += 1;
        Ok(())
    }

    /// How many records were written, the header among them.
    pub fn finish(mut self) -> std::io::Result<u64> {
        let records = self.records;
        self.line(&Line::End { records })?;
        self.sink.flush()?;
        Ok(records)
    }

    fn line(&mut self, line: &Line) -> std::io::Result<()> {
        serde_json::to_writer(&mut self.sink, line)?;
        self.sink.write_all(b"\n")
    }
}

/// Reads records one at a time. After an error it ends.
pub struct Reader<R: BufRead> {
    source: R,
    line: u64,
    records: u64,
    state: State,
    buffer: Vec<u8>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Start,
    Inside,
    Done,
}

impl<R: BufRead> Reader<R> {
    pub fn new(source: R) -> Self {
        Self { source, line: 0, records: 0, state: State::Start, buffer: Vec::new() }
    }

    fn step(&mut self) -> Result<Option<Record>> {
        loop {
            self.buffer.clear();
            self.line += 1;
            let read = self.source.read_until(b'\n', &mut self.buffer).map_err(|error| {
                Error::unavailable(format!("read line {} of the import", self.line), error.to_string())
            })?;
            if read == 0 {
                return Err(self.incomplete());
            }
            if self.buffer.trim_ascii().is_empty() {
                continue;
            }
            let line: Line = match serde_json::from_slice(&self.buffer) {
                Ok(line) => line,
                Err(_) if self.state == State::Start => return Err(self.foreign()),
                Err(error) if error.is_eof() => return Err(self.cut_off()),
                Err(error) => return Err(self.wrong(error.to_string())),
            };
            return match (self.state, line) {
                (State::Start, Line::Header(header)) => {
                    check_header(&header)?;
                    self.state = State::Inside;
                    self.records = 1;
                    Ok(Some(header.into_record()))
                }
                (State::Start, _) => Err(self.foreign()),
                (_, Line::Header(_)) => Err(self.wrong("a second header; two exports were joined")),
                (_, Line::End { records }) if records == self.records => {
                    self.state = State::Done;
                    self.no_more()?;
                    Ok(None)
                }
                (_, Line::End { records }) => {
                    Err(self
                        .wrong(format!("{} records came before it, {records} were written", self.records)))
                }
                (_, line) => {
                    self.records += 1;
                    line.into_record().map(Some).map_err(|why| self.wrong(why))
                }
            };
        }
    }

    /// Nothing but white space may follow the last line.
    fn no_more(&mut self) -> Result<()> {
        let mut rest = [0; 64];
        loop {
            match self.source.read(&mut rest) {
                Ok(0) => return Ok(()),
                Ok(read) if rest[..read].trim_ascii().is_empty() => {}
                Ok(_) => return Err(self.wrong("more text follows the last record; two exports were joined")),
                Err(error) => {
                    return Err(Error::unavailable("read the end of the import", error.to_string()));
                }
            }
        }
    }

    fn wrong(&self, why: impl Into<String>) -> Error {
        Error::invalid(format!("import line {}", self.line), why)
    }

    fn foreign(&self) -> Error {
        Error::invalid(format!("import line {}", self.line), "it is not the header of a griot export").hint(
            "griot export FILE writes a file that can be imported; griot ingest FILE reads other JSON Lines",
        )
    }

    fn cut_off(&self) -> Error {
        Error::invalid(format!("import line {}", self.line), "the line is cut off")
            .hint("the export was not written to its end: export again")
    }

    fn incomplete(&self) -> Error {
        Error::invalid(
            "import the file",
            format!("it ends after line {} without its last record", self.line - 1),
        )
        .hint("the export was not written to its end: export again")
    }
}

impl<R: BufRead> Iterator for Reader<R> {
    type Item = Result<Record>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.state == State::Done {
            return None;
        }
        let step = self.step();
        if step.is_err() {
            self.state = State::Done;
        }
        step.transpose()
    }
}

fn check_header(header: &HeaderLine) -> Result<()> {
    if header.format != FORMAT {
        return Err(Error::invalid(
            "import the file",
            format!("its format is `{}`, not `{FORMAT}`", header.format),
        ));
    }
    if header.version > VERSION {
        return Err(Error::invalid(
            "import the file",
            format!(
                "it has version {} of the export format, this griot reads up to {VERSION}",
                header.version
            ),
        )
        .hint("install a newer griot"));
    }
    Ok(())
}

#[cfg(test)]
mod tests;
