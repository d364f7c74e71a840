//! Text as it is compared: without case, compatibility forms and accents.

use unicode_normalization::UnicodeNormalization;

/// Appends the text folded: compatibility forms resolved, lower case, Latin, Greek and Cyrillic accents gone.
pub(super) fn fold_into(text: &str, folded: &mut String) {
    if text.is_ascii() {
        folded.extend(text.chars().map(|c| c.to_ascii_lowercase()));
        return;
    }
    for c in text.nfkd().filter(|c| !matches!(*c as u32, 0x0300..=0x036F)).flat_map(char::to_lowercase) {
        match c {
            'ß' => folded.push_str("ss"),
            'æ' => folded.push_str("ae"),
            'œ' => folded.push_str("oe"),
            'ø' => folded.push('o'),
            'ł' => folded.push('l'),
            'đ' => folded.push('d'),
            'ı' => folded.push('i'),
            'ς' => folded.push('σ'),
            '’' => folded.push('\''),
            // What lower-casing leaves behind, as of the Turkish dotted capital I.
            '\u{300}'..='\u{36f}' => {}
            c => folded.push(c),
        }
    }
}

/// A name as it is compared: NFKC, case folded, white space collapsed, trimmed.
pub fn normal_name(name: &str) -> String {
    let mut normal = String::with_capacity(name.len());
    let mut space = false;
    let mut push = |c: char| {
        if c.is_whitespace() {
            space = true;
            return;
        }
        if space && !normal.is_empty() {
            normal.push(' ');
        }
        space = false;
        match c {
            'ß' => normal.push_str("ss"),
            'ς' => normal.push('σ'),
            c => normal.push(c),
        }
    };
    if name.is_ascii() {
        name.chars().map(|c| c.to_ascii_lowercase()).for_each(push);
    } else {
        // Lower-casing can make new combinations, so NFKC comes last.
        let lower: String = name.nfkc().flat_map(char::to_lowercase).collect();
        lower.nfkc().for_each(&mut push);
    }
    normal
}
