//! The macro for enums whose values have names in JSON, in settings or in the database.

/// Declares enums with named values, and for each `ALL` in order, `name`, `parse` and `from_number`, which
/// takes a position in `ALL`. Further names after `|` are accepted when reading and never written. With
/// `lenient`, `parse` ignores case and surrounding white space.
macro_rules! named {
    ($($(#[$about:meta])* $kind:ident $($how:ident)? {
        $($(#[$of:meta])* $value:ident = $name:literal $(| $other:literal)*,)+
    })+) => {$(
        $(#[$about])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        #[repr(u8)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        pub enum $kind {
            $($(#[$of])* $value,)+
        }

        #[allow(dead_code, reason = "not every enum needs every function")]
        impl $kind {
            pub const ALL: [Self; [$($name),+].len()] = [$(Self::$value),+];

            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$value => $name,)+
                }
            }

            pub fn parse(name: &str) -> Option<Self> {
                match named!(@read name $($how)?) {
                    $($name $(| $other)* => Some(Self::$value),)+
                    _ => None,
                }
            }

            pub fn from_number(number: u8) -> Option<Self> {
                Self::ALL.get(usize::from(number)).copied()
            }
        }
    )+};
    (@read $name:ident) => { $name };
    (@read $name:ident lenient) => { $name.trim().to_ascii_lowercase().as_str() };
}
