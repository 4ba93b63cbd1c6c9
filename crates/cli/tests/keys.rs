//! `finery keys` writes what `finery serve --api-keys` reads.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "support/environment.rs"]
mod environment;

use std::fs::{self, File, Permissions};
use std::io;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, chown, symlink};
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use environment::untouched;
use serde_json::{Value, json};

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
    assert!(keys("add twice --scope infer --scope infer --expires 5m").status.success());
    let text = std::fs::read_to_string(&path).unwrap();
    assert!(!text.contains(&secret.trim()[3..]), "the file tells the key");
    let listed = String::from_utf8(keys("list").stdout).unwrap();
    let lines: Vec<&str> = listed.lines().collect();
    assert_eq!(
        lines[0],
        "alice  infer, 60 requests a minute, 4 requests at a time, priority -5, expires 2099-02-01T00:00:00Z"
    );
    assert!(lines[1].starts_with("board  metrics,infer, expires 20"), "{listed}");
    assert!(lines[2].starts_with("twice  infer, expires 20"), "{listed}");
    let listed = String::from_utf8(keys("list --json").stdout).unwrap();
    let listed: Vec<Value> = listed.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let expected = json!({
        "name": "alice", "scopes": ["infer"], "requests_per_minute": 60, "tokens_per_minute": null, "concurrency": 4,
        "priority": -5, "expires": "2099-02-01T00:00:00Z", "is_expired": false,
    });
    assert_eq!((listed.len(), &listed[0]), (3, &expected));
    assert_eq!((&listed[1]["scopes"], &listed[1]["priority"]), (&json!(["metrics", "infer"]), &json!(0)));
    for (words, expected) in [
        ("add alice", "there is a key called `alice`"),
        ("revoke bob", "there is no key called `bob`; there are: alice, board, twice"),
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
    assert!(["alice", "board", "twice"].iter().all(|name| keys(&format!("revoke {name}")).status.success()));
    assert_eq!(String::from_utf8(keys("list").stdout).unwrap(), "");
}

/// `finery keys add` with its standard output there, which `none` closes.
fn add_to(output: Option<Stdio>, folder: &Path, name: &str) -> Output {
    let finery = untouched();
    let mut command = match output {
        Some(_) => Command::new(finery.get_program()),
        None => Command::new("sh"),
    };
    if output.is_none() {
        command.args(["-c", r#"exec "$0" "$@" >&-"#]).arg(finery.get_program());
    }
    for (variable, value) in finery.get_envs() {
        match value {
            Some(value) => command.env(variable, value),
            None => command.env_remove(variable),
        };
    }
    command.current_dir(folder).args(["keys", "add", name]).stderr(Stdio::piped());
    command.stdout(output.unwrap_or_else(Stdio::null)).spawn().unwrap().wait_with_output().unwrap()
}

/// A key that nobody has seen would be in force for ever, and keep its name.
#[test]
fn a_key_that_cannot_be_shown_is_not_in_force() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("keys.json");
    let full = || File::options().write(true).open("/dev/full").unwrap().into();
    let unread = || {
        let (reader, writer) = io::pipe().unwrap();
        drop(reader);
        writer.into()
    };
    let refused = |output: Option<Stdio>, expected: &str| {
        let output = add_to(output, folder.path(), "bob");
        assert_eq!((output.status.code(), told(&output).contains(expected)), (Some(1), true), "{}", told(&output));
    };
    for is_first in [true, false] {
        if !is_first {
            assert!(keys(folder.path(), "add alice").status.success());
        }
        let before = fs::read(&path).ok();
        refused(
            None,
            "nobody would see the key of `bob`, as standard output is closed or /dev/null: nothing was added;",
        );
        refused(Some(Stdio::null()), "nobody would see the key of `bob`, as standard output is closed or /dev/null");
        let gone = "it was taken out of keys.json again and is not in force; see where standard output goes";
        for (output, reason) in [(full(), "No space left on device"), (unread(), "Broken pipe")] {
            refused(Some(output), &format!("cannot show the key of `bob` ({reason} (os error "));
            assert_eq!(fs::read(&path).ok(), before, "{reason}");
        }
        refused(Some(unread()), gone);
        assert_eq!(fs::read(&path).ok(), before);
    }
    assert!(keys(folder.path(), "add bob").status.success(), "the name is free");
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
    let refused = keys("add carol --file nowhere/keys.json");
    let expected = "error: there is no folder nowhere for the keys: make it, or name another file with --file\n";
    assert_eq!((refused.status.code(), told(&refused).as_str()), (Some(1), expected));
}

/// Who belongs to the group of a folder that it shares may replace its files, and give none of them to another user. Only root can have such files made.
#[test]
fn keys_of_another_user_are_changed_where_that_one_can_read_them_still() {
    const OWNER: u32 = 54_321;
    const OTHER: u32 = 54_322;
    const GROUP: u32 = 54_323;
    const FOREIGN_GROUP: u32 = 54_324;
    let folder = tempfile::tempdir().unwrap();
    if chown(folder.path(), Some(OWNER), Some(GROUP))
        .is_err_and(|error| error.kind() == io::ErrorKind::PermissionDenied)
    {
        return;
    }
    fs::set_permissions(folder.path(), Permissions::from_mode(0o2775)).unwrap();
    let path = folder.path().join("keys.json");
    let found = || fs::metadata(&path).map(|found| (found.uid(), found.gid(), found.mode() & 0o7777)).unwrap();
    let add_as = |user: u32, group: u32| {
        let mut command = untouched();
        command.current_dir(folder.path()).args(["keys", "add", "board"]).uid(user).gid(group).output().unwrap()
    };
    let made_anew = "was user 54321's and is user 54322's now, as only root gives files away";
    let refused = "error: writing the keys of keys.json: it belongs to user 54321 and group 54324, to which this user cannot give the new one: run this as user 54321, or as root\n";
    for (who, group, mode, owner, said) in [
        (OTHER, GROUP, 0o664, OTHER, made_anew),
        (OTHER, GROUP, 0o640, OTHER, made_anew),
        (0, GROUP, 0o600, OWNER, ""),
        (OTHER, FOREIGN_GROUP, 0o644, OWNER, refused),
        (OWNER, FOREIGN_GROUP, 0o640, OWNER, refused),
    ] {
        let _ = fs::remove_file(&path);
        assert!(keys(folder.path(), "add alice").status.success());
        chown(&path, Some(OWNER), Some(group)).unwrap();
        fs::set_permissions(&path, Permissions::from_mode(mode)).unwrap();
        let before = fs::read(&path).unwrap();
        let added = add_as(who, if who == 0 { 0 } else { GROUP });
        let told = told(&added);
        assert!(told.contains(said) && told.contains("was user") == (said == made_anew), "{who} {mode:o}: {told}");
        assert_eq!(
            (added.status.success(), found()),
            (said != refused, (owner, group, mode)),
            "{who} {mode:o}: {told}"
        );
        assert_eq!(fs::read(&path).unwrap() == before, said == refused);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing else is left");
    }
}
