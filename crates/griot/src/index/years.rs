//! The years that texts name.
//!
//! `offsets` (one more than memories) is the start of a memory's years in `values`; the tail is a map of the
//! few memories that name any.

use std::collections::HashMap;
use std::io;

use super::map::{Section, Sections};
use super::snapshot::{Writer, starts};

#[derive(Default)]
pub(super) struct Years {
    offsets: Section<u32>,
    values: Section<i16>,
    tail: HashMap<u32, Box<[i16]>, foldhash::fast::RandomState>,
}

impl Years {
    pub(super) const SECTIONS: usize = 2;

    pub(super) fn open(sections: &mut Sections) -> Option<Self> {
        Some(Self { offsets: sections.next()?, values: sections.next()?, tail: HashMap::default() })
    }

    pub(super) fn write(&self, writer: &mut Writer, rows: usize) -> io::Result<()> {
        let lengths = (0..rows as u32).map(|memory| self.get(memory).len());
        writer.values(starts(lengths).map(|start| start.min(u64::from(u32::MAX)) as u32))?;
        writer.begin()?;
        for memory in 0..rows as u32 {
            writer.put(self.get(memory))?;
        }
        writer.end()
    }

    /// Removes the years of a memory.
    pub(super) fn clear(&mut self, memory: u32) {
        let at = memory as usize;
        if let (Some(start), Some(end)) = (self.offsets.get(at), self.offsets.get(at + 1)) {
            let range = start as usize..end as usize;
            self.values.range_mut(range).map(|years| years.fill(0)).unwrap_or_default();
        }
        self.tail.insert(memory, Box::default());
    }

    pub(super) fn set(&mut self, memory: u32, years: Vec<i16>) {
        if !years.is_empty() {
            self.tail.insert(memory, years.into_boxed_slice());
        }
    }

    /// Ascending.
    pub(super) fn get(&self, memory: u32) -> &[i16] {
        if let Some(years) = self.tail.get(&memory) {
            return years;
        }
        let at = memory as usize;
        match (self.offsets.get(at), self.offsets.get(at + 1)) {
            (Some(start), Some(end)) => self.values.range(start as usize..end as usize).unwrap_or(&[]),
            _ => &[],
        }
    }
}

/// The distinct years 1000..=2100 of a text, ascending: four digits without a digit next to them.
pub(super) fn years_in(text: &str) -> Vec<i16> {
    let mut years = Vec::new();
    for digits in text.as_bytes().split(|byte| !byte.is_ascii_digit()) {
        if digits.len() == 4 {
            let year = digits.iter().fold(0, |year, digit| year * 10 + i16::from(digit - b'0'));
            if (1000..=2100).contains(&year) {
                years.push(year);
            }
        }
    }
    years.sort_unstable();
    years.dedup();
    years
}

#[cfg(test)]
mod tests {
    #[test]
    fn years_stand_alone() {
        assert_eq!(
            super::years_in("In 1999, 2024-05 and 1999; not 12345, 0999, 2101 or x2020y"),
            [1999, 2020, 2024]
        );
        assert!(super::years_in("").is_empty());
    }
}
