//! Which files hold a piece of what was erased that nothing else has?
//!
//! A piece counts if it stands in an erased text, as it was written or in small letters (names are kept so), and in nothing
//! that stays: no text, in neither spelling, and nothing that a caller said about one.

use std::collections::HashSet;
use std::fs;
use std::path::Path;

use griot::model::Result;

use super::cannot;

/// Pieces of a text that are looked for, in bytes.
const PIECE: usize = 12;

/// What is shown on each side of a piece that was found, in bytes.
const AROUND: usize = 60;

pub type Pieces = HashSet<[u8; PIECE]>;

/// Pieces that only the first texts have.
pub fn only<'a>(gone: impl Iterator<Item = &'a str>, kept: impl Iterator<Item = &'a str>) -> Pieces {
    let mut wanted = Pieces::new();
    for text in gone {
        for spelled in [text.to_owned(), text.to_lowercase()] {
            wanted.extend(pieces(spelled.as_bytes()));
        }
    }
    for text in kept {
        for spelled in [text.to_owned(), text.to_lowercase()] {
            for piece in pieces(spelled.as_bytes()) {
                wanted.remove(&piece);
            }
        }
    }
    wanted
}

fn pieces(bytes: &[u8]) -> impl Iterator<Item = [u8; PIECE]> {
    bytes.windows(PIECE).filter_map(|piece| piece.try_into().ok())
}

/// Files below a folder with one of these pieces, and the first of them; counts all files.
pub fn search(folder: &Path, wanted: &Pieces, found: &mut Vec<String>, files: &mut usize) -> Result<()> {
    let failed = |why: std::io::Error| cannot(format!("search {}", folder.display()), why);
    for entry in fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        if path.is_dir() {
            search(&path, wanted, found, files)?;
            continue;
        }
        *files += 1;
        let bytes = fs::read(&path).map_err(failed)?;
        let left = || pieces(&bytes).enumerate().filter(|(_, piece)| wanted.contains(piece));
        if let Some((at, _)) = left().next() {
            let count = left().map(|(_, piece)| piece).collect::<HashSet<_>>().len();
            let around = &bytes[at.saturating_sub(AROUND)..(at + PIECE + AROUND).min(bytes.len())];
            let around = String::from_utf8_lossy(around).escape_debug().to_string();
            found.push(format!("{}: {count} pieces, one at byte {at}: {around}", path.display()));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_piece_that_stays_elsewhere_does_not_count() {
        let folder = tempfile::tempdir().expect("a folder");
        let (gone, kept) = ("Torvald Quistgaard left the harbour", "torvald quistgaard is here");
        let wanted = only([gone].into_iter(), [kept].into_iter());
        let left = |bytes: &str| {
            fs::write(folder.path().join("file"), bytes).expect("written");
            let (mut found, mut files) = (Vec::new(), 0);
            search(folder.path(), &wanted, &mut found, &mut files).expect("searched");
            assert_eq!(files, 1);
            found.len()
        };
        assert_eq!(left("..torvald quistgaard.."), 0);
        assert_eq!(left("..Torvald Quistgaard.."), 1, "so it stood in the erased text alone");
        assert_eq!(left("..left the harbour.."), 1);
        assert_eq!(left("..the harbour.."), 0, "too short to tell");
    }
}
