//! What the commands print and write.

use std::io::{self, Write};
use std::path::Path;

use griot::model::{Error, ErrorKind, Result};

/// Prints to standard output. A reader that has seen enough, such as `head`, is no error.
pub fn print(text: &str) -> Result<()> {
    match io::stdout().write_all(text.as_bytes()) {
        Err(e) if e.kind() != io::ErrorKind::BrokenPipe => {
            Err(Error::unavailable("write to standard output", e.to_string()))
        }
        _ => Ok(()),
    }
}

/// Indented JSON with a line break at the end.
pub fn json(value: &impl serde::Serialize) -> Result<String> {
    let text = serde_json::to_string_pretty(value);
    Ok(text.map_err(|e| Error::new(ErrorKind::Bug, "write JSON", e.to_string()))? + "\n")
}

pub fn write(path: &Path, content: impl AsRef<[u8]>) -> Result<()> {
    std::fs::write(path, content)
        .map_err(|why| Error::unavailable(format!("write {}", path.display()), why.to_string()))
}

/// 1234567 as 1,234,567.
pub fn thousands(number: u64) -> String {
    match number {
        0..1_000 => number.to_string(),
        _ => format!("{},{:03}", thousands(number / 1_000), number % 1_000),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_numbers_have_commas() {
        let cases = [(0, "0"), (999, "999"), (1000, "1,000"), (1_234_567, "1,234,567")];
        for (number, text) in cases {
            assert_eq!(thousands(number), text);
        }
    }
}
