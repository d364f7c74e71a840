//! The thread that writes entries: one in a process, for all workspaces.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::time::Duration;

use super::{LoggedRecall, RecallLog, oldest};

/// Entries that wait to be written; more are dropped.
const WAITING: usize = 1024;

enum Message {
    Entry {
        database: PathBuf,
        entry: Box<LoggedRecall>,
        days: u64,
    },
    /// Answered once all entries before it are written.
    Flush(SyncSender<()>),
}

/// `None` if no thread could be started.
static WRITER: OnceLock<Option<SyncSender<Message>>> = OnceLock::new();

/// Passes an entry on; it is kept for so many days. Never waits and never fails: an entry that does not fit
/// is lost.
pub fn log(database: &Path, entry: LoggedRecall, days: u64) {
    let writer = WRITER.get_or_init(|| {
        let (send, receive) = sync_channel(WAITING);
        let thread = std::thread::Builder::new().name("griot-recalls".into());
        thread.spawn(move || write(&receive)).ok().map(|_| send)
    });
    if let Some(writer) = writer {
        let database = database.to_path_buf();
        let _ = writer.try_send(Message::Entry { database, entry: Box::new(entry), days });
    }
}

/// Waits at most this long until the entries so far are written.
pub fn flush(most: Duration) {
    let Some(Some(writer)) = WRITER.get() else { return };
    let (done, written) = sync_channel(1);
    if writer.try_send(Message::Flush(done)).is_ok() {
        let _ = written.recv_timeout(most);
    }
}

fn write(receive: &Receiver<Message>) {
    while let Ok(first) = receive.recv() {
        let mut entries: BTreeMap<PathBuf, (Vec<LoggedRecall>, u64)> = BTreeMap::new();
        let mut waiting = Vec::new();
        for message in std::iter::once(first).chain(receive.try_iter()) {
            match message {
                Message::Entry { database, entry, days } => {
                    let of_file = entries.entry(database).or_default();
                    of_file.0.push(*entry);
                    of_file.1 = days;
                }
                Message::Flush(done) => waiting.push(done),
            }
        }
        for (database, (entries, days)) in entries {
            add(&database, &entries, days);
        }
        for done in waiting {
            // The one who waits may have given up.
            let _ = done.try_send(());
        }
    }
}

fn add(database: &Path, entries: &[LoggedRecall], days: u64) {
    // A workspace that was removed since does not come back.
    let Some(last) = entries.last().filter(|_| database.exists()) else { return };
    // The file is opened for each batch: an open one would keep a removed workspace on the disk.
    if let Ok(log) = RecallLog::for_database(database) {
        let _ = log.add(entries, oldest(last.at, days));
    }
}
