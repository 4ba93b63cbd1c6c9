//! The direction of dependencies between our crates.

use super::{Findings, Tree};

/// Each crate with those of ours that it may depend on; ARCHITECTURE.md gives the reasons. Development dependencies
/// are free: a lower crate's tests may run what it builds through a higher one.
const EDGES: &[(&str, &[&str])] = &[
    ("atomic_file", &[]),
    ("pjrt", &[]),
    ("graph", &[]),
    ("plot", &[]),
    ("hlo", &[]),
    ("schedule", &[]),
    ("load", &[]),
    ("profile", &["graph", "hlo"]),
    ("ranks", &[]),
    ("file_cache", &["atomic_file"]),
    ("data", &["atomic_file", "file_cache"]),
    ("constrain", &["data"]),
    ("mesh", &["graph"]),
    ("kernels", &["graph"]),
    ("host_kernels", &[]),
    ("models", &["graph", "host_kernels", "kernels"]),
    ("checkpoint", &["atomic_file", "graph"]),
    ("runtime", &["file_cache", "graph", "host_kernels", "pjrt", "ranks"]),
    ("sensors", &["runtime"]),
    ("peft", &["models", "checkpoint"]),
    (
        "train",
        &[
            "atomic_file",
            "graph",
            "hlo",
            "ranks",
            "mesh",
            "models",
            "profile",
            "runtime",
            "sensors",
            "checkpoint",
            "data",
            "peft",
        ],
    ),
    ("planner", &["graph", "hlo", "mesh", "runtime", "train"]),
    ("engine", &["atomic_file", "constrain", "graph", "models", "runtime", "schedule", "checkpoint", "data", "peft"]),
    ("api", &[]),
    ("server", &["api", "constrain", "data", "engine"]),
    (
        "finery",
        &[
            "api",
            "atomic_file",
            "graph",
            "load",
            "kernels",
            "mesh",
            "models",
            "runtime",
            "sensors",
            "checkpoint",
            "data",
            "train",
            "planner",
            "engine",
            "plot",
            "ranks",
            "server",
        ],
    ),
    ("xtask", &[]),
];

/// Reports dependencies that are not in [`EDGES`], and crates of which it says nothing.
pub(crate) fn dependency_direction(tree: &Tree, findings: &mut Findings) {
    for file in tree.files.iter().filter(|file| file.path.ends_with("/Cargo.toml") && !file.path.starts_with("fuzz/")) {
        let Some((name, dependencies)) = manifest(file.text.as_deref().unwrap_or_default()) else {
            findings.add(file, 0, "no package name");
            continue;
        };
        let Some((_, allowed)) = EDGES.iter().find(|(known, _)| *known == name) else {
            findings.add(
                file,
                0,
                format!("`{name}` is not in the table of crates; say in xtask/src/tidy/workspace.rs what it may use"),
            );
            continue;
        };
        for (line, dependency) in dependencies {
            let is_ours = EDGES.iter().any(|(known, _)| *known == dependency);
            if is_ours && !allowed.contains(&dependency) {
                findings.add(file, line, format!("`{name}` must not depend on `{dependency}`"));
            }
        }
    }
}

/// The package's name and its dependencies with their lines. Reads the forms that cargo writes, one key a line.
fn manifest(text: &str) -> Option<(&str, Vec<(usize, &str)>)> {
    let (mut table, mut name, mut dependencies) = ("", None, Vec::new());
    for (index, line) in text.lines().enumerate() {
        let line = line.trim();
        if let Some(header) = line.strip_prefix('[') {
            table = without_target(header.trim_end_matches(']'));
            let dependency = table.strip_prefix("dependencies.").or(table.strip_prefix("build-dependencies."));
            dependencies.extend(dependency.map(|dependency| (index + 1, dependency)));
        } else if let Some((key, value)) = line.split_once('=') {
            let key = key.trim();
            match table {
                "package" if key == "name" => name = Some(value.trim().trim_matches('"')),
                "dependencies" | "build-dependencies" => {
                    dependencies.push((index + 1, key.split('.').next().unwrap_or(key)));
                }
                _ => {}
            }
        }
    }
    name.map(|name| (name, dependencies))
}

/// A table's name without the target that it is for, as in `target.'cfg(unix)'.dependencies`.
fn without_target(table: &str) -> &str {
    let start = |kind: &&str| table.find(&format!(".{kind}")).map(|dot| dot + 1);
    let kind = ["dependencies", "build-dependencies"].iter().find_map(start);
    kind.filter(|_| table.starts_with("target.")).map_or(table, |start| &table[start..])
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::super::assert_finds;
    use super::*;

    #[test]
    fn dependencies_upward() {
        let files = [
            (
                "crates/graph/Cargo.toml",
                "[package]\nname = \"graph\"\n[dependencies]\nruntime.workspace = true\nhalf = \"2\"\n[dev-dependencies]\npjrt = \"1\"\n",
            ),
            (
                "crates/mesh/Cargo.toml",
                "[package]\nname = \"mesh\"\n[target.'cfg(target_os = \"linux\")'.dependencies]\ntrain.workspace = true\n\
                 [target.'cfg(unix)'.build-dependencies.models]\npath = \"../models\"\n[target.'cfg(unix)'.dev-dependencies]\npjrt = \"1\"\n",
            ),
            (
                "crates/models/Cargo.toml",
                "[package]\nname = \"models\"\n[dependencies]\ngraph.workspace = true\n[dependencies.train]\npath = \"../train\"\n",
            ),
            ("crates/new/Cargo.toml", "[package]\nname = \"new\"\n"),
            ("crates/odd/Cargo.toml", "[dependencies]\n"),
        ];
        assert_finds(
            dependency_direction,
            &files,
            &expect![[r#"
            crates/graph/Cargo.toml:4: [rule] `graph` must not depend on `runtime`
            crates/mesh/Cargo.toml:4: [rule] `mesh` must not depend on `train`
            crates/mesh/Cargo.toml:5: [rule] `mesh` must not depend on `models`
            crates/models/Cargo.toml:5: [rule] `models` must not depend on `train`
            crates/new/Cargo.toml: [rule] `new` is not in the table of crates; say in xtask/src/tidy/workspace.rs what it may use
            crates/odd/Cargo.toml: [rule] no package name"#]],
        );
    }

    /// A crate that went leaves no line behind, and none is announced before it is there.
    #[test]
    fn every_crate_of_the_table_exists() {
        let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        for (name, _) in EDGES {
            let folder = match *name {
                "xtask" => root.join("xtask"),
                "finery" => root.join("crates/cli"),
                name => root.join("crates").join(name),
            };
            assert!(folder.join("Cargo.toml").is_file(), "{name} has no {}", folder.display());
        }
    }
}
