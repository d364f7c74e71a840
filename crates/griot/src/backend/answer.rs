//! A store that answers by a view of the moment: every method of `Read` handed on.

/// Implements `Read` for a type with `fn view<T>(&self, act: impl FnOnce(&View) -> T) -> Result<T>`.
macro_rules! answer_by_view {
    ($store:ty) => {
        const _: () = {
            use crate::backend::*;

        impl crate::backend::Read for $store {
            fn revision(&self) -> Revision {
                self.revision_of_view()
            }

            answer_by_view! { @methods
                counts() -> Counts;
                next_numbers() -> NextNumbers;
                memory_count() -> u64;
                vector_model() -> Option<(String, usize)>;
                search_words(query: &WordQuery, filter: &Filter)
                    -> WordHits;
                search_vectors(vector: &[f32], filter: &Filter, limit: usize)
                    -> Vec<(Node, f32)>;
                search_alike(asked: &[(&StoredVector, &Scope)], least: f32, limit: usize)
                    -> Vec<Vec<(Node, f32)>>;
                similarities(vector: &[f32], memories: &[Node]) -> Vec<Option<f32>>;
                search_time(interval: Interval, filter: &Filter, limit: usize)
                    -> Vec<Node>;
                latest(filter: &Filter, limit: usize) -> Vec<Node>;
                around(memory: Node, before: usize, after: usize, filter: &Filter)
                    -> (Vec<Node>, Vec<Node>);
                neighbours(frontier: &[Node], ask: &NeighbourQuery<'_>)
                    -> Vec<Vec<Arc>>;
                rules(filter: &Filter, limit: usize) -> Vec<Node>;
                expired(now: Timestamp) -> std::collections::BTreeMap<String, u64>;
                expired_edges(now: Timestamp)
                    -> std::collections::BTreeMap<(EdgeKind, Provenance), u64>;
                degrees(nodes: &[Node], now: Option<Timestamp>) -> Vec<u32>;
                hubs(kind: Option<EntityType>, limit: usize, now: Option<Timestamp>)
                    -> Vec<(Node, u32)>;
                label(number: u32) -> String;
                placements(memories: &[Node]) -> Vec<Option<Placement>>;
                place_members(
                    place: Place,
                    around: u32,
                    limit: usize,
                    filter: &Filter
                ) -> Vec<Node>;
                years(memories: &[Node]) -> Vec<Vec<i16>>;
                memories(nodes: &[Node]) -> Vec<Memory>;
                entities(nodes: &[Node]) -> Vec<Entity>;
                edges(numbers: &[u32]) -> Vec<Edge>;
                live(nodes: &[Node]) -> Vec<bool>;
                live_edges(numbers: &[u32]) -> Vec<bool>;
                edges_of(node: Node) -> Vec<Edge>;
                edge_by_key(
                    source: Node,
                    target: Node,
                    kind: EdgeKind,
                    label: &str
                ) -> Option<Edge>;
                memory_by_hash(hash: &[u8; 16]) -> Option<Node>;
                find_nodes(name: &NodeName<'_>) -> Vec<Node>;
                find_entities(names: &[String]) -> Vec<Vec<(Node, EntityType)>>;
                key_holders(keys: &[String]) -> Vec<Vec<KeyHolder>>;
                search_entities(part: &str, kind: Option<EntityType>, limit: usize)
                    -> Vec<Node>;
                facts(subject_or_object: Option<Node>) -> Vec<Fact>;
                source(id: SourceId) -> Option<Source>;
                source_by_origin(kind: SourceType, origin: &str) -> Option<Source>;
                sources() -> Vec<Source>;
                source_memories(source: SourceId, deleted: bool) -> Vec<Node>;
                source_tallies() -> Vec<SourceTally>;
                earliest() -> Option<Timestamp>;
                next_ordinal(source: SourceId, session: Option<&str>) -> u32;
                memories_after(number: u32, limit: usize) -> Vec<Memory>;
                entities_after(number: u32, limit: usize) -> Vec<Entity>;
                edges_after(number: u32, limit: usize) -> Vec<Edge>;
                vector(memory: Node) -> Option<StoredVector>;
                spoken_by(entity: Node) -> Vec<Node>;
                type_votes(entity: Node) -> Vec<TypeVotes>;
                merges_after(number: u32, limit: usize) -> Vec<Merge>;
                next_merge() -> u32;
                suggestions() -> Vec<Suggestion>;
                warnings() -> Vec<Warning>;
                warnings_about(nodes: &[Node]) -> Vec<Warning>;
                free_handle(id: MemoryId) -> Handle;
                traces_of(memories: &[Node]) -> Traces;
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
