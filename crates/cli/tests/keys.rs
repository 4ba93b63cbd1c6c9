//! `finery keys` writes what `finery serve --api-keys` reads.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "support/environment.rs"]
mod environment;

use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::Path;
use std::process::Output;

use environment::untouched;

fn keys(folder: &Path, words: &str) -> Output {
    untouched().current_dir(folder).arg("keys").args(words.split(' ')).output().unwrap()
}

fn told(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

#[test]
fn keys_are_added_listed_and_revoked() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("keys.json");
    let keys = |words: &str| keys(folder.path(), words);
    let added = keys("add alice --requests-per-minute 60 --concurrency 4 --priority -5 --expires 2099-01-31");
    assert!(added.status.success(), "{}", told(&added));
    let secret = String::from_utf8(added.stdout).unwrap();
    assert!(secret.starts_with("fk-") && secret.lines().count() == 1 && secret.trim().len() == 67, "{secret}");
    assert!(keys("add board --scope metrics --scope infer --expires 30d").status.success());
    let text = std::fs::read_to_string(&path).unwrap();
    assert!(!text.contains(&secret.trim()[3..]), "the file tells the key");
    let listed = String::from_utf8(keys("list").stdout).unwrap();
    let lines: Vec<&str> = listed.lines().collect();
    assert_eq!(
        lines[0],
        "alice  infer, 60 requests a minute, 4 requests at a time, priority -5, expires 2099-02-01T00:00:00Z"
    );
    assert!(lines[1].starts_with("board  metrics,infer, expires 20"), "{listed}");
    for (words, expected) in [
        ("add alice", "there is a key called `alice`"),
        ("revoke bob", "there is no key called `bob`; there are: alice, board"),
        ("list --file nowhere.json", "nowhere.json"),
    ] {
        let refused = keys(words);
        assert_eq!(refused.status.code(), Some(1), "{words}");
        assert!(told(&refused).contains(expected), "{words}: {}", told(&refused));
    }
    let nowhere = told(&keys("list --file nowhere.json"));
    assert_eq!(nowhere, "error: cannot read the keys of nowhere.json: No such file or directory (os error 2)\n");
    for words in ["add x --expires 2001-01-01", "add x --expires soon", "add x --scope all", "add x --concurrency 0"] {
        assert_eq!(keys(words).status.code(), Some(2), "{words}");
    }
    assert_eq!(std::fs::read_to_string(&path).unwrap(), text, "what is refused changes nothing");
    assert!(keys("revoke alice").status.success() && keys("revoke board").status.success());
    assert_eq!(String::from_utf8(keys("list").stdout).unwrap(), "");
}

/// A server reads what the link leads to, and nobody else is to.
#[test]
fn keys_are_changed_where_a_link_leads_and_stay_private() {
    let folder = tempfile::tempdir().unwrap();
    let keys = |words: &str| keys(folder.path(), words);
    let (path, link) = (folder.path().join("keys.json"), folder.path().join("link.json"));
    let mode = || fs::metadata(&path).unwrap().permissions().mode() & 0o777;
    assert!(keys("add alice").status.success());
    assert_eq!(mode(), 0o600);
    fs::set_permissions(&path, Permissions::from_mode(0o640)).unwrap();
    symlink("keys.json", &link).unwrap();
    assert!(
        keys("add board --file link.json").status.success() && keys("revoke alice --file link.json").status.success()
    );
    assert!(link.is_symlink() && mode() == 0o640, "{:o}", mode());
    assert_eq!(told(&keys("list")), "board  infer\n");
    symlink("nowhere.json", folder.path().join("dangling.json")).unwrap();
    let refused = keys("add carol --file dangling.json");
    let expected =
        "error: following the link dangling.json to a file of keys: No such file or directory (os error 2)\n";
    assert_eq!((refused.status.code(), told(&refused).as_str()), (Some(1), expected));
}
