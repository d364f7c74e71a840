//! Removes all traces of erased rows from the files of the store.
//!
//! A removed row leaves three traces. Its old pages are in the write-ahead log: the log is copied into the
//! database and truncated, which waits until no reader uses the earlier state. Its bytes remain on its page:
//! `secure_delete` overwrites them. A copy of its bytes may remain on a page that the b-tree moved it from,
//! in the gap between the cell pointers and the cells: SQLite does not overwrite gaps, so they are searched,
//! and the database is rewritten (`VACUUM`) if one contains a piece of an erased text. Then the copies made
//! before migrations are removed.
//!
//! All steps can be repeated at any time and do nothing if no trace is left.

use std::collections::HashSet;
use std::ffi::c_void;
use std::path::Path;
use std::ptr;
use std::time::{Duration, Instant};

use rusqlite::ffi;

use super::tables::Tables;
use super::{SqliteBackend, copies};
use crate::model::{Error, ErrorKind, Result};
use crate::private;

/// Length in bytes of the pieces of erased texts that are searched for.
const PIECE: usize = 12;
/// Pages per read.
const PAGES: usize = 256;
/// Interval between attempts to truncate a log that others read.
const LOOK: Duration = Duration::from_millis(2);

impl SqliteBackend {
    pub(super) fn scrub_files(&self, texts: Option<&[String]>) -> Result<u64> {
        self.with_writer(|tables| {
            let scrubbed: Option<i64> =
                tables.run("read", || tables.one("SELECT value FROM meta WHERE key = 'scrubbed'", []))?;
            if scrubbed.is_none() {
                // An older version did not overwrite removed data: the free pages may contain anything.
                tables.run("write anew", || tables.connection.execute_batch("VACUUM"))?;
                tables.run("write to", || {
                    tables.execute("INSERT INTO meta (key, value) VALUES ('scrubbed', 1)", [])
                })?;
            }
            self.cut_log(tables)?;
            if holds(&gaps(tables)?, texts) {
                tables.run("write anew", || tables.connection.execute_batch("VACUUM"))?;
                self.cut_log(tables)?;
            }
            Ok(())
        })?;
        copies::remove_copies(&self.path)
    }

    /// Copies the log into the database and truncates it. Waits for readers of an earlier state for as long
    /// as a writer waits for another.
    fn cut_log(&self, tables: &Tables) -> Result<()> {
        let deadline = Instant::now() + Duration::from_millis(self.options.busy_timeout_ms);
        let wait = |ms: u64| {
            tables.run("write to", || tables.connection.pragma_update(None, "busy_timeout", ms as i64))
        };
        // Waiting inside the checkpoint would block other writers.
        wait(0)?;
        let outcome = loop {
            let busy = tables.run("write to", || {
                tables.connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get::<_, i64>(0))
            });
            match busy {
                Ok(0) => break Ok(()),
                Ok(_) => {}
                Err(error) if error.kind == ErrorKind::Conflict => {}
                Err(error) => break Err(error),
            }
            if Instant::now() >= deadline {
                break Err(still_read(&self.path));
            }
            std::thread::sleep(LOOK);
        };
        wait(self.options.busy_timeout_ms)?;
        outcome
    }
}

fn still_read(path: &Path) -> Error {
    let readers = readers(path);
    let who = match readers.as_slice() {
        [] => "another process or another request".to_owned(),
        several => several.join(", "),
    };
    Error::new(
        ErrorKind::Conflict,
        format!("rid the files of {} of what was erased", path.display()),
        format!("{who} still reads the state before; the rows are gone, the files follow"),
    )
    .hint("griot erase --resume")
}

/// Processes that read an earlier state, if the system can list them: each holds a lock on a mark in the
/// log's shared memory. Mark 0 means that the process does not read the log.
#[cfg(target_os = "linux")]
fn readers(path: &Path) -> Vec<String> {
    use std::os::unix::fs::MetadataExt;
    let marks = 124..=127_u64;
    let Ok(shared) = std::fs::metadata(private::beside(path, "-shm")) else { return Vec::new() };
    let locks = std::fs::read_to_string("/proc/locks").unwrap_or_default();
    let inode = format!(":{}", shared.ino());
    let mut pids: Vec<u32> = Vec::new();
    for line in locks.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        // Example: 12: POSIX  ADVISORY  READ 4711 fe:01:1234 124 124
        let [.., "READ", pid, file, start, _] = words.as_slice() else { continue };
        let is_mark = file.ends_with(&inode) && start.parse().is_ok_and(|start| marks.contains(&start));
        if is_mark && let Ok(pid) = pid.parse() {
            pids.push(pid);
        }
    }
    pids.sort_unstable();
    pids.dedup();
    pids.into_iter()
        .map(|pid| {
            let name = std::fs::read_to_string(format!("/proc/{pid}/comm")).unwrap_or_default();
            let own = if pid == std::process::id() { ", this process" } else { "" };
            format!("process {pid} ({}{own})", name.trim())
        })
        .collect()
}

#[cfg(not(target_os = "linux"))]
fn readers(_: &Path) -> Vec<String> {
    Vec::new()
}

/// Non-zero contents of the gaps in b-tree pages. Reads through SQLite's own handle: closing another one
/// would drop the locks of this process.
fn gaps(tables: &Tables) -> Result<Vec<Vec<u8>>> {
    let size: u32 =
        tables.run("read", || tables.connection.query_row("PRAGMA page_size", [], |row| row.get(0)))?;
    let size = size as usize;
    let failed =
        || Error::unavailable(format!("read {}", tables.path().display()), "its pages cannot be read");
    let file = File::of(tables).ok_or_else(failed)?;
    let all = file.len().ok_or_else(failed)? / size as u64;
    let mut gaps = Vec::new();
    let mut pages = vec![0; size * PAGES];
    for first in (0..all).step_by(PAGES) {
        let count = (all - first).min(PAGES as u64) as usize;
        let pages = &mut pages[..count * size];
        if !file.read(pages, first * size as u64) {
            return Err(failed());
        }
        for (at, page) in pages.chunks_exact(size).enumerate() {
            let header = if first == 0 && at == 0 { 100 } else { 0 };
            gaps.extend(
                gap(page, header).filter(|gap| gap.iter().any(|byte| *byte != 0)).map(<[u8]>::to_vec),
            );
        }
    }
    Ok(gaps)
}

/// Whether the gaps contain a piece of one of the texts; any content counts if the texts are unknown.
fn holds(gaps: &[Vec<u8>], texts: Option<&[String]>) -> bool {
    let Some(texts) = texts.filter(|_| !gaps.is_empty()) else { return !gaps.is_empty() };
    let wanted: HashSet<&[u8]> = texts.iter().flat_map(|text| text.as_bytes().windows(PIECE)).collect();
    gaps.iter().any(|gap| gap.windows(PIECE).any(|piece| wanted.contains(piece)))
}

/// The bytes of a page between its cell pointers and its first cell; `None` if it is not a b-tree page.
fn gap(page: &[u8], header: usize) -> Option<&[u8]> {
    let number = |at: usize| Some(usize::from(u16::from_be_bytes(page.get(at..at + 2)?.try_into().ok()?)));
    let cells_from = match page.get(header)? {
        2 | 5 => header + 12,
        10 | 13 => header + 8,
        _ => return None,
    };
    let list_end = cells_from + 2 * number(header + 3)?;
    let first_cell = match number(header + 5)? {
        0 => 65536,
        first => first,
    };
    page.get(list_end..first_cell.min(page.len()))
}

/// The database file as opened by SQLite.
struct File(*mut ffi::sqlite3_file);

impl File {
    fn of(tables: &Tables) -> Option<Self> {
        let mut file: *mut ffi::sqlite3_file = ptr::null_mut();
        // SAFETY: the handle is that of an open connection that outlives the call, and this control writes
        // one pointer to the address in its last argument.
        let code = unsafe {
            let asked = ffi::SQLITE_FCNTL_FILE_POINTER;
            let place = ptr::addr_of_mut!(file).cast::<c_void>();
            ffi::sqlite3_file_control(tables.connection.handle(), c"main".as_ptr(), asked, place)
        };
        // SAFETY: an open file has a table of methods; the pointer stays valid as long as the connection is
        // open.
        (code == ffi::SQLITE_OK && !file.is_null() && unsafe { !(*file).pMethods.is_null() })
            .then_some(Self(file))
    }

    fn len(&self) -> Option<u64> {
        let mut size: ffi::sqlite3_int64 = 0;
        // SAFETY: `of` checked the table of methods; `xFileSize` writes one number.
        let code = unsafe { (*(*self.0).pMethods).xFileSize.map(|size_of| size_of(self.0, &mut size)) };
        (code == Some(ffi::SQLITE_OK)).then_some(size.max(0) as u64)
    }

    fn read(&self, into: &mut [u8], from: u64) -> bool {
        // SAFETY: `of` checked the table of methods; `xRead` writes as many bytes as requested, which fit
        // into `into`.
        let code = unsafe {
            (*(*self.0).pMethods)
                .xRead
                .map(|read| read(self.0, into.as_mut_ptr().cast::<c_void>(), into.len() as i32, from as i64))
        };
        code == Some(ffi::SQLITE_OK)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_gap_of_a_page_lies_between_its_list_and_its_cells() {
        let mut page = vec![0_u8; 64];
        page[0] = 13;
        page[4] = 1; // one cell
        page[6] = 50; // which begins at 50
        page[20..24].copy_from_slice(b"left");
        let found = gap(&page, 0).map(<[u8]>::to_vec);
        assert_eq!(found.as_deref(), Some(&page[10..50]));
        assert_eq!(gap(&[0; 64], 0), None, "an overflow page");
        assert_eq!(gap(&[13], 0), None, "a page that is cut short");
    }
}
