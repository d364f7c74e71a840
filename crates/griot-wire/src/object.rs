//! One declaration per JSON object: the type, its serialisation, and the words of the reference page.

/// What the reference says about one object.
#[derive(Clone, Copy, Debug)]
pub struct ObjectDoc {
    pub name: &'static str,
    pub doc: &'static [&'static str],
    pub fields: &'static [FieldDoc],
}

#[derive(Clone, Copy, Debug)]
pub struct FieldDoc {
    pub name: &'static str,
    /// The Rust type, such as `Option<Time>`.
    pub kind: &'static str,
    pub doc: &'static [&'static str],
}

/// Declares `schemas`, which describes types to a generator of JSON Schema, and names them.
macro_rules! described {
    ($($name:ident)*) => {
        #[cfg(feature = "schema")]
        pub(crate) fn schemas(generator: &mut schemars::SchemaGenerator) -> Vec<&'static str> {
            $( generator.subschema_for::<$name>(); )*
            vec![$(stringify!($name)),*]
        }
    };
}

/// Declares how an object is filled, if it says so.
macro_rules! filled {
    ($name:ident { $($field:ident,)* }) => {};
    ($name:ident of ($($from:ident: $type:ty),*) { $($field:ident = $value:expr,)* }) => {
        impl $name {
            pub fn of($($from: $type),*) -> Self {
                Self { $($field: $value,)* }
            }
        }
    };
}

/// Declares JSON objects, how they are filled (`Name of (value: &Type) { field: Kind = expression, … }`), and `OBJECTS`, their documentation in the order of the file.
macro_rules! objects {
    ($(
        $(#[doc = $doc:literal])*
        $name:ident $(of $from:tt)? {
            $( $(#[doc = $field_doc:literal])* $field:ident: $kind:ty $(= $value:expr)?, )*
        }
    )*) => {
        $(
            $(#[doc = $doc])*
            #[derive(Clone, PartialEq, Debug, serde::Serialize, serde::Deserialize)]
            #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
            pub struct $name {
                $( $(#[doc = $field_doc])* pub $field: $kind, )*
            }

            filled!($name $(of $from)? { $($field $(= $value)?,)* });
        )*

        described!($($name)*);

        pub(crate) const OBJECTS: &[crate::object::ObjectDoc] = &[
            $(crate::object::ObjectDoc {
                name: stringify!($name),
                doc: &[$($doc),*],
                fields: &[
                    $(crate::object::FieldDoc {
                        name: stringify!($field),
                        kind: stringify!($kind),
                        doc: &[$($field_doc),*],
                    }),*
                ],
            }),*
        ];
    };
}
