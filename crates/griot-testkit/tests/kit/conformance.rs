//! Runs the suite as the author of a back end would.

use griot::backend::sqlite::{Options, SqliteBackend};
use griot::backend::{Read as _, Store as _};
use griot::model::Change;
use griot::store::Indexed;
use griot::testkit::conformance::{a_memory, a_source, add, write};
use griot_testkit::conformance;

#[test]
fn sqlite_keeps_its_promises() {
    let folder = tempfile::tempdir().expect("a folder");
    let count = std::cell::Cell::new(0);
    let sqlite = || {
        count.set(count.get() + 1);
        let options = Options { sync_full: false, ..Options::default() };
        SqliteBackend::open(&folder.path().join(format!("{}.db", count.get())), options).expect("it opens")
    };
    conformance::check(sqlite);
    conformance::check_telemetry(|| Indexed::new(sqlite()).expect("it opens"));
}

#[test]
fn requests_made_at_once_see_one_revision() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("store.db");
    let open = || {
        let sqlite = SqliteBackend::open(&path, Options::default()).expect("it opens");
        Indexed::new(sqlite).expect("it opens")
    };
    let (first, second) = (open(), open());
    write(&first, vec![Change::PutSource(a_source(1)), add(a_memory(1, "one"))]);
    let view = second.at_once(&mut |read| {
        assert_eq!(read.memories_after(0, 9)?.len(), 1);
        write(&first, vec![add(a_memory(2, "two"))]);
        assert_eq!(read.memories_after(0, 9)?.len(), 1);
        Ok(())
    });
    view.expect("a view");
    assert_eq!(second.memories_after(0, 9).expect("rows").len(), 2);
}
