//! Checks how large a PDF becomes when it is unpacked, before the library builds anything.
//!
//! - In the bytes: the unpacked size of streams, the depth of nesting, the number of parts of objects.
//! - In the objects: the library unpacks streams without a limit, so those that are too large are emptied,
//!   and pictures always.

use std::collections::BTreeSet;
use std::io::{Read, Write};

use flate2::read::ZlibDecoder;
use pdf_extract::{Dictionary, Document, Object, Stream};
use weezl::BitOrder;
use weezl::decode::Decoder;

/// Maximum bytes of one stream, unpacked.
pub(super) const STREAM: u64 = 64 * 1024 * 1024;
/// Maximum bytes of all streams except pictures, which are never unpacked.
const ALL: u64 = 256 * 1024 * 1024;
/// Maximum bytes of a font program, and of a map of its codes.
const FONT: u64 = 8 * 1024 * 1024;
/// Maximum nesting; the stack is sufficient for many times as much.
const DEPTH: usize = 5_000;
/// Maximum numbers, names and the like in objects; each takes about a hundred bytes.
const PARTS: u64 = 5_000_000;
/// Maximum distance from the beginning of a dictionary to its stream.
const DICTIONARY: usize = 4096;

/// Refuses what the library does not check in the bytes.
pub(super) fn check(bytes: &[u8]) -> Result<(), String> {
    let mut left = ALL;
    let mut parts = 0;
    let mut depth: usize = 0;
    let mut at = 0;
    while at < bytes.len() {
        match bytes[at] {
            b'[' => depth += 1,
            b'<' if bytes.get(at + 1) == Some(&b'<') => {
                depth += 1;
                at += 1;
            }
            b']' => depth = depth.saturating_sub(1),
            b'>' if bytes.get(at + 1) == Some(&b'>') => {
                depth = depth.saturating_sub(1);
                at += 1;
            }
            b's' if bytes[at..].starts_with(b"stream") && !bytes[..at].ends_with(b"end") => {
                unpack(&bytes[..at], &bytes[at + 6..], &mut left, &mut parts)?;
                at += 5;
            }
            b'/' => {
                check_filters(&bytes[at..bytes.len().min(at + 200)])?;
                parts += 1;
            }
            b' ' | b'\n' | b'\r' | b'\t' => parts += 1,
            _ => {}
        }
        if depth > DEPTH {
            return Err(format!("byte {at} is nested more than {DEPTH} levels deep"));
        }
        if parts > PARTS {
            return Err(format!("its objects have more than {PARTS} parts"));
        }
        at += 1;
    }
    Ok(())
}

/// Subtracts the unpacked size of a stream from `left`.
fn unpack(before: &[u8], data: &[u8], left: &mut u64, parts: &mut u64) -> Result<(), String> {
    let dictionary = &before[before.len().saturating_sub(DICTIONARY)..];
    let begin = dictionary.windows(4).rposition(|four| four == b" obj").unwrap_or(0);
    let dictionary = &dictionary[begin..];
    let says = |word: &[u8]| dictionary.windows(word.len()).any(|part| part == word);
    let holds_objects = says(b"/ObjStm") || says(b"/XRef");
    if holds_objects && says(b"/LZW") {
        return Err("its objects are packed in a way that none is".to_string());
    }
    if says(b"/Image") && !holds_objects {
        return Ok(());
    }
    let data = data.strip_prefix(b"\r").unwrap_or(data);
    let data = data.strip_prefix(b"\n").unwrap_or(data);
    if data.first().is_none_or(|first| first & 0x0F != 8) {
        return Ok(());
    }
    // The library refuses damaged streams; what was unpacked counts.
    let mut count = Count::default();
    let _ = std::io::copy(&mut ZlibDecoder::new(data).take(STREAM.min(*left) + 1), &mut count);
    if count.bytes > STREAM {
        return Err(format!("a stream in it unpacks to more than {STREAM} bytes"));
    }
    *left = left
        .checked_sub(count.bytes)
        .ok_or_else(|| format!("its streams unpack to more than {ALL} bytes"))?;
    if says(b"/ObjStm") {
        *parts += count.parts;
    }
    Ok(())
}

/// Refuses two filters on one stream: they multiply its size.
fn check_filters(rest: &[u8]) -> Result<(), String> {
    if rest.starts_with(b"/Filter") {
        let list = &rest[..rest.iter().position(|&byte| byte == b']' || byte == b'>').unwrap_or(rest.len())];
        if list.windows(3).filter(|three| *three == b"/Fl" || *three == b"/LZ").count() > 1 {
            return Err("a stream in it is packed more than once".to_string());
        }
    }
    Ok(())
}

#[derive(Default)]
struct Count {
    bytes: u64,
    parts: u64,
}

impl Write for Count {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.bytes += bytes.len() as u64;
        self.parts +=
            bytes.iter().filter(|byte| matches!(byte, b' ' | b'\n' | b'\r' | b'\t' | b'/')).count() as u64;
        if self.bytes > STREAM { Err(std::io::Error::other("enough")) } else { Ok(bytes.len()) }
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// Empties streams that are never read or too large to read.
pub(super) fn lighten(document: &mut Document) {
    let mut fonts = BTreeSet::new();
    for object in document.objects.values() {
        let dictionary = match object {
            Object::Dictionary(dictionary) => dictionary,
            Object::Stream(stream) => &stream.dict,
            _ => continue,
        };
        let programs = [b"FontFile".as_slice(), b"FontFile3", b"ToUnicode", b"Encoding"];
        fonts.extend(programs.iter().filter_map(|key| dictionary.get(key).ok()?.as_reference().ok()));
    }
    for (id, object) in &mut document.objects {
        let limit = if fonts.contains(id) { FONT } else { STREAM };
        if let Object::Stream(stream) = object
            && (is_picture(stream) || !fits(stream, limit))
        {
            let mut kept = Dictionary::new();
            for key in [b"Type".as_slice(), b"Subtype"] {
                if let Ok(value) = stream.dict.get(key) {
                    kept.set(key, value.clone());
                }
            }
            *stream = Stream::new(kept, Vec::new());
        }
    }
}

fn is_picture(stream: &Stream) -> bool {
    stream.dict.get(b"Subtype").and_then(Object::as_name).is_ok_and(|kind| kind == b"Image")
}

/// Whether a stream unpacks to at most `limit` bytes.
fn fits(stream: &Stream, limit: u64) -> bool {
    let mut count = Count::default();
    match stream.filters().ok().and_then(|filters| filters.last().copied()) {
        Some(b"LZWDecode") => {
            let _ = Decoder::with_tiff_size_switch(BitOrder::Msb, 8)
                .into_stream(&mut count)
                .decode_all(stream.content.as_slice());
        }
        Some(b"FlateDecode") => {
            let _ =
                std::io::copy(&mut ZlibDecoder::new(stream.content.as_slice()).take(limit + 1), &mut count);
        }
        _ => count.bytes = stream.content.len() as u64,
    }
    count.bytes <= limit
}
