//! One declaration per JSON object: the type, its serialisation, what fills it, and the words of the
//! reference page.

use std::collections::BTreeMap;

use griot::model::{self, Timestamp};
use griot::{recall, remember};

use crate::Time;

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

/// A part of an answer, made of the engine's value.
pub(crate) trait Shows<T: ?Sized> {
    fn show(value: &T) -> Self;
}

/// Shows a value as the field at hand needs it.
pub(crate) fn shown<T: ?Sized, S: Shows<T>>(value: &T) -> S {
    S::show(value)
}

macro_rules! as_they_are {
    ($($kind:ty),*) => {$(
        impl Shows<$kind> for $kind {
            fn show(value: &$kind) -> Self {
                value.to_owned()
            }
        }
    )*};
}
as_they_are!(bool, u8, u32, u64, usize, f32, f64, String, BTreeMap<String, u64>, BTreeMap<String, String>);

macro_rules! as_text {
    ($($kind:ty: $value:ident => $text:expr;)*) => {$(
        impl Shows<$kind> for String {
            fn show($value: &$kind) -> Self {
                $text.to_string()
            }
        }
    )*};
}
as_text! {
    &'static str: text => text;
    model::MemoryId: id => id;
    model::Handle: handle => handle;
    model::SourceId: id => id;
    griot_ingest::JobId: id => id;
    model::EdgeKind: kind => kind.name();
    model::Provenance: provenance => provenance.name();
    model::Predicate: predicate => predicate.name();
    model::EntityType: kind => kind.name();
    model::SourceType: kind => kind.name();
    model::Tier: tier => tier.name();
    model::Layer: layer => layer.name();
    model::ErasedKind: kind => kind.name();
    model::SuggestionState: state => state.name();
    model::OfferKind: kind => kind.name();
    model::OfferState: state => state.name();
    recall::WhyIncluded: why => why.name();
    recall::Rejection: reason => reason.name();
    remember::Action: action => action.name();
    remember::DiffSuggestion: suggestion => suggestion.name();
    griot_ingest::JobKind: kind => kind.name();
    griot_ingest::JobState: state => state.name();
    griot::text::Intent: intent => intent.name();
}

impl Shows<model::Revision> for u64 {
    fn show(revision: &model::Revision) -> Self {
        revision.0
    }
}

impl Shows<Timestamp> for Time {
    fn show(at: &Timestamp) -> Self {
        Self(*at)
    }
}

impl<T, S: Shows<T>> Shows<Option<T>> for Option<S> {
    fn show(value: &Option<T>) -> Self {
        value.as_ref().map(S::show)
    }
}

impl<T, S: Shows<T>> Shows<Vec<T>> for Vec<S> {
    fn show(values: &Vec<T>) -> Self {
        values.iter().map(S::show).collect()
    }
}

/// Declares `schemas`, which describes types to a generator of JSON Schema, and names them.
macro_rules! described {
    ($($name:ident)*) => {
        pub(crate) fn schemas(generator: &mut schemars::SchemaGenerator) -> Vec<&'static str> {
            $( generator.subschema_for::<$name>(); )*
            vec![$(stringify!($name)),*]
        }
    };
}

/// Declares how an object is filled, if it says so. A field without an expression shows the field of that
/// name in the first value.
macro_rules! filled {
    ($name:ident { $($field:ident,)* }) => {};
    ($name:ident of ($first:ident: $type:ty $(, $more:ident: $kind:ty)*) {
        $($field:ident $(= $value:expr)?,)*
    }) => {
        impl $name {
            pub fn of($first: $type, $($more: $kind),*) -> Self {
                Self { $($field: filled!($first.$field $(= $value)?),)* }
            }
        }
    };
    ($name:ident of () { $($field:ident = $value:expr,)* }) => {
        impl $name {
            pub fn of() -> Self {
                Self { $($field: $value,)* }
            }
        }
    };
    ($name:ident from ($first:ident: $type:ty) { $($field:ident $(= $value:expr)?,)* }) => {
        impl crate::object::Shows<$type> for $name {
            fn show($first: &$type) -> Self {
                Self { $($field: filled!($first.$field $(= $value)?),)* }
            }
        }

        impl From<&$type> for $name {
            fn from(value: &$type) -> Self {
                crate::object::shown(value)
            }
        }

        impl From<$type> for $name {
            fn from(value: $type) -> Self {
                crate::object::shown(&value)
            }
        }
    };
    ($first:ident.$field:ident = $value:expr) => { $value };
    ($first:ident.$field:ident) => { crate::object::shown(&$first.$field) };
}

/// Declares JSON objects, how they are filled, and `OBJECTS`, their documentation in the order of the file.
/// `Name from (value: Type) { field: Kind = expression, … }` is an object made of a value of the engine,
/// `Name of (a: &A, b: B) { … }` one made of several.
macro_rules! objects {
    (@ $serde:tt $(
        $(#[doc = $doc:literal])*
        $(#[derive($($derived:ident),*)])?
        $name:ident $($how:ident $from:tt)? {
            $( $(#[doc = $field_doc:literal])* $field:ident: $kind:ty $(= $value:expr)?, )*
        }
    )*) => {
        $(
            $(#[doc = $doc])*
            #[derive(Clone, PartialEq, Debug, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
            $(#[derive($($derived),*)])?
            #[serde $serde]
            pub struct $name {
                $( $(#[doc = $field_doc])* pub $field: $kind, )*
            }

            filled!($name $($how $from)? { $($field $(= $value)?,)* });
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
    ($($objects:tt)*) => {
        objects! { @ () $($objects)* }
    };
}
