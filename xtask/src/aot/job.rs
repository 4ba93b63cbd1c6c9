//! A published job that is planned, and what it took.

use anyhow::{Context, Result};
use serde_json::Value;

use super::{Finery, temporaries_violation};

/// Rank 8 on Llama 3.1 405B's linear layers, each of them its (inputs, outputs), for 16 rows of 64 tokens: the job of "Llama3 405B Tuning
/// Experience on AMD MI300x", with weights in bf16 over the eight devices of a machine.
pub(super) struct Job {
    /// What plans it.
    pub(super) arguments: [&'static str; 5],
    /// Bytes of the frozen weights on each device.
    frozen: u64,
    /// Bytes of the adapters on each device, in f32.
    trained: u64,
    /// Bytes of temporaries, as in [`Case`].
    temporary_bytes: f64,
    /// What the article's run took of all devices: 77 % of 1,536 GB.
    reported_bytes: f64,
}

pub(super) const LLAMA_405B: Job = {
    let (hidden, inner, keys, layers, vocab, devices) = (16_384, 53_248, 1024, 126, 128_256, 8);
    let layer = 2 * hidden * hidden + 2 * hidden * keys + 3 * hidden * inner + 2 * hidden;
    let adapters = 8 * (2 * (hidden + hidden) + 2 * (hidden + keys) + 3 * (hidden + inner));
    Job {
        arguments: ["plan", "examples/llama-405b-lora.yaml", "--target", "mi300x:8", "--json"],
        frozen: 2 * (2 * vocab * hidden + layers * layer + hidden) / devices,
        trained: 4 * layers * adapters / devices,
        temporary_bytes: 12.34e9,
        reported_bytes: 0.77 * 1.536e12,
    }
};

impl Job {
    /// Compiles it; gives back a line about it, and what is wrong with it.
    pub(super) fn run(&self, finery: &Finery) -> Result<(String, Vec<String>)> {
        let report = finery.run(&self.arguments)?;
        self.check(&report).with_context(|| format!("reading what was printed for {}: {report:?}", self.arguments[1]))
    }

    fn check(&self, json: &str) -> Result<(String, Vec<String>)> {
        let plan: Value = serde_json::from_str(json)?;
        let memory = &plan["memory"];
        let bytes = |key: &str| memory[key].as_u64().with_context(|| format!("no whole number `{key}`"));
        let devices = plan["devices"].as_u64().context("no whole number `devices`")?;
        let total = (devices * bytes("total")?) as f64;
        let temporary = bytes("gradients")? + bytes("activations")?;
        let mut wrong = Vec::new();
        for (key, expected) in [("frozen", self.frozen), ("trained", self.trained), ("optimizer", 2 * self.trained)] {
            let found = bytes(key)?;
            if found != expected {
                wrong.push(format!(
                    "{}: {found} bytes are {key} on each device; by its sizes {expected}",
                    self.arguments[1]
                ));
            }
        }
        wrong.extend(temporaries_violation(self.arguments[1], temporary, self.temporary_bytes));
        if memory["fits"] != Value::Bool(true) || total > self.reported_bytes {
            wrong.push(format!(
                "{}: {total:.0} bytes on all devices; {:.0} were taken",
                self.arguments[1], self.reported_bytes
            ));
        }
        let line = format!(
            "{}: {:.0} GB on {devices} devices, {:.1} of them temporaries, where {:.0} GB are reported",
            self.arguments[1],
            total / 1e9,
            (devices * temporary) as f64 / 1e9,
            self.reported_bytes / 1e9
        );
        Ok((line, wrong))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn its_parameters_are_those_of_the_published_model() {
        assert_eq!(8 * LLAMA_405B.frozen / 2, 405_853_388_800);
    }

    #[test]
    fn a_job_that_takes_more_than_was_reported_is_a_violation() {
        let wrong = |frozen: u64, activations: u64, fits: bool| {
            let Job { trained, .. } = LLAMA_405B;
            let total = frozen + 3 * trained + activations;
            let json = serde_json::json!({"devices": 8, "memory": {
                "frozen": frozen, "trained": trained, "optimizer": 2 * trained, "gradients": 0, "activations": activations, "total": total,
                "fits": fits,
            }});
            LLAMA_405B.check(&json.to_string()).unwrap().1.len()
        };
        let frozen = LLAMA_405B.frozen;
        assert_eq!(wrong(frozen, 12_400_000_000, true), 0);
        assert_eq!(wrong(frozen, 12_400_000_000, false), 1);
        assert_eq!(wrong(frozen - 2, 12_400_000_000, true), 1);
        // A copy of most weights: more temporaries, and with them more than was reported.
        assert_eq!(wrong(frozen, 77_200_000_000, true), 2);
    }
}
