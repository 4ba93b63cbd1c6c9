//! What a new run must not take away: its own inputs, its own configuration.

use std::fs;

use crate::scene::{Scene, samples};

/// Whichever key names it: what `--overwrite` would remove cannot be what the run is made from.
#[test]
fn overwriting_spares_every_input() {
    let scene = Scene::new();
    scene.train(&["max_steps=2"]);
    let checkpoint = scene.path("out/checkpoints/step-00000002");
    fs::write(checkpoint.join("mine.jsonl"), samples(40)).unwrap();
    fs::write(checkpoint.join("mine.jinja"), "{{ messages }}").unwrap();
    let inside = |name: &str| format!("out/checkpoints/step-00000002{name}");
    let cases = [
        (format!("tokenizer={}", inside("")), "tokenizer", inside("")),
        (format!("tokenizer={}", inside("/tokenizer.json")), "tokenizer", inside("/tokenizer.json")),
        (format!("chat_template={}", inside("/mine.jinja")), "chat_template", inside("/mine.jinja")),
        ("model_config=out".to_owned(), "model_config", "out/config.json".to_owned()),
        (format!("datasets.0.path={}", inside("/mine.jsonl")), "datasets.0.path", inside("/mine.jsonl")),
        (format!("test_datasets=[{{path: {}}}]", inside("/mine.jsonl")), "test_datasets.0.path", inside("/mine.jsonl")),
    ];
    for (setting, key, input) in cases {
        let message = scene.refusal(&["train", "run.yaml", "--overwrite", &setting]);
        let expected =
            format!("`output_dir`: {key} {input} is part of the run in out, which --overwrite would remove: ");
        assert!(message.contains(&expected), "{setting}: {message}");
        assert!(checkpoint.is_dir());
    }
    // What stays may be an input.
    scene.train(&["--overwrite", "tokenizer=out", "max_steps=1"]);
    assert_eq!(scene.checkpoints("out"), ["step-00000001"]);
}

/// What was there of another would be used with it: a template in a file wins over one in tokenizer_config.json.
#[test]
fn a_run_leaves_the_tokenizer_that_it_trained_with_and_no_other() {
    let scene = Scene::new();
    let named = "additional_chat_templates/tool_use.jinja";
    fs::create_dir_all(scene.path("marked/additional_chat_templates")).unwrap();
    for name in ["tokenizer.json", "tokenizer_config.json"] {
        fs::copy(scene.path("tok").join(name), scene.path("marked").join(name)).unwrap();
    }
    for (name, text) in [("chat_template.jinja", "{{ messages }}"), ("merges.txt", ""), (named, "{{ tools }}")] {
        scene.write(&format!("marked/{name}"), text);
    }
    let found = || {
        let read = |name: &str| fs::read_to_string(scene.path("out").join(name)).ok();
        ["chat_template.jinja", "merges.txt", named, "notes.txt"].map(read)
    };
    let check = |expected: [Option<&str>; 4]| assert_eq!(found(), expected.map(|text| text.map(str::to_owned)));
    scene.train(&["tokenizer=marked", "max_steps=1"]);
    check([Some("{{ messages }}"), Some(""), Some("{{ tools }}"), None]);
    scene.write("out/notes.txt", "mine");
    scene.train(&["--overwrite", "max_steps=1"]);
    check([None, None, None, Some("mine")]);
    assert!(scene.path("out/tokenizer.json").is_file() && !scene.path("out/additional_chat_templates").exists());

    // The configuration's template is for conversations with tools as well.
    scene.train(&["--overwrite", "tokenizer=marked", "max_steps=1"]);
    scene.write("bare.jinja", "{{ messages[0].content }}");
    scene.train(&["--overwrite", "tokenizer=marked", "chat_template=bare.jinja", "max_steps=1"]);
    check([Some("{{ messages[0].content }}"), Some(""), None, Some("mine")]);
    scene.train(&["--overwrite", "tokenizer=out", "max_steps=1"]);
    check([Some("{{ messages[0].content }}"), Some(""), None, Some("mine")]);
}

/// Left beside those of the new run, they would be taken for its newest.
#[test]
fn checkpoints_are_overwritten_without_the_configuration_that_made_them() {
    let scene = Scene::new();
    scene.train(&["max_steps=8"]);
    for name in ["config.yaml", "config.json", "model.safetensors"] {
        fs::remove_file(scene.path("out").join(name)).unwrap();
    }
    fs::create_dir(scene.path("out/checkpoints/step-by-step")).unwrap();
    fs::write(scene.path("out/checkpoints/step-00000050"), "mine").unwrap();
    scene.train(&["--overwrite", "max_steps=2", "save_total_limit=1"]);
    assert_eq!(scene.checkpoints("out"), ["step-00000002", "step-00000050", "step-by-step"]);
    let stderr = scene.train(&["--resume", "max_steps=3"]);
    assert!(stderr.contains("going on after step 2 of 3"), "{stderr}");
}

#[test]
fn the_configuration_that_was_loaded_is_not_written_over() {
    let scene = Scene::new();
    let config = format!("# Mine.\n{}", fs::read_to_string(scene.path("run.yaml")).unwrap());
    scene.write("config.yaml", &config);
    fs::create_dir(scene.path("out")).unwrap();
    scene.write("out/config.yaml", &config);
    for (file, folder) in [("config.yaml", "."), ("out/config.yaml", "out")] {
        let setting = format!("output_dir={folder}");
        for how in [&[][..], &["--resume"], &["--overwrite"]] {
            let message = scene.refusal(&[&["train", file, &setting], how].concat());
            let part = "is the configuration of this run, which the resolved one would replace: ";
            assert!(message.contains("`output_dir`: ") && message.contains(part), "{how:?}: {message}");
            assert_eq!(fs::read_to_string(scene.path(file)).unwrap(), config);
        }
    }

    // Nor is one without a comment, as long as no run has been there: --resume begins one then.
    let plain = fs::read_to_string(scene.path("run.yaml")).unwrap();
    scene.write("out/config.yaml", &plain);
    // What was killed before its first checkpoint is none either.
    for folder in ["out", "out/checkpoints", "out/checkpoints/.partial-step-00000001"] {
        fs::create_dir_all(scene.path(folder)).unwrap();
        let message = scene.refusal(&["train", "out/config.yaml", "output_dir=out", "--resume"]);
        assert!(message.contains("is the configuration of this run"), "{folder}: {message}");
        assert_eq!(fs::read_to_string(scene.path("out/config.yaml")).unwrap(), plain);
    }

    // What a run left of its own is no loss, unless it is removed before.
    scene.train(&["output_dir=own", "max_steps=2"]);
    scene.succeed(&["train", "own/config.yaml", "--resume", "max_steps=3"]);
    // Nor what an earlier version left, which had fewer keys.
    let left = fs::read_to_string(scene.path("own/config.yaml")).unwrap();
    let earlier: Vec<&str> = left.lines().filter(|line| !line.starts_with("scan_layers")).collect();
    assert!(earlier.len() < left.lines().count());
    scene.write("own/config.yaml", earlier.join("\n"));
    scene.succeed(&["train", "own/config.yaml", "--resume", "max_steps=4"]);
    let message = scene.refusal(&["train", "own/config.yaml", "--overwrite"]);
    assert!(message.contains("own/config.yaml is the configuration of this run"), "{message}");
}
