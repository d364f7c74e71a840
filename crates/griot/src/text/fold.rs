//! Folds text for comparison: no case, compatibility forms or accents.

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
            // Left over by lower-casing, as of the Turkish dotted capital I.
            '\u{300}'..='\u{36f}' => {}
            c => folded.push(c),
        }
    }
}
