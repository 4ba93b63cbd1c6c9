//! Files that are not the plugin that was hoped for, each built with `rustc` in a temporary folder.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::path::{Path, PathBuf};
use std::process::Command;

use pjrt::{ApiVersion, Client, CompileOptions, Error, OptionValue, Plugin};

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
    let folder = tempfile::tempdir().unwrap();
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

#[test]
fn a_missing_file() {
    let error = Plugin::load("/no/such/plugin.so").unwrap_err();
    assert!(matches!(error, Error::Unreadable { .. }), "{error}");
}

#[test]
fn a_file_that_is_no_library() {
    let folder = tempfile::tempdir().unwrap();
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
    let folder = tempfile::tempdir().unwrap();
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
    let folder = tempfile::tempdir().unwrap();
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
    let folder = tempfile::tempdir().unwrap();
    let error = Plugin::load(build(folder.path(), "")).unwrap_err().to_string();
    assert!(error.ends_with("not a PJRT plugin: it exports no function GetPjrtApi"), "{error}");

    let folder = tempfile::tempdir().unwrap();
    let nothing = "#[unsafe(no_mangle)] pub extern \"C\" fn GetPjrtApi() -> usize { 0 }";
    let error = Plugin::load(build(folder.path(), nothing)).unwrap_err().to_string();
    assert!(error.ends_with("not a PJRT plugin: its GetPjrtApi returned nothing"), "{error}");
}

#[test]
fn versions_that_do_not_fit() {
    for version in [(0, 54), (0, ApiVersion::OURS.minor - 1), (1, 0)] {
        let folder = tempfile::tempdir().unwrap();
        let error = Plugin::load(plugin(folder.path(), version, FULL)).unwrap_err();
        assert!(matches!(error, Error::Version { .. }), "{error}");
        let found = format!("{}.{}", version.0, version.1);
        assert!(error.to_string().contains(&found), "{error}");
        assert!(error.to_string().contains(&ApiVersion::OURS.to_string()), "{error}");
    }
}

#[test]
fn a_newer_plugin_is_accepted() {
    let folder = tempfile::tempdir().unwrap();
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
        let folder = tempfile::tempdir().unwrap();
        let plugin = Plugin::load(plugin_with_attributes(folder.path(), struct_size)).unwrap();
        let expected = [("one".to_owned(), OptionValue::Int(1)), ("two".to_owned(), OptionValue::Int(2))];
        assert_eq!(plugin.attributes().unwrap(), expected);
    }
}

#[test]
fn attributes_too_short_to_be_read() {
    let folder = tempfile::tempdir().unwrap();
    let plugin = Plugin::load(plugin_with_attributes(folder.path(), 48)).unwrap();
    let error = plugin.attributes().unwrap_err().to_string();
    assert!(error.ends_with("the plugin returned named values of 48 bytes, too few to hold one"), "{error}");
}

#[test]
fn a_table_too_short_for_errors() {
    let folder = tempfile::tempdir().unwrap();
    let error = Plugin::load(plugin(folder.path(), (0, 81), 40 + 2 * 8)).unwrap_err().to_string();
    assert!(error.ends_with("not a PJRT plugin: its function table is too short"), "{error}");
}

#[test]
fn a_table_too_short_for_a_call() {
    // Three error functions and PJRT_Plugin_Initialize.
    let folder = tempfile::tempdir().unwrap();
    let plugin = Plugin::load(plugin(folder.path(), (0, 81), 40 + 4 * 8)).unwrap();
    let error = Client::new(&plugin, &[]).unwrap_err();
    assert!(matches!(error, Error::MissingCall { call: "PJRT_Client_Create", .. }), "{error}");
    assert!(error.to_string().contains("implements PJRT C API 0.81, which lacks PJRT_Client_Create"), "{error}");
}
