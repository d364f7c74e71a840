//! Counts the operators of a page or a form before the library parses them: it turns an operator of two bytes
//! into hundreds of bytes, and a saved graphics state into five hundred.

use std::collections::BTreeMap;

/// Maximum operators and operands of one stream, or of a page with all its forms.
pub(super) const TOKENS: u64 = 2_000_000;
/// Maximum number of saved graphics states.
const STATES: u64 = 10_000;
/// Maximum operands of one operator; elements of an array are none.
const OPERANDS: u64 = 1_000;

/// What a stream draws with.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Drawn {
    pub(super) tokens: u64,
    /// Names of forms, with how often each is drawn.
    pub(super) forms: BTreeMap<Vec<u8>, u64>,
}

/// Counts what a stream draws with; the error says why that is too much.
pub(super) fn drawn(content: &[u8]) -> Result<Drawn, String> {
    let mut drawn = Drawn::default();
    let (mut states, mut operands, mut arrays) = (0_u64, 0_u64, 0_u64);
    let mut name: &[u8] = b"";
    let mut rest = content;
    while let Some((token, after)) = next(rest) {
        rest = after;
        drawn.tokens += 1;
        if drawn.tokens > TOKENS {
            return Err(format!("it is drawn with more than {TOKENS} operators and operands"));
        }
        match token {
            b"[" => arrays += 1,
            b"]" => arrays = arrays.saturating_sub(1),
            _ if !is_operator(token) => {
                name = token;
                operands += u64::from(arrays == 0);
                if operands > OPERANDS {
                    return Err(format!("an operator in it has more than {OPERANDS} operands"));
                }
            }
            operator => {
                operands = 0;
                arrays = 0;
                match operator {
                    b"q" => states += 1,
                    b"Q" => states = states.saturating_sub(1),
                    b"Do" => {
                        *drawn.forms.entry(name.strip_prefix(b"/").unwrap_or(name).to_vec()).or_default() += 1
                    }
                    b"ID" => rest = after_picture(rest),
                    _ => {}
                }
                if states > STATES {
                    return Err(format!("it keeps more than {STATES} states of drawing at once"));
                }
            }
        }
    }
    Ok(drawn)
}

const fn is_space(byte: u8) -> bool {
    matches!(byte, b'\0' | b'\t' | b'\n' | b'\x0C' | b'\r' | b' ')
}

const fn is_delimiter(byte: u8) -> bool {
    matches!(byte, b'(' | b')' | b'<' | b'>' | b'[' | b']' | b'{' | b'}' | b'/' | b'%')
}

fn is_operator(token: &[u8]) -> bool {
    let is_value = matches!(token, b"true" | b"false" | b"null");
    token.first().is_some_and(|first| first.is_ascii_alphabetic() || matches!(first, b'\'' | b'"'))
        && !is_value
}

/// The next token, and what follows it. A string is one token; only its first byte is returned.
fn next(content: &[u8]) -> Option<(&[u8], &[u8])> {
    let mut rest = content;
    loop {
        rest = &rest[rest.iter().position(|byte| !is_space(*byte))?..];
        if rest[0] != b'%' {
            break;
        }
        rest = &rest[rest.iter().position(|byte| matches!(byte, b'\n' | b'\r'))?..];
    }
    let length = match rest[0] {
        b'(' => return Some((b"(", &rest[text_length(rest)..])),
        b'<' | b'>' if rest.get(1) == Some(&rest[0]) => 2,
        b'<' => {
            return Some((
                b"<",
                &rest[rest.iter().position(|byte| *byte == b'>').map_or(rest.len(), |at| at + 1)..],
            ));
        }
        b'/' => 1 + regular(&rest[1..]),
        byte if is_delimiter(byte) => 1,
        _ => regular(rest),
    };
    Some(rest.split_at(length))
}

fn regular(bytes: &[u8]) -> usize {
    bytes.iter().position(|byte| is_space(*byte) || is_delimiter(*byte)).unwrap_or(bytes.len())
}

/// The length of a string with its parentheses.
fn text_length(bytes: &[u8]) -> usize {
    let (mut depth, mut at) = (0_usize, 0);
    while at < bytes.len() {
        match bytes[at] {
            b'\\' => at += 1,
            b'(' => depth += 1,
            b')' => depth -= 1,
            _ => {}
        }
        at += 1;
        if depth == 0 {
            break;
        }
    }
    at.min(bytes.len())
}

/// What follows the bytes of an inline picture.
fn after_picture(content: &[u8]) -> &[u8] {
    let end = content.windows(3).position(|three| is_space(three[0]) && &three[1..] == b"EI");
    end.map_or(b"", |at| &content[at + 3..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_drawn_is_counted() {
        for (content, tokens, forms) in [
            ("BT /F 12 Tf (a (b\\)) c) Tj ET", 7, ""),
            ("% BT BT\nq /A Do /A Do Q<</K[1 2]>>", 13, "A2 "),
            ("BI /W 1 ID \x01(\x02[ EI /B Do", 6, "B1 "),
            ("<48 65> Tj (open", 3, ""),
        ] {
            let drawn = drawn(content.as_bytes()).unwrap_or_else(|why| panic!("{content}: {why}"));
            let shown: String = drawn
                .forms
                .iter()
                .map(|(name, count)| format!("{}{count} ", String::from_utf8_lossy(name)))
                .collect();
            assert_eq!((drawn.tokens, shown.as_str()), (tokens, forms), "{content}");
        }
    }

    #[test]
    fn too_much_is_refused_with_its_reason() {
        for (piece, count, why) in [
            ("f ", 2_000_001, "it is drawn with more than 2000000 operators and operands"),
            ("q ", 10_001, "it keeps more than 10000 states of drawing at once"),
            ("1 ", 1_001, "an operator in it has more than 1000 operands"),
        ] {
            assert_eq!(drawn(piece.repeat(count).as_bytes()), Err(why.to_string()));
        }
        assert!(drawn("q Q ".repeat(20_000).as_bytes()).is_ok());
        assert!(drawn(format!("[{}] TJ", "(a) 1 ".repeat(10_000)).as_bytes()).is_ok());
    }
}
