//! Flags of `vllm serve` that `finery serve` has none of: each is refused with what is done in its place, not with a name that is like it.

use clap::builder::UnknownArgumentValueParser;
use clap::{Arg, ArgAction, Command};

const OF_TEMPLATE: &str = "leave it out: the model's chat template decides how tools are called";
const OF_CACHE: &str =
    "say with --kv-cache-gib how much keys and values may take, or leave it out for most of what is free";
const OF_FOLDER: &str = "leave it out: MODEL is a folder of this machine, and nothing is fetched";
const OF_TOKENIZER: &str =
    "leave it out: the tokenizer is that of MODEL's folder, or of an adapter's that is served as MODEL";
const OF_CONTENT_FORMAT: &str = "leave it out: whether a template takes content in parts is found by rendering some";
const OF_CONFIG: &str = "leave it out, and write what it changes into the config.json in MODEL's folder";
const OF_GENERATION: &str =
    "leave it out: what requests do not say is as the generation_config.json in MODEL's folder has it, if there is one";
const OF_WEIGHTS: &str = "leave it out: weights are read from safetensors, and held as --dtype says";
const OF_LORA: &str =
    "leave it out: the room of adapters is --max-loras times --max-lora-rank, and modules are --lora-target-modules";
const OF_MEMORY: &str = "leave it out: an answer whose pages others need is computed again up to where it was";
const OF_STEPS: &str = "leave it out: all steps are programs that are compiled at the start";
const OF_SCHEDULE: &str =
    "leave it out: steps hold up to --max-num-batched-tokens, and requests begin by their `priority`";
const OF_DEVICES: &str = "leave it out: --mesh or --tensor-parallel-size spreads a model, and copies of it are servers of their own, behind a proxy";
const OF_REQUEST_LOG: &str = "leave it out: prompts and answers are in the log with --log-content alone";
const OF_LOG: &str = "say with --verbose or --quiet what is logged, and with --log-format how";
const OF_METRICS: &str =
    "leave it out: how the server does is told at /metrics, and how many tokens were cached with each answer's usage";
const OF_FORMS: &str = "leave it out: there is one way to hold answers to a form";
const OF_REASONING: &str = "leave it out: what a model thinks is part of the answer's content";
const OF_MEDIA: &str = "leave it out: models take text alone";
const OF_TASK: &str = "leave it out: a model answers, and turns texts into vectors at /v1/embeddings";
const OF_BROWSERS: &str = "leave it out: for pages of other sites have a proxy add the headers";
const OF_CHUNKS: &str = "leave it out: long prompts are computed in parts always";

/// Their names, whether they take a value, and what to do.
#[rustfmt::skip]
const FLAGS: &[(&[&str], bool, &str)] = &[
    (&["--model"], true, "the model is the first argument, as in: finery serve DIR"),
    (&["--enable-auto-tool-choice"], false, OF_TEMPLATE),
    (&["--tool-call-parser", "--tool-parser-plugin"], true, OF_TEMPLATE),
    (&["--chat-template-content-format"], true, OF_CONTENT_FORMAT),
    (&["--enable-prefix-caching"], false, "leave it out: it is done unless --no-prefix-caching is given"),
    (&["--no-enable-prefix-caching"], false, "give --no-prefix-caching"),
    (&["--prefix-caching-hash-algo"], true, "leave it out: what texts have in common is found by comparing them"),
    (&["--gpu-memory-utilization", "--kv-cache-memory-bytes", "--num-gpu-blocks-override"], true, OF_CACHE),
    (&["--trust-remote-code"], false, "leave it out: code that comes with a model is never run"),
    (&["--revision", "--code-revision", "--download-dir", "--hf-token"], true, OF_FOLDER),
    (&["--tokenizer", "--tokenizer-mode", "--tokenizer-revision"], true, OF_TOKENIZER),
    (&["--hf-overrides", "--hf-config-path", "--rope-scaling", "--rope-theta"], true, OF_CONFIG),
    (&["--generation-config", "--override-generation-config"], true, OF_GENERATION),
    (&["--quantization"], true, "leave it out: quantised weights cannot be read; take the model in 16 or 32 bits"),
    (&["--load-format", "--model-loader-extra-config", "--config-format"], true, OF_WEIGHTS),
    (&["--task", "--runner", "--convert"], true, OF_TASK),
    (&["--seed"], true, "leave it out: a request says its own `seed`, and without one its answer is drawn anew each time"),
    (&["--max-logprobs"], true, "leave it out: a request may ask for the 20 likeliest tokens in place of each"),
    (&["--max-cpu-loras"], true, "say with --lora-host-gib how much memory of the host adapters may take"),
    (&["--lora-dtype", "--lora-extra-vocab-size"], true, OF_LORA),
    (&["--fully-sharded-loras"], false, OF_LORA),
    (&["--swap-space", "--cpu-offload-gb"], true, OF_MEMORY),
    (&["--enforce-eager", "--disable-custom-all-reduce"], false, OF_STEPS),
    (&["--compilation-config", "--max-seq-len-to-capture", "--cuda-graph-sizes"], true, OF_STEPS),
    (&["--enable-chunked-prefill"], false, OF_CHUNKS),
    (&["--scheduling-policy", "--num-scheduler-steps", "--max-num-partial-prefills"], true, OF_SCHEDULE),
    (&["--async-scheduling"], false, OF_SCHEDULE),
    (&["--pipeline-parallel-size", "--data-parallel-size", "--distributed-executor-backend"], true, OF_DEVICES),
    (&["--enable-expert-parallel"], false, OF_DEVICES),
    (&["--api-server-count"], true, "leave it out: one process takes up to --max-connections"),
    (&["--disable-log-requests", "--no-enable-log-requests", "--enable-log-requests"], false, OF_REQUEST_LOG),
    (&["--max-log-len"], true, OF_REQUEST_LOG),
    (&["--uvicorn-log-level"], true, OF_LOG),
    (&["--disable-uvicorn-access-log"], false, OF_LOG),
    (&["--disable-log-stats", "--enable-prompt-tokens-details"], false, OF_METRICS),
    (&["--ssl-certfile"], true, "give the certificate with --tls-cert"),
    (&["--ssl-keyfile"], true, "give the certificate's key with --tls-key"),
    (&["--root-path"], true, "leave it out: have the proxy take it off the paths that it passes on"),
    (&["--allowed-origins", "--allowed-methods", "--allowed-headers"], true, OF_BROWSERS),
    (&["--allow-credentials"], false, OF_BROWSERS),
    (&["--guided-decoding-backend", "--structured-outputs-config"], true, OF_FORMS),
    (&["--reasoning-parser"], true, OF_REASONING),
    (&["--enable-reasoning"], false, OF_REASONING),
    (&["--limit-mm-per-prompt", "--mm-processor-kwargs"], true, OF_MEDIA),
];

/// The command line that says so. They are in no help, and not among what shells complete.
pub(crate) fn refused_by(command: Command) -> Command {
    command.mut_subcommand("serve", |serve| serve.args(flags()))
}

fn flags() -> impl Iterator<Item = Arg> {
    let each = |(names, takes_value, advice): &'static (&'static [&'static str], bool, &'static str)| {
        names.iter().map(|name| flag(name, *takes_value, advice))
    };
    FLAGS.iter().flat_map(each)
}

fn flag(name: &'static str, takes_value: bool, advice: &'static str) -> Arg {
    let action = if takes_value { ArgAction::Set } else { ArgAction::SetTrue };
    // With the dashes, as what has the name without them is another argument.
    let flag = Arg::new(name).long(name.trim_start_matches('-')).value_name("VALUE").action(action).hide(true);
    flag.help(advice).value_parser(UnknownArgumentValueParser::suggest(advice))
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;
    use clap::error::ErrorKind;
    use clap_complete::Shell;

    use super::*;
    use crate::Cli;

    #[test]
    fn each_is_refused_with_what_to_do_and_shown_nowhere() {
        let refusal = |words: &[&str]| {
            let command = refused_by(Cli::command());
            command.try_get_matches_from([&["finery", "serve"], words].concat()).expect_err("it is no server to start")
        };
        let help = refusal(&["--help"]).to_string();
        let mut script = Vec::new();
        clap_complete::generate(Shell::Bash, &mut Cli::command(), "finery", &mut script);
        let script = String::from_utf8_lossy(&script);
        assert!(script.contains("--kv-cache-gib") && !script.contains("--quantization"));
        for (names, takes_value, advice) in FLAGS {
            for name in *names {
                let words = if *takes_value { &["model", name, "1"][..] } else { &["model", name] };
                let refused = refusal(words);
                assert_eq!(refused.kind(), ErrorKind::UnknownArgument, "{name}");
                let told = refused.to_string();
                assert!(told.contains(&format!("unexpected argument '{name}")), "{told}");
                assert!(told.contains(&format!("tip: {advice}\n")), "{told}");
                assert!(!help.lines().any(|line| line.trim_start().starts_with(&format!("{name} "))), "{name}");
            }
        }
    }
}
