//! The whole files that damage is done to, by format.

/// Name, which says the format as files do, and content.
pub type Sample = (&'static str, &'static [u8]);

/// The samples of one format, and what `--format` calls it.
pub struct Format {
    pub name: &'static str,
    pub samples: &'static [Sample],
}

macro_rules! formats {
    ($($format:literal: $($file:literal)+;)+) => {
        /// Every format that is read, with one sample at least.
        pub const FORMATS: &[Format] = &[$(Format {
            name: $format,
            samples: &[$((
                $file,
                include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/../griot-ingest/tests/golden/", $file)),
            )),+],
        }),+];
    };
}

formats! {
    "markdown": "notes.md";
    "text": "plain.txt";
    "rst": "guide.rst";
    "csv": "stock.csv";
    "json": "records.json";
    "jsonl": "records.jsonl";
    "yaml": "config.yaml";
    "xml": "shop.xml";
    "ipynb": "sales.ipynb";
    "subtitles": "talk.vtt" "talk.srt";
    "docx": "notes.docx";
    "pptx": "notes.pptx";
    "xlsx": "stock.xlsx";
    "odt": "notes.odt";
    "ods": "stock.ods";
    "epub": "notes.epub";
    "rtf": "notes.rtf";
    "pdf": "pages.pdf" "open.pdf";
    "eml": "letter.eml";
    "mbox": "letters.mbox";
    "slack": "slack.json" "slack.zip";
    "chatgpt": "chatgpt.json" "chatgpt.zip";
    "claude": "claude.json";
    "mcp-memory": "graph.jsonl";
    "chat": "talk.chat.txt" "talk.chat.jsonl" "talk.chat.json";
    "claude-code": "session.jsonl";
    "html": "page.html";
    "sqlite": "mnemon.db" "clawmem.sqlite";
}

#[cfg(test)]
mod tests {
    use griot_ingest::{ReadOptions, read_bytes};

    use super::FORMATS;

    #[test]
    fn every_format_has_a_sample_that_is_read() {
        for format in griot_ingest::Format::ALL {
            assert!(FORMATS.iter().any(|known| known.name == format.name()), "{}", format.name());
        }
        for (name, bytes) in FORMATS.iter().flat_map(|format| format.samples) {
            let read = read_bytes(name, bytes.to_vec(), &ReadOptions::default());
            assert!(
                read.is_ok_and(|readings| readings.iter().any(|reading| !reading.drafts.is_empty())),
                "{name}"
            );
        }
    }
}
