//! The command line of the harness. Exit 0: fine. 1: a bar was not reached. 2: it could not be done.

use std::collections::HashSet;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

use clap::{Parser, Subcommand};
use griot::embed::{Embedder, StaticEmbedder};
use griot::model::{Error, Result};
use griot::recall::{Effort, Forest};
use griot_eval::agents;
use griot_eval::aliases;
use griot_eval::baseline::{self, Method};
use griot_eval::bench;
use griot_eval::check;
use griot_eval::cost;
use griot_eval::dataset::Set;
use griot_eval::embedder::EmbedderOptions;
use griot_eval::erase;
use griot_eval::forest::Growth;
use griot_eval::fuzz;
use griot_eval::generator::Generator;
use griot_eval::hostile;
use griot_eval::intents;
use griot_eval::kills;
use griot_eval::load;
use griot_eval::noise::{self, Suite};
use griot_eval::overlap;
use griot_eval::page;
use griot_eval::quality;
use griot_eval::report;
use griot_eval::run::{self, Options};
use griot_eval::score::{Measures, Scores};
use griot_eval::train::{self, Asking, Training};
use griot_eval::why::{self, Caller, World};

/// Measures retrieval quality and speed of Griot.
#[derive(Parser)]
#[command(name = "griot-eval", version)]
struct Arguments {
    #[command(subcommand)]
    command: Verb,
}

#[derive(Subcommand)]
enum Verb {
    /// Take in the pools of each set as workspaces, recall every question, write and score the rankings.
    Run {
        /// Folders with corpus.jsonl and queries.jsonl.
        #[arg(required = true)]
        sets: Vec<PathBuf>,
        /// Where `<set>.jsonl` goes.
        #[arg(long)]
        out: PathBuf,
        /// Units to rank for a question.
        #[arg(long, default_value_t = 100)]
        limit: usize,
        /// Ask again with the relevance floor and count the answers it takes away.
        #[arg(long)]
        check_floor: bool,
        #[command(flatten)]
        embedder: EmbedderOptions,
    },
    /// The same with plain methods instead of Griot.
    Baseline {
        #[arg(required = true)]
        sets: Vec<PathBuf>,
        /// May be given several times; run files then go into a folder per method.
        #[arg(long = "method", value_enum, default_values_t = [Method::Bm25])]
        methods: Vec<Method>,
        /// Where `<set>.jsonl` goes; nothing is written without it.
        #[arg(long)]
        out: Option<PathBuf>,
        #[arg(long, default_value_t = 100)]
        limit: usize,
        #[command(flatten)]
        embedder: EmbedderOptions,
    },
    /// Score a run file.
    Score { set: PathBuf, run: PathBuf },
    /// Hide facts between unrelated memories, and ask what nobody can answer.
    Noise {
        #[command(flatten)]
        embedder: EmbedderOptions,
    },
    /// Ask small worlds with known causes why, with a caller who confirms offered links and without.
    Why {
        /// incidents, migration, product, health, travel, house; all without any.
        worlds: Vec<String>,
        /// List the questions and links that failed.
        #[arg(long)]
        misses: bool,
    },
    /// Read the intents of labelled questions.
    Intents {
        /// Lines of half (tune, held), language, intent, hard (0, 1) and question [default: the set of this
        /// crate].
        file: Option<PathBuf>,
    },
    /// Measure speed and size on generated workspaces.
    Bench {
        /// Memories in the workspace; may be given several times.
        #[arg(long = "memories", default_values_t = [10_000, 100_000])]
        sizes: Vec<usize>,
        /// Timed recalls per size.
        #[arg(long, default_value_t = 1_000)]
        queries: usize,
        /// The binary `griot`, to measure recall by a process of its own.
        #[arg(long)]
        binary: Option<PathBuf>,
        /// Where the workspaces are made and removed again.
        #[arg(long)]
        directory: Option<PathBuf>,
        #[arg(long)]
        json: bool,
    },
    /// Ask and store over many connections of a real server; exit 1 for an error, a lost write or a server
    /// that costs too much.
    Load {
        /// The binary `griot`.
        #[arg(long)]
        binary: PathBuf,
        /// Memories in the workspace before.
        #[arg(long, default_value_t = 100_000)]
        memories: usize,
        #[arg(long, default_value_t = 64, value_parser = clap::value_parser!(u16).range(1..))]
        connections: u16,
        #[arg(long, default_value_t = 60, value_parser = clap::value_parser!(u64).range(1..))]
        seconds: u64,
        /// Kill the server half-way, so that it can finish nothing.
        #[arg(long)]
        kill: bool,
        /// Where the workspace is made and removed again.
        #[arg(long)]
        directory: Option<PathBuf>,
        #[arg(long)]
        json: bool,
    },
    /// Erase memories, sources, entities and users of a workspace that has everything, a third of the
    /// commands killed; exit 1 if a file holds a piece of what was erased, the workspace is damaged, or it
    /// answers otherwise than an import of the rest.
    Erase {
        /// The binary `griot`.
        #[arg(long)]
        binary: PathBuf,
        #[arg(long, default_value_t = 10_000)]
        memories: usize,
        /// Commands that erase.
        #[arg(long, default_value_t = 1_000)]
        erased: usize,
        /// Questions whose answers are compared.
        #[arg(long, default_value_t = 300)]
        questions: usize,
        /// Memories to erase inside this process, timed, beside a reader.
        #[arg(long, default_value_t = 50)]
        timed: usize,
        #[arg(long)]
        seed: Option<u64>,
        /// Where the workspace is made and removed again.
        #[arg(long)]
        directory: Option<PathBuf>,
        #[arg(long)]
        json: bool,
    },
    /// Kill commands, servers and imports at random moments; exit 1 if anything acknowledged is lost or the
    /// workspace is damaged.
    Kills {
        /// The binary `griot`.
        #[arg(long)]
        binary: PathBuf,
        #[arg(long, default_value_t = 300)]
        rounds: usize,
        /// The same seed kills at the same moments, as far as a clock can repeat them; by default another one
        /// each time.
        #[arg(long)]
        seed: Option<u64>,
        /// Where the workspace is made and removed again.
        #[arg(long)]
        directory: Option<PathBuf>,
        #[arg(long)]
        json: bool,
    },
    /// Store with one process and recall with others; exit 1 if a write is seen late or never, or if
    /// discovery is slow.
    Agents {
        /// The binary `griot`.
        #[arg(long)]
        binary: PathBuf,
        /// Memories in the workspace before.
        #[arg(long, default_value_t = 100_000)]
        memories: usize,
        /// Processes of `griot mcp`, beside one server.
        #[arg(long, default_value_t = 8, value_parser = clap::value_parser!(u16).range(1..))]
        agents: u16,
        /// How often each of them stores something.
        #[arg(long, default_value_t = 5)]
        rounds: usize,
        /// Where the workspace is made and removed again.
        #[arg(long)]
        directory: Option<PathBuf>,
        #[arg(long)]
        json: bool,
    },
    /// Learn the ranker's weights from sets, and say what they reach on questions they have not seen.
    Train {
        #[arg(required = true)]
        sets: Vec<PathBuf>,
        /// Where the weights go: the engine's `data/ranker.tsv`.
        #[arg(long)]
        out: Option<PathBuf>,
        /// Questions of one set at most.
        #[arg(long, default_value_t = 500)]
        questions: usize,
        #[arg(long, default_value_t = 13)]
        seed: u64,
        #[command(flatten)]
        embedder: EmbedderOptions,
    },
    /// Grow the ranking trees, print what they reach on questions that they have not seen, and write the tree
    /// file.
    Grow {
        #[arg(required = true)]
        sets: Vec<PathBuf>,
        /// Where the trees go: the engine's `data/forest.txt`. Without it they are only validated.
        #[arg(long)]
        out: Option<PathBuf>,
        /// Questions of one set at most.
        #[arg(long, default_value_t = 300)]
        questions: usize,
        #[arg(long, default_value_t = 13)]
        seed: u64,
        /// Signals that no tree may ask.
        #[arg(long, value_delimiter = ',')]
        without: Vec<String>,
        /// Validate with every set left out, too.
        #[arg(long)]
        left_out: bool,
        #[command(flatten)]
        embedder: EmbedderOptions,
    },
    /// Measure everything that docs/quality.md says, and write it: plain methods, every effort, each part,
    /// time and memory.
    Report {
        #[arg(required = true)]
        sets: Vec<PathBuf>,
        /// Where the Markdown goes.
        #[arg(long)]
        out: PathBuf,
        /// Where the same figures go as JSON.
        #[arg(long)]
        json: Option<PathBuf>,
        /// Questions of one set at most, where trees are grown.
        #[arg(long, default_value_t = 300)]
        questions: usize,
        /// Trees of each forest [default: as many as `grow` grows].
        #[arg(long)]
        trees: Option<usize>,
        #[command(flatten)]
        embedder: EmbedderOptions,
    },
    /// Measure a small fixed part, on texts of this repository; exit 1 where a figure fell by more than its
    /// interval.
    Check {
        /// Write down what the figures are now instead of comparing: data/quality.tsv of this crate.
        #[arg(long)]
        write: Option<PathBuf>,
    },
    /// Read files that were made to do harm, as uploads are read: each is read or refused, with its time and
    /// memory.
    Hostile {
        /// Megabytes that a file means to become.
        #[arg(long, default_value_t = 40)]
        megabytes: usize,
        /// Only files whose names contain this, such as `pdf`.
        #[arg(long)]
        only: Option<String>,
        /// Memory for one file, in megabytes.
        #[arg(long, default_value_t = 1024)]
        memory: u64,
        /// Seconds for one file.
        #[arg(long, default_value_t = 120)]
        seconds: u64,
    },
    /// Damage files of every format and read them; exit 1 for a panic, a hang, or what the engine would
    /// refuse.
    Fuzz {
        /// For each format.
        #[arg(long, default_value_t = 60)]
        seconds: u64,
        /// Only this one.
        #[arg(long)]
        format: Option<String>,
        /// Seconds; an input that takes longer is a hang.
        #[arg(long, default_value_t = 5)]
        limit: u64,
        /// What all damage follows from [default: the time].
        #[arg(long)]
        seed: Option<u64>,
    },
    /// Compare the words read from documents with those that `pdftotext` and `pandoc` print; exit 1 where too
    /// few are shared.
    Overlap {
        /// Documents (pdf, docx, odt, epub, rtf, html), or folders of them.
        #[arg(required = true)]
        paths: Vec<PathBuf>,
        /// Words of the other program that have to be read, as a share.
        #[arg(long, default_value_t = 0.95)]
        bar: f64,
        /// List the words that were missed or added most often.
        #[arg(long)]
        misses: bool,
    },
    /// Judge pairs of names: which are taken for one thing, and how often rightly.
    Aliases {
        /// JSON Lines of names of one thing and names of others.
        file: PathBuf,
    },
    /// Print generated memories, or questions about them, as JSON Lines.
    Generate {
        #[arg(long)]
        memories: usize,
        /// Print so many questions instead.
        #[arg(long)]
        queries: Option<usize>,
        #[arg(long, default_value_t = 1)]
        seed: u64,
    },
    /// Ask a workspace the questions on standard input, and print times and memory as JSON.
    #[command(hide = true)]
    Cost {
        directory: PathBuf,
        #[arg(long, value_parser = effort)]
        effort: Effort,
    },
    /// Ask a workspace of `bench` and print the times as JSON.
    #[command(hide = true)]
    Ask {
        directory: PathBuf,
        #[arg(long)]
        memories: usize,
        #[arg(long)]
        queries: usize,
    },
}

/// Counts nothing but where this process reads a document for another one.
#[global_allocator]
static ALLOCATOR: griot_ingest::CountingAllocator = griot_ingest::CountingAllocator;

fn main() -> ExitCode {
    let mut arguments = std::env::args_os().skip(1);
    if arguments.next().is_some_and(|first| first == griot_ingest::READ_WORKER) {
        return griot_ingest::serve_reader(
            arguments.next().and_then(|memory| memory.into_string().ok()).as_deref(),
        );
    }
    griot_ingest::set_read_program(griot_ingest::ReadProgram::Own);
    match perform(Arguments::parse().command) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("error: {error}");
            if let Some(hint) = &error.hint {
                eprintln!("hint: {hint}");
            }
            ExitCode::from(2)
        }
    }
}

/// A seed that nobody chose.
fn clock_seed() -> u64 {
    std::time::UNIX_EPOCH.elapsed().map_or(0, |since| since.as_secs())
}

fn perform(verb: Verb) -> Result<ExitCode> {
    match verb {
        Verb::Run { sets, out, limit, check_floor, embedder } => {
            let embedder = embedder.open()?;
            let mut outcomes = Vec::new();
            for set in read_sets(&sets)? {
                let (outcome, rankings) = run::measure(&set, Options { limit, check_floor }, &embedder)?;
                run::write(&run::run_file(&out, &set.name), &set.queries, &rankings)?;
                print(&format!("{}\n{}\n", set.name, report::scores(&outcome.scores)))?;
                outcomes.push(outcome);
            }
            print(&report::outcomes(&outcomes))?;
        }
        Verb::Baseline { sets, methods, out, limit, embedder } => {
            let embedder = embedder.open()?;
            let sets = read_sets(&sets)?;
            for &method in &methods {
                let several = methods.len() > 1;
                let name = clap::ValueEnum::to_possible_value(&method)
                    .map_or(String::new(), |v| v.get_name().to_string());
                let mut headlines: Vec<Measures> = Vec::new();
                for set in &sets {
                    let rankings = baseline::rank(set, method, embedder.as_ref(), limit)?;
                    if let Some(out) = &out {
                        let folder = if several { out.join(&name) } else { out.clone() };
                        run::write(&run::run_file(&folder, &set.name), &set.queries, &rankings)?;
                    }
                    let scores = Scores::of(&set.queries, &rankings);
                    let title = if several { format!("{} by {name}", set.name) } else { set.name.clone() };
                    print(&format!("{title}\n{}\n", report::scores(&scores)))?;
                    headlines.push(run::headline(&scores));
                }
                let mean = report::average(headlines.into_iter());
                let (ndcg, recall) = (mean.ndcg_at_10(), mean.recall_at_10());
                let of = if several { format!(" by {name}") } else { String::new() };
                print(&format!("macro average{of}: nDCG@10 {ndcg:.3}, R@10 {recall:.3}\n"))?;
            }
        }
        Verb::Score { set, run } => {
            let set = Set::read(&set)?;
            let scores = Scores::of(&set.queries, &run::read(&run)?);
            print(&report::scores(&scores))?;
        }
        Verb::Train { sets, out, questions, seed, embedder } => {
            let embedder = embedder.open()?;
            let asking = Asking {
                questions,
                seed,
                embedder: &embedder,
                efforts: &[griot::recall::Effort::Normal],
                graph: true,
            };
            let weights =
                Training::collect(&read_sets(&sets)?, asking)?.run(griot::recall::Ranker::built_in()?);
            let text = train::file_of(&weights);
            match out {
                Some(path) => std::fs::write(&path, text).map_err(|why| {
                    Error::unavailable(format!("write {}", path.display()), why.to_string())
                })?,
                None => print(&text)?,
            }
        }
        Verb::Grow { sets, out, questions, seed, without, left_out, embedder } => {
            let may_ask = train::signals_without(&without)?;
            let embedder = embedder.open()?;
            let asking = Asking {
                questions,
                seed,
                embedder: &embedder,
                efforts: &griot::recall::Effort::ALL,
                graph: true,
            };
            let training = Training::collect(&read_sets(&sets)?, asking)?;
            let ranker = griot::recall::Ranker::built_in()?;
            print(&training.validate(ranker, Growth::DEFAULT, &may_ask, left_out).print())?;
            if let Some(path) = out {
                let trees = training.grow(Growth::DEFAULT, &may_ask, &|_| true);
                std::fs::write(&path, Forest::print(&trees, training.scale(&trees))).map_err(|why| {
                    Error::unavailable(format!("write {}", path.display()), why.to_string())
                })?;
            }
        }
        Verb::Noise { embedder } => {
            let embedder = embedder.open()?;
            let suite = Suite::load()?;
            let mut all_hold = true;
            for size in noise::SIZES {
                let outcome = suite.measure(size, &embedder)?;
                all_hold &= outcome.holds();
                print(&report::noise(&outcome, &suite.plain(size)))?;
            }
            if !all_hold {
                return Ok(ExitCode::from(1));
            }
        }
        Verb::Why { worlds, misses } => {
            let names: Vec<&str> = if worlds.is_empty() {
                World::names().collect()
            } else {
                worlds.iter().map(String::as_str).collect()
            };
            let worlds = names.into_iter().map(World::load).collect::<Result<Vec<_>>>()?;
            let mut holds = true;
            for caller in [Caller::Confirms, Caller::Absent, Caller::Knows] {
                let measured =
                    worlds.iter().map(|world| world.measure(caller)).collect::<Result<Vec<_>>>()?;
                let sum = why::Outcome::sum(&measured);
                // Without a caller only the turned consequences are held to their bound.
                holds &= if caller == Caller::Confirms { sum.holds() } else { sum.turned.is_empty() };
                print(&report::why(caller, &worlds, &measured, misses))?;
                if worlds.len() > 1 {
                    let together = World::together(&worlds);
                    let measured = together.measure(caller)?;
                    print(&report::why(caller, &[together], &[measured], misses))?;
                }
            }
            if !holds {
                return Ok(ExitCode::from(1));
            }
        }
        Verb::Intents { file } => {
            let questions = match file {
                None => intents::built_in()?,
                Some(path) => {
                    let text = std::fs::read_to_string(&path).map_err(|why| {
                        Error::unavailable(format!("read {}", path.display()), why.to_string())
                    })?;
                    intents::parse(&path.display().to_string(), &text)?
                }
            };
            let outcome = intents::measure(&questions);
            print(&report::intents(&outcome))?;
            if !outcome.holds() {
                return Ok(ExitCode::from(1));
            }
        }
        Verb::Bench { sizes, queries, binary, directory, json } => {
            let options = bench::Options { sizes, queries, binary, directory };
            let rows = bench::measure(&options, |step| eprintln!("{step}"))?;
            let text = if json { to_json(&rows)? + "\n" } else { bench::table(&rows) };
            print(&text)?;
        }
        Verb::Load { binary, memories, connections, seconds, kill, directory, json } => {
            let (connections, time) = (usize::from(connections), Duration::from_secs(seconds));
            let options = load::Options { binary, memories, connections, time, kill, directory };
            let outcome = load::measure(&options, |step| eprintln!("{step}"))?;
            print(&if json { to_json(&outcome)? + "\n" } else { outcome.table() })?;
            if !outcome.holds() {
                return Ok(ExitCode::from(1));
            }
        }
        Verb::Erase { binary, memories, erased, questions, timed, seed, directory, json } => {
            let seed = seed.unwrap_or_else(clock_seed);
            let options = erase::Options { binary, memories, erased, timed, questions, seed, directory };
            let outcome = erase::measure(&options, |step| eprintln!("{step}"))?;
            print(&if json { to_json(&outcome)? + "\n" } else { outcome.table() })?;
            if !outcome.holds() {
                return Ok(ExitCode::from(1));
            }
        }
        Verb::Kills { binary, rounds, seed, directory, json } => {
            let options = kills::Options { binary, rounds, seed: seed.unwrap_or_else(clock_seed), directory };
            let outcome = kills::measure(&options, |step| eprintln!("{step}"))?;
            print(&if json { to_json(&outcome)? + "\n" } else { outcome.table() })?;
            if !outcome.holds() {
                return Ok(ExitCode::from(1));
            }
        }
        Verb::Agents { binary, memories, agents, rounds, directory, json } => {
            let options =
                agents::Options { binary, memories, agents: usize::from(agents), rounds, directory };
            let outcome = agents::measure(&options, |step| eprintln!("{step}"))?;
            print(&if json { to_json(&outcome)? + "\n" } else { outcome.table() })?;
            if !outcome.holds() {
                return Ok(ExitCode::from(1));
            }
        }
        Verb::Hostile { megabytes, only, memory, seconds } => {
            let limits =
                griot_ingest::ReadLimits { memory: memory << 20, time: Duration::from_secs(seconds) };
            let options = hostile::Options { bytes: megabytes << 20, only, limits };
            let mut written = Ok(());
            let outcomes = hostile::run(&options, |outcome| {
                if written.is_ok() {
                    written = print(&hostile::line(outcome));
                }
            });
            written?;
            if let Some(peak) = hostile::own_peak()? {
                print(&format!("this process: {} MB at most\n", peak >> 20))?;
            }
            if !outcomes.iter().all(|outcome| outcome.is_fair) {
                return Ok(ExitCode::FAILURE);
            }
        }
        Verb::Fuzz { seconds, format, limit, seed } => {
            let seed = seed.unwrap_or_else(clock_seed);
            print(&format!("seed {seed}\n"))?;
            let folder = PathBuf::from(".");
            let (time, limit) = (Duration::from_secs(seconds), Duration::from_secs(limit));
            let options = fuzz::Options { time, most: u64::MAX, limit, seed, format, folder };
            let outcomes =
                fuzz::run(&options, |outcome| eprintln!("{}: {} inputs", outcome.format, outcome.inputs))?;
            print(&fuzz::table(&outcomes))?;
            if !outcomes.iter().all(fuzz::Outcome::holds) {
                return Ok(ExitCode::from(1));
            }
        }
        Verb::Overlap { paths, bar, misses } => {
            print(&overlap::header())?;
            let documents = overlap::measure(&paths, |document| print(&document.line(misses)))?;
            print(&overlap::table(&documents, bar))?;
            if !documents.iter().all(|document| document.holds(bar)) {
                return Ok(ExitCode::from(1));
            }
        }
        Verb::Aliases { file } => print(&aliases::table(&aliases::measure(&file)?))?,
        Verb::Generate { memories, queries, seed } => {
            let generator = Generator::new(seed, memories);
            match queries {
                Some(_) if memories == 0 => {
                    return Err(Error::invalid("ask about no memories", "--memories is 0"));
                }
                Some(n) => print_lines(generator.queries(n).iter())?,
                None => print_lines(generator.memories())?,
            }
        }
        Verb::Report { sets, out, json, questions, trees, embedder } => {
            let mut embedders: Vec<Arc<dyn Embedder>> = vec![Arc::new(StaticEmbedder)];
            embedders.extend(Some(embedder.open()?).filter(|other| other.name() != embedders[0].name()));
            let program = std::env::current_exe().map_err(|why| {
                Error::unavailable("find this program to measure a question", why.to_string())
            })?;
            let growth = Growth { trees: trees.unwrap_or(Growth::DEFAULT.trees), ..Growth::DEFAULT };
            let options = quality::Options { questions, growth, program: &program };
            let start = Instant::now();
            let progress = |step: &str| eprintln!("{:6.0} s  {step}", start.elapsed().as_secs_f64());
            let quality = quality::measure(&read_sets(&sets)?, &embedders, options, &progress)?;
            write_file(&out, &page::of(&quality, questions, &page::machine()))?;
            if let Some(path) = json {
                write_file(&path, &(to_json(&quality)? + "\n"))?;
            }
        }
        Verb::Check { write } => {
            let now = check::measure()?;
            if let Some(path) = write {
                check::write(&path, &now)?;
                return Ok(ExitCode::SUCCESS);
            }
            let compared = check::compare(now, &check::expected()?)?;
            print(&check::table(&compared))?;
            if compared.iter().any(check::Compared::has_fallen) {
                return Ok(ExitCode::from(1));
            }
        }
        Verb::Cost { directory, effort } => {
            let cannot = |why: String| Error::invalid("read the questions on standard input", why);
            let questions: Vec<String> =
                serde_json::from_reader(io::stdin().lock()).map_err(|why| cannot(why.to_string()))?;
            print(&to_json(&cost::ask(&directory, &questions, effort)?)?)?;
        }
        Verb::Ask { directory, memories, queries } => {
            print(&to_json(&bench::ask(&directory, memories, queries)?)?)?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn effort(name: &str) -> Result<Effort, String> {
    let known = || Effort::ALL.map(Effort::name).join(", ");
    Effort::parse(name).ok_or_else(|| format!("the efforts are {}", known()))
}

fn write_file(path: &Path, text: &str) -> Result<()> {
    std::fs::write(path, text)
        .map_err(|why| Error::unavailable(format!("write {}", path.display()), why.to_string()))
}

/// All sets before any is measured: a mistyped folder is noticed at once.
fn read_sets(folders: &[PathBuf]) -> Result<Vec<Set>> {
    let sets = folders.iter().map(|folder| Set::read(folder)).collect::<Result<Vec<Set>>>()?;
    let mut names = HashSet::new();
    match sets.iter().find(|set| !names.insert(set.name.as_str())) {
        Some(set) => Err(Error::invalid(
            format!("measure the set {:?} twice", set.name),
            "both would write one run file",
        )),
        None => Ok(sets),
    }
}

fn to_json(value: &impl serde::Serialize) -> Result<String> {
    serde_json::to_string_pretty(value)
        .map_err(|e| Error::new(griot::model::ErrorKind::Bug, "write JSON", e.to_string()))
}

fn print(text: &str) -> Result<()> {
    quietly(io::stdout().write_all(text.as_bytes()))
}

fn print_lines<T: serde::Serialize>(values: impl Iterator<Item = T>) -> Result<()> {
    let mut out = io::BufWriter::new(io::stdout().lock());
    for value in values {
        let line = serde_json::to_string(&value).map_err(io::Error::other);
        let written = line.and_then(|line| writeln!(out, "{line}"));
        if written.as_ref().is_err_and(|e| e.kind() == io::ErrorKind::BrokenPipe) {
            return Ok(());
        }
        quietly(written)?;
    }
    quietly(out.flush())
}

/// A reader that has seen enough, such as `head`, is no error.
fn quietly(written: io::Result<()>) -> Result<()> {
    match written {
        Err(e) if e.kind() != io::ErrorKind::BrokenPipe => {
            Err(Error::unavailable("write to standard output", e.to_string()))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    #[test]
    fn the_arguments_are_consistent() {
        super::Arguments::command().debug_assert();
    }
}
