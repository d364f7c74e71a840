//! Contents and integrity of the workspace: `status`, `doctor`, `verify`, `build-graphs`, `gc`, `reindex`,
//! `export`, `import`.

use std::io::{BufRead, Write};
use std::path::Path;

use griot::engine::{EmbedderModel, Engine, GraphsToBuild, RemovedRow, VectorsToMake};
use griot::model::{Error, Result};
use griot_models::tokens_of;

use super::MOST;
use crate::call::Call;
use crate::export::{Reader, Writer};
use crate::failure::Outcome;
use crate::model::{model_named, unread};
use crate::request::{Bare, graphs, share, usual};
use crate::{
    BuiltGraphs, BulkEstimate, Counts, GcCandidate, Health, Imported, Memory, NamesAgain, Reindexed, Status,
    Verified, Warning,
};

requests! {
    /// List the verifier's warnings.
    Warnings by new {
        /// Include acknowledged warnings.
        #[arg(long)]
        all [default]: bool,
    }

    /// Acknowledge a warning.
    #[schemars(transform = crate::request::forms::acknowledge)]
    Acknowledge by new {
        /// Id of a warning, such as `w-3f2a90c1d4e5`.
        #[schemars(regex(pattern = r"^w-[0-9a-f]{12}$"))]
        name: String,
        /// Why.
        #[schemars(length(max = 2000))]
        note [default]: Option<String>,
        /// Take the acknowledgement back, so that the warning is reported again.
        undo [default]: bool,
    }

    /// List memories that could be removed; nothing is deleted.
    Gc {
        /// List memories whose current importance is below this value.
        #[schemars(range(min = 0, max = 1))]
        #[arg(long, value_name = "0-1", default_value_t = half())]
        threshold [default = "half"]: f32,
        /// Maximum number of results.
        #[schemars(range(min = 1, max = 1000))]
        #[arg(long, short = 'n', value_name = "COUNT", default_value_t = 20)]
        limit [default = "usual::<20>"]: usize,
    }

    /// Build edges over the whole workspace.
    #[command(after_help = "\
Examples:
  griot build-graphs
  griot build-graphs --graphs semantic,temporal --threshold 0.5

`semantic` joins memories that are alike. `temporal` joins consecutive memories over all sources, and each \
document by its first passage,
in the order of time; without it a step in time stays within its source or within 24 hours. A second run \
adds what is new and removes
steps that something lies between by now.")]
    BuildGraphs {
        /// Edges to build: `semantic` (similarity), `temporal` (order in time over all sources, including
        /// documents), or `all`.
        #[schemars(schema_with = "crate::request::forms::graphs")]
        #[arg(long, value_name = "LIST", value_delimiter = ',', default_value = "semantic",
            help = "Edges to build: semantic, temporal, or all")]
        graphs [default = "semantic"]: Vec<String>,
        /// Minimum similarity (cosine, 0 to 1) at which two memories are connected.
        #[schemars(range(min = 0, max = 1))]
        #[arg(long, value_name = "0-1", default_value_t = usual_similarity(),
            help = "Minimum similarity (cosine) at which two memories are connected")]
        threshold [default = "usual_similarity"]: f64,
    }

    /// Build the indexes again.
    Reindex {
        /// Make the vectors that memories lack of the embedder that the settings select. Those of a former
        /// one answer until all are made; a run that ended early goes on where it was.
        #[arg(long)]
        embed [default]: bool,
        /// With `embed`, only say what it would take: requests, tokens, money.
        #[arg(long, requires = "embed", conflicts_with = "names")]
        estimate [default]: bool,
        /// With `embed`, make all vectors, also those that memories have of this embedder: for vectors of an
        /// earlier version of it.
        #[arg(long, requires = "embed")]
        all [default]: bool,
        /// Look for names in all texts again, with the present rules and settings: adds missing entities and
        /// mentions, removes mentions that only a rule made and no rule finds any more.
        #[arg(long)]
        names [default]: bool,
    }
}

fn half() -> f32 {
    0.5
}
fn semantic() -> Vec<String> {
    vec!["semantic".into()]
}
/// Default of ClawMem.
pub fn usual_similarity() -> f64 {
    0.7
}

pub fn status(call: &Call, _: Bare) -> Outcome<Status> {
    let status = Status {
        language_model: model_named(&call.engine),
        unread: unread(&call.engine)?,
        role: call.caller.role.name().to_string(),
        user: call.bound.clone(),
        ..Status::from(&call.engine.status()?)
    };
    // Remote callers do not learn file paths.
    Ok(if call.is_remote() { Status { path: None, ..status } } else { status })
}

pub fn doctor(call: &Call, _: Bare) -> Outcome<Health> {
    let engine = call.of_all("check the workspace")?;
    let mut health = Health::from(engine.doctor()?);
    let unread = unread(engine)?.into_iter();
    health.checked.extend(unread.map(|(task, count)| format!("{count} memories to read for {task}")));
    let without = Counts::from(&engine.status()?.counts).without_vector();
    if without > 0 {
        health.checked.push(format!("{without} memories without a vector (griot reindex --embed)"));
    }
    Ok(health)
}

/// Repairs what can be repaired without losing text. `keep` gets rows before they change, for `file`.
pub fn repair(
    call: &Call,
    file: &Path,
    keep: &mut dyn FnMut(&[RemovedRow]) -> Result<()>,
) -> Outcome<Health> {
    let done = call.of_all("repair the workspace")?.repair(keep)?;
    let quarantine = (done.kept > 0).then(|| file.display().to_string());
    Ok(Health { repaired: done.healed, quarantine, ..doctor(call, Bare::NOTHING)? })
}

pub fn verify(call: &Call, q: Warnings) -> Outcome<Verified> {
    Ok(Verified::new(&call.of_all("look for contradictions")?.verify()?, q.all))
}

pub fn warnings(call: &Call, q: Warnings) -> Outcome<Verified> {
    Ok(Verified::new(&call.of_all("list warnings")?.warnings()?, q.all))
}

pub fn acknowledge(call: &Call, q: Acknowledge) -> Outcome<Warning> {
    let engine = call.of_all("acknowledge a warning")?;
    if q.undo {
        if q.note.is_some() {
            let what = format!("reopen the warning `{}`", q.name.trim());
            return Err(Error::invalid(what, "`undo` and `note` exclude each other").into());
        }
        return Ok(Warning::from(&engine.unacknowledge(&q.name)?));
    }
    Ok(Warning::from(&engine.acknowledge(&q.name, &call.speaker(), q.note.as_deref())?))
}

pub fn build_graphs(call: &Call, q: BuildGraphs) -> Outcome<BuiltGraphs> {
    built(call, graphs(&q.graphs, share("threshold", q.threshold as f32)?)?)
}

pub fn built(call: &Call, graphs: GraphsToBuild) -> Outcome<BuiltGraphs> {
    let engine = call.of_all("build graphs")?;
    Ok(BuiltGraphs::from(engine.build_graphs(graphs, &mut |done, all| call.progress.report(done, all))?))
}

/// Lists memories of low current importance.
pub fn gc(call: &Call, q: Gc) -> Outcome<Vec<GcCandidate>> {
    let threshold = share("threshold", q.threshold)?;
    call.bounded("the limit", q.limit, 1, MOST)?;
    let candidates = call.of_all("list what could be let go")?.gc(threshold, q.limit)?;
    Ok(candidates.iter().map(GcCandidate::from).collect())
}

/// Counts an access to these memories, so that they are kept.
pub fn keep(call: &Call, names: &[String]) -> Outcome<Vec<Memory>> {
    let engine = call.of_all("keep memories")?;
    names.iter().map(|name| Ok(Memory::from(&engine.keep(name)?))).collect()
}

pub fn reindex(call: &Call, q: Reindex) -> Outcome<Reindexed> {
    let vectors = match (q.embed, q.all) {
        (false, false) => VectorsToMake::None,
        (true, false) => VectorsToMake::Missing,
        (true, true) => VectorsToMake::All,
        (false, true) => {
            let why = "`all` is about vectors, which only `embed` makes";
            return Err(Error::invalid("build the indexes", why).hint("griot reindex --embed --all").into());
        }
    };
    let engine = call.of_all("build the indexes")?;
    if q.estimate {
        if vectors == VectorsToMake::None {
            let why = "only `embed` sends texts";
            return Err(Error::invalid("estimate", why).hint("griot reindex --embed --estimate").into());
        }
        return Ok(Reindexed { embedded: false, names: None, estimate: Some(embedding(engine, vectors)?) });
    }
    let mut report = |done, all| call.progress.report(done, all);
    let again = q.names.then(|| engine.find_names_again(&mut report)).transpose()?;
    engine.reindex(vectors, &mut report)?;
    Ok(Reindexed { embedded: q.embed, names: again.as_ref().map(NamesAgain::from), estimate: None })
}

/// What making these vectors would take. Only a server is sent something and paid.
fn embedding(engine: &Engine, vectors: VectorsToMake) -> Result<BulkEstimate> {
    let settings = &engine.settings().embedder;
    let is_server = settings.model == EmbedderModel::Api;
    let mut estimate = BulkEstimate { items: 0, calls: 0, input_tokens: 0, output_tokens: 0, cost: None };
    engine.texts_to_embed(vectors, &mut |text| {
        estimate.items += 1;
        if is_server {
            estimate.input_tokens += tokens_of(text).min(settings.text_tokens as u64);
        }
    })?;
    if is_server {
        estimate.calls = estimate.items.div_ceil(settings.batch.max(1) as u64);
        let cost = estimate.input_tokens as f64 * settings.price / 1_000_000.0;
        estimate.cost = (settings.price > 0.0).then_some(cost);
    }
    Ok(estimate)
}

/// Exports the workspace as JSON Lines, or the part that the scope shows: the number of records.
pub fn export(call: &Call, sink: impl Write) -> Outcome<u64> {
    call.of_all("export the workspace")?;
    let failed = |error: std::io::Error| Error::unavailable("export the workspace", error.to_string());
    let mut writer = Writer::new(sink);
    call.engine.export(&mut |record| writer.write(&record).map_err(failed))?;
    Ok(writer.finish().map_err(failed)?)
}

/// Adds the records of an export.
pub fn import(call: &Call, source: impl BufRead) -> Outcome<Imported> {
    Ok(call.of_all("import an export")?.import(&mut Reader::new(source))?.into())
}
