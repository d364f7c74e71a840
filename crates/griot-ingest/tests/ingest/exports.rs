//! Exports of other programs that come as folders and archives.

use griot::model::SourceType;

use crate::{Folder, golden, lines, packed, read, read_path};

const USERS: &str = r#"[{"id": "U1", "name": "ada", "profile": {"display_name": "Ada"}},
 {"id": "U2", "name": "bob", "profile": {"real_name": "Bob"}}]"#;
const DAY: &str = r#"[
 {"type": "message", "user": "U1", "text": "<@U2> see <https://x.org|the plan> &amp; go",
  "ts": "1772442300.000100", "thread_ts": "1772442300.000100"},
 {"type": "message", "subtype": "channel_join", "user": "U3", "text": "<@U3> joined", "ts": "1772442301.0"},
 {"type": "message", "user": "U2", "text": "ok", "ts": "1772442310.000200"}]"#;

#[test]
fn slack_is_read_from_a_folder_and_from_its_archive() {
    let folder = Folder::empty();
    let files = [("users.json", USERS.as_bytes()), ("general/2026-03-02.json", DAY.as_bytes())];
    let [_, day] = files.map(|(name, text)| folder.file(name, text));
    for path in [day, folder.file("export.zip", packed(&files))] {
        let reading = read_path(&path);
        assert_eq!(reading.source.kind, SourceType::Chat);
        assert_eq!(
            lines(&reading),
            [
                "turn #general thread of 2026-03-02 09:05#0 2026-03-02T09:05:00Z Ada \
                 | @Bob see the plan (https://x.org) & go",
                "turn #general 2026-03-02 09:05#0 2026-03-02T09:05:10Z Bob | ok",
            ]
        );
    }
}

#[test]
fn a_downloaded_export_and_a_folder_of_slack() {
    let conversations = std::fs::read(golden("chatgpt.json")).unwrap();
    let reading = read("export.zip", packed(&[("user.json", b"{}"), ("conversations.json", &conversations)]));
    assert_eq!(reading.source.kind, SourceType::Chat);
    assert_eq!(lines(&reading), lines(&read("conversations.json", conversations)));

    let folder = Folder::empty();
    for name in ["users.json", "channels.json", "general/2026-03-02.json", "general/users.json", "notes.json"]
    {
        folder.file(name, "[]");
    }
    let found = griot_ingest::files(folder.path()).unwrap().files;
    let names = ["general/2026-03-02.json", "general/users.json", "notes.json"];
    assert_eq!(found, names.map(|name| folder.path().join(name)));
}
