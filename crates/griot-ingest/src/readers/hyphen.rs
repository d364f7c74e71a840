//! Joins words that were divided at the end of a line.
//!
//! The hyphen may belong to the word (`read-only`). It is kept if both halves are words of the text and the
//! whole is not.

use std::collections::HashSet;

/// The words of a text so far, in lower case.
#[derive(Default)]
pub(crate) struct Vocabulary(HashSet<String>);

impl Vocabulary {
    /// Joins the divided words of the text, and adds its words to the vocabulary.
    pub(crate) fn joined(&mut self, text: &str) -> String {
        let lines: Vec<&str> = text.lines().collect();
        for (at, line) in lines.iter().enumerate() {
            let mut words = words(line).peekable();
            let mut is_first = at > 0 && divided(lines[at - 1], line).is_some();
            let ends_divided = lines.get(at + 1).is_some_and(|next| divided(line, next).is_some());
            while let Some(word) = words.next() {
                // Halves are not words.
                if !std::mem::take(&mut is_first) && (words.peek().is_some() || !ends_divided) {
                    self.0.insert(word.to_lowercase());
                }
            }
        }
        let mut whole = String::with_capacity(text.len());
        let mut goes_on = false;
        for (at, line) in lines.iter().enumerate() {
            let line = if std::mem::take(&mut goes_on) { line.trim_start() } else { line };
            match lines.get(at + 1).and_then(|next| divided(line, next)) {
                None => {
                    whole.push_str(line);
                    whole.push('\n');
                }
                Some((left, right)) => {
                    let line = line.trim_end();
                    let has_own = self.has_own_hyphen(left, right);
                    whole.push_str(if has_own { line } else { line.strip_suffix(is_hyphen).unwrap_or(line) });
                    goes_on = true;
                }
            }
        }
        whole
    }

    fn has_own_hyphen(&self, left: &str, right: &str) -> bool {
        let has = |word: &str| self.0.contains(&word.to_lowercase());
        has(left) && has(right) && !has(&format!("{left}{right}"))
    }
}

fn is_hyphen(c: char) -> bool {
    matches!(c, '-' | '\u{AD}' | '\u{2010}')
}

fn words(line: &str) -> impl Iterator<Item = &str> {
    line.split(|c: char| !c.is_alphabetic()).filter(|word| !word.is_empty())
}

/// The halves of the word that is divided between two lines: at least two characters and a hyphen, and a
/// lower-case character in the next line.
fn divided<'a>(line: &'a str, next: &'a str) -> Option<(&'a str, &'a str)> {
    let line = line.trim_end();
    let before = line.strip_suffix(is_hyphen)?;
    let left = before.rsplit(|c: char| !c.is_alphabetic()).next().filter(|left| left.chars().count() > 1)?;
    let next = next.trim_start();
    let right = next.split(|c: char| !c.is_alphabetic()).next()?;
    right.chars().next().is_some_and(char::is_lowercase).then_some((left, right))
}

#[cfg(test)]
mod tests {
    use super::Vocabulary;

    #[test]
    fn divided_words_are_whole_and_hyphens_of_words_stay() {
        for (text, expected) in [
            ("The committee divi-\nded it.\n", "The committee divided it.\n"),
            ("Read it only if it is read-\nonly.\n", "Read it only if it is read-only.\n"),
            ("A soft one: docu\u{AD}\n  ment.", "A soft one: document.\n"),
            ("In three parts: inter-\nopera-\nbility.", "In three parts: interoperability.\n"),
            ("a list -\nof things", "a list -\nof things\n"),
            ("see section 3-\nand 4", "see section 3-\nand 4\n"),
            ("North-\nSouth", "North-\nSouth\n"),
            ("", ""),
        ] {
            assert_eq!(Vocabulary::default().joined(text), expected, "{text}");
        }
        let mut words = Vocabulary::default();
        words.joined("An option for users that is defined by them.");
        assert_eq!(
            words.joined("What is user-\ndefined"),
            "What is userdefined\n",
            "`user` was not a word yet"
        );
        words.joined("The user said so.");
        assert_eq!(words.joined("What is user-\ndefined"), "What is user-defined\n");
    }
}
