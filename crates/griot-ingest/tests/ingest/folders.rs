//! Folders: which files are read, and which .gitignore excludes.

use std::fs;

use griot_ingest::{Found, ReadOptions, files, identify, origin, read_file};

use crate::{Folder, read};

/// A folder of files with these names, separated by spaces.
fn folder(names: &str) -> Folder {
    let folder = Folder::empty();
    names.split(' ').for_each(|name| drop(folder.file(name, "words")));
    folder
}

fn names(root: &Folder, found: &Found) -> Vec<String> {
    let options = ReadOptions { root: Some(root.path().to_path_buf()), ..ReadOptions::default() };
    found.files.iter().map(|path| origin(path, &options)).collect()
}

#[test]
fn readable_files_in_order() {
    let root = folder(
        "b.md a/z.TXT a/b.jsonl a.rs img.png .hidden/x.md .secret.md out/x.md keep.log drop.log Makefile",
    );
    root.file(".gitignore", "out/\ndrop.log\n");
    let found = files(root.path()).unwrap();
    assert_eq!(names(&root, &found), ["a/b.jsonl", "a/z.TXT", "b.md", "keep.log"]);
    assert_eq!(found.problems, []);
}

#[test]
fn a_named_file_is_always_taken() {
    let root = folder("Makefile out/x.md");
    root.file(".gitignore", "out/\nMakefile\n");
    let path = root.path().join("Makefile");
    assert_eq!(files(&path).unwrap().files, [path]);
    let gone = files(&root.path().join("gone")).unwrap_err();
    assert!(gone.to_string().ends_with("gone`: there is no such file or folder"), "{gone}");
}

#[cfg(unix)]
#[test]
fn links_are_followed_inside_only() {
    use std::os::unix::fs::symlink;
    let outside = folder("secret.md dir/x.md");
    let root = folder("docs/a.md z.md");
    let at = |name: &str| root.path().join(name);
    symlink(at("docs"), at("again")).unwrap();
    symlink(at("docs"), at("docs/loop")).unwrap();
    symlink(at("nothing.md"), at("broken.md")).unwrap();
    symlink(outside.path().join("secret.md"), at("leak.md")).unwrap();
    symlink(outside.path().join("dir"), at("leaks")).unwrap();
    symlink(root.path().parent().unwrap(), at("above")).unwrap();
    let found = files(root.path()).unwrap();
    assert_eq!(names(&root, &found), ["docs/a.md", "z.md"]);
    let root = root.path().to_string_lossy();
    let problems: Vec<String> =
        found.problems.iter().map(|error| error.to_string().replace(&*root, "R")).collect();
    let outside = "it lies outside of `R`, behind a link";
    assert_eq!(problems.len(), 6, "{problems:#?}");
    for (name, why) in [
        ("broken.md", "it is a link to nothing"),
        ("docs/loop", "it is a link back to `R/docs`"),
        ("above", outside),
        ("leak.md", outside),
        ("leaks", outside),
    ] {
        let expected = format!("cannot read `R/{name}`: {why}");
        assert!(problems.contains(&expected), "{expected} in {problems:#?}");
    }
}

#[test]
fn what_says_that_a_document_is_open_is_no_file_to_read() {
    let root = folder("plan.docx ~$plan.docx a/~$b.xlsx .~lock.plan.odt#");
    let found = files(root.path()).unwrap();
    assert_eq!(names(&root, &found), ["plan.docx"]);
    assert_eq!((found.problems, found.unread.len()), (Vec::new(), 0));
    for name in ["~$plan.docx", ".~lock.plan.odt#"] {
        assert_eq!(files(&root.path().join(name)).unwrap(), Found::default());
    }
}

#[cfg(unix)]
#[test]
fn an_unreadable_folder_is_a_problem() {
    use std::os::unix::fs::PermissionsExt;
    let root = folder("a.md locked/b.md");
    let locked = root.path().join("locked");
    fs::set_permissions(&locked, fs::Permissions::from_mode(0o000)).unwrap();
    let may_read = fs::read_dir(&locked).is_ok(); // root may
    let found = files(root.path()).unwrap();
    fs::set_permissions(&locked, fs::Permissions::from_mode(0o755)).unwrap();
    if !may_read {
        assert_eq!(names(&root, &found), ["a.md"]);
        let expected = format!("cannot read `{}`: permission denied", locked.display());
        assert_eq!(found.problems[0].to_string(), expected);
    }
}

#[test]
fn origins() {
    let root = folder("docs/a.md b.md");
    let within = |name: &str| ReadOptions { root: Some(root.path().join(name)), ..ReadOptions::default() };
    let path = root.path().join("docs/a.md");
    assert_eq!(origin(&path, &within("")), "docs/a.md");
    assert_eq!(origin(&path, &within("docs")), "a.md");
    assert_eq!(origin(&path, &within("docs/a.md")), "a.md", "a file that is the root");
    assert_eq!(origin(&root.path().join("./docs/./a.md"), &within("")), "docs/a.md");
    let outside = origin(&path, &within("elsewhere"));
    assert_eq!(outside, origin(&path, &ReadOptions::default()));
    assert!(outside.ends_with("/docs/a.md"), "{outside}");
}

#[test]
fn the_hash_is_known_before_reading() {
    let root = folder("a.md");
    let path = root.path().join("a.md");
    let plain = ReadOptions::default();
    let tagged = ReadOptions { tags: vec!["x".to_string()], ..plain.clone() };
    let moved = ReadOptions { root: Some(root.path().to_path_buf()), max_bytes: 99, ..plain.clone() };
    let hash = |options| identify(&path, options).unwrap().content_hash;
    assert_eq!(read("sent.md", "words").source.content_hash, hash(&plain));
    assert_ne!(hash(&tagged), hash(&plain), "other tags, other memories");
    assert_eq!(hash(&moved), hash(&plain), "the same memories");
    for options in [plain, tagged, moved] {
        let known = identify(&path, &options).unwrap();
        let read = read_file(&path, &options).unwrap().remove(0).source;
        assert_eq!(
            (known.kind, known.origin, known.content_hash),
            (read.kind, read.origin, read.content_hash)
        );
    }
}
