//! Which files hold a piece of what was erased that nothing else has?
//!
//! A piece counts if it is in an erased text, as it was written or in lower case (names are kept so), and in
//! nothing that stays: no text, in neither spelling, and nothing that a caller said about one.

use std::collections::HashSet;
use std::fs;
use std::path::Path;

use griot::model::Result;

use super::cannot;

/// Pieces of a text that are looked for, in bytes.
const PIECE: usize = 12;

/// What is shown on each side of a piece that was found, in bytes.
const AROUND: usize = 60;
/// How many of them are shown.
const SHOWN: usize = 10;

pub type Pieces = HashSet<[u8; PIECE]>;

/// Pieces that only the first texts have.
pub fn only<'a>(gone: impl Iterator<Item = &'a str>, kept: impl Iterator<Item = &'a str>) -> Pieces {
    let mut wanted = Pieces::new();
    for text in gone {
        for spelled in [text.to_owned(), text.to_lowercase()] {
            wanted.extend(pieces(spelled.as_bytes()));
        }
    }
    let mut ends: HashSet<Vec<u8>> = HashSet::new();
    for text in kept {
        for spelled in [text.to_owned(), text.to_lowercase()] {
            for piece in pieces(spelled.as_bytes()) {
                wanted.remove(&piece);
            }
            ends.extend(spelled.as_bytes().get(..PIECE - 1).map(<[u8]>::to_vec));
            ends.extend(spelled.as_bytes().last_chunk::<{ PIECE - 1 }>().map(|end| end.to_vec()));
        }
    }
    // A byte of a row beside a name that stays may be that of a space or any character.
    wanted.retain(|piece| !ends.contains(&piece[1..]) && !ends.contains(&piece[..PIECE - 1]));
    wanted
}

fn pieces(bytes: &[u8]) -> impl Iterator<Item = [u8; PIECE]> {
    bytes.windows(PIECE).filter_map(|piece| piece.try_into().ok())
}

/// Takes out the pieces that a file of this folder has: what every workspace holds, such as its schema.
pub fn leave_out(folder: &Path, wanted: &mut Pieces) -> Result<()> {
    each_file(folder, &mut |_, bytes| {
        for piece in pieces(bytes) {
            wanted.remove(&piece);
        }
    })
}

/// Files below a folder with one of these pieces, and what is around the first ones; counts all files.
pub fn search(folder: &Path, wanted: &Pieces, found: &mut Vec<String>, files: &mut usize) -> Result<()> {
    each_file(folder, &mut |path, bytes| {
        *files += 1;
        let left = || pieces(bytes).enumerate().filter(|(_, piece)| wanted.contains(piece));
        let count = left().map(|(_, piece)| piece).collect::<HashSet<_>>().len();
        let mut end = 0;
        for (at, _) in left() {
            if at < end {
                continue;
            }
            end = at + PIECE + AROUND;
            let around = String::from_utf8_lossy(&bytes[at.saturating_sub(AROUND)..end.min(bytes.len())]);
            let around = around.escape_debug();
            found.push(format!("{}: {count} pieces, one at byte {at}: {around}", path.display()));
            if found.len() >= SHOWN {
                break;
            }
        }
    })
}

fn each_file(folder: &Path, look: &mut dyn FnMut(&Path, &[u8])) -> Result<()> {
    let failed = |why: std::io::Error| cannot(format!("search {}", folder.display()), why);
    for entry in fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        if path.is_dir() {
            each_file(&path, look)?;
        } else {
            look(&path, &fs::read(&path).map_err(failed)?);
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
        assert_eq!(left("..the harbour.."), 0, "too short to count");

        let wanted = only(["x pale herons y"].into_iter(), ["pale herons"].into_iter());
        let mut wanted: Vec<&[u8]> = wanted.iter().map(|piece| piece.as_slice()).collect();
        wanted.sort();
        assert_eq!(
            wanted,
            [b"ale herons y".as_slice(), b"x pale heron"],
            "one byte beside a name that stays does not count"
        );
    }
}
