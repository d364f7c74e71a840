//! Runs the suite as the author of a back end would.

use griot::backend::sqlite::{Options, SqliteBackend};
use griot::store::Indexed;
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
