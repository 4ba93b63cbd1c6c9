//! Files that are not the plugin that was hoped for, each built with `rustc` in a temporary folder.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use pjrt::{
    ApiVersion, Client, Code, CompileOptions, Error, KeyValueStore, Node, OptionValue, Plugin, Profiler, StoreError,
    Topology,
};

/// Builds a shared library from source text.
fn build(folder: &Path, source: &str) -> PathBuf {
    let (input, output) = (folder.join("fake.rs"), folder.join("libfake.so"));
    std::fs::write(&input, source).unwrap();
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let build = Command::new(rustc)
        .args(["--edition=2024", "--crate-type=cdylib", "-Cpanic=abort", "-o"])
        .args([&output, &input])
        .arg("-L")
        .arg(folder)
        .output()
        .unwrap();
    assert!(build.status.success(), "{}", String::from_utf8_lossy(&build.stderr));
    output
}

/// A plugin that states a version and the size of its table, in which every function succeeds and does nothing.
fn plugin(folder: &Path, version: (i32, i32), size: usize) -> PathBuf {
    let (major, minor) = version;
    let source = format!(
        "#[repr(C)] pub struct Table {{ size: usize, extension: usize, version_size: usize, version_extension: usize,
             major: i32, minor: i32, functions: [extern \"C\" fn(*mut u8) -> usize; 200] }}
         extern \"C\" fn succeed(_: *mut u8) -> usize {{ 0 }}
         static TABLE: Table = Table {{ size: {size}, extension: 0, version_size: 24, version_extension: 0,
             major: {major}, minor: {minor}, functions: [succeed; 200] }};
         #[unsafe(no_mangle)] pub extern \"C\" fn GetPjrtApi() -> &'static Table {{ &TABLE }}"
    );
    build(folder, &source)
}

const FULL: usize = 40 + 200 * 8;

/// A plugin with two attributes, in structs that state `struct_size` and lie 64 bytes apart: a field longer than ours.
fn plugin_with_attributes(folder: &Path, struct_size: usize) -> PathBuf {
    let source = format!(
        "#[repr(C)] pub struct Table {{ size: usize, extension: usize, version_size: usize, version_extension: usize,
             major: i32, minor: i32, functions: [extern \"C\" fn(*mut Args) -> usize; 200] }}
         #[repr(C)] pub struct Args {{ size: usize, extension: usize, values: &'static Named, count: usize }}
         #[repr(C)] pub struct Named {{ size: usize, extension: usize, name: &'static u8, name_size: usize, kind: u32,
             value: i64, value_size: usize, added: u8 }}
         const fn named(name: &'static str, value: i64) -> Named {{
             Named {{ size: {struct_size}, extension: 0, name: &name.as_bytes()[0], name_size: name.len(), kind: 1, value,
                 value_size: 1, added: 255 }}
         }}
         static VALUES: [Named; 2] = [named(\"one\", 1), named(\"two\", 2)];
         extern \"C\" fn succeed(_: *mut Args) -> usize {{ 0 }}
         extern \"C\" fn attributes(args: *mut Args) -> usize {{
             unsafe {{ (&raw mut (*args).values).write(&VALUES[0]); (*args).count = 2; }}
             0
         }}
         static TABLE: Table = Table {{ size: {FULL}, extension: 0, version_size: 24, version_extension: 0, major: 0,
             minor: 200, functions: {{ let mut all = [succeed as extern \"C\" fn(*mut Args) -> usize; 200];
                 all[4] = attributes; all }} }};
         #[unsafe(no_mangle)] pub extern \"C\" fn GetPjrtApi() -> &'static Table {{ &TABLE }}"
    );
    build(folder, &source)
}

/// A plugin whose programs have `outputs` on each of two devices, of which the second is missing on the first device. It writes a
/// line to `freed` for each buffer that is freed. Arguments are words: the struct's size, the extension, then the fields.
fn plugin_that_loses_an_output(folder: &Path, outputs: usize, freed: &Path) -> PathBuf {
    let source = format!(
        "use std::io::Write;
         type Call = extern \"C\" fn(*mut usize) -> usize;
         #[repr(C)] pub struct Table {{ size: usize, extension: usize, version_size: usize, version_extension: usize,
             major: i32, minor: i32, functions: [Call; 200] }}
         extern \"C\" fn succeed(_: *mut usize) -> usize {{ 0 }}
         extern \"C\" fn client_create(args: *mut usize) -> usize {{ unsafe {{ *args.add(8) = 16; }} 0 }}
         extern \"C\" fn client_compile(args: *mut usize) -> usize {{ unsafe {{ *args.add(6) = 32; }} 0 }}
         extern \"C\" fn get_executable(args: *mut usize) -> usize {{ unsafe {{ *args.add(3) = 48; }} 0 }}
         extern \"C\" fn addressable_devices(args: *mut usize) -> usize {{ unsafe {{ *args.add(4) = 2; }} 0 }}
         extern \"C\" fn num_outputs(args: *mut usize) -> usize {{ unsafe {{ *args.add(3) = {outputs}; }} 0 }}
         extern \"C\" fn execute(args: *mut usize) -> usize {{
             let lists = unsafe {{ std::slice::from_raw_parts(*args.add(7) as *const *mut usize, 2) }};
             for (device, list) in lists.iter().enumerate() {{
                 for output in 0..{outputs} {{
                     let buffer = if (device, output) == (0, 1) {{ 0 }} else {{ 64 + 16 * (device * {outputs} + output) }};
                     unsafe {{ *list.add(output) = buffer; }}
                 }}
             }}
             0
         }}
         extern \"C\" fn buffer_destroy(args: *mut usize) -> usize {{
             let mut file = std::fs::OpenOptions::new().create(true).append(true).open({freed:?}).unwrap();
             writeln!(file, \"{{}}\", unsafe {{ *args.add(2) }}).unwrap();
             0
         }}
         static TABLE: Table = Table {{ size: {FULL}, extension: 0, version_size: 24, version_extension: 0, major: 0,
             minor: 200, functions: {{ let mut all = [succeed as Call; 200];
                 all[10] = client_create; all[20] = client_compile; all[44] = num_outputs; all[51] = get_executable;
                 all[52] = addressable_devices; all[55] = execute; all[58] = buffer_destroy; all }} }};
         #[unsafe(no_mangle)] pub extern \"C\" fn GetPjrtApi() -> &'static Table {{ &TABLE }}"
    );
    build(folder, &source)
}

#[test]
fn an_output_that_is_missing_leaks_no_other() {
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let freed = folder.path().join("freed");
    let plugin = Plugin::load(plugin_that_loses_an_output(folder.path(), 3, &freed)).unwrap();
    let program = Client::new(&plugin, &[]).unwrap().compile("", &CompileOptions::default()).unwrap();
    let error = program.execute_sharded(&[vec![], vec![]]).unwrap_err().to_string();
    assert!(error.ends_with("the plugin reported success but returned nothing"), "{error}");
    let freed = std::fs::read_to_string(freed).unwrap();
    let mut freed: Vec<&str> = freed.lines().collect();
    freed.sort_unstable();
    // All but the second, which would be 80.
    assert_eq!(freed, ["112", "128", "144", "64", "96"]);
}

/// A plugin with a profiler behind another extension, whose extension and table of functions state these sizes. `start` and `collect` are the
/// bodies of these calls, which give an error or 0; their arguments are words: the struct's size, the profiler, then the fields. The functions
/// that free note it in `freed`.
fn plugin_with_profiler(folder: &Path, sizes: [usize; 2], start: &str, collect: &str, freed: &Path) -> Plugin {
    let [extension, table] = sizes;
    let source = format!(
        "use std::io::Write;
         type Call = extern \"C\" fn(*mut usize) -> usize;
         #[repr(C)] pub struct Table {{ size: usize, extension: &'static Extension, version_size: usize, version_extension: usize,
             major: i32, minor: i32, functions: [Call; 200] }}
         #[repr(C)] pub struct Extension {{ size: usize, kind: u32, next: Option<&'static Extension>, profiler: &'static Profiler }}
         #[repr(C)] pub struct Profiler {{ size: usize, private: usize, functions: [Call; 8] }}
         fn note(what: &str) {{
             let mut file = std::fs::OpenOptions::new().create(true).append(true).open({freed:?}).unwrap();
             writeln!(file, \"{{what}}\").unwrap();
         }}
         extern \"C\" fn succeed(_: *mut usize) -> usize {{ 0 }}
         extern \"C\" fn error_destroy(_: *mut usize) -> usize {{ note(\"error\"); 0 }}
         extern \"C\" fn error_message(args: *mut usize) -> usize {{
             let text = \"no counters here\";
             unsafe {{ *args.add(3) = text.as_ptr() as usize; *args.add(4) = text.len(); }}
             0
         }}
         extern \"C\" fn error_code(args: *mut usize) -> usize {{ unsafe {{ *args.add(3).cast::<i32>() = 9; }} 0 }}
         extern \"C\" fn create(args: *mut usize) -> usize {{ unsafe {{ *args.add(3) = 64; }} 0 }}
         extern \"C\" fn destroy(_: *mut usize) -> usize {{ note(\"profiler\"); 0 }}
         extern \"C\" fn start(_: *mut usize) -> usize {{ {start} }}
         extern \"C\" fn stop(_: *mut usize) -> usize {{ note(\"stop\"); 0 }}
         extern \"C\" fn collect(args: *mut usize) -> usize {{ unsafe {{ {collect} }} 0 }}
         static PROFILER: Profiler = Profiler {{ size: {table}, private: 0,
             functions: [error_destroy, error_message, error_code, create, destroy, start, stop, collect] }};
         static SECOND: Extension = Extension {{ size: {extension}, kind: 1, next: None, profiler: &PROFILER }};
         static FIRST: Extension = Extension {{ size: 24, kind: 5, next: Some(&SECOND), profiler: &PROFILER }};
         static TABLE: Table = Table {{ size: {FULL}, extension: &FIRST, version_size: 24, version_extension: 0, major: 0, minor: 200,
             functions: [succeed; 200] }};
         #[unsafe(no_mangle)] pub extern \"C\" fn GetPjrtApi() -> &'static Table {{ &TABLE }}"
    );
    Plugin::load(build(folder, &source)).unwrap()
}

/// Three bytes, which the caller has to make room for.
const ASKED_FOR: &str =
    "if *args.add(2) == 0 { *args.add(3) = 3; } else { (*args.add(2) as *mut [u8; 3]).write([1, 2, 3]); }";
/// The same, which the plugin keeps.
const KEPT: &str = "static DATA: [u8; 3] = [1, 2, 3]; *args.add(2) = DATA.as_ptr() as usize; *args.add(3) = 3;";

#[test]
fn what_a_profiler_records_is_read_however_it_is_given() {
    for collect in [ASKED_FOR, KEPT] {
        let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
        let freed = folder.path().join("freed");
        let plugin = plugin_with_profiler(folder.path(), [32, 80], "0", collect, &freed);
        let profiler = Profiler::start(&plugin).unwrap().unwrap();
        assert_eq!(profiler.stop().unwrap(), [1, 2, 3], "{collect}");
        drop(Profiler::start(&plugin).unwrap());
        // One that is dropped is stopped as well.
        assert_eq!(std::fs::read_to_string(freed).unwrap(), "stop\nprofiler\nstop\nprofiler\n");
    }
}

#[test]
fn a_profiler_that_does_not_start_says_why() {
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let freed = folder.path().join("freed");
    let plugin = plugin_with_profiler(folder.path(), [32, 80], "7", ASKED_FOR, &freed);
    let error = Profiler::start(&plugin).unwrap_err();
    assert!(matches!(error, Error::Plugin { code: Code::FailedPrecondition, .. }), "{error:?}");
    assert!(error.to_string().starts_with("starting the plugin's profiler: "), "{error}");
    assert!(error.to_string().ends_with("no counters here"), "{error}");
    assert_eq!(std::fs::read_to_string(freed).unwrap(), "error\nprofiler\n");
}

#[test]
fn a_profiler_that_is_shorter_than_ours_is_not_used() {
    for (sizes, told) in [([24, 80], "a profiler extension that is too short"), ([32, 72], "too few functions")] {
        let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
        let plugin = plugin_with_profiler(folder.path(), sizes, "0", ASKED_FOR, &folder.path().join("freed"));
        let error = Profiler::start(&plugin).unwrap_err().to_string();
        assert!(error.contains(told), "{error}");
    }
}

#[test]
fn a_missing_file() {
    let error = Plugin::load("/no/such/plugin.so").unwrap_err();
    assert!(matches!(error, Error::Unreadable { .. }), "{error}");
}

#[test]
fn a_file_that_is_no_library() {
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    for content in ["", "hello", "#!/bin/sh\n"] {
        let path = folder.path().join("plugin.so");
        std::fs::write(&path, content).unwrap();
        let error = Plugin::load(&path).unwrap_err();
        assert!(matches!(error, Error::NotSharedLibrary { .. }), "{error}");
    }
}

/// However much is gone: half of a library that is mapped ends the process with a bus error.
#[test]
fn a_truncated_library() {
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let path = plugin(folder.path(), (0, 81), FULL);
    let bytes = std::fs::read(&path).unwrap();
    for length in [4, 63, 64, 100, 4096, bytes.len() / 2, bytes.len() - 1] {
        std::fs::write(&path, &bytes[..length]).unwrap();
        let error = Plugin::load(&path).unwrap_err();
        assert!(matches!(error, Error::Truncated { found, .. } if found == length as u64), "{length} bytes: {error}");
        let error = pjrt::preload(&path).unwrap_err();
        assert!(matches!(error, Error::Truncated { .. }), "{length} bytes: {error}");
    }
}

#[test]
fn a_library_whose_dependency_is_missing() {
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let gone = folder.path().join("libgone.so");
    let gone_source = "#[unsafe(no_mangle)] pub extern \"C\" fn gone() {}";
    std::fs::rename(build(folder.path(), gone_source), &gone).unwrap();
    let path = build(
        folder.path(),
        "#[link(name = \"gone\")] unsafe extern \"C\" { fn gone(); }
         #[unsafe(no_mangle)] pub extern \"C\" fn GetPjrtApi() { unsafe { gone() } }",
    );
    std::fs::remove_file(gone).unwrap();
    let error = Plugin::load(&path).unwrap_err();
    assert!(matches!(&error, Error::Load { message, .. } if message.contains("libgone.so")), "{error}");
}

#[test]
fn a_library_that_is_no_plugin() {
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let error = Plugin::load(build(folder.path(), "")).unwrap_err().to_string();
    assert!(error.ends_with("not a PJRT plugin: it exports no function GetPjrtApi"), "{error}");

    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let nothing = "#[unsafe(no_mangle)] pub extern \"C\" fn GetPjrtApi() -> usize { 0 }";
    let error = Plugin::load(build(folder.path(), nothing)).unwrap_err().to_string();
    assert!(error.ends_with("not a PJRT plugin: its GetPjrtApi returned nothing"), "{error}");
}

#[test]
fn versions_that_do_not_fit() {
    for version in [(0, 54), (0, ApiVersion::OURS.minor - 1), (1, 0)] {
        let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
        let error = Plugin::load(plugin(folder.path(), version, FULL)).unwrap_err();
        assert!(matches!(error, Error::Version { .. }), "{error}");
        let found = format!("{}.{}", version.0, version.1);
        assert!(error.to_string().contains(&found), "{error}");
        assert!(error.to_string().contains(&ApiVersion::OURS.to_string()), "{error}");
    }
}

#[test]
fn a_newer_plugin_is_accepted() {
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let plugin = Plugin::load(plugin(folder.path(), (0, 200), FULL)).unwrap();
    assert_eq!(plugin.version(), ApiVersion { major: 0, minor: 200 });
    // It says that it made a client, but gives none.
    let error = Client::new(&plugin, &[]).unwrap_err().to_string();
    assert!(error.ends_with("the plugin reported success but returned nothing"), "{error}");
}

#[test]
fn attributes_of_a_newer_plugin_are_further_apart() {
    // The offset of the last field's end, as plugins state it, or the whole with its padding.
    for struct_size in [57, 64] {
        let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
        let plugin = Plugin::load(plugin_with_attributes(folder.path(), struct_size)).unwrap();
        let expected = [("one".to_owned(), OptionValue::Int(1)), ("two".to_owned(), OptionValue::Int(2))];
        assert_eq!(plugin.attributes().unwrap(), expected);
    }
}

#[test]
fn attributes_too_short_to_be_read() {
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let plugin = Plugin::load(plugin_with_attributes(folder.path(), 48)).unwrap();
    let error = plugin.attributes().unwrap_err().to_string();
    assert!(error.ends_with("the plugin returned named values of 48 bytes, too few to hold one"), "{error}");
}

#[test]
fn a_table_too_short_for_errors() {
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let error = Plugin::load(plugin(folder.path(), (0, 81), 40 + 2 * 8)).unwrap_err().to_string();
    assert!(error.ends_with("not a PJRT plugin: its function table is too short"), "{error}");
}

#[test]
fn a_table_too_short_for_a_call() {
    // Three error functions and PJRT_Plugin_Initialize.
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let plugin = Plugin::load(plugin(folder.path(), (0, 81), 40 + 4 * 8)).unwrap();
    let error = Client::new(&plugin, &[]).unwrap_err();
    assert!(matches!(error, Error::MissingCall { call: "PJRT_Client_Create", .. }), "{error}");
    assert!(error.to_string().contains("implements PJRT C API 0.81, which lacks PJRT_Client_Create"), "{error}");
}

/// A plugin that can describe no devices that are not there: its table ends before that function, or has nothing in its place.
fn plugin_without_topologies(folder: &Path, size: usize) -> PathBuf {
    let source = format!(
        "type Call = extern \"C\" fn(*mut u8) -> usize;
         #[repr(C)] pub struct Table {{ size: usize, extension: usize, version_size: usize, version_extension: usize,
             major: i32, minor: i32, functions: [Option<Call>; 200] }}
         extern \"C\" fn succeed(_: *mut u8) -> usize {{ 0 }}
         static TABLE: Table = Table {{ size: {size}, extension: 0, version_size: 24, version_extension: 0, major: 0, minor: 99,
             functions: {{ let mut all = [Some(succeed as Call); 200]; all[{TOPOLOGY_CREATE}] = None; all }} }};
         #[unsafe(no_mangle)] pub extern \"C\" fn GetPjrtApi() -> &'static Table {{ &TABLE }}"
    );
    build(folder, &source)
}

const TOPOLOGY_CREATE: usize = 82;

/// Of one that is new enough for all else: it is refused where the feature is asked for, and by name.
#[test]
fn a_feature_that_a_plugin_lacks() {
    for size in [40 + TOPOLOGY_CREATE * 8, FULL] {
        let folder = tempfile::tempdir().unwrap();
        let plugin = Plugin::load(plugin_without_topologies(folder.path(), size)).unwrap();
        let error = Topology::new(&plugin, "", "1x2x1").unwrap_err().to_string();
        let ours = ApiVersion::OURS;
        let expected = format!(
            "describing 1x2x1 devices to the plugin {}: the plugin implements PJRT C API 0.99, which lacks PJRT_TopologyDescription_Create \
             (known here up to {ours})",
            plugin.path().display()
        );
        assert_eq!(error, expected);
    }
}

/// A plugin whose client has four devices, of which the last two are this process's.
fn plugin_of_several_processes(folder: &Path) -> PathBuf {
    let source = format!(
        "type Call = extern \"C\" fn(*mut usize) -> usize;
         #[repr(C)] pub struct Table {{ size: usize, extension: usize, version_size: usize, version_extension: usize,
             major: i32, minor: i32, functions: [Call; 200] }}
         static DEVICES: [usize; 4] = [160, 161, 162, 163];
         extern \"C\" fn succeed(_: *mut usize) -> usize {{ 0 }}
         extern \"C\" fn client_create(args: *mut usize) -> usize {{ unsafe {{ *args.add(8) = 16; }} 0 }}
         extern \"C\" fn all(args: *mut usize) -> usize {{
             unsafe {{ *args.add(3) = DEVICES.as_ptr() as usize; *args.add(4) = 4; }}
             0
         }}
         extern \"C\" fn own(args: *mut usize) -> usize {{
             unsafe {{ *args.add(3) = DEVICES[2..].as_ptr() as usize; *args.add(4) = 2; }}
             0
         }}
         extern \"C\" fn description(args: *mut usize) -> usize {{ unsafe {{ *args.add(3) = *args.add(2); }} 0 }}
         extern \"C\" fn id(args: *mut usize) -> usize {{ unsafe {{ *args.add(3) = *args.add(2) - 160; }} 0 }}
         static TABLE: Table = Table {{ size: {FULL}, extension: 0, version_size: 24, version_extension: 0, major: 0,
             minor: 200, functions: {{ let mut all_functions = [succeed as Call; 200];
                 all_functions[10] = client_create; all_functions[15] = all; all_functions[16] = own;
                 all_functions[23] = id; all_functions[29] = description; all_functions }} }};
         #[unsafe(no_mangle)] pub extern \"C\" fn GetPjrtApi() -> &'static Table {{ &TABLE }}"
    );
    build(folder, &source)
}

#[test]
fn devices_of_other_processes_are_told_apart() {
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let plugin = Plugin::load(plugin_of_several_processes(folder.path())).unwrap();
    let client = Client::new(&plugin, &[]).unwrap();
    let ids = |devices: Vec<pjrt::Device>| -> Vec<i32> { devices.iter().map(|device| device.id().unwrap()).collect() };
    assert_eq!(ids(client.all_devices().unwrap()), [0, 1, 2, 3]);
    assert_eq!(ids(client.devices().unwrap()), [2, 3]);
}

/// A plugin whose client writes to `told` what it is as which process, and what a store answers it. Arguments are words.
fn plugin_that_asks_a_store(folder: &Path, told: &Path) -> PathBuf {
    let source = format!(
        "use std::fmt::Write;
         type Call = extern \"C\" fn(*mut usize) -> usize;
         type Make = extern \"C\" fn(u32, *const u8, usize) -> usize;
         #[repr(C)] pub struct Table {{ size: usize, extension: usize, version_size: usize, version_extension: usize,
             major: i32, minor: i32, functions: [Call; 200] }}
         extern \"C\" fn succeed(_: *mut usize) -> usize {{ 0 }}
         extern \"C\" fn make(code: u32, message: *const u8, size: usize) -> usize {{
             let message = String::from_utf8_lossy(unsafe {{ std::slice::from_raw_parts(message, size) }}).into_owned();
             Box::into_raw(Box::new(format!(\"{{code}} {{message}}\"))) as usize
         }}
         static MAKE: Make = make;
         fn call(callback: usize, args: &mut [usize]) -> String {{
             let callback: Call = unsafe {{ std::mem::transmute(callback) }};
             match callback(args.as_mut_ptr()) {{
                 0 => \"done\".into(),
                 error => *unsafe {{ Box::from_raw(error as *mut String) }},
             }}
         }}
         fn value(args: &[usize]) -> String {{
             let [value, size, delete] = args else {{ unreachable!() }};
             let text = String::from_utf8_lossy(unsafe {{ std::slice::from_raw_parts(*value as *const u8, *size) }}).into_owned();
             let delete: extern \"C\" fn(usize) = unsafe {{ std::mem::transmute(*delete) }};
             delete(*value);
             text
         }}
         extern \"C\" fn client_create(args: *mut usize) -> usize {{
             let args = unsafe {{ std::slice::from_raw_parts_mut(args, 11) }};
             let mut told = String::new();
             for option in unsafe {{ std::slice::from_raw_parts(args[2] as *const [usize; 7], args[3]) }} {{
                 let name = unsafe {{ std::slice::from_raw_parts(option[2] as *const u8, option[3]) }};
                 writeln!(told, \"{{}}={{}}\", String::from_utf8_lossy(name), option[5]).unwrap();
             }}
             let make = &raw const MAKE as usize;
             let (key, other, text) = (\"key\", \"other\", \"a value\");
             let mut put = [64, 0, key.as_ptr() as usize, 3, text.as_ptr() as usize, 7, make, args[7]];
             writeln!(told, \"put: {{}}\", call(args[6], &mut put)).unwrap();
             let mut get = [80, 0, key.as_ptr() as usize, 3, 1500, make, args[5], 0, 0, 0];
             writeln!(told, \"get: {{}} {{}}\", call(args[4], &mut get), value(&get[7..])).unwrap();
             let mut get = [80, 0, other.as_ptr() as usize, 5, 1500, make, args[5], 0, 0, 0];
             writeln!(told, \"get: {{}}\", call(args[4], &mut get)).unwrap();
             let mut get = [72, 0, key.as_ptr() as usize, 3, make, args[10], 0, 0, 0];
             writeln!(told, \"try_get: {{}} {{}}\", call(args[9], &mut get), value(&get[6..])).unwrap();
             let mut get = [72, 0, other.as_ptr() as usize, 5, make, args[10], 0, 0, 0];
             writeln!(told, \"try_get: {{}}\", call(args[9], &mut get)).unwrap();
             let mut put = [64, 0, other.as_ptr() as usize, 5, 0, 0, make, args[7]];
             writeln!(told, \"put: {{}}\", call(args[6], &mut put)).unwrap();
             std::fs::write({told:?}, told).unwrap();
             args[8] = 16;
             0
         }}
         static TABLE: Table = Table {{ size: {FULL}, extension: 0, version_size: 24, version_extension: 0, major: 0,
             minor: 200, functions: {{ let mut all = [succeed as Call; 200]; all[10] = client_create; all }} }};
         #[unsafe(no_mangle)] pub extern \"C\" fn GetPjrtApi() -> &'static Table {{ &TABLE }}"
    );
    build(folder, &source)
}

/// A store that refuses empty values.
#[derive(Default)]
struct Map(Mutex<HashMap<Vec<u8>, Vec<u8>>>);

impl KeyValueStore for Map {
    fn get(&self, key: &[u8], timeout: Duration) -> Result<Vec<u8>, StoreError> {
        let late = || StoreError { code: Code::DeadlineExceeded, message: format!("nothing within {timeout:?}") };
        self.try_get(key)?.ok_or_else(late)
    }

    fn try_get(&self, key: &[u8]) -> Result<Option<Vec<u8>>, StoreError> {
        Ok(self.0.lock().unwrap().get(key).cloned())
    }

    fn put(&self, key: &[u8], value: &[u8]) -> Result<(), StoreError> {
        if value.is_empty() {
            return Err(StoreError { code: Code::InvalidArgument, message: "an empty value".to_owned() });
        }
        self.0.lock().unwrap().insert(key.to_vec(), value.to_vec());
        Ok(())
    }
}

#[test]
fn one_of_several_processes_reaches_their_store() {
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let told = folder.path().join("told");
    let plugin = Plugin::load(plugin_that_asks_a_store(folder.path(), &told)).unwrap();
    let store = Arc::new(Map::default());
    let node = Node { id: 1, count: 4, store: Arc::clone(&store) as Arc<dyn KeyValueStore> };
    let client = Client::among(&plugin, &[("depth", 3.into())], node).unwrap();
    let expected = "depth=3\nnode_id=1\nnum_nodes=4\n\
                    put: done\nget: done a value\nget: 4 nothing within 1.5s\n\
                    try_get: done a value\ntry_get: 5 nobody has stored a value of other\nput: 3 an empty value\n";
    assert_eq!(std::fs::read_to_string(told).unwrap(), expected);
    assert_eq!(store.0.lock().unwrap()[&b"key"[..]], b"a value");
    // Two: the client may call it as long as it lives.
    assert_eq!(Arc::strong_count(&store), 2);
    drop(client);
    assert_eq!(Arc::strong_count(&store), 1);
}
