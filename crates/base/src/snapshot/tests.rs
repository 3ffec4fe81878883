#![allow(clippy::disallowed_methods, reason = "makes the files that the tests are about")]

use std::fs;

use super::*;
use crate::file_system::StdFileSystem;

/// Calls `run` with a new directory, which has a file `a/one` and is removed afterwards.
fn in_a_directory(name: &str, run: impl FnOnce(&Path, &Arc<Snapshot>)) {
    let directory = std::env::temp_dir().join(format!("puppetfn-snapshot-{name}-{}", std::process::id()));
    fs::create_dir_all(directory.join("a")).unwrap();
    fs::write(directory.join("a/one"), "1").unwrap();
    let files: Arc<dyn FileSystem> = Arc::new(StdFileSystem::DEFAULT);
    run(&directory, &Arc::new(Snapshot::new(files, directory.clone())));
    fs::remove_dir_all(&directory).unwrap();
}

fn read(snapshot: &Arc<Snapshot>, path: &Path) -> Option<Vec<u8>> {
    snapshot.files().read(path).ok()
}

#[test]
fn changes_are_noticed_without_reading_again() {
    let directory = std::env::temp_dir().join(format!("puppetfn-snapshot-changes-{}", std::process::id()));
    fs::create_dir_all(directory.join("tree/below")).unwrap();
    let file = directory.join("one");
    let absent = directory.join("absent");
    let link = directory.join("link");
    fs::write(&file, "1").unwrap();
    std::os::unix::fs::symlink("one", &link).unwrap();
    let files: Arc<dyn FileSystem> = Arc::new(StdFileSystem::DEFAULT);
    let snapshot = Arc::new(Snapshot::new(files, directory.clone()).watching());
    let ask = || {
        snapshot.begin();
        let found = (read(&snapshot, &file), snapshot.files().exists(&absent), read(&snapshot, &link));
        snapshot.note(ReadKind::Names, &directory.join("tree"));
        found
    };
    assert_eq!(ask(), (Some(b"1".to_vec()), false, Some(b"1".to_vec())));
    assert_eq!((snapshot.has_changed(), snapshot.refresh()), (false, SnapshotChange::None));
    // Within the granularity of the clock, and of the same size.
    fs::write(&file, "2").unwrap();
    assert_eq!((snapshot.has_changed(), snapshot.refresh()), (true, SnapshotChange::Some));
    assert_eq!(ask(), (Some(b"2".to_vec()), false, Some(b"2".to_vec())));
    fs::write(&absent, "").unwrap();
    assert_eq!(snapshot.refresh(), SnapshotChange::Some);
    assert!(ask().1);
    fs::remove_file(&link).unwrap();
    std::os::unix::fs::symlink("absent", &link).unwrap();
    assert_eq!(snapshot.refresh(), SnapshotChange::Some);
    assert_eq!(ask().2, Some(Vec::new()));
    fs::create_dir(directory.join("tree/below/new")).unwrap();
    assert_eq!(snapshot.refresh(), SnapshotChange::Some);
    ask();
    assert_eq!(snapshot.refresh(), SnapshotChange::None);
    snapshot.begin_for_all();
    read(&snapshot, &file);
    snapshot.end_for_all();
    fs::write(&file, "3").unwrap();
    assert_eq!(snapshot.refresh(), SnapshotChange::ForAll);
    fs::remove_dir_all(&directory).unwrap();
}

fn asked(snapshot: &Snapshot) -> Vec<(ReadKind, String)> {
    let questions = snapshot.questions(0);
    let of = |number: usize| {
        let TrackedRead { kind, path, .. } = questions[number].clone();
        (kind, path.unwrap_or_else(|| "?".to_owned()))
    };
    snapshot.asked().into_iter().map(of).collect()
}

#[test]
fn files_stay_as_they_were_when_they_were_first_looked_at() {
    in_a_directory("stay", |directory, snapshot| {
        let (one, two) = (directory.join("a/one"), directory.join("a/two"));
        let snapshot = snapshot.files();
        assert_eq!(snapshot.read(&one).unwrap(), b"1");
        assert!(snapshot.is_file(&one) && snapshot.exists(&one) && !snapshot.is_directory(&one));
        assert!(!snapshot.exists(&two) && snapshot.read(&two).is_err());
        assert_eq!(snapshot.list(&directory.join("a")).unwrap().len(), 1);
        fs::remove_file(&one).unwrap();
        fs::write(&two, "2").unwrap();
        assert_eq!(snapshot.read(&one).unwrap(), b"1");
        assert!(snapshot.is_file(&one) && !snapshot.exists(&two));
        assert_eq!(snapshot.list(&directory.join("a")).unwrap().len(), 1);
    });
}

#[test]
fn each_catalog_depends_on_what_was_asked_for_it_and_for_all() {
    in_a_directory("each", |directory, snapshot| {
        let question = |kind, path: &str| (kind, path.to_owned());
        let one = directory.join("a/one");
        let files = snapshot.files();
        snapshot.begin_for_all();
        let shared = snapshot.files();
        snapshot.end_for_all();
        snapshot.begin();
        files.read(&one).unwrap();
        shared.list(&directory.join("a")).unwrap();
        assert_eq!(asked(snapshot), [question(ReadKind::Read, "a/one"), question(ReadKind::List, "a")]);
        snapshot.begin();
        assert_eq!(asked(snapshot), [question(ReadKind::List, "a")]);
        snapshot.begin_for_all();
        files.is_file(&one);
        snapshot.end_for_all();
        snapshot.begin();
        files.read(&one).unwrap();
        let all = [
            question(ReadKind::Read, "a/one"),
            question(ReadKind::List, "a"),
            question(ReadKind::Type, "a/one"),
        ];
        assert_eq!(asked(snapshot), all);
        snapshot.note(ReadKind::Unknown, Path::new(""));
        snapshot.note(ReadKind::Unknown, Path::new(""));
        assert_eq!(asked(snapshot)[3..], [question(ReadKind::Unknown, "?")]);
    });
}

#[test]
fn what_was_asked_has_other_answers_where_something_else_is_there() {
    in_a_directory("before", |before, snapshot| {
        in_a_directory("after", |after, _| {
            let one = before.join("a/one");
            snapshot.note(ReadKind::Type, &one);
            snapshot.note(ReadKind::Read, &one);
            snapshot.note(ReadKind::List, &before.join("a"));
            snapshot.note(ReadKind::Tree, before);
            snapshot.note(ReadKind::Names, before);
            snapshot.note(ReadKind::Read, &before.join("none"));
            snapshot.note(ReadKind::Unknown, Path::new(""));
            let same = || -> Vec<bool> {
                let questions = snapshot.questions(0);
                let files = &StdFileSystem::DEFAULT;
                questions.iter().map(|asked| asked.has_same_answer(files, after)).collect()
            };
            assert_eq!(same(), [true, true, true, true, true, true, false]);
            fs::write(after.join("a/one"), "2").unwrap();
            assert_eq!(same(), [true, false, true, false, true, true, false]);
            fs::write(after.join("a/two"), "").unwrap();
            assert_eq!(same(), [true, false, false, false, false, true, false]);
            fs::remove_file(after.join("a/one")).unwrap();
            fs::create_dir(after.join("none")).unwrap();
            assert_eq!(same(), [false, false, false, false, false, false, false]);
        });
    });
}
