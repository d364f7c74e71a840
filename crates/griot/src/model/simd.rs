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

/// Compiles a function once per level, for the registers that the level has, and lets the first argument
/// choose. It stays the same arithmetic: nothing is fused or reordered unless the code says so.
#[macro_export]
#[doc(hidden)]
macro_rules! on_every_level {
    (
        $(#[$doc:meta])*
        $visible:vis fn $name:ident($($argument:ident: $kind:ty),*) $(-> $result:ty)? $body:block
    ) => {
        $(#[$doc])*
        $visible fn $name(level: $crate::model::SimdLevel, $($argument: $kind),*) $(-> $result)? {
            #[inline(always)]
            fn portable($($argument: $kind),*) $(-> $result)? $body

            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx2,fma")]
            fn avx2($($argument: $kind),*) $(-> $result)? {
                portable($($argument),*)
            }

            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx512f,avx512bw,avx512vl,fma")]
            fn avx512($($argument: $kind),*) $(-> $result)? {
                portable($($argument),*)
            }

            match level {
                // SAFETY: `SimdLevel::here` (or the test that passes a level) found the features.
                #[cfg(target_arch = "x86_64")]
                $crate::model::SimdLevel::Avx2 => unsafe { avx2($($argument),*) },
                // SAFETY: as above.
                #[cfg(target_arch = "x86_64")]
                $crate::model::SimdLevel::Avx512 => unsafe { avx512($($argument),*) },
                _ => portable($($argument),*),
            }
        }
    };
}
