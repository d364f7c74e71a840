//! The arithmetic of a transformer, with the widest instructions the processor has.
//!
//! Every path gives the same bits, and the value of one row does not depend on the rows beside it: products
//! are summed in 16 lanes in a fixed order, fused on every path, and the lanes are added pairwise. So a text
//! has one vector, whichever batch it came in and whichever processor made it.
//!
//! Written here instead of taken from a crate: a question is about a dozen rows against 42 MB of weights,
//! where packing the weights first, as general matrix libraries do, costs as much as multiplying them. The
//! index of the engine multiplies single rows of bytes, or of floats with bytes, in 64 lanes without fusing,
//! and its sums are part of stored answers: the two share how instructions are chosen, not the loops.

use griot::model::SimdLevel;
use griot::on_every_level;

/// Floats that are summed side by side.
const LANES: usize = 16;

/// `sums[row][output] = input[row] · weights[output]`, all matrices by rows; `width` is the length of a row
/// of both inputs.
pub(crate) fn multiply(level: SimdLevel, input: &[f32], weights: &[f32], width: usize, sums: &mut [f32]) {
    let (rows, outputs) = (input.len() / width, weights.len() / width);
    // The fast paths read through pointers; this is what makes that sound.
    assert!(input.len() == rows * width && weights.len() == outputs * width && sums.len() == rows * outputs);
    if rows == 0 || outputs == 0 {
        return;
    }
    match level {
        // SAFETY: `SimdLevel::here` (or the test that passes a level) found the features.
        #[cfg(target_arch = "x86_64")]
        SimdLevel::Avx2 => unsafe { x86::multiply_avx2(input, weights, width, sums) },
        // SAFETY: as above.
        #[cfg(target_arch = "x86_64")]
        SimdLevel::Avx512 => unsafe { x86::multiply_avx512(input, weights, width, sums) },
        _ => portable(input, weights, width, sums),
    }
}

fn portable(input: &[f32], weights: &[f32], width: usize, sums: &mut [f32]) {
    let outputs = weights.len() / width;
    for (row, sums) in input.chunks_exact(width).zip(sums.chunks_exact_mut(outputs)) {
        for (weights, sum) in weights.chunks_exact(width).zip(sums) {
            let mut lanes = [0f32; LANES];
            let (a, _) = row.as_chunks::<LANES>();
            let (b, _) = weights.as_chunks::<LANES>();
            for (a, b) in a.iter().zip(b) {
                for lane in 0..LANES {
                    lanes[lane] = a[lane].mul_add(b[lane], lanes[lane]);
                }
            }
            *sum = finish(lanes, row, weights);
        }
    }
}

/// Adds what is left of two rows behind their last full lanes, then the lanes pairwise.
#[inline(always)]
fn finish(mut lanes: [f32; LANES], a: &[f32], b: &[f32]) -> f32 {
    let (a, b) = (a.as_chunks::<LANES>().1, b.as_chunks::<LANES>().1);
    for (lane, (a, b)) in lanes.iter_mut().zip(a.iter().zip(b)) {
        *lane = a.mul_add(*b, *lane);
    }
    let mut half = LANES / 2;
    while half > 0 {
        for lane in 0..half {
            lanes[lane] += lanes[lane + half];
        }
        half /= 2;
    }
    lanes[0]
}

#[derive(Clone, Copy)]
pub(crate) struct Norm<'a> {
    pub(crate) gain: &'a [f32],
    pub(crate) bias: &'a [f32],
    pub(crate) epsilon: f32,
}

on_every_level! {
    /// Adds the bias to every row.
    pub(crate) fn add_bias(rows: &mut [f32], bias: &[f32]) {
        for row in rows.chunks_exact_mut(bias.len()) {
            row.iter_mut().zip(bias).for_each(|(value, bias)| *value += bias);
        }
    }
}

on_every_level! {
    /// `rows[i] = normalised(rows[i] + added[i]) · gain + bias`, with mean 0 and variance 1 before gain and
    /// bias.
    pub(crate) fn add_and_normalise(rows: &mut [f32], added: &[f32], norm: Norm<'_>) {
        let width = norm.gain.len();
        for (row, added) in rows.chunks_exact_mut(width).zip(added.chunks_exact(width)) {
            row.iter_mut().zip(added).for_each(|(value, added)| *value += added);
            let mean = sum_by(row, |value| value) / width as f32;
            let variance = sum_by(row, |value| (value - mean) * (value - mean)) / width as f32;
            let scale = 1.0 / (variance + norm.epsilon).sqrt();
            for (value, (gain, bias)) in row.iter_mut().zip(norm.gain.iter().zip(norm.bias)) {
                *value = (*value - mean) * scale * gain + bias;
            }
        }
    }
}

on_every_level! {
    /// Gaussian error linear unit in its exact form: `x · Φ(x)`.
    pub(crate) fn gelu(values: &mut [f32]) {
        for value in values {
            *value = 0.5 * *value * (1.0 + erf(*value * std::f32::consts::FRAC_1_SQRT_2));
        }
    }
}

on_every_level! {
    /// `e^(scale · x)` of the first `count` values of each row of `width`, as shares of their sum; the rest
    /// of a row becomes 0.
    pub(crate) fn softmax(rows: &mut [f32], width: usize, count: usize, scale: f32) {
        for row in rows.chunks_exact_mut(width) {
            let (row, rest) = row.split_at_mut(count);
            rest.fill(0.0);
            let largest = largest(row);
            row.iter_mut().for_each(|value| *value = exp_of_negative((*value - largest) * scale));
            let sum = sum_by(row, |value| value);
            row.iter_mut().for_each(|value| *value /= sum);
        }
    }
}

/// The largest value, in lanes.
#[inline(always)]
fn largest(values: &[f32]) -> f32 {
    let mut lanes = [f32::NEG_INFINITY; LANES];
    let (rows, rest) = values.as_chunks::<LANES>();
    for row in rows {
        for lane in 0..LANES {
            lanes[lane] = if row[lane] > lanes[lane] { row[lane] } else { lanes[lane] };
        }
    }
    lanes.iter().chain(rest).copied().fold(f32::NEG_INFINITY, f32::max)
}

/// The sum of `of(value)` in lanes.
#[inline(always)]
fn sum_by(values: &[f32], of: impl Fn(f32) -> f32) -> f32 {
    let mut lanes = [0f32; LANES];
    let (rows, rest) = values.as_chunks::<LANES>();
    for row in rows {
        for lane in 0..LANES {
            lanes[lane] += of(row[lane]);
        }
    }
    for (lane, value) in lanes.iter_mut().zip(rest) {
        *lane += of(*value);
    }
    finish(lanes, &[], &[])
}

/// The error function as a rational polynomial in x² on −4..4, where it is ±1 to a float's precision at the
/// ends (coefficients of Eigen's `generic_fast_erf_float`; within 5e-7). No branch and no table, so it is
/// computed many at a time.
#[inline(always)]
fn erf(x: f32) -> f32 {
    let x = x.clamp(-4.0, 4.0);
    let square = x * x;
    let above =
        [2.770_681_4e-8, -2.101_024_1e-6, -5.692_506_4e-5, -7.349_906_3e-4, -2.954_6e-3, -1.609_603_4e-2];
    let below = [-2.133_740_6e-4, -1.682_827e-3, -7.373_329_2e-3, -1.426_473_9e-2];
    let above = above.into_iter().fold(-2.726_142_3e-10f32, |sum, c| sum * square + c);
    let below = below.into_iter().fold(-1.456_607_2e-5f32, |sum, c| sum * square + c);
    x * above / below
}

/// `e^x` for `x ≤ 0`; 0 below −87 (Cephes' polynomial; within 2e-7 of the value).
#[inline(always)]
fn exp_of_negative(x: f32) -> f32 {
    let clamped = x.max(-87.0);
    // Adding and taking away 1.5 · 2²³ rounds to a whole number.
    const ROUND: f32 = 12_582_912.0;
    let whole = (clamped * std::f32::consts::LOG2_E + ROUND) - ROUND;
    // ln 2 in two parts, so that the difference keeps its digits.
    let rest = (clamped - whole * 0.693_359_4) + whole * 2.121_944_4e-4;
    let terms = [1.398_199_9e-3, 8.333_452e-3, 4.166_579_6e-2, 0.166_666_65, 0.5];
    let sum = terms.into_iter().fold(1.987_569_1e-4f32, |sum, c| sum * rest + c);
    let power = f32::from_bits(((whole as i32 + 127) << 23) as u32);
    let value = (sum * rest * rest + rest + 1.0) * power;
    if x < -87.0 { 0.0 } else { value }
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::arch::x86_64::*;

    use super::{LANES, finish};

    /// Cuts the product into blocks: over the weights once, and over all inputs for each few of their rows.
    /// At the edges a block repeats its last row; what it computes twice is dropped. The operations are those
    /// of registers of `$floats` floats.
    macro_rules! multiply {
        ($name:ident, $features:literal, $rows:literal by $outputs:literal, $floats:literal:
         $zero:ident $load:ident $fused:ident $store:ident) => {
            #[target_feature(enable = $features)]
            pub(super) fn $name(input: &[f32], weights: &[f32], width: usize, sums: &mut [f32]) {
                let (rows, outputs) = (input.len() / width, weights.len() / width);
                for output in (0..outputs).step_by($outputs) {
                    let chosen: [&[f32]; $outputs] =
                        std::array::from_fn(|k| &weights[(output + k).min(outputs - 1) * width..][..width]);
                    for row in (0..rows).step_by($rows) {
                        let inputs: [&[f32]; $rows] =
                            std::array::from_fn(|k| &input[(row + k).min(rows - 1) * width..][..width]);
                        let mut lanes = [[[$zero(); $outputs]; $rows]; LANES / $floats];
                        for at in (0..width / LANES * LANES).step_by(LANES) {
                            for (part, lanes) in lanes.iter_mut().enumerate() {
                                let at = at + part * $floats;
                                let mut loaded = [$zero(); $outputs];
                                for b in 0..$outputs {
                                    // SAFETY: the row has all lanes from `at` on; no load needs alignment.
                                    loaded[b] = unsafe { $load(chosen[b].as_ptr().add(at)) };
                                }
                                for a in 0..$rows {
                                    // SAFETY: as above.
                                    let input = unsafe { $load(inputs[a].as_ptr().add(at)) };
                                    for b in 0..$outputs {
                                        lanes[a][b] = $fused(input, loaded[b], lanes[a][b]);
                                    }
                                }
                            }
                        }
                        let mut block = [[[0.0; LANES]; $outputs]; $rows];
                        for (part, lanes) in lanes.iter().enumerate() {
                            for a in 0..$rows {
                                for b in 0..$outputs {
                                    let part = &mut block[a][b][part * $floats..][..$floats];
                                    // SAFETY: there is room for one register; no store needs alignment.
                                    unsafe { $store(part.as_mut_ptr(), lanes[a][b]) };
                                }
                            }
                        }
                        for a in 0..$rows.min(rows - row) {
                            for b in 0..$outputs.min(outputs - output) {
                                sums[(row + a) * outputs + output + b] =
                                    finish(block[a][b], inputs[a], chosen[b]);
                            }
                        }
                    }
                }
            }
        };
    }

    // 24 and 12 registers of sums, and as many of the 32 and 16 as are left for what is multiplied.
    multiply! {
        multiply_avx512, "avx512f,fma", 6 by 4, 16:
        _mm512_setzero_ps _mm512_loadu_ps _mm512_fmadd_ps _mm512_storeu_ps
    }
    multiply! {
        multiply_avx2, "avx2,fma", 3 by 2, 8:
        _mm256_setzero_ps _mm256_loadu_ps _mm256_fmadd_ps _mm256_storeu_ps
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn levels() -> impl Iterator<Item = SimdLevel> {
        [SimdLevel::Portable, SimdLevel::Avx2, SimdLevel::Avx512]
            .into_iter()
            .filter(|level| *level <= SimdLevel::here())
    }

    fn random(count: usize, random: &mut fastrand::Rng) -> Vec<f32> {
        (0..count).map(|_| random.f32() * 2.0 - 1.0).collect()
    }

    #[test]
    fn every_path_gives_the_same_bits_and_they_are_the_product() {
        let mut seed = fastrand::Rng::with_seed(3);
        for (rows, outputs, width) in
            [(1, 1, 1), (1, 5, 16), (7, 9, 33), (6, 4, 64), (13, 6, 384), (3, 2, 15)]
        {
            let (input, weights) = (random(rows * width, &mut seed), random(outputs * width, &mut seed));
            let product = |level| {
                let mut sums = vec![f32::NAN; rows * outputs];
                multiply(level, &input, &weights, width, &mut sums);
                sums
            };
            let expected = product(SimdLevel::Portable);
            for (at, sum) in expected.iter().enumerate() {
                let (a, b) = (&input[at / outputs * width..], &weights[at % outputs * width..]);
                let exact: f64 =
                    a.iter().zip(b).take(width).map(|(a, b)| f64::from(*a) * f64::from(*b)).sum();
                assert!(
                    (f64::from(*sum) - exact).abs() < 1e-4,
                    "{rows} × {outputs} × {width} at {at}: {sum}, not {exact}"
                );
            }
            for level in levels() {
                assert_eq!(product(level), expected, "{level:?} {rows} × {outputs} × {width}");
            }
        }
    }

    #[test]
    fn a_row_does_not_depend_on_the_rows_beside_it() {
        let mut seed = fastrand::Rng::with_seed(4);
        let (input, weights) = (random(11 * 40, &mut seed), random(10 * 40, &mut seed));
        for level in levels() {
            let mut together = vec![0.0; 110];
            multiply(level, &input, &weights, 40, &mut together);
            for (row, together) in input.chunks(40).zip(together.chunks(10)) {
                let mut alone = vec![0.0; 10];
                multiply(level, row, &weights, 40, &mut alone);
                assert_eq!(alone, together, "{level:?}");
            }
        }
    }

    /// Φ by its series in double precision: an independent way to the same numbers.
    fn exact_gelu(x: f64) -> f64 {
        let (mut term, mut sum) = (x, x);
        for n in 1..400 {
            term *= x * x / f64::from(2 * n + 1);
            sum += term;
        }
        let density = (-x * x / 2.0).exp() / (2.0 * std::f64::consts::PI).sqrt();
        x * (0.5 + density * sum)
    }

    #[test]
    fn curves_are_those_of_the_textbook() {
        let points: Vec<f32> = (-600..=600).map(|n| n as f32 / 100.0).collect();
        for level in levels() {
            let mut values = points.clone();
            gelu(level, &mut values);
            let mut portable = points.clone();
            gelu(SimdLevel::Portable, &mut portable);
            assert_eq!(values, portable, "{level:?}");
            for (x, value) in points.iter().zip(values) {
                let exact = exact_gelu(f64::from(*x));
                assert!((f64::from(value) - exact).abs() < 2e-6, "gelu({x}) is {value}, not {exact}");
            }
        }
        for n in 0..1200 {
            let x = n as f32 / -12.0;
            let exact = f64::from(x).exp();
            let value = f64::from(exp_of_negative(x));
            assert!((value - exact).abs() <= exact * 3e-7 + 2e-38, "e^{x} is {value}, not {exact}");
        }
    }

    #[test]
    fn shares_sum_to_one_and_padding_gets_none() {
        for level in levels() {
            let mut rows = vec![0.0, 1.0, 2.0, 77.0, -5.0, 5.0, 5.0, 77.0];
            softmax(level, &mut rows, 4, 3, 0.5);
            for row in rows.chunks(4) {
                assert!((row.iter().sum::<f32>() - 1.0).abs() < 1e-6);
                assert_eq!(row[3], 0.0);
            }
            assert!((rows[2] / rows[1] - 0.5f32.exp()).abs() < 1e-5);
            let many: Vec<f32> = (0..37).map(|n| ((n * 29) % 37) as f32 / 5.0 - 3.0).collect();
            let [mut here, mut portable] = [many.clone(), many];
            softmax(level, &mut here, 37, 33, 0.7);
            softmax(SimdLevel::Portable, &mut portable, 37, 33, 0.7);
            assert_eq!(here, portable, "{level:?}");
            assert!((rows[5] - 0.5).abs() < 0.01);
        }
    }

    #[test]
    fn rows_are_normalised_and_biased() {
        for level in levels() {
            let mut rows = vec![1.0, 2.0, 3.0, 4.0];
            let norm = Norm { gain: &[1.0, 1.0, 1.0, 2.0], bias: &[0.0, 0.0, 0.0, 1.0], epsilon: 0.0 };
            add_and_normalise(level, &mut rows, &[1.0, 1.0, 1.0, 1.0], norm);
            let unit = 1.0 / 1.25f32.sqrt();
            for (value, expected) in rows.iter().zip([-1.5 * unit, -0.5 * unit, 0.5 * unit, 3.0 * unit + 1.0])
            {
                assert!((value - expected).abs() < 1e-6);
            }
        }
    }
}
