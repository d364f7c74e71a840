//! The hash that detects unchanged sources. It covers the bytes and the options that affect the drafts.

use std::fs::File;
use std::io::{self, Read};

use griot::model::Result;

use crate::options::ReadOptions;
use crate::readers::VERSION;
use crate::shown::io_error;

pub(crate) fn text_hash(bytes: &[u8], options: &ReadOptions) -> [u8; 32] {
    hasher(options).update(bytes).finalize().into()
}

/// Hashes a file from its current position on, preceded by `head`, which was read already.
pub(crate) fn file_hash(name: &str, head: &[u8], mut file: File, options: &ReadOptions) -> Result<[u8; 32]> {
    let mut hasher = hasher(options);
    hasher.update(head);
    io::copy(&mut file, &mut hasher).map_err(|error| io_error(name, &error))?;
    Ok(hasher.finalize().into())
}

fn hasher(options: &ReadOptions) -> blake3::Hasher {
    let ReadOptions { tags, metadata, scope, kind, format, max_bytes: _, root: _, allowed: _, limits: _ } =
        options;
    let mut hasher = blake3::Hasher::new();
    hasher.update(VERSION);
    let format = format.map(|format| format.name().to_string());
    for part in [&scope.user, &scope.project, kind, &format]
        .into_iter()
        .map(Option::as_ref)
        .chain(tags.iter().map(Some))
    {
        add(&mut hasher, part.map_or("", String::as_str));
    }
    hasher.update(&u64::MAX.to_le_bytes());
    // Without metadata, the hash is that of versions that knew none.
    for (name, value) in metadata {
        add(&mut hasher, name);
        add(&mut hasher, value);
    }
    hasher
}

fn add(hasher: &mut blake3::Hasher, part: &str) {
    hasher.update(&(part.len() as u64).to_le_bytes());
    hasher.update(part.as_bytes());
}

pub(crate) struct Hashing<R> {
    stream: R,
    hasher: blake3::Hasher,
}

impl<R> Hashing<R> {
    pub(crate) fn new(stream: R, options: &ReadOptions) -> Self {
        Self { stream, hasher: hasher(options) }
    }

    pub(crate) fn finish(self) -> [u8; 32] {
        self.hasher.finalize().into()
    }
}

impl<R: Read> Read for Hashing<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.stream.read(buffer)?;
        self.hasher.update(&buffer[..count]);
        Ok(count)
    }
}
