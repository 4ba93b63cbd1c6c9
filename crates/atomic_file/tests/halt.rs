//! What a signal does: alone in its process, because it ends all writing of one.

use std::fs;
use std::io::Write as _;
use std::sync::mpsc;
use std::time::Duration;

use atomic_file::{PartialFile, PartialFolder, Temporary, make_folder};

#[test]
fn nothing_unfinished_is_left_and_nothing_begins() {
    let folder = tempfile::tempdir().unwrap();
    let place = |name| folder.path().join(name);
    let mut file = PartialFile::create(place("file")).unwrap();
    file.write_all(b"half").unwrap();
    let filled = PartialFolder::create(place("folder")).unwrap();
    fs::write(filled.path().join("inside"), "x").unwrap();
    atomic_file::write(place("done"), "whole").unwrap();
    // A folder within a folder, with a lock in it.
    let _made = make_folder(place("run/inner")).unwrap();
    let _lock = Temporary::new(place("run/inner/lock"));
    fs::write(place("run/inner/lock"), "").unwrap();
    let opened = fs::File::create(place("theirs")).unwrap();
    let _replaced = Temporary::of_open(place("theirs"), &opened).unwrap();
    fs::rename(place("done"), place("theirs")).unwrap();
    let _own = Temporary::of_open(place("own"), &fs::File::create(place("own")).unwrap()).unwrap();
    // One whose name is another's by now.
    let _taken = make_folder(place("taken")).unwrap();
    fs::remove_dir(place("taken")).unwrap();
    std::os::unix::fs::symlink("nowhere", place("taken")).unwrap();

    let halted = atomic_file::remove_unfinished();
    let names = || {
        let mut names: Vec<_> = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        names.sort();
        names
    };
    assert_eq!(names(), ["taken", "theirs"]);

    let (sender, receiver) = mpsc::channel();
    std::thread::scope(|scope| {
        scope.spawn(|| sender.send(file.publish().is_ok()).unwrap());
        scope.spawn(|| drop(PartialFile::create(place("late"))));
        assert!(receiver.recv_timeout(Duration::from_millis(100)).is_err(), "it waits");
        assert_eq!(names(), ["taken", "theirs"]);
        drop(halted);
        assert!(!receiver.recv().unwrap(), "what was removed cannot be published");
    });
}
