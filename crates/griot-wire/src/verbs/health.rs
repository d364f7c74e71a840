//! What is in the workspace and whether it is sound: `status`, `doctor`, `verify`, `build-graphs`, `gc`;
//! and all of it, by `export`.

use griot::engine::GraphsToBuild;
use griot::model::Error;

use super::MOST;
use crate::call::Call;
use crate::failure::Outcome;
use crate::request::{Bare, graphs, share};
use crate::{BuiltGraphs, GcCandidate, Health, Memory, Status, Verified, Warning};

requests! {
    /// What the verifier noticed.
    Warnings {
        /// Those too that were acknowledged.
        #[serde(default)]
        #[arg(long)]
        all: bool,
    }

    /// You know of a warning, and leave it as it is.
    Acknowledge {
        /// Id of a warning, such as `w-3f2a90c1d4e5`.
        #[schemars(regex(pattern = r"^w-[0-9a-f]{12}$"))]
        name: String,
        /// Why.
        #[serde(default)]
        #[schemars(length(max = 2000))]
        note: Option<String>,
    }

    /// Memories that could be let go; nothing is deleted.
    Gc {
        /// List memories whose importance now is below this.
        #[serde(default = "half")]
        #[schemars(range(min = 0, max = 1))]
        #[arg(long, value_name = "0-1", default_value_t = half())]
        threshold: f32,
        /// At most so many.
        #[serde(default = "twenty")]
        #[schemars(range(min = 1, max = 1000))]
        #[arg(long, default_value_t = twenty())]
        limit: usize,
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
        /// What to build: `semantic` (likeness), `temporal` (the order in time over all sources, documents
        /// too), or `all`.
        #[serde(default = "semantic")]
        #[schemars(schema_with = "crate::request::forms::graphs")]
        #[arg(long, value_name = "LIST", value_delimiter = ',', default_value = "semantic",
            help = "What to build: semantic, temporal, or all")]
        graphs: Vec<String>,
        /// Likeness (cosine, 0 to 1) from which two memories are joined.
        #[serde(default = "likeness")]
        #[schemars(range(min = 0, max = 1))]
        #[arg(long, value_name = "0-1", default_value_t = likeness(),
            help = "Likeness (cosine) from which two memories are joined")]
        threshold: f64,
    }
}

fn half() -> f32 {
    0.5
}
fn twenty() -> usize {
    20
}
fn semantic() -> Vec<String> {
    vec!["semantic".into()]
}
/// As ClawMem has it.
pub fn likeness() -> f64 {
    0.7
}

impl Warnings {
    pub fn new(all: bool) -> Self {
        Self { all, user: None, project: None, scope: None }
    }
}

impl Acknowledge {
    pub fn new(name: String, note: Option<String>) -> Self {
        Self { name, note, user: None, project: None, scope: None }
    }
}

pub fn status(call: &Call, _: Bare) -> Outcome<Status> {
    let status = Status::from(&call.engine.status()?);
    // Where files lie is not for remote callers.
    Ok(if call.is_remote() { Status { path: None, ..status } } else { status })
}

pub fn doctor(call: &Call, _: Bare) -> Outcome<Health> {
    Ok(Health::from(call.of_all("check the workspace")?.doctor()?))
}

pub fn verify(call: &Call, q: Warnings) -> Outcome<Verified> {
    Ok(Verified::new(&call.of_all("look for contradictions")?.verify()?, q.all))
}

pub fn warnings(call: &Call, q: Warnings) -> Outcome<Verified> {
    Ok(Verified::new(&call.of_all("list warnings")?.warnings()?, q.all))
}

pub fn acknowledge(call: &Call, q: Acknowledge) -> Outcome<Warning> {
    let engine = call.of_all("acknowledge a warning")?;
    Ok(Warning::from(&engine.acknowledge(&q.name, &call.speaker(), q.note.as_deref())?))
}

pub fn build_graphs(call: &Call, q: BuildGraphs) -> Outcome<BuiltGraphs> {
    built(call, graphs(&q.graphs, share("threshold", q.threshold as f32)?)?)
}

pub fn built(call: &Call, graphs: GraphsToBuild) -> Outcome<BuiltGraphs> {
    let engine = call.of_all("build graphs")?;
    Ok(BuiltGraphs::from(engine.build_graphs(graphs, &mut |done, all| call.progress.tell(done, all))?))
}

/// Memories with little importance left.
pub fn gc(call: &Call, q: Gc) -> Outcome<Vec<GcCandidate>> {
    let threshold = share("threshold", q.threshold)?;
    call.bounded("the limit", q.limit, 1, MOST)?;
    let candidates = call.of_all("list what could be let go")?.gc(threshold, q.limit)?;
    Ok(candidates.iter().map(GcCandidate::from).collect())
}

/// Counts these memories as asked for, so that they are kept.
pub fn keep(call: &Call, names: &[String]) -> Outcome<Vec<Memory>> {
    let engine = call.of_all("keep memories")?;
    names.iter().map(|name| Ok(Memory::from(&engine.keep(name)?))).collect()
}

/// The workspace as JSON Lines, or what the scope shows of it.
pub fn export(call: &Call, sink: impl std::io::Write) -> Outcome<u64> {
    call.of_all("export the workspace")?;
    let failed = |error: std::io::Error| Error::unavailable("export the workspace", error.to_string());
    let mut writer = crate::export::Writer::new(sink);
    call.engine.export(&mut |record| writer.write(&record).map_err(failed))?;
    Ok(writer.finish().map_err(failed)?)
}
