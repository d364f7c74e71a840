//! Declares every setting of the engine and its front ends: meaning, default, valid values. `griot-wire`
//! reads them from `griot.toml`, `GRIOT_*` and flags, and generates the reference page from them.

use std::collections::BTreeMap;
use std::path::PathBuf;

/// Passes the declaration of all settings to a macro: by block, `name: type = default, "valid values"`, with
/// bounds for numbers.
#[macro_export]
macro_rules! each_setting {
    ($then:ident) => {
        $then! {
            store: StoreSettings {
                /// How long a writer waits for another one.
                busy_timeout_ms: u64 = 5000, "milliseconds, 0 to 3600000" in 0.0..3600000.0;
                /// Sync each write to disk, so that it survives a power cut; with `false` it only survives a
                /// crash of the process.
                durable: bool = true, "`true` or `false`";
            }

            remember: RememberSettings {
                /// The largest text of one memory.
                max_text_bytes: usize = 16 * 1024 * 1024, "bytes, 1 to 1073741824" in 1.0..1073741824.0;
                /// Cosine similarity from which a semantic edge is created.
                // Mnemon: 0.80.
                semantic_link: f32 = 0.80, "a number from 0 to 1" in 0.0..1.0;
                /// Cosine similarity from which a memory is suggested as a candidate for an edge.
                // Mnemon: 0.40.
                semantic_review: f32 = 0.40, "a number from 0 to 1" in 0.0..1.0;
                /// The most semantic edges that one write creates.
                max_semantic_edges: usize = 3, "a number from 0 to 1000" in 0.0..1000.0;
                /// The most semantic candidates that one write suggests.
                max_semantic_candidates: usize = 5, "a number from 0 to 1000" in 0.0..1000.0;
                /// Share of common words from which a causal edge is created.
                // Mnemon: 0.15.
                causal_overlap: f32 = 0.15, "a number from 0 to 1" in 0.0..1.0;
                /// How many of the latest memories are searched for causes.
                // Mnemon: 10.
                causal_lookback: usize = 10, "a number from 0 to 10000" in 0.0..10000.0;
                /// The most causal candidates that one write suggests.
                max_causal_candidates: usize = 3, "a number from 0 to 1000" in 0.0..1000.0;
                /// The most entities that rules extract from one memory; entities given by the caller are
                /// added.
                max_entities: usize = 50, "a number from 0 to 10000" in 0.0..10000.0;
                /// Extract entities from texts by rule; `false` uses only those given by the caller.
                entities: bool = true, "`true` or `false`";
                /// Extract only entities of these types, such as `["person", "tool"]`; `concept` covers those
                /// without another type. Entities given by the caller always count.
                entity_types: Vec<String> = Vec::new(), "types of entities; empty for all";
                /// What to do with keys and passwords in texts. Kept ones are flagged wherever they are
                /// shown.
                secrets: SecretPolicy = SecretPolicy::Keep, "`keep`, `mask` or `refuse`";
                /// Default lifetime of a working memory.
                // memories.sh: 24.
                working_hours: f64 = 24.0, "a number of hours" in 0.0..876000.0;
                /// Turn tags into topics that the memories mention, so that walks connect memories with the
                /// same tag.
                topics: bool = true, "`true` or `false`";
            }

            recall: RecallSettings {
                /// Token budget for the standing rules in an answer; 0 shows none.
                rules_budget: usize = 400, "a number from 0 to 100000" in 0.0..100000.0;
                /// The most results that `recall` returns.
                limit: usize = 10, "a number from 1 to 10000" in 1.0..10000.0;
                /// The score, a probability, that a result must reach to be shown. See
                /// docs/concepts/recall.md.
                // `griot-eval silence` measures what stays unanswered and what is lost.
                floor: f32 = 0.08, "a probability from 0 to 1" in 0.0..1.0;
                /// Share of common words above which a result counts as a duplicate of a better one and is
                /// omitted.
                redundancy: f32 = 0.9, "a number from 0 to 1" in 0.0..1.0;
                /// Walk the graph; `false` answers from words, vectors and time alone.
                graph: bool = true, "`true` or `false`";
                /// The most edges that the walk follows; from a memory over an entity to another memory is
                /// two edges.
                // Three hops, and 300 nodes at normal effort, instead of four and 1,200 each changed nDCG@10
                // by at most 0.002 on two measured sets.
                graph_hops: usize = 3, "a number from 1 to 3" in 1.0..3.0;
                /// The most candidates that only the walk finds.
                graph_memories: usize = 60, "a number from 0 to 60" in 0.0..60.0;
                /// Default effort of a recall.
                effort: Effort = Effort::default(), "`low`, `normal` or `high`";
                /// A file that replaces the built-in ranking.
                ranker: String = String::new(), "a path, or nothing";
            }

            graph: GraphSettings {
                /// Weights of causal, temporal, entity and semantic edges for questions that ask why.
                // All weights are Mnemon's.
                why: [f32; 4] = [0.70, 0.20, 0.05, 0.05], "four numbers from 0 to 1" in 0.0..1.0;
                /// The same weights for questions that ask when.
                when: [f32; 4] = [0.15, 0.65, 0.10, 0.10], "four numbers from 0 to 1" in 0.0..1.0;
                /// The same weights for questions that ask who or what.
                entity: [f32; 4] = [0.10, 0.05, 0.55, 0.30], "four numbers from 0 to 1" in 0.0..1.0;
                /// The same weights for all other questions.
                general: [f32; 4] = [0.25, 0.25, 0.25, 0.25], "four numbers from 0 to 1" in 0.0..1.0;
                /// How fast confidence in causal edges fades; 0.001 halves it in 693 days.
                decay_causal: f64 = 0.001, "a rate per day, 0 to 10" in 0.0..10.0;
                /// How fast confidence in temporal edges fades.
                decay_temporal: f64 = 0.0, "a rate per day, 0 to 10" in 0.0..10.0;
                /// How fast confidence in relations between entities fades; code and mentions never fade.
                decay_entity: f64 = 0.001, "a rate per day, 0 to 10" in 0.0..10.0;
                /// How fast confidence in semantic edges fades.
                decay_semantic: f64 = 0.001, "a rate per day, 0 to 10" in 0.0..10.0;
                /// Edges with lower confidence are dimmed in drawings.
                dim_below: f32 = 0.2, "a number from 0 to 1" in 0.0..1.0;
                /// Edges with lower confidence are not followed.
                min_confidence: f32 = 0.05, "a number from 0 to 1" in 0.0..1.0;
            }

            ingest: IngestSettings {
                /// Larger files are skipped and reported.
                max_file_bytes: u64 = 50 * 1024 * 1024, "bytes, 1 to 68719476736" in 1.0..68719476736.0;
                /// Memories per transaction.
                batch: usize = 1000, "a number from 1 to 1000000" in 1.0..1000000.0;
                /// Ingest only documents of these types, such as `["markdown", "application/pdf"]`; others
                /// are skipped and reported.
                allowed_types: Vec<String> = Vec::new(), "formats or MIME types; empty for all";
                /// Memory limit for reading one PDF, office document, book, page, archive or database.
                /// Documents that need more are skipped and reported.
                reader_memory_bytes: u64 =
                    1024 * 1024 * 1024, "bytes, 67108864 to 68719476736" in 67108864.0..68719476736.0;
                /// Time limit for reading one of these documents. Documents that take longer are skipped and
                /// reported.
                reader_seconds: u64 = 120, "seconds, 1 to 86400" in 1.0..86400.0;
            }

            /// Defaults for crawls.
            crawl: CrawlSettings {
                /// The most pages of a crawl that sets no limit of its own.
                max_pages_per_crawl: u64 = 100, "a number from 1 to 10000000" in 1.0..10000000.0;
                /// Which pages a crawl reads that names no mode of its own.
                mode: CrawlMode = CrawlMode::Recursive, "`\"single\"`, `\"sitemap\"` or `\"recursive\"`";
                /// The most links from the start of a crawl that sets no limit of its own.
                depth: u32 = 3, "a number from 0 to 1000" in 0.0..1000.0;
                /// URLs or paths that a crawl reads which names none, such as `["/docs/**"]`.
                allow: Vec<String> = Vec::new(), "globs; empty for the site of the start";
                /// URLs or paths that no crawl reads; a crawl adds its own to them.
                block: Vec<String> = Vec::new(), "globs";
                /// Requests to one host per second; 0 means no limit. A slower Crawl-delay of the site takes
                /// precedence.
                requests_per_second: f64 = 2.0, "a number from 0 to 1000" in 0.0..1000.0;
                /// Obey robots.txt. `false` is for your own sites.
                respect_robots_txt: bool = true, "`true` or `false`";
                /// The User-Agent header of crawls. The part before the first `/` is the name matched in
                /// robots.txt.
                user_agent: String = concat!("griot/", env!("CARGO_PKG_VERSION")).into(), "a text";
                /// Allow every caller to crawl addresses of this machine and its private networks.
                allow_private: bool = false, "`true` or `false`";
            }

            /// Which embedder a front end creates. The engine uses the one that it is given.
            embedder: EmbedderSettings {
                /// The embedding model: the built-in one, a sentence encoder from `embedder.path` (needs a
                /// build with the feature `minilm`), or one at a server (`embedder.provider`). After a change
                /// the former model answers until `griot reindex --embed` has made all vectors; see
                /// docs/guides/minilm.md and docs/guides/models.md.
                model: EmbedderModel = EmbedderModel::Builtin, "`\"builtin\"`, `\"minilm\"` or `\"api\"`";
                /// The folder of all-MiniLM-L6-v2, bge-small, e5-small or another BERT sentence encoder, for
                /// `minilm`.
                path: PathBuf = PathBuf::new(), "a path";
                /// The interface of the server, for `api`. `openai` is for everything that has its path
                /// `/embeddings`: OpenAI, vLLM, LM Studio, llama.cpp's server, OpenRouter.
                provider: ModelProvider = ModelProvider::Off,
                "`off`, `openai`, `azure`, `gemini` or `ollama`";
                /// The name of the model, as the provider writes it; for `azure`, the name of the deployment.
                name: String = String::new(), "a name";
                /// The address of the provider, if it is not its own one, such as `http://127.0.0.1:8080/v1`.
                url: String = String::new(), "an address, or nothing";
                /// The environment variable that holds the key. Only the provider's own address gets the
                /// usual one, such as `OPENAI_API_KEY`; for any other, set this or `embedder.key_file`.
                key_env: String = String::new(), "the name of a variable, or nothing";
                /// The file that holds the key.
                key_file: PathBuf = PathBuf::new(), "a path, or nothing";
                /// The dimensions that the model is asked for; 0 for what it gives.
                dimensions: usize = 0, "a number from 0 to 65536" in 0.0..65536.0;
                /// The most texts in one request.
                batch: usize = 64, "a number from 1 to 2048" in 1.0..2048.0;
                /// The most tokens of a text that are sent, counted as three bytes each; the rest is cut.
                text_tokens: usize = 2000, "a number from 16 to 1000000" in 16.0..1000000.0;
                /// What the model wants before a question, such as `query: `. If nothing is set, its folder
                /// says it. No stored vector depends on it, so a change holds from the next question on.
                query_prefix: String = String::new(), "a text, or nothing";
                /// What the model wants before a text, such as `passage: `. If nothing is set, its folder
                /// says it. It is a part of the model's name: after a change, run `griot reindex --embed`.
                passage_prefix: String = String::new(), "a text, or nothing";
                /// The longest time for the vectors of one request, including repeated requests and the waits
                /// between them.
                timeout_ms: u64 = 60_000, "milliseconds, 100 to 3600000" in 100.0..3600000.0;
                /// The same for the vector of a question. A recall that gets none answers without vectors.
                question_timeout_ms: u64 = 5000, "milliseconds, 50 to 3600000" in 50.0..3600000.0;
                /// The price of a million tokens, in your currency.
                price: f64 = 0.0, "a number from 0 to 100000" in 0.0..100000.0;
            }

            /// A model that reads a question together with each of the best memories, for their order. See
            /// docs/guides/models.md.
            reranker: RerankerSettings {
                /// The interface of a service, or `minilm` for a cross-encoder from `reranker.path` (needs a
                /// build with the feature `minilm`); `off` asks none. `tei` is for Hugging Face's server.
                provider: RerankProvider = RerankProvider::Off,
                "`off`, `cohere`, `jina`, `voyage`, `tei` or `minilm`";
                /// The folder of ms-marco-MiniLM, bge-reranker-base or another BERT cross-encoder, for
                /// `minilm`.
                path: PathBuf = PathBuf::new(), "a path";
                /// The name of the model, as the provider writes it; `tei` and `minilm` need none.
                name: String = String::new(), "a name";
                /// The address of the provider, if it is not its own one, such as `http://127.0.0.1:8080`.
                url: String = String::new(), "an address, or nothing";
                /// The environment variable that holds the key. Only the provider's own address gets the
                /// usual one, such as `JINA_API_KEY`; for any other, set this or `reranker.key_file`.
                key_env: String = String::new(), "the name of a variable, or nothing";
                /// The file that holds the key.
                key_file: PathBuf = PathBuf::new(), "a path, or nothing";
                /// The best memories that it looks at.
                candidates: usize = 30, "a number from 2 to 200" in 2.0..200.0;
                /// The most tokens of a text that are read, counted as three bytes each; the rest is cut.
                text_tokens: usize = 500, "a number from 16 to 100000" in 16.0..100000.0;
                /// The longest time for an answer. A recall that gets none keeps its own order.
                timeout_ms: u64 = 3000, "milliseconds, 50 to 3600000" in 50.0..3600000.0;
                /// The price of a million tokens, in your currency.
                price: f64 = 0.0, "a number from 0 to 100000" in 0.0..100000.0;
            }

            /// The language model of verbs that need one, and what it may cost. See docs/guides/models.md.
            model: ModelSettings {
                /// The interface of the language model. `openai` is for everything that speaks its chat
                /// completions: OpenAI, vLLM, LM Studio, llama.cpp's server, OpenRouter, Groq. `off` asks no
                /// model.
                provider: ModelProvider = ModelProvider::Off,
                "`off`, `openai`, `azure`, `anthropic`, `gemini` or `ollama`";
                /// The name of the model, as the provider writes it; for `azure`, the name of the deployment.
                name: String = String::new(), "a name";
                /// The address of the provider, if it is not its own one, such as `http://127.0.0.1:8080/v1`.
                url: String = String::new(), "an address, or nothing";
                /// The environment variable that holds the key. Only the provider's own address gets the
                /// usual one, such as `OPENAI_API_KEY`; for any other, set this or `model.key_file`.
                key_env: String = String::new(), "the name of a variable, or nothing";
                /// The file that holds the key.
                key_file: PathBuf = PathBuf::new(), "a path, or nothing";
                /// The longest time for an answer of the model, including repeated requests and the waits
                /// between them.
                timeout_ms: u64 = 50_000, "milliseconds, 100 to 3600000" in 100.0..3600000.0;
                /// The most requests of this process that the model answers at the same time. Requests for
                /// vectors are counted apart, with the same limit.
                concurrency: usize = 4, "a number from 1 to 64" in 1.0..64.0;
                /// The most tokens of stored text in a request.
                context_tokens: usize = 4000, "a number from 200 to 1000000" in 200.0..1000000.0;
                /// The most tokens of a reply.
                max_output_tokens: usize = 1500, "a number from 50 to 200000" in 50.0..200000.0;
                /// The context length that `ollama` is asked for. Ollama cuts longer requests without a word.
                num_ctx: usize = 8192, "a number from 512 to 10000000" in 512.0..10000000.0;
                /// Also send memories that belong to a user. `false` sends only those that all users share.
                private_texts: bool = false, "`true` or `false`";
                /// Keep replies, so that the same question about the same texts is not paid twice.
                cache: bool = true, "`true` or `false`";
                /// The price of a million input tokens, in your currency.
                input_price: f64 = 0.0, "a number from 0 to 100000" in 0.0..100000.0;
                /// The price of a million output tokens, in your currency.
                output_price: f64 = 0.0, "a number from 0 to 100000" in 0.0..100000.0;
                /// Ask for the tier `flex` when memories are read and merges are judged: slower, sometimes
                /// busy, at the prices of batches. For `openai`, and servers of its interface that know the
                /// tier.
                flex: bool = false, "`true` or `false`";
                /// What the tier `flex` costs, as a share of the prices.
                // OpenAI: half, as batches.
                flex_price: f64 = 0.5, "a share from 0 to 1" in 0.0..1.0;
                /// The most requests of one command or one call; 0 means no limit.
                run_calls: u64 = 0, "a number from 0 to 1000000000" in 0.0..1000000000.0;
                /// The most tokens, input and output, of one command or one call; 0 means no limit.
                run_tokens: u64 = 0, "a number from 0 to 1000000000000" in 0.0..1000000000000.0;
                /// The most money of one command or one call, in your currency; 0 means no limit.
                run_cost: f64 = 0.0, "a number from 0 to 1000000" in 0.0..1000000.0;
                /// The most requests of a workspace in one day (UTC); 0 means no limit.
                day_calls: u64 = 0, "a number from 0 to 1000000000" in 0.0..1000000000.0;
                /// The most tokens, input and output, of a workspace in one day (UTC); 0 means no limit.
                day_tokens: u64 = 0, "a number from 0 to 1000000000000" in 0.0..1000000000000.0;
                /// The most money of a workspace in one day (UTC), in your currency; 0 means no limit.
                day_cost: f64 = 0.0, "a number from 0 to 1000000" in 0.0..1000000.0;
            }

            /// What a language model reads in stored memories (`griot enrich`). See docs/guides/enrich.md.
            enrich: EnrichSettings {
                /// Let `griot serve` and `griot mcp` read new memories behind their answers.
                background: bool = false, "`true` or `false`";
                /// Read names and the relations between them.
                extraction: bool = true, "`true` or `false`";
                /// The types that the model may give a name; empty for any.
                entity_types: Vec<String> = words(&[
                    "person", "org", "repo", "concept", "tool", "location", "event", "file",
                ]), "types of entities";
                /// The relations that the model may use; empty for any.
                relation_types: Vec<String> = words(&[
                    "uses", "depends_on", "authored_by", "discussed_in", "blocks", "related_to", "implements",
                    "references", "part_of", "scheduled_for",
                ]), "words";
                /// How often the model is asked what it overlooked.
                // LightRAG: 1. It doubles the cost.
                gleaning: usize = 1, "a number from 0 to 2" in 0.0..2.0;
                /// Descriptions of an entity that are shown as they are. More are summarised, and the latest
                /// are shown beside the summary.
                description_fragments: usize = 6, "a number from 2 to 50" in 2.0..50.0;
                /// Note keywords, tags and a sentence of context of each memory, link it with its neighbours,
                /// and bring their notes up to date. Up to three requests for each memory: it costs the most.
                notes: bool = false, "`true` or `false`";
                /// The most similar memories that the model may link a memory with; 0 for notes alone.
                // A-MEM: 5.
                neighbours: usize = 5, "a number from 0 to 20" in 0.0..20.0;
                /// Write what became of each conversation (decisions, problems, milestones and the like) as
                /// memories, once its last turn is an hour old.
                sessions: bool = false, "`true` or `false`";
                /// Memories in one request.
                batch: usize = 1, "a number from 1 to 50" in 1.0..50.0;
                /// Read which earlier memory led to a memory, and which one it replaces.
                causes: bool = true, "`true` or `false`";
                /// How sure the model must be of a cause or a replacement, so that it is stored.
                // ClawMem: 0.6.
                least_confidence: f32 = 0.6, "a number from 0 to 1" in 0.0..1.0;
                /// Read facts: statements with one of the fixed predicates.
                facts: bool = true, "`true` or `false`";
                /// The form of a reply: JSON by a schema, or lines with delimiters for models without one.
                reply: ReplyForm = ReplyForm::Json, "`json` or `lines`";
            }

            /// What is kept of recalls, for people who want to know what their agents ask.
            log: LogSettings {
                /// Keep what was asked, by which agent, and which memories were given, in a file beside the
                /// workspace; see docs/guides/server.md.
                recalls: bool = false, "`true` or `false`";
                /// For how long; never more than 10,000 recalls.
                recall_days: u64 = 7, "days, 1 to 3650" in 1.0..3650.0;
            }

            /// Limits for hooks.
            hooks: HooksSettings {
                /// The most tokens of memory that a hook adds to one prompt.
                budget_tokens: usize = 800, "a number from 50 to 2000" in 50.0..2000.0;
                /// Deadline of a hook. Results that arrive later are dropped, so that the prompt does not
                /// wait longer.
                timeout_ms: u64 = 300, "milliseconds, 10 to 10000" in 10.0..10000.0;
                /// The score that a memory must reach to be added to a prompt: a prompt is rarely a question
                /// about the past.
                // `griot-eval hooks` measures what stays silent and what is brought.
                floor: f32 = 0.2, "a probability from 0 to 1" in 0.0..1.0;
            }

            /// Which workspace a folder's memories go to by default.
            routing: RoutingSettings {
                /// Which workspace is used when none is named: the active one, or the one of the folder's git
                /// remote. Read from the file for all workspaces; see docs/guides/hosts.md.
                mode: RoutingMode = RoutingMode::Off, "`\"off\"` or `\"auto\"`";
                /// Workspaces of organisations, such as `{ "github.com/acme" = "acme" }`.
                organisations: BTreeMap<String, String> =
                    BTreeMap::new(), "a table of workspaces by host and owner";
                /// The workspace of repositories whose organisation is not in the table.
                personal: String = "default".into(), "the name of a workspace";
            }

            /// Limits of the graph's rollout that depend on a workspace's traffic or on what its owner
            /// accepts; the others are constants of `rollout`. Defaults are those that memories.sh documents,
            /// where it has one.
            rollout: RolloutSettings {
                /// Count the results of the graph in the background. Without counts the gate does not change.
                metrics: bool = true, "`true` or `false`";
                /// Percentage of requests without an explicit strategy that use the graph in `canary` mode.
                canary_percent: f64 = 0.0, "percent, 0 to 100" in 0.0..100.0;
                /// Width of a window. Only closed windows are judged.
                window_hours: f64 = 24.0, "hours, up to 168" in 0.0003..168.0;
                /// Graph runs needed to judge a window.
                min_hybrid_samples: u64 = 20, "a number from 1 to 1000000" in 1.0..1000000.0;
                /// Largest accepted share of failures among requests for the graph that policy did not hold
                /// back.
                max_fallback_rate: f64 = 0.15, "a number from 0 to 1" in 0.0..1.0;
                /// Largest accepted share of failed graph runs, including those in shadow.
                max_graph_error_fallback_rate: f64 = 0.05, "a number from 0 to 1" in 0.0..1.0;
                /// Shadow runs in one window before `canary` is recommended.
                min_shadow_executions: u64 = 40, "a number from 0 to 1000000" in 0.0..1000000.0;
                /// How far the graph's nDCG@10 may be below the baseline's.
                max_relevance_drop: f64 = 0.02, "a number from 0 to 1" in 0.0..1.0;
            }

            /// The address of `griot serve` and its limits for requests.
            server: ServerSettings {
                /// The address of `griot serve`. Addresses beyond this machine require a key; see
                /// docs/guides/server.md.
                listen: String = "127.0.0.1:4747".into(), "an address and a port";
                /// The largest request body.
                body_limit_bytes: usize = 8 * 1024 * 1024, "bytes, 1024 to 1073741824"
                in 1024.0..1073741824.0;
                /// The largest form with files (`POST /api/knowledge/ingest`): by default a file of 50 MiB,
                /// and what the form adds to it. Of each file, `ingest.max_file_bytes` counts too.
                upload_limit_bytes: usize = (50 * 1024 + 64) * 1024, "bytes, 1024 to 1073741824"
                in 1024.0..1073741824.0;
                /// The longest time for a request, including its body.
                request_timeout_ms: u64 = 60_000, "milliseconds, 100 to 3600000" in 100.0..3600000.0;
                /// The longest time for a client to send its headers.
                header_timeout_ms: u64 = 10_000, "milliseconds, 100 to 3600000" in 100.0..3600000.0;
                /// The longest time for running requests to finish when the server stops.
                shutdown_timeout_ms: u64 = 30_000, "milliseconds, 0 to 3600000" in 0.0..3600000.0;
                /// Origins of pages that may send requests from a browser; none by default.
                cors_origins: Vec<String> = Vec::new(), "origins, such as `https://app.example.com`";
                /// Accepted host names, besides those of this machine.
                hosts: Vec<String> = Vec::new(), "host names";
                /// Requests per minute for a key without its own rate; 0 means no limit.
                rate: u32 = 0, "a number from 0 to 1000000" in 0.0..1000000.0;
                /// The most event streams (`GET /v1/events`) that may be open at once.
                streams: usize = 256, "a number from 0 to 100000" in 0.0..100000.0;
                /// How the server logs requests on standard error.
                log: LogFormat = LogFormat::Text, "`text`, `json` or `off`";
            }

            /// Tools offered to agents over MCP.
            mcp: McpSettings {
                /// Also offer the tools under the names of older memory servers; see docs/guides/mcp.md.
                compatibility: bool = false, "`true` or `false`";
                /// Offer agents the tool `erase`, which deletes permanently; see docs/guides/erase.md.
                erase: bool = false, "`true` or `false`";
            }
        }
    };
}

macro_rules! declare {
    ($($(#[$about:meta])* $block:ident: $settings:ident {$(
        $(#[$doc:meta])* $name:ident: $kind:ty = $default:expr,
        $holds:literal $(in $low:literal..$high:literal)?;
    )*})*) => {
        /// Settings by block. Names and values are what `griot config` prints.
        #[derive(Clone, PartialEq, Debug, Default)]
        pub struct Settings {
            $(pub $block: $settings,)*
        }

        $(
            $(#[$about])*
            #[derive(Clone, PartialEq, Debug)]
            pub struct $settings {
                $($(#[$doc])* pub $name: $kind,)*
            }

            impl Default for $settings {
                fn default() -> Self {
                    Self { $($name: $default,)* }
                }
            }
        )*
    };
}

each_setting!(declare);

/// A list of words as a default.
fn words(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| word.to_string()).collect()
}

named! {
    #[derive(Default)]
    ReplyForm lenient {
        #[default]
        Json = "json",
        Lines = "lines",
    }

    #[derive(Default)]
    RoutingMode lenient {
        /// The active workspace, whatever the folder.
        #[default]
        Off = "off",
        /// By the git remote of the folder.
        Auto = "auto",
    }

    #[derive(Default)]
    LogFormat lenient {
        #[default]
        Text = "text",
        Json = "json",
        Off = "off",
    }

    #[derive(Default)]
    EmbedderModel lenient {
        /// The static model in the binary.
        #[default]
        Builtin = "builtin",
        /// A sentence encoder such as all-MiniLM-L6-v2 from `path`.
        Minilm = "minilm",
        /// A model at a server.
        Api = "api",
    }

    /// Where a reranker is: the interface of a service, or a folder.
    #[derive(Default)]
    RerankProvider lenient {
        /// No reranker.
        #[default]
        Off = "off",
        Cohere = "cohere",
        Jina = "jina",
        Voyage = "voyage",
        /// Text Embeddings Inference.
        Tei = "tei",
        /// A cross-encoder such as ms-marco-MiniLM from `path`.
        Minilm = "minilm",
    }

    /// The interface of a language model or an embedding model.
    #[derive(Default)]
    ModelProvider lenient {
        /// No model.
        #[default]
        Off = "off",
        /// Chat completions of OpenAI, which many servers offer.
        Openai = "openai",
        /// The same at Azure.
        Azure = "azure",
        /// Messages of Anthropic.
        Anthropic = "anthropic",
        /// `generateContent` of Google.
        Gemini = "gemini",
        /// Ollama's own interface.
        Ollama = "ollama",
    }

    /// Which pages a crawl reads.
    #[derive(Default)]
    CrawlMode lenient {
        /// One page.
        Single = "single",
        /// The pages that the site lists.
        Sitemap = "sitemap",
        /// The pages that links lead to.
        #[default]
        Recursive = "recursive",
    }

    /// The treatment of a text that contains a key or a password.
    #[derive(Default)]
    SecretPolicy lenient {
        /// Store the text unchanged and flag it wherever it is shown.
        #[default]
        Keep = "keep",
        /// Replace the secret with a placeholder naming its kind.
        Mask = "mask",
        /// Refuse the text.
        Refuse = "refuse",
    }

    /// The effort of a recall.
    #[derive(Default)]
    Effort lenient {
        /// For a waiting prompt: fewer candidates, a smaller part of the graph.
        Low = "low",
        #[default]
        Normal = "normal",
        /// For a question that may take a tenth of a second.
        High = "high",
    }
}

impl RolloutSettings {
    /// Width of a window, in milliseconds, at least a second.
    pub fn window_ms(&self) -> i64 {
        ((self.window_hours * 3_600_000.0) as i64).max(1000)
    }
}
