//! How much a PDF becomes when it is unpacked, found without building any of it.
//!
//! - In the bytes: what streams unpack to, how deep things lie in each other, of how many parts the objects
//!   are made.
//! - In the objects: streams that the library would unpack without a limit are emptied where they are too
//!   large, pictures always.

use std::collections::BTreeSet;
use std::io::{Read, Write};

use flate2::read::ZlibDecoder;
use pdf_extract::{Dictionary, Document, Object, ObjectId, Stream};
use weezl::BitOrder;
use weezl::decode::Decoder;

/// One stream, unpacked.
pub(super) const STREAM: u64 = 64 * 1024 * 1024;
/// All streams but pictures, which are never unpacked.
const ALL: u64 = 256 * 1024 * 1024;
/// Programs of fonts, and tables of what their codes mean.
const FONT: u64 = 8 * 1024 * 1024;
/// Arrays in arrays: the stack holds many times as much.
const DEPTH: usize = 5_000;
/// Numbers, names and the like that objects are made of; each takes about a hundred bytes.
const PARTS: u64 = 5_000_000;
/// How far before a stream its dictionary may begin.
const DICTIONARY: usize = 4096;

/// What the library does not guard against in the bytes themselves.
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

/// Takes what a stream unpacks to from what is left.
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
    // A stream that is damaged is the library's to refuse; what came out of it counts.
    let mut count = Count { bytes: 0, parts: 0 };
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

/// One filter on another one multiplies what comes out.
fn check_filters(rest: &[u8]) -> Result<(), String> {
    if rest.starts_with(b"/Filter") {
        let list = &rest[..rest.iter().position(|&byte| byte == b']' || byte == b'>').unwrap_or(rest.len())];
        if list.windows(3).filter(|three| *three == b"/Fl" || *three == b"/LZ").count() > 1 {
            return Err("a stream in it is packed more than once".to_string());
        }
    }
    Ok(())
}

/// Counts what is written.
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

/// Empties what is never read, and what is too large to be read.
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
    let pictures: Vec<ObjectId> = document
        .objects
        .iter()
        .filter(|(id, object)| {
            object.as_stream().is_ok_and(|stream| {
                is_picture(stream) || {
                    let limit = if fonts.contains(id) { FONT } else { STREAM };
                    !fits(stream, limit)
                }
            })
        })
        .map(|(id, _)| *id)
        .collect();
    for id in pictures {
        if let Some(Object::Stream(stream)) = document.objects.get_mut(&id) {
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

/// What it unpacks to is no more than `limit` bytes.
fn fits(stream: &Stream, limit: u64) -> bool {
    let mut count = Count { bytes: 0, parts: 0 };
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
