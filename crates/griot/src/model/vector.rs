//! A memory's vector as it is stored, and the bound on differing signs of similar vectors.

/// A memory's vector and the name of its model.
///
/// The value of dimension `i` is `values[i] × scale`; the vector has length 1.
#[derive(Clone, PartialEq, Debug)]
pub struct StoredVector {
    pub model: String,
    pub scale: f32,
    pub values: Vec<i8>,
}

/// One bit per dimension of a vector, 64 to a word: whether the value is positive.
pub fn signs(values: &[i8]) -> Vec<u64> {
    let word = |values: &[i8]| values.iter().rev().fold(0, |word, value| word << 1 | u64::from(*value > 0));
    values.chunks(64).map(word).collect()
}

/// The most signs in which two vectors with at least this cosine may differ.
///
/// Signs of a pair at angle θ differ in a fraction θ/π of the dimensions, if dimensions are like random
/// directions; the bound is four standard deviations above that, which loses about 3 pairs in 100,000 right
/// at `least` and practically none above it. For cosines of 0 and below nothing is pruned.
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
