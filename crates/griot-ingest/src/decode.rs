//! Decodes bytes to text.

use std::char::{REPLACEMENT_CHARACTER, decode_utf16};

use chardetng::EncodingDetector;
use encoding_rs::Encoding;
use griot::model::{Error, Result};

const UTF8_MARK: &[u8] = b"\xEF\xBB\xBF";

/// Reject a text if more than one in this many characters is an unusual control character.
const ODD: usize = 100;

/// A text, and a record of its replaced characters.
pub(crate) struct Decoded {
    pub(crate) text: String,
    /// If characters were replaced: the name of the encoding, and their number.
    pub(crate) replaced: Option<(&'static str, usize)>,
}

/// Decodes UTF-8 (with or without a byte order mark), UTF-16 (with one), else the encoding in the XML
/// declaration, else a guess. `name` appears in error messages.
pub(crate) fn decode(name: &str, bytes: Vec<u8>) -> Result<String> {
    read(name, bytes).map(|decoded| decoded.text)
}

/// Like [`decode`], but also reports replaced characters.
pub(crate) fn read(name: &str, bytes: Vec<u8>) -> Result<Decoded> {
    match strict(name, bytes) {
        Ok(text) => Ok(Decoded { text, replaced: None }),
        Err((error, bytes)) => bytes.and_then(|bytes| in_other_encoding(&bytes)).ok_or(error),
    }
}

/// Decodes only UTF-8, or UTF-16 with a byte order mark, for formats that allow no other encoding.
pub(crate) fn unicode(name: &str, bytes: Vec<u8>) -> Result<String> {
    strict(name, bytes).map_err(|(error, _)| error)
}

/// With the error come the bytes, if they may be text in another encoding.
fn strict(name: &str, mut bytes: Vec<u8>) -> Result<String, (Error, Option<Vec<u8>>)> {
    let cannot = |why: String| Error::invalid(format!("read `{name}`"), why);
    if let Some(wide) = utf16(&bytes) {
        return wide_text(wide, bytes.len()).map_err(|why| (cannot(why), None));
    }
    if let Some(offset) = bytes.iter().position(|&b| b == 0) {
        return Err((cannot(not_text(offset)), None));
    }
    let mark = bytes.len() - without_mark(&bytes).len();
    bytes.drain(..mark);
    String::from_utf8(bytes).map_err(|error| {
        let offset = error.utf8_error().valid_up_to();
        let why = cannot(not_utf8(offset + mark, error.as_bytes()[offset]));
        if mark > 0 {
            return (why, None);
        }
        (why.hint(format!("iconv -f WINDOWS-1252 -t UTF-8 '{name}'")), Some(error.into_bytes()))
    })
}

fn wide_text(wide: impl Iterator<Item = u16>, bytes: usize) -> Result<String, String> {
    let mut text = String::with_capacity(bytes / 2);
    let mut offset = 2;
    for unit in decode_utf16(wide) {
        let c = unit.map_err(|_| format!("byte {offset} is not UTF-16: half of a surrogate pair"))?;
        if c == '\0' {
            return Err(not_text(offset));
        }
        offset += 2 * c.len_utf16();
        text.push(c);
    }
    if bytes % 2 == 1 {
        return Err(format!("byte {} is not UTF-16: half a character", bytes - 1));
    }
    Ok(text)
}

/// Guesses the encoding; `None` if the bytes do not look like text.
fn in_other_encoding(bytes: &[u8]) -> Option<Decoded> {
    let encoding = match declared(bytes) {
        Some(encoding) => encoding,
        None if is_mostly_utf8(bytes) => encoding_rs::UTF_8,
        None => guess(bytes),
    };
    let (text, _) = encoding.decode_without_bom_handling(bytes);
    let replaced = text.chars().filter(|&c| c == REPLACEMENT_CHARACTER).count();
    let odd = text.chars().filter(|&c| is_odd(c)).count();
    ((odd + replaced) * ODD <= text.chars().count() || (odd == 0 && replaced <= 1)).then(|| Decoded {
        replaced: (replaced > 0).then_some((encoding.name(), replaced)),
        text: text.into_owned(),
    })
}

/// Control characters that do not occur in text. ESC and FF do occur, as terminal colours in logs and as page
/// breaks in old documents.
fn is_odd(c: char) -> bool {
    c.is_control() && !matches!(c, '\t' | '\n' | '\r' | '\u{8}' | '\u{C}' | '\u{1B}')
}

/// The encoding that a leading XML declaration names.
fn declared(bytes: &[u8]) -> Option<&'static Encoding> {
    let head = bytes.strip_prefix(b"<?xml ")?;
    let head = String::from_utf8_lossy(&head[..head.len().min(200)]);
    let rest = head.split_once("?>")?.0.split_once("encoding")?.1.trim_start().strip_prefix('=')?;
    let name = rest.trim_start().trim_start_matches(['"', '\'']).split(['"', '\'']).next()?;
    // The declaration was readable as ASCII, which rules out UTF-16; UTF-8 was tried before.
    Encoding::for_label(name.as_bytes())
        .filter(|encoding| encoding.is_ascii_compatible() && *encoding != encoding_rs::UTF_8)
}

/// The most likely non-Unicode web encoding.
pub(crate) fn guess(bytes: &[u8]) -> &'static Encoding {
    let mut detector = EncodingDetector::new();
    detector.feed(bytes, true);
    detector.guess(None, false)
}

/// Whether the bytes are slightly damaged UTF-8: most of the non-ASCII sequences are valid.
fn is_mostly_utf8(bytes: &[u8]) -> bool {
    let (mut right, mut wrong) = (0_usize, 0_usize);
    for chunk in bytes.utf8_chunks() {
        right += chunk.valid().chars().filter(|c| !c.is_ascii()).count();
        wrong += usize::from(!chunk.invalid().is_empty());
    }
    right > wrong
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

/// Decodes the beginning of a file and replaces invalid bytes.
pub(crate) fn head(bytes: &[u8]) -> String {
    match utf16(bytes) {
        Some(wide) => decode_utf16(wide).map(|unit| unit.unwrap_or(REPLACEMENT_CHARACTER)).collect(),
        None => String::from_utf8_lossy(without_mark(bytes)).into_owned(),
    }
}

/// Decodes a page as browsers do, in this order: byte order mark, the server's charset, the page's charset,
/// UTF-8, windows-1252. The first that decodes without an error wins, because servers are often wrong.
pub(crate) fn page(bytes: &[u8], charset: Option<&str>) -> String {
    let said = charset.and_then(|name| Encoding::for_label(name.as_bytes()));
    let marked = Encoding::for_bom(bytes).map(|(encoding, _)| encoding);
    let tries = [marked, said, in_page(bytes), Some(encoding_rs::UTF_8), Some(encoding_rs::WINDOWS_1252)];
    let text = tries
        .into_iter()
        .flatten()
        .find_map(|encoding| {
            let (text, _, wrong) = encoding.decode(bytes);
            (!wrong).then(|| text.into_owned())
        })
        .unwrap_or_else(|| String::from_utf8_lossy(bytes).into_owned());
    if text.contains('\0') { text.replace('\0', "") } else { text }
}

/// Reads `<meta charset="…">`, `content="text/html; charset=…"` or `<?xml encoding="…"?>` near the start.
fn in_page(bytes: &[u8]) -> Option<&'static Encoding> {
    let head = String::from_utf8_lossy(&bytes[..bytes.len().min(2048)]).to_ascii_lowercase();
    ["charset=", "encoding="].iter().find_map(|key| {
        let rest = head.split_once(key)?.1.trim_start_matches(['"', '\'', ' ']);
        let name: String =
            rest.chars().take_while(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | ':')).collect();
        let encoding = Encoding::for_label(name.as_bytes())?;
        // A page whose declaration could be read as ASCII is not UTF-16, whatever it declares.
        (encoding != encoding_rs::UTF_16LE && encoding != encoding_rs::UTF_16BE).then_some(encoding)
    })
}

fn utf16(bytes: &[u8]) -> Option<impl Iterator<Item = u16>> {
    let big = bytes.starts_with(b"\xFE\xFF");
    is_utf16(bytes).then(|| {
        let pairs = bytes[2..].chunks_exact(2);
        pairs.map(move |pair| {
            if big { u16::from_be_bytes([pair[0], pair[1]]) } else { u16::from_le_bytes([pair[0], pair[1]]) }
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_charset_is_ignored() {
        assert_eq!(page("zażółć".as_bytes(), Some("utf-8")), "zażółć");
        assert_eq!(page(b"caf\xE9", Some("utf-8")), "café");
        assert_eq!(page(b"caf\xE9", None), "café");
        assert_eq!(page(b"<meta charset=iso-8859-2>\xB1", None), "<meta charset=iso-8859-2>ą");
        assert_eq!(page("<meta charset=utf-16>ą".as_bytes(), None), "<meta charset=utf-16>ą");
        assert_eq!(page(b"\xFF\xFEh\0i\0", Some("utf-8")), "hi");
        assert_eq!(page(b"a\0b", None), "ab");
    }
}
