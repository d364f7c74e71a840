//! The tensors of a model, used where they are in the mapped file.
//!
//! A process that embeds one question reads the layers and the rows of its words, not the other half of the
//! file. What cannot be used as it is, because it is in half precision, not aligned or turned, is converted
//! when the model asks for it; the words, half of a small model and more of a multilingual one, are converted
//! row by row as texts need them.

use std::fs::File;
use std::ops::Range;
use std::path::Path;

use memmap2::Mmap;
use safetensors::{Dtype, SafeTensors};

use crate::onnx;

/// Where weights are looked for, in this order. The last is how repositories of models with both keep it.
const FILES: [&str; 3] = ["model.safetensors", "model.onnx", "onnx/model.onnx"];

/// Every BERT has it, under this name behind what its outer model is called.
const WORDS: &str = "embeddings.word_embeddings.weight";

pub(crate) struct Weights {
    file: &'static str,
    map: Mmap,
    /// Sorted by name.
    tensors: Vec<(String, Tensor)>,
}

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
    /// The values, if they were converted.
    pub(crate) own: Option<Vec<f32>>,
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

    fn decode<'a>(self, bytes: &'a [u8]) -> impl Iterator<Item = f32> + 'a {
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
        Self { shape, precision, bytes, turned: false, own: None }
    }

    /// Whether its bytes are all of its values.
    pub(crate) fn is_whole(&self) -> bool {
        let values = self.shape.iter().try_fold(1usize, |count, side| count.checked_mul(*side));
        values.and_then(|values| values.checked_mul(self.precision.size())) == Some(self.bytes.len())
    }

    fn count(&self) -> usize {
        self.bytes.len() / self.precision.size()
    }

    /// The value at a position of the model's order.
    fn value(&self, file: &[u8], at: usize) -> f32 {
        let at = match self.shape[..] {
            [rows, columns] if self.turned => at % columns * rows + at / columns,
            _ => at,
        };
        let (size, bytes) = (self.precision.size(), &file[self.bytes.clone()]);
        self.precision.decode(&bytes[at * size..(at + 1) * size]).next().unwrap_or_default()
    }

    fn convert(&self, file: &[u8]) -> Vec<f32> {
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

impl Weights {
    /// Maps the first of the known files that the folder has.
    pub(crate) fn open(folder: &Path) -> Result<Self, String> {
        let Some(name) = FILES.into_iter().find(|name| folder.join(name).is_file()) else {
            return Err(format!("it holds neither {} nor {}", FILES[0], FILES[1]));
        };
        Self::map(&folder.join(name), name).map_err(|why| format!("{name} cannot be read: {why}"))
    }

    fn map(path: &Path, name: &'static str) -> Result<Self, String> {
        let file = File::open(path).map_err(|e| e.to_string())?;
        // SAFETY: a model folder is not written to while it is in use. Shortening the file under a running
        // process stops that process, as with any mapped library; the store is not touched by it.
        let map = unsafe { Mmap::map(&file) }.map_err(|e| e.to_string())?;
        let mut tensors = if name.ends_with(".onnx") { onnx::tensors(&map)? } else { of_safetensors(&map)? };
        let before = tensors.iter().find_map(|(name, _)| name.strip_suffix(WORDS)).map(str::to_string);
        for (name, _) in &mut tensors {
            if let Some(rest) = before.as_ref().and_then(|before| name.strip_prefix(before.as_str())) {
                *name = rest.to_string();
            }
        }
        tensors.sort_by(|a, b| a.0.cmp(&b.0));
        Ok(Self { file: name, map, tensors })
    }

    /// Where a tensor of this shape is, ready for [`Weights::values`].
    pub(crate) fn find(&mut self, name: &str, shape: &[usize]) -> Result<usize, String> {
        let at = self.find_rows(name, shape)?;
        let tensor = &mut self.tensors[at].1;
        let usable = tensor.precision == Precision::Single
            && !tensor.turned
            && bytemuck::try_cast_slice::<u8, f32>(&self.map[tensor.bytes.clone()]).is_ok();
        if !usable && tensor.own.is_none() {
            tensor.own = Some(tensor.convert(&self.map));
        }
        Ok(at)
    }

    /// Where a tensor is of which only [`Weights::row`] is used.
    pub(crate) fn find_rows(&self, name: &str, shape: &[usize]) -> Result<usize, String> {
        let Ok(at) = self.tensors.binary_search_by(|(known, _)| known.as_str().cmp(name)) else {
            return Err(format!("{} has no floats called `{name}`", self.file));
        };
        let found = &self.tensors[at].1.shape;
        if found == shape {
            Ok(at)
        } else {
            Err(format!("`{name}` has the shape {found:?} instead of {shape:?}"))
        }
    }

    /// The values of what [`Weights::find`] found.
    pub(crate) fn values(&self, at: usize) -> &[f32] {
        let tensor = &self.tensors[at].1;
        match &tensor.own {
            Some(values) => values,
            None => bytemuck::cast_slice(&self.map[tensor.bytes.clone()]),
        }
    }

    /// One row of a matrix that [`Weights::find_rows`] found.
    pub(crate) fn row(&self, at: usize, row: usize, width: usize) -> impl Iterator<Item = f32> + '_ {
        let tensor = &self.tensors[at].1;
        let size = width * tensor.precision.size();
        let start = tensor.bytes.start + row * size;
        tensor.precision.decode(&self.map[start..start + size])
    }

    /// Distinguishes two models without reading all of either: the first 256 values of every tensor, with
    /// name and shape. Training changes every tensor.
    pub(crate) fn fingerprint(&self) -> blake3::Hasher {
        let mut hasher = blake3::Hasher::new();
        for (name, tensor) in &self.tensors {
            hasher.update(format!("{name} {:?} ", tensor.shape).as_bytes());
            for at in 0..tensor.count().min(256) {
                hasher.update(&tensor.value(&self.map, at).to_le_bytes());
            }
        }
        hasher
    }
}

fn of_safetensors(file: &[u8]) -> Result<Vec<(String, Tensor)>, String> {
    let parsed = SafeTensors::deserialize(file).map_err(|e| e.to_string())?;
    let mut tensors = Vec::new();
    for (name, view) in parsed.tensors() {
        let precision = match view.dtype() {
            Dtype::F32 => Precision::Single,
            Dtype::F16 => Precision::Half,
            Dtype::BF16 => Precision::Brain,
            // Numbers of positions and the like, which are known without the file.
            _ => continue,
        };
        let start = view.data().as_ptr() as usize - file.as_ptr() as usize;
        let bytes = start..start + view.data().len();
        tensors.push((name, Tensor::new(view.shape().to_vec(), precision, bytes)));
    }
    Ok(tensors)
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
