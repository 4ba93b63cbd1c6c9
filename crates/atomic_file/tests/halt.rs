//! What a signal does: alone in its process, because it ends all writing of one.

use std::fs;
use std::io::Write as _;
use std::sync::mpsc;
use std::time::Duration;

use atomic_file::{PartialFile, PartialFolder, Temporary};

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
    fs::create_dir_all(place("run").join("inner")).unwrap();
    let _temporary = [place("run/inner"), place("run"), place("run/inner/lock")].map(Temporary::new);
    fs::write(place("run/inner/lock"), "").unwrap();

    let halted = atomic_file::remove_unfinished();
    let names = || fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect::<Vec<_>>();
    assert_eq!(names(), ["done"]);

    let (sender, receiver) = mpsc::channel();
    std::thread::scope(|scope| {
        scope.spawn(|| sender.send(file.publish().is_ok()).unwrap());
        scope.spawn(|| drop(PartialFile::create(place("late"))));
        assert!(receiver.recv_timeout(Duration::from_millis(100)).is_err(), "it waits");
        assert_eq!(names(), ["done"]);
        drop(halted);
        assert!(!receiver.recv().unwrap(), "what was removed cannot be published");
    });
}
