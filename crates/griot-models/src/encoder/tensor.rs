//! A tensor in a file of weights: where its values are, and in which form.

use std::ops::Range;
use std::sync::OnceLock;

/// A tensor of floats as a file describes it.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Tensor {
    /// As the model has it: rows first.
    pub(crate) shape: Vec<usize>,
    pub(crate) precision: Precision,
    /// Where its values are in the file.
    pub(crate) bytes: Range<usize>,
    /// The file has a row where the model has a column.
    pub(crate) turned: bool,
    /// The values, once they were converted.
    pub(crate) own: OnceLock<Vec<f32>>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Precision {
    Single,
    /// IEEE 754 binary16.
    Half,
    /// The upper half of a float.
    Brain,
}

impl Precision {
    pub(crate) fn size(self) -> usize {
        match self {
            Self::Single => 4,
            Self::Half | Self::Brain => 2,
        }
    }

    pub(crate) fn decode(self, bytes: &[u8]) -> impl Iterator<Item = f32> {
        bytes.chunks_exact(self.size()).map(move |bytes| match (self, bytes) {
            (Self::Half, &[a, b]) => of_half(u16::from_le_bytes([a, b])),
            (Self::Brain, &[a, b]) => f32::from_le_bytes([0, 0, a, b]),
            (_, &[a, b, c, d]) => f32::from_le_bytes([a, b, c, d]),
            // No chunk has another size.
            _ => 0.0,
        })
    }
}

impl Tensor {
    pub(crate) fn new(shape: Vec<usize>, precision: Precision, bytes: Range<usize>) -> Self {
        Self { shape, precision, bytes, turned: false, own: OnceLock::new() }
    }

    /// Whether its bytes are all of its values.
    pub(crate) fn is_whole(&self) -> bool {
        let values = self.shape.iter().try_fold(1usize, |count, side| count.checked_mul(*side));
        values.and_then(|values| values.checked_mul(self.precision.size())) == Some(self.bytes.len())
    }

    pub(crate) fn count(&self) -> usize {
        self.bytes.len() / self.precision.size()
    }

    /// The value at a position of the model's order.
    pub(crate) fn value(&self, file: &[u8], at: usize) -> f32 {
        let at = match self.shape[..] {
            [rows, columns] if self.turned => at % columns * rows + at / columns,
            _ => at,
        };
        let (size, bytes) = (self.precision.size(), &file[self.bytes.clone()]);
        self.precision.decode(&bytes[at * size..(at + 1) * size]).next().unwrap_or_default()
    }

    /// All values in the model's order.
    pub(crate) fn convert(&self, file: &[u8]) -> Vec<f32> {
        /// Rows filled side by side: a line of the cache for each.
        const BAND: usize = 64;
        let values = self.precision.decode(&file[self.bytes.clone()]);
        let [rows, columns] = self.shape[..] else { return values.collect() };
        if !self.turned {
            return values.collect();
        }
        let mut out = vec![0.0; rows * columns];
        let size = self.precision.size();
        for (number, band) in out.chunks_mut(BAND * columns).enumerate() {
            let width = band.len() / columns;
            for column in 0..columns {
                let start = self.bytes.start + (column * rows + number * BAND) * size;
                let values = self.precision.decode(&file[start..start + width * size]);
                band.iter_mut().skip(column).step_by(columns).zip(values).for_each(|(to, from)| *to = from);
            }
        }
        out
    }
}

/// A float of half precision (IEEE 754 binary16).
fn of_half(bits: u16) -> f32 {
    let sign = u32::from(bits >> 15) << 31;
    let (exponent, fraction) = (u32::from(bits >> 10 & 31), u32::from(bits & 1023));
    match exponent {
        0 => f32::from_bits(sign | (fraction as f32 / 16_777_216.0).to_bits()),
        31 => f32::from_bits(sign | 0x7f80_0000 | fraction << 13),
        _ => f32::from_bits(sign | (exponent + 112) << 23 | fraction << 13),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_precision_is_read() {
        let cases =
            [(0x3c00, 1.0), (0xc000, -2.0), (0x0001, 5.960_464_5e-8), (0x7bff, 65504.0), (0x8000, -0.0)];
        for (bits, value) in cases {
            assert_eq!(of_half(bits), value);
        }
        assert!(of_half(0x7e00).is_nan());
    }

    #[test]
    fn a_turned_matrix_is_the_same_by_value_and_as_a_whole() {
        let (rows, columns) = (130, 3);
        let file: Vec<u8> = (0..rows * columns).flat_map(|n| (n as f32).to_le_bytes()).collect();
        let mut tensor = Tensor::new(vec![rows, columns], Precision::Single, 0..file.len());
        tensor.turned = true;
        let values = tensor.convert(&file);
        assert_eq!(values[..4], [0.0, 130.0, 260.0, 1.0]);
        for (at, value) in values.iter().enumerate() {
            assert_eq!(tensor.value(&file, at), *value);
        }
    }
}
