//! The readers through their public interface: files in, drafts out.

#![allow(clippy::unwrap_used)]

mod bad_input;
mod cases;
mod crawls;
mod databases;
mod exports;
mod folders;
mod formats;
mod hostile;
mod intake;
mod mutated;
mod office;
mod pdf;
mod secure;
mod site;
mod streams;
mod workspace;

use std::io::Write;
use std::path::{Path, PathBuf};

use griot::engine::{Access, Engine, Settings};
use griot::model::Result;
use griot::remember::Draft;
use griot_ingest::{ReadOptions, Reading, read_bytes, read_file, read_stream};

/// A temporary folder.
pub struct Folder(tempfile::TempDir);

impl Folder {
    pub fn empty() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    pub fn path(&self) -> &Path {
        self.0.path()
    }

    /// Writes a file, and the folders that it is in.
    pub fn file(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, content).unwrap();
        path
    }

    pub fn engine(&self, settings: Settings) -> Engine {
        let access = Access { create: true, read_only: false };
        Engine::open(&self.path().join("griot.db"), access, settings).unwrap()
    }
}

fn golden(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(name)
}

fn read(name: &str, content: impl AsRef<[u8]>) -> Reading {
    read_with(name, content, &ReadOptions::default())
}

fn read_with(name: &str, content: impl AsRef<[u8]>, options: &ReadOptions) -> Reading {
    only(read_bytes(name, content.as_ref().to_vec(), options))
}

fn read_path(path: &Path) -> Reading {
    only(read_file(path, &ReadOptions::default()))
}

fn only(readings: Result<Vec<Reading>>) -> Reading {
    let mut readings = readings.unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(readings.len(), 1);
    readings.remove(0)
}

fn read_parts(path: &Path, options: &ReadOptions) -> Vec<Reading> {
    let mut parts = Vec::new();
    read_stream(path, options, &mut |part| {
        parts.push(part);
        Ok(())
    })
    .unwrap();
    parts
}

fn refusal(name: &str, content: impl AsRef<[u8]>) -> String {
    let content = content.as_ref().to_vec();
    read_bytes(name, content, &ReadOptions::default()).expect_err("it should be refused").to_string()
}

/// A zip archive.
fn packed(parts: &[(&str, &[u8])]) -> Vec<u8> {
    packed_by(zip::CompressionMethod::Deflated, parts)
}

fn packed_by(method: zip::CompressionMethod, parts: &[(&str, &[u8])]) -> Vec<u8> {
    let options = zip::write::SimpleFileOptions::default().compression_method(method);
    let mut archive = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, bytes) in parts {
        archive.start_file(*name, options).unwrap();
        archive.write_all(bytes).unwrap();
    }
    archive.finish().unwrap().into_inner()
}

fn problems(reading: &Reading) -> Vec<String> {
    reading.problems.iter().map(ToString::to_string).collect()
}

/// A draft on one line: `kind line session#ordinal time speaker (heading) [tags] | text`, without missing
/// fields.
fn line(draft: &Draft) -> String {
    let mut parts = vec![draft.kind.clone().unwrap_or_default()];
    parts.extend(draft.lines.map(|lines| format!("{}-{}", lines.first, lines.last)));
    let session = draft.session.as_deref().unwrap_or_default();
    parts.push(format!("{session}#{}", draft.ordinal.expect("it is numbered")));
    parts.extend(draft.occurred_at.map(|at| at.to_string()));
    parts.extend(draft.speaker.clone());
    parts.extend((!draft.heading.is_empty()).then(|| format!("({})", draft.heading.join(" > "))));
    parts.extend((!draft.tags.is_empty()).then(|| format!("[{}]", draft.tags.join(", "))));
    parts.push(format!("| {}", draft.text.replace('\n', "⏎")));
    parts.join(" ")
}

fn lines(reading: &Reading) -> Vec<String> {
    reading.drafts.iter().map(line).collect()
}

fn texts(reading: &Reading) -> Vec<&str> {
    reading.drafts.iter().map(|draft| draft.text.as_str()).collect()
}
