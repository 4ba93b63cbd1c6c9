//! An adapter goes on over the weights that it was trained on.

use std::fs;

use crate::command::{finery, refusal};
use crate::scene::Scene;

/// `out` as a run that has saved a checkpoint after step 4, and not written its model.
fn unfinished(scene: &Scene) {
    scene.train(&["max_steps=4", "lr_scheduler=constant"]);
    for name in ["model.safetensors", "config.json"] {
        fs::remove_file(scene.path("out").join(name)).unwrap();
    }
}

/// What a run's folder stands for changes while that run goes on.
#[test]
fn an_adapter_stays_on_the_checkpoint_that_it_began_with() {
    let scene = Scene::new();
    unfinished(&scene);
    let words = ["train", "lora.yaml", "lr_scheduler=constant"];
    let exact = "base_model=out/checkpoints/step-00000004";
    scene.succeed(&[&words[..], &["max_steps=4", exact, "output_dir=whole"]].concat());
    scene.succeed(&[&words[..], &["max_steps=2"]].concat());
    scene.train(&["--resume", "max_steps=8", "lr_scheduler=constant"]);
    assert!(scene.path("out/model.safetensors").is_file());

    let resume = [&words[..], &["max_steps=4", "--resume"]].concat();
    let checked = scene.succeed(&[&["config", "check"], &resume[1..]].concat());
    let stderr = scene.succeed(&resume);
    for stderr in [checked, stderr] {
        assert!(!stderr.contains("base_model"), "{stderr}");
    }
    assert_eq!(scene.losses("adapter"), scene.losses("whole"));
    let adapter = |run: &str| fs::read(scene.path(run).join("adapter_model.safetensors")).unwrap();
    assert!(adapter("adapter") == adapter("whole"));

    // The checkpoint is gone: then there is nothing to go on with.
    fs::remove_dir_all(scene.path("out/checkpoints/step-00000004")).unwrap();
    let message = scene.refusal(&[&words[..], &["max_steps=5", "--resume"]].concat());
    assert!(message.contains("(base_model: out/checkpoints/step-00000004 -> out); set that back"), "{message}");
}

#[test]
fn an_adapter_does_not_go_on_over_another_model() {
    let scene = Scene::new();
    scene.train(&["max_steps=1"]);
    scene.train(&["max_steps=1", "seed=7", "output_dir=other"]);
    let words = ["train", "lora.yaml", "max_steps=2"];
    scene.succeed(&words);
    let resume = [&words[..], &["--resume", "max_steps=3"]].concat();
    let message = scene.refusal(&[&resume[..], &["base_model=other"]].concat());
    assert!(message.contains("mean something else (base_model: out -> other); set that back"), "{message}");
    // Another name of the same folder.
    std::os::unix::fs::symlink("out", scene.path("link")).unwrap();
    scene.succeed(&[&resume[..], &["base_model=link"]].concat());
    // The same folder at another place, as for a job that stages it anew.
    fs::rename(scene.path("out"), scene.path("moved")).unwrap();
    let message = scene.refusal(&[&resume[..], &["base_model=other"]].concat());
    assert!(message.contains("mean something else (base_model: link -> other); set that back"), "{message}");
    let stderr = scene.succeed(&[&words[..], &["--resume", "max_steps=4", "base_model=moved"]].concat());
    assert!(stderr.contains("was saved with other settings: base_model: "), "{stderr}");
    // Another model under the same name.
    fs::rename(scene.path("moved"), scene.path("gone")).unwrap();
    fs::rename(scene.path("other"), scene.path("moved")).unwrap();
    let message = scene.refusal(&[&words[..], &["--resume", "max_steps=5", "base_model=moved"]].concat());
    assert!(
        message.contains("mean something else (base_model: moved has other weights than then); set that"),
        "{message}"
    );
}

/// There, a relative path of the old configuration leads nowhere.
#[test]
fn an_adapter_goes_on_from_another_folder_over_its_own_model_alone() {
    let scene = Scene::new();
    scene.train(&["max_steps=1"]);
    scene.train(&["max_steps=1", "seed=7", "output_dir=other"]);
    scene.succeed(&["train", "lora.yaml", "max_steps=2"]);
    fs::create_dir(scene.path("elsewhere")).unwrap();
    let resume = |base: &str| {
        let words = ["train", "../lora.yaml", "output_dir=../adapter", "datasets.0.path=../data.jsonl", "--resume"];
        let mut command = finery(&scene.path("elsewhere"));
        command.args(words).args(["max_steps=3", base]).output().unwrap()
    };
    let message = refusal(&resume("base_model=../other"));
    assert!(message.contains("mean something else (base_model: out -> ../other); set that back"), "{message}");
    let output = resume("base_model=../out");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// The folder of an unfinished run is written in the configuration, the checkpoint that it stood for in the checkpoint's.
#[test]
fn going_on_from_a_runs_adapter_is_no_other_setting() {
    let scene = Scene::new();
    scene.train(&["max_steps=1"]);
    scene.succeed(&["train", "lora.yaml", "max_steps=2"]);
    for name in ["adapter_model.safetensors", "adapter_config.json"] {
        fs::remove_file(scene.path("adapter").join(name)).unwrap();
    }
    let config = fs::read_to_string(scene.path("lora.yaml")).unwrap();
    scene.write("on.yaml", config.replace("lora_r: 4\n", "").replace("output_dir: adapter", "output_dir: second"));
    let words = ["on.yaml", "lora_model_dir=adapter", "max_steps=2"];
    scene.succeed(&[&["train"], &words[..]].concat());
    let stderr = scene.succeed(&[&["config", "check"], &words[..], &["--resume"]].concat());
    assert!(!stderr.contains("other settings"), "{stderr}");
}
