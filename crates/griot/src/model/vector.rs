//! A memory's vector as it is stored, and how its signs alone tell that two vectors cannot be alike.

/// A memory's vector and the name of the model that made it.
///
/// The value of dimension `i` is `values[i] × scale`; the whole has length 1.
#[derive(Clone, PartialEq, Debug)]
pub struct StoredVector {
    pub model: String,
    pub scale: f32,
    pub values: Vec<i8>,
}

impl StoredVector {
    /// One bit per dimension, 64 to a word: whether the value is positive.
    pub fn signs(&self) -> Vec<u64> {
        signs(&self.values)
    }
}

/// As [`StoredVector::signs`], of values that lie elsewhere.
pub fn signs(values: &[i8]) -> Vec<u64> {
    let word = |values: &[i8]| values.iter().rev().fold(0, |word, value| word << 1 | u64::from(*value > 0));
    values.chunks(64).map(word).collect()
}

/// In how many signs two vectors may differ that have at least this cosine.
///
/// Signs of a pair at angle θ differ in a fraction θ/π of the dimensions, if dimensions are as good as random
/// directions; the bound lies four standard deviations above, which loses about 3 pairs in 100,000 at the
/// very edge of `least` and practically none above it. From a cosine of 0 down nothing is pruned.
pub fn most_differing_signs(least: f32, dimensions: usize) -> u32 {
    let dimensions = dimensions as f64;
    if least <= 0.0 {
        return dimensions as u32;
    }
    let differing = f64::from(least.min(1.0)).acos() / std::f64::consts::PI;
    // Near a cosine of 1 the rounding to eight bits moves small values across zero.
    let differing = differing.max(0.04);
    let deviation = (differing * (1.0 - differing) / dimensions).sqrt();
    (dimensions * (differing + 4.0 * deviation)).ceil().min(dimensions) as u32
}
