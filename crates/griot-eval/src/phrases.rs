//! What the generated memories are made of: names, sentences with slots, questions.

pub const FIRST_NAMES: &[&str] = &[
    "Ada", "Bastian", "Chidi", "Dalia", "Emeka", "Farah", "Goran", "Hanna", "Ivo", "Jelena", "Kofi", "Lena",
    "Marek", "Nadia", "Omar", "Petra", "Quirin", "Rosa", "Stefan", "Tamar", "Ulrich", "Vera", "Wanda",
    "Xenia", "Yusuf", "Zora", "Anselm", "Birgit", "Cem", "Dora", "Elif", "Fritz", "Greta", "Hugo", "Ines",
    "Jonas", "Karim", "Luisa", "Milan", "Noor",
];
pub const SERVICE_ROLES: &[&str] = &[
    "Gateway",
    "Sync",
    "Store",
    "Queue",
    "Worker",
    "Index",
    "Api",
    "Proxy",
    "Scheduler",
    "Importer",
    "Ledger",
];
pub const TRADES: &[&str] = &[
    "Logistics",
    "Insurance",
    "Clinics",
    "Foods",
    "Energy",
    "Printing",
    "Rail",
    "Textiles",
    "Bank",
    "Hotels",
];
pub const TOOLS: &[&str] = &[
    "Postgres",
    "Redis",
    "Kubernetes",
    "Kafka",
    "GitHub Actions",
    "Terraform",
    "Grafana",
    "Docker",
    "RabbitMQ",
    "Prometheus",
    "Nginx",
    "SQLite",
    "Elasticsearch",
    "Ansible",
    "Sentry",
    "React",
    "TypeScript",
    "Rust",
    "Python",
    "gRPC",
    "Vault",
    "Jenkins",
    "MongoDB",
    "S3",
    "CloudFront",
    "Envoy",
    "Helm",
    "Airflow",
    "Spark",
    "Keycloak",
    "Jira",
    "Slack",
    "Figma",
    "OpenTelemetry",
    "ClickHouse",
    "NATS",
    "MinIO",
    "Consul",
    "Pulumi",
    "DuckDB",
];
pub const AGENTS: &[&str] = &["planner", "reviewer", "coder", "support", "researcher"];
pub const TAGS: &[&str] = &[
    "infra",
    "release",
    "incident",
    "billing",
    "hiring",
    "design",
    "security",
    "performance",
    "customer",
    "planning",
    "docs",
    "testing",
];
/// Most memories are of middling importance.
pub const IMPORTANCE: &[u8] = &[1, 2, 2, 3, 3, 3, 3, 3, 4, 5];
pub const WEEKDAYS: &[&str] = &["Monday", "Tuesday", "Wednesday", "Thursday", "Friday"];
pub const MONTHS: &[&str] = &[
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

/// Shares of the kinds in twentieths, as places in `LEADS`.
pub const KIND_SHARES: [usize; 20] = [0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 4, 4, 4, 5, 5, 5, 5];

/// First sentences by kind.
pub const LEADS: [(&str, &[&str]); 6] = [
    (
        "decision",
        &[
            "{who} and {who2} decided to move {service} from {tool} to {tool2} before the end of {month}.",
            "We will keep {tool} for {service} and look at {tool2} again in {month}.",
            "Decision: {service} gets its own {tool} cluster, {who} owns the {topic} part.",
            "The {topic} work for {customer} is postponed to {month}.",
            "{who} decided that {service} no longer calls {service2} for the {topic} check.",
            "We agreed to freeze {service} at {version} until the {topic} review is over.",
            "From {month} on every {topic} change in {service} needs a review by {who}.",
        ],
    ),
    (
        "event",
        &[
            "{service} was down for {n} minutes on {weekday} from {clock}.",
            "{who} rolled out {service} {version} on {weekday} at {clock}.",
            "The {topic} migration of {service} finished at {clock}, {n} tables moved.",
            "{customer} reported {n} failed {topic} requests on {weekday}.",
            "The {weekday} deployment of {service} was rolled back at {clock}.",
            "{who} met {customer} about the {topic} contract on {weekday}.",
            "The {tool} certificate of {service} expired on {weekday} and was renewed by {who2}.",
        ],
    ),
    (
        "observation",
        &[
            "{service} answers in {ms} ms at the 99th percentile since version {version}.",
            "The {tool} dashboard shows {n} percent more {topic} traffic on {service}.",
            "{service} retries every {topic} call {n} times before it gives up.",
            "{who} noticed that {service2} still reads the old {topic} table in {tool}.",
            "Memory of {service} grows by {n} MB an hour while {service2} imports {topic} data.",
            "{customer} uses the {topic} export far more than the {word} one.",
        ],
    ),
    (
        "preference",
        &[
            "{who} prefers {tool} over {tool2} for anything that touches {topic}.",
            "{who} wants {topic} reports as a plain table, without the {word} charts.",
            "{customer} does not want calls before {clock} on a {weekday}.",
            "{who} likes short reviews: one {topic} at a time, with a {word} test.",
        ],
    ),
    (
        "fact",
        &[
            "{service} runs on {tool} {version} in the {topic} region.",
            "{who} is responsible for {service} and the {topic} budget.",
            "{service} depends on {service2} for {topic} and on {tool} for everything else.",
            "The contract with {customer} covers {n} {topic} seats and ends in {month}.",
            "The {topic} limit of {service} is {n} requests per second for each {word}.",
            "{customer} belongs to the {word} group; their contact for {topic} is {who}.",
        ],
    ),
    (
        "note",
        &[
            "Notes from the {topic} meeting with {who} and {who2}.",
            "{who} read about {topic} and {word} and wrote down what it means for {service}.",
            "Idea from {who}: combine {topic} and {word} in {service}.",
            "To do for {weekday}: {topic}, {word}, and the {tool} upgrade of {service}.",
            "Open question: should {service} store {topic} in {tool} or leave it to {service2}?",
            "Reading list on {rare}: {topic}, {word} and {rare}.",
        ],
    ),
];

/// Sentences with a cause word.
pub const CAUSES: &[&str] = &[
    "This happened because {service2} sent {topic} twice and {tool} kept both.",
    "Because of the {topic} change, {service2} had to be restarted by {who2}.",
    "The reason was a {topic} setting in {tool} that nobody had touched since {month}.",
    "As a result {customer} asked for a {word} report by {weekday}.",
    "Therefore {who2} will rewrite the {topic} step of {service2}.",
    "It failed due to a full {tool} disk, which was caused by the {word} logs of {service2}.",
    "So that {customer} can use {topic} in {month}, {who2} starts with the {word} part.",
    "Since {tool} cannot do {topic} per {word}, we had to build it in {service2}.",
    "That led to {n} lost {topic} entries, which {who2} restored from the {word} backup.",
    "The {word} check had been switched off, hence nobody saw the {topic} errors.",
    "We did it to avoid another {topic} outage like the one in {month}.",
    "Consequently the {word} plan of {customer} moves by {n} days.",
];

/// Sentences that add to what was said.
pub const DETAILS: &[&str] = &[
    "{who2} checks the {topic} numbers again on {weekday}.",
    "The {topic} value is {n} now, it was {n} in {month}.",
    "See the {word} page on {rare} for the details.",
    "{customer} has been told and is fine with {word} and {topic}.",
    "Keywords: {topic}, {word}, {rare}, {word}.",
    "{who} will write the {word} guide with {who2}.",
    "There are {n} open {topic} tickets, most of them about {rare}.",
    "The {rare} team has the same question about {topic}.",
    "A {word} test covers {topic}, nothing covers {rare} yet.",
    "It costs {n} euros a month for each {word} and the {rare} fee on top.",
    "The old {word} script in the {rare} folder can go.",
    "{tool} {version} brings {topic} and drops {word}.",
    "Nobody could say what {rare} means in the {topic} file.",
    "{who2} asked whether {word} and {topic} are the same thing.",
    "Next step: compare {topic} with {word} on the {rare} sample.",
    "The {word} alert fired {n} times, mostly at {clock}.",
    "We keep {rare} and {word} apart from the {topic} data.",
    "{who} thinks the {rare} approach is simpler than {word}.",
];

/// Last sentences of near duplicates.
pub const UPDATES: &[&str] = &[
    "Still true as of {weekday}, {who2} checked {topic} at {clock}.",
    "Update: the {topic} number is {n} now.",
    "Second reminder, the {word} part is still open since {clock}.",
    "Copied from the {word} notes of {who2}, item {n}.",
];

/// Questions of 5 to 10 words: why, when, who or what, and anything else.
pub const QUESTIONS: [&[&str]; 4] = [
    &[
        "why was {service} changed after the {topic} problem?",
        "why did {customer} ask about {topic} and {topic}?",
        "what caused the {topic} errors in {service}?",
        "what was the reason to move {service} to {tool2}?",
        "why does {service2} no longer use {tool} for {topic}?",
    ],
    &[
        "when was {service} rolled out with the {topic} change?",
        "when did {who} talk to {customer} about {topic}?",
        "since when does {service} run on {tool}?",
        "what happened to {service} in {month} with {topic}?",
        "when does the {topic} contract with {customer} end?",
    ],
    &[
        "who is responsible for {service} and the {topic} budget?",
        "what does {who} think about {topic} in {service}?",
        "which services depend on {service2} for {topic}?",
        "what do we know about {customer} and {topic}?",
        "who worked with {who2} on the {topic} part?",
    ],
    &[
        "{topic} and {topic} notes for {service} with {tool}",
        "how does {service} handle {topic} with {tool}?",
        "open questions about {topic} {topic} in the {tool} work",
        "summary of the {topic} {topic} plan for {customer}",
        "{service} {service2} {topic} limits and costs in {tool}",
    ],
];
