//! What is measured of a candidate?
//!
//! No signal says what kind of memory it is or who speaks: a ranking learned on conversations has to hold for
//! notes, documents and code. Of a document only the length is known. A signal never speaks against a memory.

macro_rules! signals {
    ($($variant:ident $name:literal $meaning:literal;)+) => {
        named! {
            /// A measure of a candidate; its values are in 0..=1 unless its line says otherwise.
            SignalName { $(#[doc = $meaning] $variant = $name,)+ }
        }

        impl SignalName {
            /// Description for the documentation.
            pub const fn meaning(self) -> &'static str {
                match self { $(Self::$variant => $meaning),+ }
            }
        }
    };
}

signals! {
    Words "words" "BM25 of the bare text, as a share of the best candidate's";
    WordsInContext "words_in_context" "BM25 of the text with its header (title, headings, speaker), as a \
        share of the best";
    Header "header" "BM25 of the header alone, as a share of the best";
    Possible "possible" "BM25 of the text with its header, as a share of the highest that the question's \
        words allow";
    Coverage "coverage" "IDF-weighted share of the question's words in text and header";
    Named "named" "IDF-weighted share of the question's capitalised words in text and header";
    Rarity "rarity" "IDF of the rarest of the question's words in text or header, as a share of the highest \
        IDF in this store";
    Meaning "meaning" "cosine with the question, as a share of the best; not below 0";
    Cosine "cosine" "cosine with the question; not below 0";
    Place "place" "BM25 of the whole session or document, as a share of the best; less for a long memory, \
        which stands for itself, and in a long document";
    PlaceMeaning "place_meaning" "the best cosine in the same session or document, as a share of the best; \
        less for a long memory, and in a long document";
    Before "before" "BM25 of the memory just before, as a share of the best; less if one of the two is \
        long, and in a long document";
    After "after" "the same of the memory just after";
    Around "around" "the same of the best of those two and three places away";
    BeforeMeaning "before_meaning" "cosine of the memory just before, as a share of the best; less if one of \
        the two is long, and in a long document";
    AfterMeaning "after_meaning" "the same of the memory just after";
    Speaker "speaker" "1 if the question names who speaks";
    Entities "entities" "share of the question's names that the memory mentions, weighted by rarity";
    Time "time" "how well its time, or a year in its text, fits the time that the question names";
    YearSpan "year_span" "1 if first and last year of the text enclose the asked span";
    Graph "graph" "rank of a random walk from the best matches, on a logarithmic scale";
    GraphFirst "graph_first" "the same from the best match alone";
    GraphNames "graph_names" "the same from the names of the question alone";
    Bridge "bridge" "BM25 of the words that a best match lacks and of the names it mentions, as a share of \
        the best";
    BridgeHeader "bridge_header" "the same in the header";
    BridgeOpen "bridge_open" "share of the words that a best match lacks, for memories that contain a whole \
        name it mentions";
    Complement "complement" "share of the question's words that the memory has and the best match lacks";
    Part "part" "cosine of the question with the nearest two sentences in a row, for the best candidates; \
        less the shorter they are, less for a question full of names, and 0 for one that names a time";
    States "states" "1 if it states something: 0 for a brief text that only asks";
    Echo "echo" "cosine with the three best matches, weighted by their scores";
}

pub const SIGNALS: usize = SignalName::ALL.len();

/// The signal values of one candidate.
pub type Values = [f32; SIGNALS];
