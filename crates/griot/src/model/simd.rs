//! The widest instructions of the processor.

/// From narrow to wide. A function compiled for a level may be called where [`SimdLevel::here`] is that
/// level or a wider one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum SimdLevel {
    Portable,
    /// AVX2 and FMA.
    Avx2,
    /// AVX-512 F, BW, VL and VPOPCNTDQ, beside AVX2 and FMA: Ice Lake, Zen 4 and later.
    Avx512,
}

impl SimdLevel {
    /// What this processor can do. The answer is cached by the standard library.
    pub fn here() -> Self {
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
            let has_512 = is_x86_feature_detected!("avx512f")
                && is_x86_feature_detected!("avx512bw")
                && is_x86_feature_detected!("avx512vl")
                && is_x86_feature_detected!("avx512vpopcntdq");
            return if has_512 { Self::Avx512 } else { Self::Avx2 };
        }
        Self::Portable
    }
}
