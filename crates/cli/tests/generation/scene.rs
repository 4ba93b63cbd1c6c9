//! A folder with the tiny model, and the commands that use it.

use std::fs;
use std::ops::Deref;
use std::process::Output;

use serde_json::Value;

use crate::command::refusal;
use crate::folder::Folder;
use crate::model::{fixture, write_model};

/// A template that writes who speaks, and ends with the beginning of the assistant's answer.
pub(crate) const ROLES: &str = "{{ bos_token }}{% for message in messages %}{{ message.role }}: {{ message.content }} \
    {% endfor %}{% if add_generation_prompt %}assistant: {% endif %}";

/// A temporary folder with `model/` and `adapter/`.
pub(crate) struct Scene {
    folder: Folder,
}

impl Deref for Scene {
    type Target = Folder;

    fn deref(&self) -> &Folder {
        &self.folder
    }
}

impl Scene {
    pub(crate) fn new() -> Scene {
        let scene = Scene { folder: Folder::new() };
        write_model(&scene.path("model"));
        fs::create_dir(scene.path("adapter")).unwrap();
        for name in ["adapter_config.json", "adapter_model.safetensors"] {
            fs::copy(fixture("adapter").join(name), scene.path("adapter").join(name)).unwrap();
        }
        scene
    }

    /// `finery COMMAND --model model` with further words.
    pub(crate) fn finery(&self, command: &str, words: &[&str]) -> Output {
        let model: &[&str] = if words.contains(&"--model") { &[] } else { &["--model", "model"] };
        self.run(&[&[command, "--device", "cpu"], model, words].concat())
    }

    /// What a command that must succeed writes to standard output.
    pub(crate) fn stdout(&self, command: &str, words: &[&str]) -> String {
        let output = self.finery(command, words);
        assert!(output.status.success(), "{command} {words:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    }

    /// The one sentence of a command that must fail.
    pub(crate) fn refusal(&self, command: &str, words: &[&str]) -> String {
        let output = self.finery(command, words);
        assert!(output.stdout.is_empty(), "{command} {words:?}");
        refusal(&output)
    }

    /// The object that `finery generate --json` prints.
    pub(crate) fn generate(&self, words: &[&str]) -> Value {
        serde_json::from_str(&self.stdout("generate", &[&["--json"], words].concat())).unwrap()
    }
}
