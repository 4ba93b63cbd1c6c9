//! Wrong usage has exit code 2, whoever finds it.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "support/environment.rs"]
mod environment;

use std::path::Path;
use std::process::Stdio;

use environment::untouched;

/// A full disk is told as such, and a reader that has enough is no mistake.
#[test]
fn what_cannot_be_printed_is_no_panic() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("words.txt"), "pig iron\n").unwrap();
    let train = "tokenizer train --input words.txt --vocab-size 258 --overwrite --output out";
    for (words, doing) in [
        ("--help", "printing the help"),
        ("help serve", "printing the help"),
        (train, "printing the result"),
        ("quickstart", "printing how far the quickstart is"),
        ("completions bash", "printing the completions"),
    ] {
        let run = |output: Stdio| {
            let output = untouched().args(words.split(' ')).current_dir(folder.path()).stdout(output).output().unwrap();
            (output.status.code(), String::from_utf8(output.stderr).unwrap())
        };
        let (code, told) = run(std::fs::File::options().write(true).open("/dev/full").unwrap().into());
        let expected = format!("error: {doing}: No space left on device (os error 28)\n");
        assert_eq!((code, told.as_str()), (Some(1), expected.as_str()));
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        assert_eq!(run(writer.into()).0, Some(0), "{words}");
    }
}

/// RUST_LOG is for other programs, too: what it says of them, or says wrongly, hides nothing here.
#[test]
fn filters_of_messages_hide_no_errors() {
    let told = |variables: &[(&str, &str)]| {
        let mut command = untouched();
        command.args(["plan", "none.yaml", "--target", "cpu"]).envs(variables.iter().copied());
        let output = command.output().unwrap();
        assert_eq!(output.status.code(), Some(1));
        String::from_utf8(output.stderr).unwrap()
    };
    let plain = told(&[]);
    assert!(plain.starts_with("error: "), "{plain}");
    assert_eq!(told(&[("RUST_LOG", "mycrate=debug")]), plain);
    assert_eq!(told(&[("FINERY_LOG", "hyper=info"), ("RUST_LOG", "foo=bar")]), plain);
    let no_part = |filter: &str| {
        format!(
            "`{filter}` is no part of a log filter: give off, error, warn, info, debug or trace, or a crate with one of them, as in finery=debug"
        )
    };
    let warning = format!("warning: what is logged is as without RUST_LOG: RUST_LOG=foo=bar: {}\n", no_part("foo=bar"));
    assert_eq!(told(&[("RUST_LOG", "foo=bar")]), warning + &plain);
    let error = format!("error: FINERY_LOG=finery=verbose: {}\n", no_part("finery=verbose"));
    assert_eq!(told(&[("FINERY_LOG", "finery=verbose")]), error);
}

#[test]
fn wrong_usage_is_told_apart_from_failure() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("none.txtpb"), "\u{7f}ELF").unwrap();
    for (words, rule) in [
        (
            "plan run.yaml --target b200:8",
            "there is no target \"b200\": give h200, h100, mi300x, mi250, cpu or the file",
        ),
        ("plan run.yaml --target cpu:eight", "the target's devices are \"eight\""),
        ("plan run.yaml --target none.txtpb:8", "none.txtpb describes no GPU: line 1"),
        ("bench train --preset cpu-15m --target b200", "invalid value 'b200' for '--target <DEVICE>'"),
        ("train run.yaml --device tpu", "invalid value 'tpu' for '--device <PLATFORM>'"),
        ("plugin install tpu", "invalid value 'tpu' for '<PLATFORM>'"),
        ("plugin install cpu --toolchain", "--toolchain is for cuda: the cpu plugin compiles with what it holds"),
        (
            "bench kernels --only nothing --device cpu",
            "no operation has `nothing` in its line; lines begin with one of: attention, attention forward,",
        ),
        (
            "bench kernels --launches --device cpu",
            "--launches: kernels are recorded on GPUs, and the plugin of CPUs records nothing",
        ),
        (
            "bench decode --preset llama-15m --launches --device cpu",
            "--launches: kernels are recorded on GPUs, and the plugin of CPUs records nothing",
        ),
        ("bench serve --requests 0", "invalid value '0' for '--requests <N>': it should be a whole number from 1 on"),
        (
            "bench serve --requests 18446744073709551616",
            "invalid value '18446744073709551616' for '--requests <N>': it is too large: 18446744073709551615 is the largest",
        ),
        ("bench serve --ramp 1e9", "'1e9' for '--ramp <S>': it should be a number of seconds, from 0 to ten million"),
        (
            "bench serve --timeout 1e12",
            "'1e12' for '--timeout <S>': it should be a number of seconds above 0, up to ten million",
        ),
        ("bench serve --model a --model b --model a", "--model a is given twice: name each model once"),
        ("ranks --rounds 5000000000", "'--rounds <COUNT>': it should be a whole number from 1 to 4294967295"),
        ("ranks --rounds 0", "'--rounds <COUNT>': it should be a whole number from 1 to 4294967295"),
        ("bench serve ftp://x", "invalid value 'ftp://x' for '[URL]': it should begin with http:// or https://"),
        ("profile run.yaml --warmup 0", "'0' for '--warmup <COUNT>': it should be a whole number from 1 to 100000"),
        ("profile run.yaml --steps 1001", "'1001' for '--steps <COUNT>': it should be a whole number from 1 to 1000"),
        (
            "generate --model model --prompt a --stop=",
            "invalid value '' for '--stop <TEXT>': it should have a character or more",
        ),
        ("plot run -o out.pdf", "cannot tell the format of the plot from `out.pdf`"),
        ("data inspect", "the following required arguments were not provided"),
    ] {
        check(folder.path(), words, rule);
    }
    // There is no such file.
    let output = untouched().current_dir(folder.path()).args(["plan", "run.yaml", "--target", "cpu"]).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn what_serve_does_not_take_is_told_with_what_to_do() {
    let folder = tempfile::tempdir().unwrap();
    for (words, rule) in [
        ("serve --model model", "tip: the model is the first argument, as in: finery serve DIR"),
        ("serve --model=model --port 0", "unexpected argument '--model <VALUE>' found"),
        (
            "serve model --enable-auto-tool-choice",
            "tip: leave it out: the model's chat template decides how tools are called",
        ),
        (
            "serve model --tool-call-parser hermes",
            "tip: leave it out: the model's chat template decides how tools are called",
        ),
        ("serve model --gpu-memory-utilization 0.9", "--kv-cache-gib how much keys and values may take"),
        ("serve model --quantization awq", "tip: leave it out: quantised weights cannot be read"),
        ("serve model --chat-template-content-format openai", "tip: leave it out: whether a template takes content"),
        ("serve model --max-cpu-loras 8", "tip: say with --lora-host-gib how much memory"),
        ("serve model --swap-space", "a value is required for '--swap-space <VALUE>' but none was supplied"),
        ("serve model --trust-remote-code", "tip: leave it out: code that comes with a model is never run"),
        ("serve model --enable-prefix-caching", "tip: leave it out: it is done unless --no-prefix-caching is given"),
        (
            "serve model --kv-cache-gib nan",
            "invalid value 'nan' for '--kv-cache-gib <GIB>': it should be a number of GiB above 0",
        ),
        ("serve model --kv-cache-gib 0", "it should be a number of GiB above 0"),
        ("serve model --kv-cache-gib -1", "it should be a number of GiB above 0"),
        ("serve model --kv-cache-gib inf", "it should be a number of GiB above 0"),
        ("serve model --lora-modules =folder", "it should be a name and a folder"),
    ] {
        check(folder.path(), words, rule);
    }
}

fn check(folder: &Path, words: &str, rule: &str) {
    let output = untouched().current_dir(folder).args(words.split(' ')).output().unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{words}: {stderr}");
    assert!(stderr.contains(rule) && stderr.matches("error: ").count() == 1, "{words}: {stderr}");
}

/// Those that begin with a minus too, which are no options.
#[test]
fn values_out_of_range_are_refused_with_their_option_and_range() {
    let folder = tempfile::tempdir().unwrap();
    for (words, rule) in [
        ("bench serve --concurrency -1", "'-1' for '--concurrency <N>': it should be a whole number from 1 to 1000000"),
        ("bench serve --rate -1", "'-1' for '--rate <R>': it should be a number above 0, up to a million"),
        ("bench serve --ramp -1", "'-1' for '--ramp <S>': it should be a number of seconds, from 0 to ten million"),
        ("bench serve --seconds 0", "'0' for '--seconds <S>': it should be a number of seconds above 0"),
        ("bench serve --seconds -1", "'-1' for '--seconds <S>': it should be a number of seconds above 0"),
        ("bench serve --zipf -1", "'-1' for '--zipf <S>': it should be a number from 0 to 10"),
        ("bench serve --prompt-tokens -1", "'-1' for '--prompt-tokens <DIST>': `-1` is no distribution of lengths"),
        ("bench serve --slow-readers -0.5", "'-0.5' for '--slow-readers <FRACTION>': it should be a number from 0"),
        ("bench serve http://127.0.0.1:99999", "for '[URL]': its port should be a number from 1 to 65535"),
        (
            "bench serve --goodput ttft=50,foo=1",
            "'ttft=50,foo=1' for '--goodput <BOUNDS>': `foo=1` says no bounds: give",
        ),
        ("eval loss --model m --input i --stride 0", "'0' for '--stride <N>': it should be a whole number from 1 on"),
        ("score --model m --input i --stride -1", "'-1' for '--stride <N>': it should be a whole number from 1 on"),
        ("score --model m --input i --context 1", "'1' for '--context <N>': it should be a whole number from 2 on"),
        ("profile run.yaml --warmup -1", "'-1' for '--warmup <COUNT>': it should be a whole number from 1 to 100000"),
        ("keys add a --requests-per-minute -1", "'-1' for '--requests-per-minute <N>': it should be a whole number"),
        (
            "keys add a --tokens-per-minute 99999999999999999999",
            "'99999999999999999999' for '--tokens-per-minute <N>': it is too large: 18446744073709551615 is the largest",
        ),
        ("keys add a --expires -1d", "invalid value '-1d' for '--expires <WHEN>': it is over already"),
        (
            "keys add a --expires 9999999999d",
            "'9999999999d' for '--expires <WHEN>': it is too far away, beyond the year",
        ),
        (
            "keys add a --expires 99999999999999999999s",
            "for '--expires <WHEN>': it is too far away, beyond the year 9999",
        ),
        ("keys add a --expires 9999-12-31", "for '--expires <WHEN>': it is too far away, beyond the year 9999"),
        (
            "keys add a --expires 1y",
            "'1y' for '--expires <WHEN>': it should be a time in s, m (minutes), h or d, as in",
        ),
        ("keys add a --expires P30D", "'P30D' for '--expires <WHEN>': it should be a time in s, m (minutes), h or d"),
        ("keys add a --expires d", "'d' for '--expires <WHEN>': it should be a time in s, m (minutes), h or d"),
        ("serve model --max-model-len 0", "'0' for '--max-model-len <N>': it should be a whole number from 2 on"),
        ("serve model --max-model-len -1", "'-1' for '--max-model-len <N>': it should be a whole number from 2 on"),
        ("serve model --port -1", "'-1' for '--port <PORT>': it should be a whole number from 0 to 65535"),
        ("serve model --port 65536", "'65536' for '--port <PORT>': it should be a whole number from 0 to 65535"),
        ("serve model --drain-seconds -1", "'-1' for '--drain-seconds <N>': it should be a whole number from 0 on"),
        ("serve model --max-num-seqs 0", "'0' for '--max-num-seqs <N>': it should be a whole number from 1 to 4096"),
        (
            "serve model --speculative-ngram 17",
            "'17' for '--speculative-ngram <K>': it should be a whole number from 1 to 16",
        ),
        (
            "serve model --speculative-ngram 0",
            "'0' for '--speculative-ngram <K>': it should be a whole number from 1 to 16",
        ),
        (
            "serve model --host nowhere",
            "'nowhere' for '--host <ADDRESS>': it should be an IP address, such as 127.0.0.1",
        ),
    ] {
        check(folder.path(), words, rule);
    }
}

/// There is no such model, which is not looked for.
#[test]
fn values_that_no_model_takes_are_refused_with_their_option_and_range() {
    for command in ["generate --prompt a", "chat"] {
        for (option, value, rule) in [
            ("--temperature <X>", "-1", "it should be 0 (the likeliest token) or above"),
            ("--temperature <X>", "nan", "it should be 0 (the likeliest token) or above"),
            ("--temperature <X>", "warm", "it should be a number"),
            ("--top-p <P>", "1.5", "it should be from 0 to 1"),
            ("--top-p <P>", "-0.5", "it should be from 0 to 1"),
            ("--top-k <K>", "-2", "it should be -1, 0 or more"),
            ("--min-p <P>", "1.5", "it should be from 0 to 1"),
            ("--repetition-penalty <X>", "0", "it should be above 0; 1 changes nothing"),
            ("--frequency-penalty <X>", "-3", "it should be from -2 to 2"),
            ("--presence-penalty <X>", "2.5", "it should be from -2 to 2"),
            ("--max-tokens <N>", "0", "it should be a whole number from 1 on"),
            ("--context <N>", "0", "it should be a whole number from 1 on"),
            ("--context <N>", "-1", "it should be a whole number from 1 on"),
            ("--seed <N>", "-9223372036854775809", "it should be a whole number from -9223372036854775808 to "),
            ("--seed <N>", "x", "it should be a whole number from -9223372036854775808 to 18446744073709551615"),
            ("--seed <N>", "18446744073709551616", "it should be a whole number from -9223372036854775808 to "),
            ("--num-speculative-tokens <K>", "17", "it should be a whole number from 1 to 16"),
            ("--num-speculative-tokens <K>", "0", "it should be a whole number from 1 to 16"),
        ] {
            let name = option.split(' ').next().unwrap();
            let words = format!("{command} --model nowhere --speculative-model nowhere {name} {value}");
            let output = untouched().args(words.split(' ')).output().unwrap();
            let stderr = String::from_utf8(output.stderr).unwrap();
            assert_eq!(output.status.code(), Some(2), "{words}: {stderr}");
            let told = format!("error: invalid value '{value}' for '{option}': {rule}");
            assert!(stderr.starts_with(&told), "{words}: {stderr}");
        }
    }
}
