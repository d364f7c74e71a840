//! The files that are damaged: the golden files of the readers, by the format that each is read as.

use griot::model::{Error, Result};
use griot_ingest::{Format, format_name};

/// Where they are, beside the readers.
const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../griot-ingest/tests/golden");

/// A file's name, which says its format as names of files do, and its content.
pub struct Sample {
    pub name: String,
    pub bytes: Vec<u8>,
}

/// The samples of one format.
pub struct Samples {
    pub format: &'static str,
    pub files: Vec<Sample>,
}

/// The samples of every format, in the order in which formats are listed, then those of databases.
pub fn all() -> Result<Vec<Samples>> {
    let cannot = |error: std::io::Error| Error::unavailable(format!("read `{FOLDER}`"), error.to_string());
    let mut paths = std::fs::read_dir(FOLDER)
        .and_then(|entries| {
            entries.map(|entry| entry.map(|entry| entry.path())).collect::<Result<Vec<_>, _>>()
        })
        .map_err(cannot)?;
    paths.sort();
    let names = Format::ALL.iter().map(|format| format.name()).chain(["sqlite"]);
    let mut samples: Vec<Samples> = names.map(|format| Samples { format, files: Vec::new() }).collect();
    for path in paths {
        let bytes = std::fs::read(&path).map_err(cannot)?;
        let format = format_name(&path, &bytes);
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if let Some(known) = samples.iter_mut().find(|known| Some(known.format) == format) {
            known.files.push(Sample { name, bytes });
        }
    }
    Ok(samples)
}

#[cfg(test)]
mod tests {
    use griot_ingest::{ReadOptions, read_bytes};

    #[test]
    fn every_format_has_a_sample_that_is_read() {
        for samples in super::all().expect("they are there") {
            assert!(!samples.files.is_empty(), "{}", samples.format);
            for sample in samples.files {
                let read = read_bytes(&sample.name, sample.bytes, &ReadOptions::default());
                assert!(
                    read.is_ok_and(|readings| readings.iter().any(|reading| !reading.drafts.is_empty())),
                    "{}",
                    sample.name
                );
            }
        }
    }
}
