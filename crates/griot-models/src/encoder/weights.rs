//! The weights of a model, used where they are in the mapped file.
//!
//! A process that embeds one question reads the layers and the rows of its words, not the other half of the
//! file. What cannot be used as it is, because it is in half precision, not aligned or turned, is converted
//! when it is used first, so that opening a model costs little; the words, half of a small model and more of
//! a multilingual one, are converted row by row as texts need them.

use std::fs::File;
use std::path::Path;

use memmap2::Mmap;
use safetensors::{Dtype, SafeTensors};

use super::onnx;
use super::tensor::{Precision, Tensor};

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

    fn place(&self, name: &str) -> Option<usize> {
        self.tensors.binary_search_by(|(known, _)| known.as_str().cmp(name)).ok()
    }

    /// The shape of a tensor; `None` if there is none of this name.
    pub(crate) fn shape(&self, name: &str) -> Option<&[usize]> {
        self.place(name).map(|at| &self.tensors[at].1.shape[..])
    }

    /// Where a tensor of this shape is.
    pub(crate) fn find(&self, name: &str, shape: &[usize]) -> Result<usize, String> {
        let at = self.place(name).ok_or_else(|| format!("{} has no floats called `{name}`", self.file))?;
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
        match bytemuck::try_cast_slice(&self.map[tensor.bytes.clone()]) {
            Ok(values) if tensor.precision == Precision::Single && !tensor.turned => values,
            _ => tensor.own.get_or_init(|| tensor.convert(&self.map)),
        }
    }

    /// One row of a matrix that is not turned.
    pub(crate) fn row(&self, at: usize, row: usize, width: usize) -> impl Iterator<Item = f32> {
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

/// All tensors of floats. The error is a reason.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_matrix_is_turned_when_it_is_used() {
        let textbook = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/textbook"));
        let name = "encoder.layer.1.intermediate.dense.weight";
        let [safe, onnx] = [FILES[0], FILES[1]]
            .map(|file| Weights::map(&textbook.join(file), file).expect("it can be read"));
        let at = onnx.find(name, &[24, 16]).expect("a matrix");
        let tensor = &onnx.tensors[at].1;
        assert!(tensor.turned && tensor.own.get().is_none());
        let as_it_is = safe.find(name, &[24, 16]).expect("a matrix");
        assert_eq!(onnx.values(at), safe.values(as_it_is));
        assert!(tensor.own.get().is_some() && safe.tensors[as_it_is].1.own.get().is_none());
    }
}
