//! Lines and paragraphs of a page, by the positions of its words.
//!
//! A paragraph is apart from the one above it by more than its lines are from one another. How far these are
//! apart differs from page to page, so that it is known only at the end of the page.

use std::sync::atomic::{AtomicBool, Ordering};

use pdf_extract::{MediaBox, OutputDev, OutputError, Transform};

/// Maximum bytes of a page's text.
pub(super) const PAGE: usize = 4 * 1024 * 1024;
/// Distances are in sizes of the font. Below this, words are in one line.
const LINE: f64 = 0.5;
/// Between paragraphs, if lines are no wider apart than usual.
const PARAGRAPH: f64 = 1.5;
/// Lines further apart are no lines of one paragraph.
const WIDEST: f64 = 2.6;
/// A paragraph is so much further away than the next line.
const FURTHER: f64 = 1.2;
/// Fewer distances show nothing.
const ENOUGH: usize = 3;

/// Collects the words of a page up to the limit, until the reading is stopped.
pub(super) struct Layout<'a> {
    text: String,
    breaks: Vec<Break>,
    last_end: f64,
    last_y: f64,
    begins_word: bool,
    stop: &'a AtomicBool,
}

#[derive(Clone, Copy)]
struct Break {
    at: usize,
    distance: f64,
    /// What follows is further down and further left.
    is_line: bool,
}

type Outcome = Result<(), OutputError>;

impl<'a> Layout<'a> {
    pub(super) fn new(stop: &'a AtomicBool) -> Self {
        Self {
            text: String::new(),
            breaks: Vec::new(),
            last_end: 100_000.0,
            last_y: 0.0,
            begins_word: false,
            stop,
        }
    }

    pub(super) fn is_full(&self) -> bool {
        self.text.len() + self.breaks.len() >= PAGE
    }

    pub(super) fn finish(self) -> String {
        let distances = self.breaks.iter().filter(|one| one.is_line).map(|one| one.distance);
        let paragraph = usual(distances).map_or(PARAGRAPH, |usual| PARAGRAPH.max(FURTHER * usual));
        let mut text = String::with_capacity(self.text.len() + 2 * self.breaks.len());
        let mut at = 0;
        for one in self.breaks {
            text.push_str(&self.text[at..one.at]);
            text.push_str(if one.is_line && one.distance > paragraph { "\n\n" } else { "\n" });
            at = one.at;
        }
        text.push_str(&self.text[at..]);
        text
    }
}

/// The distance that at least half of the lines have.
fn usual(distances: impl Iterator<Item = f64>) -> Option<f64> {
    let mut distances: Vec<f64> = distances.filter(|distance| *distance < WIDEST).collect();
    distances.sort_by(f64::total_cmp);
    let middle = *distances.get(distances.len() / 2)?;
    let alike = distances.iter().filter(|distance| (**distance - middle).abs() <= middle * 0.05).count();
    (distances.len() >= ENOUGH && alike * 2 >= distances.len()).then_some(middle)
}

impl OutputDev for Layout<'_> {
    fn begin_page(&mut self, _: u32, _: &MediaBox, _: Option<(f64, f64, f64, f64)>) -> Outcome {
        Ok(())
    }

    fn end_page(&mut self) -> Outcome {
        Ok(())
    }

    fn output_character(&mut self, at: &Transform, width: f64, _: f64, size: f64, words: &str) -> Outcome {
        if self.is_full() || self.stop.load(Ordering::Relaxed) {
            return Err(OutputError::IoError(std::io::Error::other("enough")));
        }
        // The side of a square as large as the character.
        let size = (size * (at.m11 + at.m21) * size * (at.m12 + at.m22)).sqrt();
        let (x, y) = (at.m31, at.m32);
        if self.begins_word {
            let distance = (y - self.last_y).abs() / size;
            let is_line = x < self.last_end && distance > LINE;
            if is_line || distance > PARAGRAPH {
                self.breaks.push(Break { at: self.text.len(), distance, is_line });
            }
            if x > self.last_end + size * 0.1 {
                self.text.push(' ');
            }
        }
        self.text.push_str(words);
        self.begins_word = false;
        self.last_y = y;
        self.last_end = x + width * size;
        Ok(())
    }

    fn begin_word(&mut self) -> Outcome {
        self.begins_word = true;
        Ok(())
    }

    fn end_word(&mut self) -> Outcome {
        Ok(())
    }

    fn end_line(&mut self) -> Outcome {
        Ok(())
    }
}
