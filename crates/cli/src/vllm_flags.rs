//! Flags of `vllm serve` that `finery serve` has none of: each is refused with what is done in its place, not with a name that is like it.

use clap::builder::UnknownArgumentValueParser;
use clap::{Arg, ArgAction};

const OF_TEMPLATE: &str = "leave it out: the model's chat template decides how tools are called";

/// Whether it takes a value, and what to do.
const FLAGS: [(&str, bool, &str); 6] = [
    ("--model", true, "the model is the first argument, as in: finery serve DIR"),
    ("--enable-auto-tool-choice", false, OF_TEMPLATE),
    ("--tool-call-parser", true, OF_TEMPLATE),
    ("--enable-prefix-caching", false, "leave it out: it is done unless --no-prefix-caching is given"),
    (
        "--gpu-memory-utilization",
        true,
        "leave it out for most of what is free, or say with --kv-cache-gib how much keys and values may take",
    ),
    ("--trust-remote-code", false, "leave it out: code that comes with a model is never run"),
];

/// They are in no help.
pub(crate) fn flags() -> impl Iterator<Item = Arg> {
    FLAGS.into_iter().map(|(name, takes_value, advice)| {
        let action = if takes_value { ArgAction::Set } else { ArgAction::SetTrue };
        // With the dashes, as what has the name without them is another argument.
        let flag = Arg::new(name).long(name.trim_start_matches('-')).value_name("VALUE").action(action).hide(true);
        flag.help(advice).value_parser(UnknownArgumentValueParser::suggest(advice))
    })
}
