//! Bytes to text.

use std::char::{REPLACEMENT_CHARACTER, decode_utf16};

use griot::model::{Error, Result};

const UTF8_MARK: &[u8] = b"\xEF\xBB\xBF";

/// UTF-8 with or without a byte order mark, or UTF-16 with one. `name` is what the error names.
pub fn decode(name: &str, mut bytes: Vec<u8>) -> Result<String> {
    let cannot = |why: String| Error::invalid(format!("read `{name}`"), why);
    if let Some(wide) = utf16(&bytes) {
        let mut text = String::with_capacity(bytes.len() / 2);
        let mut offset = 2;
        for unit in decode_utf16(wide) {
            let c = unit.map_err(|_| cannot(format!("byte {offset} is not UTF-16: half of a surrogate pair")))?;
            if c == '\0' {
                return Err(cannot(not_text(offset)));
            }
            offset += 2 * c.len_utf16();
            text.push(c);
        }
        if bytes.len() % 2 == 1 {
            return Err(cannot(format!("byte {} is not UTF-16: half a character", bytes.len() - 1)));
        }
        return Ok(text);
    }
    if let Some(offset) = bytes.iter().position(|&b| b == 0) {
        return Err(cannot(not_text(offset)));
    }
    if bytes.starts_with(UTF8_MARK) {
        bytes.drain(..UTF8_MARK.len());
        return String::from_utf8(bytes).map_err(|error| {
            let offset = error.utf8_error().valid_up_to();
            cannot(not_utf8(offset + UTF8_MARK.len(), error.as_bytes()[offset]))
        });
    }
    String::from_utf8(bytes).map_err(|error| {
        let offset = error.utf8_error().valid_up_to();
        cannot(not_utf8(offset, error.as_bytes()[offset])).hint(format!("iconv -f WINDOWS-1252 -t UTF-8 '{name}'"))
    })
}

pub(crate) fn not_text(offset: usize) -> String {
    format!("it is not text: byte {offset} is NUL")
}

pub(crate) fn not_utf8(offset: usize, byte: u8) -> String {
    format!("byte {offset} (0x{byte:02X}) is not UTF-8")
}

/// The bytes without a UTF-8 byte order mark.
pub(crate) fn without_mark(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(UTF8_MARK).unwrap_or(bytes)
}

pub(crate) fn is_utf16(bytes: &[u8]) -> bool {
    bytes.starts_with(b"\xFF\xFE") || bytes.starts_with(b"\xFE\xFF")
}

/// The beginning of a file as text, as well as can be told from a piece: wrong bytes are replaced.
pub(crate) fn head(bytes: &[u8]) -> String {
    match utf16(bytes) {
        Some(wide) => decode_utf16(wide).map(|unit| unit.unwrap_or(REPLACEMENT_CHARACTER)).collect(),
        None => String::from_utf8_lossy(without_mark(bytes)).into_owned(),
    }
}

fn utf16(bytes: &[u8]) -> Option<impl Iterator<Item = u16>> {
    let big = bytes.starts_with(b"\xFE\xFF");
    is_utf16(bytes).then(|| {
        let pairs = bytes[2..].chunks_exact(2);
        pairs.map(
            move |pair| {
                if big { u16::from_be_bytes([pair[0], pair[1]]) } else { u16::from_le_bytes([pair[0], pair[1]]) }
            },
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(bytes: &[u8]) -> String {
        decode("a.txt", bytes.to_vec()).unwrap_or_else(|error| error.to_string())
    }

    #[test]
    fn encodings() {
        assert_eq!(read("zażółć".as_bytes()), "zażółć");
        assert_eq!(read(b"\xEF\xBB\xBFhello"), "hello");
        assert_eq!(read(b"\xFF\xFEh\0i\0"), "hi");
        assert_eq!(read(b"\xFE\xFF\0h\0i"), "hi");
        assert_eq!(read(b"\xFF\xFE\x3D\xD8\x00\xDE"), "😀");
        assert_eq!(read(b""), "");
    }

    #[test]
    fn the_first_wrong_byte_is_named() {
        assert_eq!(read(b"caf\xE9 au lait"), "cannot read `a.txt`: byte 3 (0xE9) is not UTF-8");
        assert_eq!(read(b"\xEF\xBB\xBFab\xFF"), "cannot read `a.txt`: byte 5 (0xFF) is not UTF-8");
        assert_eq!(read(b"cut \xC5"), "cannot read `a.txt`: byte 4 (0xC5) is not UTF-8");
        assert_eq!(read(b"PNG\0\x01"), "cannot read `a.txt`: it is not text: byte 3 is NUL");
        assert_eq!(read(b"\xFF\xFEh\0\0\0"), "cannot read `a.txt`: it is not text: byte 4 is NUL");
        assert_eq!(read(b"\xFF\xFEh\0\x00\xD8"), "cannot read `a.txt`: byte 4 is not UTF-16: half of a surrogate pair");
        assert_eq!(read(b"\xFF\xFEh\0i"), "cannot read `a.txt`: byte 4 is not UTF-16: half a character");
    }
}
