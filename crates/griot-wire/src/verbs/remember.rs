//! `remember`: stores one text, or many in one transaction.

use griot::model::SourceType;
use griot::remember::SourceDraft;

use super::MOST;
use crate::call::{Call, bound_to};
use crate::draft::{Draft, EntityDraft};
use crate::failure::Outcome;
use crate::request::kind;
use crate::{Remembered, Span};

/// The default agent.
const DEFAULT_AGENT: &str = "griot";

requests! {
    /// Store a text. A text that the scope already contains is not stored again.
    Remember of speaker {
        /// The text to store, verbatim.
        #[schemars(schema_with = "crate::request::forms::text")]
        #[arg(skip)]
        text: String,
        /// `insight` (default), `decision`, `fact`, `preference`, `event`, `observation`, `note` or your own
        /// word.
        #[schemars(schema_with = "crate::request::forms::word")]
        #[arg(long, help = "insight, decision, fact, preference, event, observation, note or your own word \
            [default: insight]")]
        kind [default]: Option<String>,
        /// Keep a kind that looks like a mistyped one.
        #[arg(long)]
        new_kind [default]: bool,
        /// Tags.
        #[schemars(schema_with = "crate::request::forms::words")]
        #[arg(id = "tag", long = "tag", visible_alias = "tags", value_name = "TAG", value_delimiter = ',',
            help = "A tag; repeat the option or separate tags by commas")]
        tags [default]: Vec<String>,
        /// `long_term` (default), `rule` (a standing rule, returned with every answer in its scope) or
        /// `working` (expires automatically).
        #[schemars(schema_with = "crate::request::forms::tier")]
        #[arg(long, visible_alias = "layer", help = "rule (returned with every answer in its scope), working \
            (expires automatically) or long_term [default: long_term]")]
        tier [default]: Option<String>,
        /// When it expires: a date, RFC 3339, or a duration such as `8h` or `30d`. Default: never; for a
        /// `working` memory, the setting `remember.working_hours`.
        #[schemars(schema_with = "crate::request::forms::end")]
        #[arg(id = "expires", long = "expires", value_name = "WHEN", help = "When it expires: a duration \
            (`8h`, `30d`) or a date [default: never; working memories: remember.working_hours]")]
        expires_at [default]: Option<String>,
        /// 1 (trivial) to 5 (vital); default 3.
        #[schemars(range(min = 1, max = 5))]
        #[arg(long, value_name = "1-5", help = "1 (trivial) to 5 (vital) [default: 3]")]
        importance [default]: Option<u8>,
        /// The agent that stores it.
        #[arg(long, help = "The agent that stores it; settings specific to this agent apply")]
        agent [default]: Option<String>,
        /// The session it belongs to.
        #[arg(long)]
        session [default]: Option<String>,
        /// Who said it.
        #[arg(long)]
        speaker [default]: Option<String>,
        /// When it happened: RFC 3339, a date, or words such as `yesterday`; default now.
        #[schemars(schema_with = "crate::request::forms::time")]
        #[arg(id = "at", long = "at", value_name = "TIME",
            help = "When it happened: a date, RFC 3339, \"yesterday\" [default: now]")]
        occurred_at [default, alias = "at"]: Option<String>,
        /// Entities that the rules may miss: `"Redis"`, `"Redis:tool"` or `{"name": "Redis", "type":
        /// "tool"}`.
        #[arg(id = "entity", long = "entity", value_name = "NAME[:TYPE]",
            help = "An entity that it mentions, optionally with its type: `Redis` or `Redis:tool`")]
        entities [default]: Vec<EntityDraft>,
        /// Headings above it, outermost first.
        #[arg(skip)]
        heading [default]: Vec<String>,
        /// First and last line in the source.
        #[arg(skip)]
        lines [default]: Option<Span>,
        /// Position in its source and session; default after the last.
        #[schemars(range(max = 1_000_000_000))]
        #[arg(skip)]
        ordinal [default]: Option<u32>,
        /// Id or handle of the memory that this memory replaces.
        #[arg(long, value_name = "MEMORY", help = "The memory that this memory replaces")]
        supersedes [default]: Option<String>,
        /// Name of its source; default the agent.
        #[arg(long, value_name = "ORIGIN", help = "Name of the source it comes from [default: the agent]")]
        source [default]: Option<String>,
    }

    /// Store many texts in one transaction.
    RememberBatch of speaker by new {
        /// The texts. `user` and `project` of a text apply if the request names none.
        #[schemars(length(min = 1, max = 1000))]
        #[arg(skip)]
        memories: Vec<Draft>,
        /// Keep kinds that look like mistyped ones.
        #[arg(long)]
        new_kind [default]: bool,
        /// Name of their source; default the first agent named.
        #[arg(long)]
        source [default]: Option<String>,
    }
}

impl Remember {
    fn speaker(&self) -> Option<&str> {
        self.agent.as_deref()
    }

    /// The draft without its scope, which comes from the request.
    pub(crate) fn into_draft(self) -> Draft {
        Draft {
            text: self.text,
            kind: self.kind,
            tags: self.tags,
            tier: self.tier,
            expires_at: self.expires_at,
            importance: self.importance,
            user: None,
            project: None,
            agent: self.agent,
            session: self.session,
            speaker: self.speaker,
            occurred_at: self.occurred_at,
            entities: self.entities,
            heading: self.heading,
            lines: self.lines,
            ordinal: self.ordinal,
            supersedes: self.supersedes,
        }
    }
}

impl RememberBatch {
    fn speaker(&self) -> Option<&str> {
        self.memories.iter().find_map(|draft| draft.agent.as_deref())
    }
}

pub fn remember(call: &Call, q: Remember) -> Outcome<Remembered> {
    let (origin, is_new_kind) = (q.source.clone(), q.new_kind);
    let mut draft = q.into_draft();
    draft.kind = kind(&call.engine, draft.kind.as_ref(), is_new_kind)?;
    draft.user.clone_from(&call.scope.user);
    draft.project.clone_from(&call.scope.project);
    stored(call, draft, origin)
}

/// Stores one text in its own scope.
pub fn stored(call: &Call, draft: Draft, origin: Option<String>) -> Outcome<Remembered> {
    if let Some(name) = &draft.supersedes {
        call.own_memory("replace a memory", name)?;
    }
    let draft = draft.into_engine(call.engine.now())?;
    let answer = match origin {
        None => call.engine.remember(draft)?,
        Some(origin) => call.engine.remember_from(&SourceDraft::new(SourceType::Agent, origin), draft)?,
    };
    Ok(Remembered::from(&answer))
}

pub fn remember_batch(call: &Call, q: RememberBatch) -> Outcome<Vec<Remembered>> {
    // A transaction blocks all other writers.
    call.bounded("the number of memories", q.memories.len(), 1, MOST)?;
    let now = call.engine.now();
    let count = q.memories.len();
    let mut drafts = Vec::with_capacity(count);
    for (index, mut draft) in q.memories.into_iter().enumerate() {
        if let Some(name) = &draft.supersedes {
            call.own_memory("replace a memory", name)?;
        }
        if let (Some(own), Some(asked)) = (&call.bound, &draft.user)
            && own != asked
        {
            return Err(bound_to(own, asked));
        }
        // The scope of a text never widens that of the request.
        if call.scope.user.is_some() {
            draft.user.clone_from(&call.scope.user);
        }
        if call.scope.project.is_some() {
            draft.project.clone_from(&call.scope.project);
        }
        draft.kind = kind(&call.engine, draft.kind.as_ref(), q.new_kind)
            .map_err(|error| error.of_item(index, count))?;
        drafts.push(draft.into_engine(now).map_err(|error| error.of_item(index, count))?);
    }
    let origin = q.source.or_else(|| drafts.iter().find_map(|draft| draft.agent.clone()));
    let source = SourceDraft::new(SourceType::Agent, origin.unwrap_or_else(|| DEFAULT_AGENT.to_string()));
    Ok(call.engine.remember_all(&source, drafts)?.iter().map(Remembered::from).collect())
}
