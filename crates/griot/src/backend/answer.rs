//! Implements methods of traits by delegating them.

/// Methods that do what the same methods of another value do: `forward! { self, self.store.as_ref() =>
/// scrub(texts: Option<&[String]>) -> Result<u64>; }`.
macro_rules! forward {
    ($this:ident, $target:expr => $($name:ident($($argument:ident: $type:ty),* $(,)?) -> $answer:ty;)+) => {
        $(fn $name(&$this, $($argument: $type),*) -> $answer {
            $target.$name($($argument),*)
        })+
    };
}

/// Implements `Rows` and `Search` for a type with `fn view<T>(&self, act: impl FnOnce(&View) -> T) ->
/// Result<T>` and `fn revision_of_view(&self) -> Revision`.
macro_rules! answer_by_view {
    ($store:ident) => {
        answer_by_view! { @of [] $store }
    };
    ($store:ident<$parameter:ident: $bound:path>) => {
        answer_by_view! { @of [<$parameter: $bound>] $store<$parameter> }
    };
    (@of [$($generic:tt)*] $store:ty) => {
        const _: () = {
            use crate::backend::*;
            use crate::model::{Node, Result, Revision, Scope, StoredVector, Timestamp};

            impl $($generic)* Rows for $store {
                answer_by_view! { @methods
                    head() -> Head;
                    counts() -> Counts;
                    expired(now: Timestamp) -> Expired;
                    fetch(wanted: &Wanted<'_>) -> Fetched;
                    scan(table: Table, after: u32, limit: usize) -> Fetched;
                    about(what: &About<'_>) -> Fetched;
                    find(names: &[NodeName<'_>]) -> Vec<Vec<Found>>;
                    free(wanted: &[Free<'_>]) -> Vec<u32>;
                    traces_of(memories: &[Node]) -> Traces;
                }
            }

            impl $($generic)* Search for $store {
                fn revision(&self) -> Revision {
                    self.revision_of_view()
                }

                answer_by_view! { @methods
                    search(batches: &[Batch<'_>]) -> Vec<Answers>;
                    search_alike(asked: &[(&StoredVector, &Scope)], least: f32, limit: usize)
                        -> Vec<Vec<(Node, f32)>>;
                    top_entities(query: &EntityQuery<'_>) -> Vec<(Node, u32)>;
                }
            }
        };
    };
    (@methods $($name:ident($($argument:ident: $type:ty),* $(,)?) -> $answer:ty;)+) => {
        $(fn $name(&self, $($argument: $type),*) -> Result<$answer> {
            self.view(|view| view.$name($($argument),*))?
        })+
    };
}
