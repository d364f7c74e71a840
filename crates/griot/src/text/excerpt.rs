//! The beginning of a text on one line.

/// The first characters on one line, cut at a word; `…` marks the cut.
pub fn excerpt(text: &str, most: usize) -> String {
    let mut short = String::new();
    let mut count = 0;
    for word in text.split_whitespace() {
        let length = word.chars().count();
        if count + length + 1 > most {
            if short.is_empty() {
                short.extend(word.chars().take(most));
            }
            short.push('…');
            return short;
        }
        if !short.is_empty() {
            short.push(' ');
            count += 1;
        }
        short.push_str(word);
        count += length;
    }
    short
}
