//! Installation and discovery, on made-up wheels in temporary folders with an environment made by hand.

use std::fs::{self, File};
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::Command;

use sha2::{Digest, Sha256};
use tempfile::TempDir;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use super::install::install;
use super::pins::{Build, Bundle, Wheel};
use super::*;

const KEY_FILE: &str = "plugin/plugin.so";

/// A machine: an empty cache, no Python, no GPU, no programs.
struct Machine {
    dir: TempDir,
    environment: Environment,
}

impl Machine {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let environment = Environment {
            cache: Some(dir.path().join("cache")),
            dev: dir.path().join("dev"),
            proc: dir.path().join("proc"),
            arch: "x86_64",
            ..Environment::default()
        };
        Machine { dir, environment }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    fn write(&self, name: &str, content: &[u8]) -> PathBuf {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, content).unwrap();
        path
    }

    fn script(&self, name: &str, text: &str) -> PathBuf {
        // Copied by another process: a file that this one has open for writing while another test forks cannot be run.
        let (draft, path) = (self.write("draft", format!("#!/bin/sh\n{text}").as_bytes()), self.path(name));
        let status = Command::new("install").arg("-Dm755").args([&draft, &path]).status();
        assert!(status.unwrap().success());
        path
    }

    fn install(&self, bundle: &Bundle, from: &[PathBuf]) -> Result<Installed> {
        install(&self.environment, bundle, "made-up", from, &mut |_| {})
    }

    /// Names in the plugin folder, staging folders included.
    fn plugins(&self) -> Vec<String> {
        let Ok(entries) = fs::read_dir(self.path("cache/plugins")) else { return Vec::new() };
        let names = entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned());
        names.filter(|name| name != ".lock").collect()
    }

    /// The message of a failed installation, after which nothing may be left in the cache.
    fn refusal(&self, bundle: &Bundle, from: &[PathBuf]) -> String {
        let message = self.install(bundle, from).unwrap_err().to_string();
        assert_eq!(self.plugins(), Vec::<String>::new(), "left behind after: {message}");
        assert!(!message.contains('\n'), "one sentence: {message}");
        message.replace(&self.dir.path().display().to_string(), "DIR")
    }
}

fn archive(entries: &[(&str, &[u8])]) -> Vec<u8> {
    let mut bytes = std::io::Cursor::new(Vec::new());
    let mut writer = ZipWriter::new(&mut bytes);
    for (name, content) in entries {
        writer.start_file(*name, SimpleFileOptions::default().unix_permissions(0o700)).unwrap();
        writer.write_all(content).unwrap();
    }
    writer.finish().unwrap();
    bytes.into_inner()
}

fn good_archive() -> Vec<u8> {
    let files: [(&str, &[u8]); 2] = [(KEY_FILE, b"library"), ("made_up-1.0.dist-info/METADATA", b"Name: made-up")];
    let record = record_of(&files);
    archive(&[&files[..], &[("made_up-1.0.dist-info/RECORD", record.as_bytes())]].concat())
}

/// What a wheel's RECORD says of its files.
fn record_of(files: &[(&str, &[u8])]) -> String {
    let line = |(name, content): &(&str, &[u8])| {
        format!("{name},sha256={},{}\n", record::base64(&Sha256::digest(content)), content.len())
    };
    files.iter().map(line).chain(["made_up-1.0.dist-info/RECORD,,\n".to_owned()]).collect()
}

/// A bundle of one wheel that is pinned to these bytes.
fn pinned_to(bytes: &[u8]) -> Bundle {
    let sha256: String = Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect();
    let build = Build { arch: "x86_64", size_bytes: bytes.len() as u64, sha256: sha256.leak() };
    let wheel = Wheel { package: "made-up", builds: Box::leak(Box::new([build])) };
    Bundle { name: "made-up", version: "1.0", wheels: Box::leak(Box::new([wheel])), key_file: KEY_FILE }
}

#[test]
fn a_wheel_file_is_installed_once() {
    let machine = Machine::new();
    let bytes = good_archive();
    let (bundle, file) = (pinned_to(&bytes), machine.write("any-name.whl", &bytes));

    let dir = machine.path("cache/plugins/made-up-1.0-x86_64");
    assert_eq!(machine.install(&bundle, std::slice::from_ref(&file)).unwrap(), Installed::Now(dir.clone()));
    assert_eq!(fs::read(dir.join(KEY_FILE)).unwrap(), b"library");
    assert_eq!(dir.join(KEY_FILE).metadata().unwrap().permissions().mode() & 0o777, 0o755);
    assert_eq!(machine.plugins(), ["made-up-1.0-x86_64"]);

    assert_eq!(machine.install(&bundle, &[file]).unwrap(), Installed::Already(dir));
}

/// Whatever happened to the files: installing once more finds it by reading them, and puts what was installed in its place.
#[test]
fn damaged_installations_are_repaired() {
    type Harm = fn(&Path);
    let cases: [(&str, Harm, &str); 6] = [
        (
            "truncated",
            |dir| fs::write(dir.join(KEY_FILE), b"lib").unwrap(),
            "plugin.so has 3 bytes, and had 7 when it was installed",
        ),
        (
            "zeroed",
            |dir| fs::write(dir.join(KEY_FILE), [0; 7]).unwrap(),
            "plugin.so no longer holds what was installed",
        ),
        (
            "replaced",
            |dir| fs::write(dir.join(KEY_FILE), b"LIBRARY").unwrap(),
            "plugin.so no longer holds what was installed",
        ),
        (
            "another file",
            |dir| fs::remove_file(dir.join("made_up-1.0.dist-info/METADATA")).unwrap(),
            "METADATA cannot be read",
        ),
        ("not known", |dir| fs::remove_file(dir.join("made_up-1.0.dist-info/RECORD")).unwrap(), "holds no RECORD"),
        ("no plugin", |dir| fs::remove_file(dir.join(KEY_FILE)).unwrap(), ""),
    ];
    for (name, harm, expected) in cases {
        let machine = Machine::new();
        let bytes = good_archive();
        let (bundle, file) = (pinned_to(&bytes), machine.write("made-up.whl", &bytes));
        let dir = machine.install(&bundle, std::slice::from_ref(&file)).unwrap().dir().to_path_buf();
        harm(&dir);

        let gone = [machine.path("gone.whl")];
        machine.install(&bundle, &gone).unwrap_err();
        assert!(dir.is_dir(), "{name}: an installation that fails takes nothing away");

        let mut found = String::new();
        let mut record = |progress| {
            if let Progress::Damaged(damage) = progress {
                found = damage.to_string();
            }
        };
        let again =
            install(&machine.environment, &bundle, "made-up", std::slice::from_ref(&file), &mut record).unwrap();
        assert_eq!(again.dir(), dir);
        assert_eq!(matches!(again, Installed::Again(_)), !expected.is_empty(), "{name}: {again:?}");
        assert!(found.contains(expected), "{name}: {found}");
        assert_eq!(machine.plugins(), ["made-up-1.0-x86_64"]);
        assert_eq!(machine.install(&bundle, &[]).unwrap(), Installed::Already(dir), "{name}");
    }
}

/// Two processes that install at the same time fetch once.
#[test]
fn whoever_comes_second_waits_and_finds_it_installed() {
    let machine = Machine::new();
    let bytes = good_archive();
    let (bundle, file) = (pinned_to(&bytes), machine.write("made-up.whl", &bytes));
    let (starts, started) = std::sync::mpsc::channel();
    let (waits, waiting) = std::sync::mpsc::channel();
    let (machine, bundle, file) = (&machine, &bundle, &file);
    std::thread::scope(|scope| {
        let first = scope.spawn(move || {
            let mut pause = |progress| {
                if matches!(progress, Progress::Start { .. }) {
                    starts.send(()).unwrap();
                    waiting.recv().unwrap();
                }
            };
            install(&machine.environment, bundle, "made-up", std::slice::from_ref(file), &mut pause).unwrap()
        });
        started.recv().unwrap();
        let mut seen = Vec::new();
        let mut record = |progress| {
            if progress == Progress::Wait {
                waits.send(()).unwrap();
            }
            seen.push(progress);
        };
        // Its own way of getting wheels would fail.
        let second =
            install(&machine.environment, bundle, "made-up", &[machine.path("gone.whl")], &mut record).unwrap();
        assert!(matches!(first.join().unwrap(), Installed::Now(_)));
        assert!(matches!(second, Installed::Already(_)));
        assert_eq!(seen, [Progress::Wait]);
    });
}

#[test]
fn what_is_installed_can_be_listed_and_removed() {
    let machine = Machine::new();
    assert_eq!(stored(&machine.environment).unwrap(), []);
    assert_eq!(remove_stored(&machine.environment, &mut |_| {}).unwrap(), []);
    assert!(!machine.path("cache").exists(), "looking makes nothing");

    let bytes = good_archive();
    let file = machine.write("made-up.whl", &bytes);
    machine.install(&pinned_to(&bytes), &[file]).unwrap();
    machine.write("cache/plugins/.staging-killed/bundle/library", b"half");
    let listed = stored(&machine.environment).unwrap();
    let dir = machine.path("cache/plugins/made-up-1.0-x86_64");
    let record_bytes = fs::metadata(dir.join("made_up-1.0.dist-info/RECORD")).unwrap().len();
    let of_files = (b"library".len() + b"Name: made-up".len()) as u64 + record_bytes;
    assert_eq!(listed.iter().map(|stored| (&stored.path, stored.bytes)).collect::<Vec<_>>(), [(&dir, of_files)]);

    assert_eq!(remove_stored(&machine.environment, &mut |_| {}).unwrap(), listed);
    assert_eq!(machine.plugins(), Vec::<String>::new());
}

/// A cache that is filled by somebody else, for many to read.
#[test]
fn a_cache_that_cannot_be_written_is_fine_while_nothing_is_to_be_written() {
    let machine = Machine::new();
    let bytes = good_archive();
    let (bundle, file) = (pinned_to(&bytes), machine.write("made-up.whl", &bytes));
    machine.install(&bundle, std::slice::from_ref(&file)).unwrap();
    let plugins = machine.path("cache/plugins");
    fs::remove_file(plugins.join(".lock")).unwrap();
    // A folder in the way of the lock stops everyone, root included, as permissions do for others.
    fs::create_dir(plugins.join(".lock")).unwrap();
    assert!(matches!(machine.install(&bundle, &[]).unwrap(), Installed::Already(_)));
    fs::write(plugins.join("made-up-1.0-x86_64").join(KEY_FILE), b"x").unwrap();
    let message = machine.install(&bundle, &[file]).unwrap_err().to_string();
    assert!(message.contains(".lock failed"), "{message}");
}

#[test]
fn a_wheel_that_is_not_the_pinned_one_is_refused() {
    let machine = Machine::new();
    let bytes = good_archive();
    let bundle = pinned_to(&bytes);

    let truncated = machine.write("truncated.whl", &bytes[..bytes.len() - 40]);
    assert_eq!(
        machine.refusal(&bundle, &[truncated]),
        format!(
            "DIR/truncated.whl is not the pinned wheel of made-up: it has {} bytes and must have {}, so it is truncated or another version",
            bytes.len() - 40,
            bytes.len()
        )
    );

    let mut altered = bytes;
    altered[40] ^= 1;
    let message = machine.refusal(&bundle, &[machine.write("altered.whl", &altered)]);
    assert!(message.starts_with("DIR/altered.whl is not the pinned wheel of made-up: its SHA-256 is "), "{message}");
}

#[test]
fn hostile_archives_are_refused_even_when_pinned() {
    let mut cut = good_archive();
    cut.truncate(cut.len() - 40);
    let mut damaged = archive(&[(KEY_FILE, &[7; 4096])]);
    damaged[30 + KEY_FILE.len() + 2] ^= 0xff;
    let cases: [(&str, Vec<u8>, &str); 6] = [
        ("parent", archive(&[("../outside", b"x")]), "its entry \"../outside\" points outside of it"),
        ("nested", archive(&[("a/../../outside", b"x")]), "its entry \"a/../../outside\" points outside of it"),
        ("absolute", archive(&[("/tmp/outside", b"x")]), "its entry \"/tmp/outside\" points outside of it"),
        ("link", link_archive(), "its entry \"plugin/link\" is a link, which wheels do not hold"),
        ("cut", cut, "it is not a whole zip archive"),
        ("damaged", damaged, "its entry \"plugin/plugin.so\" cannot be read"),
    ];
    for (name, bytes, expected) in cases {
        let machine = Machine::new();
        let file = machine.write("hostile.whl", &bytes);
        let message = machine.refusal(&pinned_to(&bytes), &[file]);
        let rule = message.strip_prefix("DIR/hostile.whl cannot be unpacked: ");
        assert!(rule.is_some_and(|rule| rule.starts_with(expected)), "{name}: {message}");
        assert!(!machine.path("cache/outside").exists() && !machine.path("cache/plugins/outside").exists());
    }
}

fn link_archive() -> Vec<u8> {
    let mut bytes = std::io::Cursor::new(Vec::new());
    let mut writer = ZipWriter::new(&mut bytes);
    writer.add_symlink("plugin/link", "/etc/passwd", SimpleFileOptions::default()).unwrap();
    writer.finish().unwrap();
    bytes.into_inner()
}

#[test]
fn a_wheel_without_the_plugin_is_refused() {
    let machine = Machine::new();
    let bytes = archive(&[("something/else.so", b"x")]);
    let file = machine.write("other.whl", &bytes);
    assert_eq!(
        machine.refusal(&pinned_to(&bytes), &[file]),
        "made-up 1.0 was unpacked and holds no plugin/plugin.so: the wheel is not what its pin says"
    );
}

#[test]
fn an_interrupted_unpacking_is_never_found() {
    let machine = Machine::new();
    let bytes = good_archive();
    let (bundle, file) = (pinned_to(&bytes), machine.write("made-up.whl", &bytes));

    let mut stop = |progress| {
        if let Progress::Wheel { stage: Stage::Unpack, .. } = progress {
            panic!("interrupted");
        }
    };
    let run = || install(&machine.environment, &bundle, "made-up", std::slice::from_ref(&file), &mut stop);
    assert!(catch_unwind(AssertUnwindSafe(run)).is_err(), "the progress call comes while unpacking");
    assert_eq!(machine.plugins(), Vec::<String>::new());

    // A process that was killed cleans up nothing, and its leftovers look like this.
    machine.write(&format!("cache/plugins/.staging-abc/bundle/{KEY_FILE}"), b"libr");
    let dir = machine.path("cache/plugins/made-up-1.0-x86_64");
    fs::create_dir_all(dir.join("plugin")).unwrap();
    assert_eq!(discover::installed_versions(&machine.environment, &bundle), []);
    assert_eq!(machine.install(&bundle, &[file]).unwrap(), Installed::Now(dir));
    assert_eq!(machine.plugins(), ["made-up-1.0-x86_64"]);
}

#[test]
fn the_toolchain_needs_both_of_its_wheels() {
    let mut machine = Machine::new();
    let file = machine.write("nvidia_cuda_nvcc-13.0.88-py3-none-any.whl", b"short");
    let refuse = |machine: &Machine, files: &[PathBuf]| {
        install_cuda_toolchain(&machine.environment, files, &mut |_| {}).unwrap_err().to_string()
    };
    assert!(refuse(&machine, std::slice::from_ref(&file)).contains("it has 5 bytes and must have 37384532"));
    assert_eq!(
        refuse(&machine, &[machine.path("nvidia_nvvm-13.0.88-py3-none-any.whl")]),
        "`finery plugin install --from` must name the wheel of nvidia-cuda-nvcc 13.0.88, but no file given is called nvidia_cuda_nvcc-13.0.88-*.whl"
    );
    machine.environment.arch = "riscv64";
    assert_eq!(
        refuse(&machine, &[file]),
        "nvidia-cuda-nvcc is not published for riscv64: it exists for x86_64, aarch64"
    );
}

/// A `python3` whose pip copies `wheel` to where it is told, and writes its arguments to `arguments`.
fn fake_pip(machine: &Machine, wheel: &Path) -> PathBuf {
    let (wheel, arguments) = (wheel.display(), machine.path("arguments"));
    machine.script(
        "bin/python3",
        &format!(
            "[ \"$3\" = --version ] && exit 0\n\
             echo \"$@\" > {}\n\
             while [ \"$1\" != --dest ]; do shift; done\n\
             cp {wheel} \"$2\"\n",
            arguments.display()
        ),
    )
}

#[test]
fn pip_is_asked_for_the_pinned_wheel_alone() {
    let mut machine = Machine::new();
    let bytes = good_archive();
    let wheel = machine.write("elsewhere/made_up-1.0-py3-none-any.whl", &bytes);
    machine.environment.python = Some(fake_pip(&machine, &wheel));

    let mut stages = Vec::new();
    let bundle = pinned_to(&bytes);
    let mut record = |progress| match progress {
        Progress::Start { name, version, fetch_bytes } => stages.push(format!("{name} {version} {fetch_bytes}")),
        Progress::Wheel { stage, .. } => stages.push(format!("{stage:?}")),
        other => panic!("{other:?}"),
    };
    install(&machine.environment, &bundle, "made-up", &[], &mut record).unwrap();
    stages.dedup();
    assert_eq!(stages, [&format!("made-up 1.0 {}", bytes.len()), "Fetch", "Verify", "Unpack"]);
    let arguments = fs::read_to_string(machine.path("arguments")).unwrap();
    assert!(arguments.starts_with("-m pip download --no-deps --only-binary=:all: "), "{arguments}");
    assert!(arguments.trim_end().ends_with(" made-up==1.0"), "{arguments}");
    assert!(!arguments.contains("://") && !arguments.contains("index"), "the index is the user's: {arguments}");
}

#[test]
fn a_wheel_that_pip_was_given_in_place_of_the_pinned_one_is_refused() {
    let mut machine = Machine::new();
    let other = archive(&[(KEY_FILE, b"another")]);
    let wheel = machine.write("elsewhere/made_up-1.0-py3-none-any.whl", &other);
    machine.environment.python = Some(fake_pip(&machine, &wheel));
    let message = machine.refusal(&pinned_to(&good_archive()), &[]);
    assert!(message.contains("is not the pinned wheel of made-up"), "{message}");
}

#[test]
fn uv_gets_the_pin_and_its_files_are_taken_over() {
    let mut machine = Machine::new();
    // The interpreter has no pip, as in environments that uv makes.
    machine.environment.python = Some(machine.script("venv/bin/python3", "exit 1\n"));
    let script = format!(
        "while [ \"$1\" != --target ]; do shift; done\n\
         mkdir -p \"$2/plugin\" && cp \"$4\" {} && echo library > \"$2/{KEY_FILE}\"\n",
        machine.path("requirements").display()
    );
    machine.script("bin/uv", &script);
    machine.environment.programs = vec![machine.path("bin")];

    let bundle = pinned_to(&good_archive());
    let installed = machine.install(&bundle, &[]).unwrap();
    assert_eq!(fs::read(installed.dir().join(KEY_FILE)).unwrap(), b"library\n");
    let requirements = fs::read_to_string(machine.path("requirements")).unwrap();
    assert_eq!(requirements, format!("made-up==1.0 --hash=sha256:{}\n", bundle.wheels[0].builds[0].sha256));
}

#[test]
fn a_failed_fetch_gives_each_installers_reason() {
    let mut machine = Machine::new();
    let bundle = pinned_to(&good_archive());
    assert_eq!(
        machine.refusal(&bundle, &[]),
        "neither pip nor uv is on PATH to fetch made-up 1.0: install one, or fetch the wheel elsewhere and run `finery plugin install PLATFORM --from FILE.whl`"
    );

    machine.script("bin/pip", "echo Looking in indexes; echo 'ERROR: No matching distribution' >&2; exit 1\n");
    machine.script("bin/uv", "echo 'no route to host' >&2; exit 2\n");
    machine.environment.programs = vec![machine.path("bin")];
    assert_eq!(
        machine.refusal(&bundle, &[]),
        "fetching made-up 1.0 failed: pip says: ERROR: No matching distribution; uv says: no route to host"
    );
    let traceback = |error: &str| {
        format!(
            "echo 'ERROR: Exception:\nTraceback (most recent call last):\n  File \"pip.py\", line 1\n    run()\n{error}'; exit 2\n"
        )
    };
    for (pip, told) in [
        (traceback("OSError: [Errno 28] No space left on device"), "OSError: [Errno 28] No space left on device"),
        (traceback("ValueError: no such index"), "ValueError: no such index"),
        (
            "echo 'ERROR: Could not install packages due to an OSError: [Errno 28] No space left on device\nWARNING: x'; exit 1\n".to_owned(),
            "ERROR: Could not install packages due to an OSError: [Errno 28] No space left on device",
        ),
        (
            "echo \"WARNING: Retrying (Retry(total=0)) after connection broken by 'NewConnectionError(Connection refused)': /simple/\n\
             ERROR: No matching distribution\"; exit 1\n"
                .to_owned(),
            "connection broken by 'NewConnectionError(Connection refused)': /simple/ ERROR: No matching distribution",
        ),
        // Where the disk is full no file takes what it says.
        ("trap '' XFSZ; ulimit -f 0; echo 'OSError: no space'; exit 2\n".to_owned(), "OSError: no space"),
    ] {
        machine.script("bin/pip", &pip);
        let end = "uv says: no route to host";
        assert_eq!(machine.refusal(&bundle, &[]), format!("fetching made-up 1.0 failed: pip says: {told}; {end}"));
    }
}

#[test]
fn offline_fetches_nothing_but_takes_files() {
    let mut machine = Machine::new();
    machine.environment.offline = true;
    machine.environment.programs = vec![machine.path("bin")];
    machine.script("bin/pip", "touch \"$0.was-run\"; exit 1\n");
    let bytes = good_archive();
    let bundle = pinned_to(&bytes);
    assert_eq!(
        machine.refusal(&bundle, &[]),
        "made-up 1.0 is not installed and --offline (or FINERY_OFFLINE) forbids fetching it: \
         install it from a file with `finery plugin install made-up --from FILE.whl`"
    );
    let refused = ensure(&machine.environment, Platform::Cpu, &mut |_| {}).unwrap_err();
    assert!(matches!(refused, Error::Offline { .. }), "{refused}");
    assert!(!machine.path("bin/pip.was-run").exists());

    let file = machine.write("made-up.whl", &bytes);
    machine.install(&bundle, &[file]).unwrap();
}

#[test]
fn a_gpu_plugin_is_not_installed_unasked() {
    let machine = Machine::new();
    let message = ensure(&machine.environment, Platform::Rocm, &mut |_| {}).unwrap_err().to_string();
    assert!(message.ends_with("run `finery plugin install rocm`"), "{message}");
}

/// Puts a CUDA plugin into the cache, a virtual environment and what `python3` can import; gives back the files.
fn cuda_everywhere(machine: &mut Machine) -> [PathBuf; 4] {
    let in_site = |site: &str| format!("{site}/jax_plugins/xla_cuda13/xla_cuda_plugin.so");
    let in_cache = |version: &str| {
        format!("cache/plugins/jax-cuda13-pjrt-{version}-x86_64/jax_plugins/xla_cuda13/xla_cuda_plugin.so")
    };
    machine.write("venv/lib/python3.12/site-packages/jax_cuda13_pjrt-0.12.0.dist-info/METADATA", b"");
    machine.write(&in_cache("0.11.2").replace("x86_64", "aarch64"), b"of another machine");
    let files = [
        machine.write(&in_cache("0.11.2"), b""),
        machine.write(&in_cache("0.10.0"), b""),
        machine.write(&in_site("venv/lib/python3.12/site-packages"), b""),
        machine.write(&in_site("dist-packages"), b""),
    ];
    machine.environment.prefixes = vec![machine.path("venv")];
    let answer = format!("echo {}\necho {}\n", machine.path("dist-packages").display(), machine.path("gone").display());
    machine.environment.python = Some(machine.script("bin/python3", &answer));
    files
}

#[test]
fn the_variable_wins_then_the_cache_then_python() {
    let mut machine = Machine::new();
    let [pinned, older, venv, system] = cuda_everywhere(&mut machine);
    let canonical = |path: &PathBuf| path.canonicalize().unwrap();
    let found = |machine: &Machine| -> Vec<(Source, PathBuf, Option<String>)> {
        let all = discover(&machine.environment, Platform::Cuda).into_iter();
        all.map(|located| (located.source, located.library, located.version)).collect()
    };
    let version = |text: &str| Some(text.to_owned());
    let mut expected = vec![
        (Source::Cache, pinned.clone(), version("0.11.2")),
        (Source::Cache, older, version("0.10.0")),
        (Source::Python, canonical(&venv), version("0.12.0")),
        (Source::Python, canonical(&system), None),
    ];
    assert_eq!(found(&machine), expected);
    assert_eq!(locate(&machine.environment, Platform::Cuda).unwrap().library, pinned);

    let named = machine.write("mine.so", b"");
    machine.environment.plugin = Some(named.clone());
    expected.insert(0, (Source::Variable, named, None));
    assert_eq!(found(&machine), expected);
    assert_eq!(locate(&machine.environment, Platform::Cpu).unwrap().source, Source::Variable);
}

#[test]
fn of_plugins_in_the_cache_the_pinned_one_wins_then_the_newest() {
    let machine = Machine::new();
    let put = |version: &str| {
        let folder = format!("cache/plugins/jax-cuda13-pjrt-{version}-x86_64");
        machine.write(&format!("{folder}/jax_plugins/xla_cuda13/xla_cuda_plugin.so"), b"");
    };
    ["0.9.0", "0.10.0", "0.10.0rc1", "0.10.0.dev1", "0.10.0.1", "0.9.10rc1", "0.0.2"].into_iter().for_each(put);
    let found = || -> Vec<String> {
        let all = discover(&machine.environment, Platform::Cuda).into_iter();
        all.map(|located| located.version.unwrap()).collect()
    };
    assert_eq!(found(), ["0.10.0.1", "0.10.0", "0.10.0rc1", "0.10.0.dev1", "0.9.10rc1", "0.9.0", "0.0.2"]);
    let warning = || discover::not_pinned(&locate(&machine.environment, Platform::Cuda).unwrap());
    assert_eq!(
        warning().unwrap(),
        "the cuda plugin is used in version 0.10.0.1, which is in the cache, and this version of Finery is made for 0.11.2: \
         `finery plugin install cuda` fetches that"
    );
    ["0.11.2", "0.12.0"].into_iter().for_each(put);
    assert_eq!(found()[..3], ["0.11.2", "0.12.0", "0.10.0.1"]);
    assert_eq!(warning(), None);
}

#[test]
fn python_is_not_started_when_the_cache_answers() {
    let mut machine = Machine::new();
    cuda_everywhere(&mut machine);
    machine.environment.python = Some(machine.script("bin/python3", "touch \"$0.was-run\"\n"));
    locate(&machine.environment, Platform::Cuda).unwrap();
    assert!(!machine.path("bin/python3.was-run").exists());
    discover(&machine.environment, Platform::Cuda);
    assert!(machine.path("bin/python3.was-run").exists());
}

#[test]
fn a_variable_that_names_nothing_is_an_error_and_not_passed_over() {
    let mut machine = Machine::new();
    cuda_everywhere(&mut machine);
    machine.environment.plugin = Some("/nowhere/plugin.so".into());
    assert_eq!(
        ensure(&machine.environment, Platform::Cuda, &mut |_| {}).unwrap_err().to_string(),
        "FINERY_PLUGIN names /nowhere/plugin.so, which is not a file: set it to the plugin's .so, or unset it"
    );
    // A name that says which platform it is for leaves the others as they were.
    machine.environment.plugin = Some("/nowhere/xla_cpu_pjrt.so".into());
    assert_eq!(locate(&machine.environment, Platform::Cuda).unwrap().source, Source::Cache);
}

#[test]
fn the_default_is_a_gpu_whose_driver_and_plugin_are_there() {
    let mut machine = Machine::new();
    cuda_everywhere(&mut machine);
    assert_eq!(default_platform(&machine.environment), Platform::Cpu, "no driver");
    machine.write("dev/kfd", b"");
    assert_eq!(gpu_present(&machine.environment), Some(Platform::Rocm));
    assert_eq!(default_platform(&machine.environment), Platform::Cpu, "no ROCm plugin");
    machine.write("dev/nvidiactl", b"");
    assert_eq!(default_platform(&machine.environment), Platform::Cuda);
    machine.environment.plugin = Some("/plugins/xla_cpu_pjrt.so".into());
    assert_eq!(default_platform(&machine.environment), Platform::Cpu, "FINERY_PLUGIN says so");
}

#[test]
fn a_driver_without_a_plugin_does_not_hide_a_gpu_with_one() {
    let machine = Machine::new();
    machine.write("dev/nvidiactl", b"");
    machine.write("dev/kfd", b"");
    assert_eq!(gpu_present(&machine.environment), Some(Platform::Cuda));
    assert_eq!(default_platform(&machine.environment), Platform::Cpu, "no plugin");
    machine.write("cache/plugins/jax-rocm7-pjrt-0.12.0-x86_64/jax_plugins/xla_rocm7/xla_rocm_plugin.so", b"");
    assert_eq!(default_platform(&machine.environment), Platform::Rocm);
}

#[test]
fn what_is_no_plugin_is_refused_in_one_sentence() {
    let mut machine = Machine::new();
    let text = machine.write("text.so", b"not a library");
    machine.environment.plugin = Some(text);
    let message = load_error(&machine);
    assert_eq!(
        message.replace(&machine.dir.path().display().to_string(), "DIR"),
        "the cpu plugin from FINERY_PLUGIN cannot be used: DIR/text.so is not a shared library; \
         a PJRT plugin is a file such as pjrt_c_api_cpu_plugin.so"
    );

    machine.environment.plugin = Some(compile(&machine, "int answer(void) { return 42; }\n"));
    let message = load_error(&machine);
    assert!(
        message.ends_with("is a shared library but not a PJRT plugin: it exports no function GetPjrtApi"),
        "{message}"
    );
}

#[test]
fn a_plugin_that_is_too_old_is_refused_in_one_sentence() {
    let mut machine = Machine::new();
    // The head of PJRT_Api: its size, extensions, and the version struct {size, extensions, major, minor}.
    let source = "#include <stddef.h>\n\
        static struct { size_t size; void *ext; size_t vsize; void *vext; int major, minor; void *calls[200]; } api =\n\
            { sizeof api, 0, 24, 0, 0, 1, {0} };\n\
        void *GetPjrtApi(void) { return &api; }\n";
    machine.environment.plugin = Some(compile(&machine, source));
    let message = load_error(&machine);
    assert!(message.contains("implements PJRT C API 0.1, but 0."), "{message}");
    assert!(message.ends_with("is needed; install a newer plugin"), "{message}");
}

fn load_error(machine: &Machine) -> String {
    let located = ensure(&machine.environment, Platform::Cpu, &mut |_| {}).unwrap();
    let message = located.load(&machine.environment, Purpose::Run).unwrap_err().to_string();
    assert!(!message.contains('\n'), "one sentence: {message}");
    message
}

#[test]
fn the_toolchain_is_found_whole_or_missed_early() {
    let mut machine = Machine::new();
    let [plugin, ..] = cuda_everywhere(&mut machine);
    let located = locate(&machine.environment, Platform::Cuda).unwrap();
    assert_eq!(located.library, plugin);
    let message = located.load(&machine.environment, Purpose::Compile).unwrap_err().to_string();
    assert!(message.ends_with("run `finery plugin install cuda --toolchain`"), "{message}");

    machine.write("cuda/bin/ptxas", b"");
    machine.environment.cuda_homes = vec![machine.path("cuda")];
    assert_eq!(cuda_toolchain(&machine.environment), None, "libdevice is not there");
    machine.write("cuda/nvvm/libdevice/libdevice.10.bc", b"");
    assert_eq!(cuda_toolchain(&machine.environment), Some(machine.path("cuda")));
    let message = located.load(&machine.environment, Purpose::Compile).unwrap_err().to_string();
    assert!(
        message.ends_with("is not a shared library; a PJRT plugin is a file such as pjrt_c_api_cpu_plugin.so"),
        "{message}"
    );

    let cached = "cache/plugins/cuda-toolchain-13.0.88-x86_64/nvidia/cu13";
    machine.write(&format!("{cached}/bin/ptxas"), b"");
    machine.write(&format!("{cached}/nvvm/libdevice/libdevice.10.bc"), b"");
    assert_eq!(cuda_toolchain(&machine.environment), Some(machine.path(cached)));

    let record = record_of(&[("nvidia/cu13/bin/ptxas", b"a program")]);
    machine.write(&format!("{cached}/../../nvidia_cuda_nvcc-13.0.88.dist-info/RECORD"), record.as_bytes());
    let message = located.load(&machine.environment, Purpose::Compile).unwrap_err().to_string();
    assert!(message.starts_with("the CUDA toolchain is damaged: ") && message.contains("--toolchain"), "{message}");
}

/// A look at a plugin before it is loaded finds what would end the process, and names the command that repairs it.
#[test]
fn a_damaged_plugin_is_refused_before_it_is_loaded() {
    type Harm = fn(&Path, &[u8]);
    let cases: [(Harm, &str); 4] = [
        (|plugin, bytes| fs::write(plugin, &bytes[..bytes.len() / 2]).unwrap(), "bytes, and had"),
        (|plugin, bytes| fs::write(plugin, vec![0; bytes.len()]).unwrap(), "no longer holds what was installed"),
        (
            |plugin, bytes| fs::write(plugin, [&bytes[..bytes.len() - 1], b"!"].concat()).unwrap(),
            "no longer holds what was installed",
        ),
        (|plugin, _| fs::write(plugin, b"").unwrap(), "has 0 bytes"),
    ];
    for (harm, expected) in cases {
        let mut machine = Machine::new();
        let intact = fs::read(compile(&machine, "int answer(void) { return 42; }\n")).unwrap();
        let name = "xla_plugins/xla_cpu_pjrt/xla_cpu_pjrt.so";
        let record = record_of(&[(name, &intact)]);
        for (root, command) in [
            ("cache/plugins/xla-cpu-pjrt-0.0.1-x86_64", "finery plugin install cpu"),
            ("venv/lib/python3.12/site-packages", "pip install --force-reinstall xla-cpu-pjrt"),
        ] {
            let plugin = machine.write(&format!("{root}/{name}"), &intact);
            let recorded = machine.write(&format!("{root}/xla_cpu_pjrt-0.0.1.dist-info/RECORD"), record.as_bytes());
            machine.environment.prefixes = vec![machine.path("venv")];
            let message = load_error(&machine);
            assert!(message.ends_with("it exports no function GetPjrtApi"), "whole: {message}");

            // Installed some time ago.
            let hour = std::time::Duration::from_secs(3600);
            File::options()
                .write(true)
                .open(&recorded)
                .unwrap()
                .set_modified(std::time::SystemTime::now() - hour)
                .unwrap();
            // In a new file: this process has mapped the one that it loaded.
            fs::remove_file(&plugin).unwrap();
            harm(&plugin, &intact);
            let message = load_error(&machine);
            assert!(message.starts_with("the cpu plugin is damaged: ") && message.contains(expected), "{message}");
            assert!(message.ends_with(&format!("; run `{command}`, which installs it again")), "{message}");
            fs::remove_dir_all(machine.path(root)).unwrap();
        }
    }
}

/// A shared library from C; the linker of a Rust toolchain is a C compiler.
fn compile(machine: &Machine, source: &str) -> PathBuf {
    let (code, library) = (machine.write("library.c", source.as_bytes()), machine.path("library.so"));
    let status = Command::new("cc").args(["-shared", "-fPIC", "-o"]).arg(&library).arg(code).status();
    assert!(status.unwrap().success());
    library
}
