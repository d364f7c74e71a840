//! Findings of a check by class, limited to the first few of each, so that the loss of one page does not
//! produce a million sentences.

/// Findings per class that are reported individually.
const MOST: usize = 10;

#[derive(Default)]
pub(crate) struct Findings {
    pub(crate) sentences: Vec<String>,
    in_class: usize,
}

impl Findings {
    /// Starts another class.
    pub(crate) fn class(&mut self) {
        self.in_class = 0;
    }

    pub(crate) fn add(&mut self, sentence: String) {
        self.in_class += 1;
        if self.in_class <= MOST {
            self.sentences.push(sentence);
        } else if self.in_class == MOST + 1 {
            self.sentences.push("… and more of this kind".to_owned());
        }
    }
}
