//! The embedders of a workspace, and the change from one to another.
//!
//! The store holds vectors of one model, which answers and which new texts get, until every text has a vector
//! of the model that the settings select. Those are kept aside while they are made; then one transaction
//! replaces the others. So there is no time without vectors, and a run that ends early loses nothing.

use std::sync::{Arc, Mutex, PoisonError};

use super::Engine;
use crate::backend::{Head, pages};
use crate::embed::{self, Embedder, StaticEmbedder};
use crate::model::{
    Change, ChangeSet, Error, ErrorKind, Memory, Node, Result, Scope, StagedVector, StoredVector,
};
use crate::recall::{self, Query};

/// Opens an embedder by the name that its vectors carry. The built-in one needs none.
pub type Opener = Arc<dyn Fn(&str) -> Result<Arc<dyn Embedder>> + Send + Sync>;

/// The embedder that the settings select, and the one that made the stored vectors.
pub(super) struct Embedders {
    pub(super) selected: Arc<dyn Embedder>,
    opener: Opener,
    /// The last one that was opened.
    former: Mutex<Option<Arc<dyn Embedder>>>,
}

impl Embedders {
    pub(super) fn new(selected: Arc<dyn Embedder>, opener: Option<Opener>) -> Self {
        Self { selected, opener: opener.unwrap_or_else(|| Arc::new(unknown)), former: Mutex::default() }
    }

    pub(super) fn opener(&self) -> Opener {
        Arc::clone(&self.opener)
    }

    /// The embedder with this name.
    fn named(&self, name: &str) -> Result<Arc<dyn Embedder>> {
        if self.selected.name() == name {
            return Ok(Arc::clone(&self.selected));
        }
        let mut former = self.former.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(former) = former.as_ref().filter(|former| former.name() == name) {
            return Ok(Arc::clone(former));
        }
        let opened = match name {
            StaticEmbedder::NAME => Arc::new(StaticEmbedder),
            _ => (self.opener)(name)?,
        };
        Ok(Arc::clone(former.insert(opened)))
    }
}

/// The embedder of the stored vectors at one moment, and their length if there are any.
pub(super) struct Maker {
    embedder: Arc<dyn Embedder>,
    dimensions: Option<usize>,
}

/// Which vectors `reindex` makes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum VectorsToMake {
    None,
    /// Those that memories lack of the selected embedder.
    Missing,
    /// All of them.
    All,
}

fn unknown(name: &str) -> Result<Arc<dyn Embedder>> {
    Err(Error::unavailable(format!("open the embedder `{name}`"), "this program does not know it"))
}

/// What is embedded of a memory, and of whom it is.
struct Text<'a> {
    text: String,
    scope: &'a Scope,
}

impl Engine {
    /// The embedder whose vectors the store holds; the selected one for a store without any. An error if it
    /// cannot be opened.
    fn embedder_of(&self, head: &Head) -> Result<Arc<dyn Embedder>> {
        let Some((name, _)) = &head.model else { return Ok(Arc::clone(&self.embedders.selected)) };
        self.embedders.named(name).map_err(|error| {
            let own = error.hint.as_ref().map(|hint| format!("{hint}, or ")).unwrap_or_default();
            let selected = self.embedders.selected.name();
            Error::new(
                ErrorKind::Unavailable,
                "compare vectors",
                format!("those of `{name}` are stored, which cannot be used: {error}"),
            )
            .hint(format!("{own}griot reindex --embed, which makes those of `{selected}`"))
        })
    }

    /// The vector of a question, to compare with those that are stored; `None` without any. An error says
    /// why there is none.
    pub(super) fn vector_of(&self, query: &Query, head: &Head) -> Result<Option<Vec<f32>>> {
        let Some((name, dimensions)) = &head.model else { return Ok(None) };
        let vector = self.embedder_of(head)?.embed_question(&recall::subject(query))?;
        if let Some(vector) = &vector {
            check_length(name, vector.len(), *dimensions)?;
        }
        Ok(vector)
    }

    /// What makes the vectors of new texts now; `None` if it cannot be opened.
    pub(super) fn maker(&self) -> Option<Maker> {
        let head = self.backend.head().ok()?;
        let embedder = self.embedder_of(&head).ok()?;
        Some(Maker { embedder, dimensions: head.model.map(|(_, dimensions)| dimensions) })
    }

    /// Vectors for texts, in their order. What cannot be made is `None`: the memory is stored without it,
    /// answers `embedded: false`, and gets it by `reindex --embed`.
    pub(super) fn vectors_of_new<'a>(
        maker: Option<&Maker>,
        texts: impl Iterator<Item = (&'a [String], &'a str, &'a Scope)>,
    ) -> Vec<Option<(Vec<f32>, StoredVector)>> {
        let texts: Vec<Text<'a>> = texts
            .map(|(heading, text, scope)| Text { text: embed::embedded(heading, text), scope })
            .collect();
        let mut vectors = Vec::with_capacity(texts.len());
        if let Some(Maker { embedder, dimensions }) = maker {
            for batch in texts.chunks(embedder.batch().max(1)) {
                // The next batch would fail the same way, and take its time.
                let Ok(made) = vectors_by(embedder.as_ref(), batch) else { break };
                let fits = |vector: &Vec<f32>| dimensions.is_none_or(|expected| expected == vector.len());
                vectors.extend(made.into_iter().map(|vector| {
                    let vector = vector.filter(fits)?;
                    let stored = embed::quantise(embedder.name(), &vector);
                    Some((vector, stored))
                }));
            }
        }
        vectors.resize_with(texts.len(), || None);
        vectors
    }

    /// Makes vectors of the selected model, batch by batch; those that are stored answer until all are made.
    /// A run that ended early has kept its batches, and the next one goes on behind them.
    pub(super) fn make_vectors(
        &self,
        which: VectorsToMake,
        progress: &mut dyn FnMut(u64, u64),
    ) -> Result<()> {
        /// Rounds for texts that others stored meanwhile.
        const ROUNDS: usize = 5;
        if which == VectorsToMake::None {
            return Ok(());
        }
        let model = self.embedders.selected.name().to_string();
        for _ in 0..ROUNDS {
            if self.stage_vectors(&model, which, progress)? == 0 {
                break;
            }
        }
        self.take_staged(&model)?;
        // What was stored since the last round got a vector of the former model, which is gone.
        if self.stage_vectors(&model, VectorsToMake::Missing, progress)? > 0 {
            self.take_staged(&model)?;
        }
        Ok(())
    }

    /// Stages the vectors that are not staged yet; returns of how many texts.
    fn stage_vectors(
        &self,
        model: &str,
        which: VectorsToMake,
        progress: &mut dyn FnMut(u64, u64),
    ) -> Result<u64> {
        let embedder = Arc::clone(&self.embedders.selected);
        let counts = self.backend.counts()?;
        let all = counts.memories + counts.deleted_memories;
        let (mut done, mut made) = (0, 0);
        for page in pages::<Memory>(self.backend.as_ref()) {
            let page = page?;
            let before = page.len();
            let missing = self.to_embed(model, which, page)?;
            done += (before - missing.len()) as u64;
            progress(done, all);
            for batch in missing.chunks(embedder.batch().max(1)) {
                let texts: Vec<Text<'_>> = batch
                    .iter()
                    .map(|memory| Text {
                        text: embed::embedded(&memory.heading, &memory.text),
                        scope: &memory.scope,
                    })
                    .collect();
                let vectors = vectors_by(embedder.as_ref(), &texts)?;
                let stored = |vector: Option<Vec<f32>>| vector.map(|vector| embed::quantise(model, &vector));
                let vectors: Vec<StagedVector> =
                    batch.iter().map(|memory| memory.node).zip(vectors.into_iter().map(stored)).collect();
                self.stage(model, vectors)?;
                done += batch.len() as u64;
                made += batch.len() as u64;
                progress(done, all);
            }
        }
        Ok(made)
    }

    /// Calls `take` with each text of which [`Engine::reindex`] would make a vector. Makes none.
    pub fn texts_to_embed(&self, which: VectorsToMake, take: &mut dyn FnMut(&str)) -> Result<()> {
        let model = self.embedders.selected.name().to_string();
        for page in pages::<Memory>(self.backend.as_ref()) {
            for memory in self.to_embed(&model, which, page?)? {
                take(&embed::embedded(&memory.heading, &memory.text));
            }
        }
        Ok(())
    }

    /// The memories of a page whose vector of this model is not made yet, and may be.
    fn to_embed(&self, model: &str, which: VectorsToMake, mut page: Vec<Memory>) -> Result<Vec<Memory>> {
        let with_private = self.embedders.selected.takes_private_texts();
        page.retain(|memory| with_private || memory.scope.user.is_none());
        let nodes: Vec<Node> = page.iter().map(|memory| memory.node).collect();
        let read = self.backend.as_ref();
        let mut known = read.staged(model, &nodes)?;
        if which == VectorsToMake::Missing && read.vector_model()?.is_some_and(|(name, _)| name == model) {
            known.extend(read.vectors(&nodes)?.into_iter().map(|(node, _)| node));
        }
        known.sort_unstable();
        page.retain(|memory| known.binary_search(&memory.node).is_err());
        Ok(page)
    }

    fn stage(&self, model: &str, vectors: Vec<StagedVector>) -> Result<()> {
        let at = self.now();
        let stage = Change::StageVectors { model: model.to_string(), vectors };
        self.backend.write(&mut |read| {
            if let Some((_, dimensions)) = read.vector_model()?.filter(|(name, _)| name == model)
                && let Change::StageVectors { vectors, .. } = &stage
                && let Some(vector) = vectors.iter().find_map(|(_, vector)| vector.as_ref())
            {
                check_length(model, vector.values.len(), dimensions)?;
            }
            Ok(ChangeSet { at, changes: vec![stage.clone()] })
        })?;
        Ok(())
    }

    /// Replaces the stored vectors by those that are staged.
    fn take_staged(&self, model: &str) -> Result<()> {
        let at = self.now();
        let taken = self.backend.write(&mut |_| {
            Ok(ChangeSet { at, changes: vec![Change::TakeStaged { model: model.to_string() }] })
        });
        taken.map(drop).map_err(|error| match error.kind {
            // Without a hint of its own nothing is staged; vectors of another length name what helps.
            ErrorKind::InvalidInput
                if error.hint.is_none() && !self.embedders.selected.takes_private_texts() =>
            {
                error.hint(
                    "texts that belong to a user are not sent: griot config set model.private_texts true, \
                     if they may be",
                )
            }
            _ => error,
        })
    }
}

/// One vector for each text; `None` also for a text that the embedder may not see.
fn vectors_by(embedder: &dyn Embedder, texts: &[Text<'_>]) -> Result<Vec<Option<Vec<f32>>>> {
    let takes = |text: &Text<'_>| text.scope.user.is_none() || embedder.takes_private_texts();
    let (places, given): (Vec<usize>, Vec<&str>) = texts
        .iter()
        .enumerate()
        .filter(|(_, one)| takes(one))
        .map(|(at, one)| (at, one.text.as_str()))
        .unzip();
    let mut vectors = vec![None; texts.len()];
    if given.is_empty() {
        return Ok(vectors);
    }
    let made = embedder.embed(&given)?;
    if made.len() != given.len() {
        let why = format!("`{}` made {} for {} texts", embedder.name(), made.len(), given.len());
        return Err(Error::new(ErrorKind::Bug, "make vectors", why)
            .hint("griot config set embedder.model builtin, then griot reindex --embed"));
    }
    for (place, vector) in places.into_iter().zip(made) {
        vectors[place] = vector;
    }
    Ok(vectors)
}

fn check_length(model: &str, found: usize, expected: usize) -> Result<()> {
    if found == expected {
        return Ok(());
    }
    let why = format!("`{model}` gives {found} dimensions now, and the stored vectors have {expected}");
    Err(Error::unavailable("compare vectors", why).hint(
        "griot config set embedder.name NAME, or embedder.dimensions NUMBER, then griot reindex --embed",
    ))
}
