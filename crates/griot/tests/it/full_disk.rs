//! A disk that takes no more, played by a limit on the size of a file.

use griot::model::ErrorKind;
use griot::remember::Draft;

use crate::support::*;

/// About 100 kB that differ from each other.
fn long(number: usize) -> String {
    (0..9000).map(|word| format!("w{number}x{word} ")).collect()
}

/// The child: writes until it is refused, and looks whether it is as it was before that.
#[test]
fn child_filler() {
    let Some(orders) = role("filler") else { return };
    let engine = open(orders["path"].as_ref()).unwrap();
    for number in 0..1000 {
        let before = (engine.read().unwrap().revision(), engine.read().unwrap().counts().unwrap());
        match engine.remember(Draft::new(long(number))) {
            Ok(_) => send("ACK", &number.to_string()),
            Err(error) => {
                let after = (engine.read().unwrap().revision(), engine.read().unwrap().counts().unwrap());
                assert_eq!(before, after);
                let found = engine.recall(&ask(&format!("w{number}x1"))).unwrap();
                assert!(found.results.iter().all(|result| result.memory.text != long(number)));
                assert_eq!(error.kind, ErrorKind::Unavailable, "{error}");
                assert!(error.hint.is_some(), "{error:?}");
                send("DONE", &error.to_string());
                return;
            }
        }
    }
}

#[cfg(unix)]
#[test]
fn a_full_disk_is_told_and_the_store_is_as_it_was() {
    let workspace = Workspace::new();
    remember(&workspace.open(), "The disk has room for this.");
    let orders = [("role", "filler".to_owned()), ("path", workspace.path().display().to_string())];
    // Blocks of 512 bytes: two megabytes. The signal that comes with the error would end the process.
    let (mut child, mut lines) =
        child("full_disk::child_filler", Some("trap '' XFSZ; ulimit -f 4096"), &orders);
    let heard: Vec<(String, String)> = std::iter::from_fn(|| received(&mut lines)).collect();
    assert!(child.wait().unwrap().success(), "{heard:?}");
    let acknowledged = heard.iter().filter(|(word, _)| word == "ACK").count();
    assert_eq!(heard.last().map(|(word, _)| word.as_str()), Some("DONE"), "the disk was never full");

    let engine = workspace.open();
    assert_sound(&engine);
    assert_eq!(all_memories(&engine).len(), acknowledged + 1);
    // There is room again.
    remember(&engine, &long(9999));
    assert_sound(&engine);
}
