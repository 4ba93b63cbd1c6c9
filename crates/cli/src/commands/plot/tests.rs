use std::fs;

use clap::Parser;
use expect_test::{expect, expect_file};
use train::metrics::{EvalRecord, MetricsWriter, ResumedAt, StepRecord};

use super::*;

#[derive(Debug, Parser)]
struct Command {
    #[command(flatten)]
    args: PlotArgs,
}

/// A run whose loss decays with a ripple, logged every fifth step and evaluated every twentieth.
fn write_run(folder: &Path, rate: f64) {
    fs::create_dir_all(folder).unwrap();
    let mut writer = MetricsWriter::open(folder, None, 0.0).unwrap();
    for step in (5..=100).step_by(5) {
        let done = step as f64;
        let (tokens, time) = (step * 4096, done * 0.5);
        let loss = 2.0 + 7.0 * (-rate * done).exp() + 0.2 * done.sin();
        let record = StepRecord {
            step,
            epoch: done / 50.0,
            tokens,
            loss,
            learning_rate: 3e-4 * (1.0 - done / 100.0),
            grad_norm: loss / 2.0,
            tokens_per_second: 8192.0 + 200.0 * done.cos(),
            step_ms: 500.0,
            time,
            ..StepRecord::default()
        };
        writer.log_step(&record).unwrap();
        if step % 20 == 0 {
            let eval_loss = loss + 0.3;
            let eval_perplexity = eval_loss.exp();
            writer.log_eval(&EvalRecord { step, tokens, eval_loss, eval_perplexity, time }).unwrap();
        }
    }
}

/// Adds what the sensors of two GPUs and of the host told of a run, of which the host knows no power. The second GPU falls silent half-way.
fn write_sensors(folder: &Path) {
    let mut writer =
        MetricsWriter::open(folder, Some(ResumedAt { step: 100, evaluation_due: false, record_due: false }), 0.0)
            .unwrap();
    for step in (20..=100).step_by(20) {
        let place = format!(r#""step":{step},"tokens":{},"seconds":10,"samples":5,"time":{}"#, step * 4096, step / 2);
        let gpu = |number: u64, watts: u64| {
            let celsius = 40 + step / 4 + number;
            format!(
                r#"{{{place},"device":"gpu{number}","power_watts_mean":{watts},"temperature_celsius_max":{celsius},"throttled":0.5}}"#
            )
        };
        let host = format!(r#"{{{place},"device":"host","memory_used_bytes_max":7000000000}}"#);
        let lines = [gpu(0, 600 + step), gpu(1, 500), host];
        for line in lines.iter().filter(|line| step <= 60 || !line.contains("gpu1")) {
            writer.log_hardware(&serde_json::from_str(line).unwrap()).unwrap();
        }
    }
}

/// Runs `finery plot` in `folder` with paths that start with `@` put there.
fn plot(folder: &Path, arguments: &[&str]) -> anyhow::Result<()> {
    let in_folder = |argument: &&str| match argument.strip_prefix('@') {
        Some(name) => folder.join(name).into_os_string(),
        None => (*argument).into(),
    };
    let words = ["plot".into()].into_iter().chain(arguments.iter().map(in_folder));
    run(Command::try_parse_from(words)?.args)
}

fn two_runs() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    write_run(&folder.path().join("first"), 0.03);
    write_run(&folder.path().join("<second> & more"), 0.06);
    folder
}

#[test]
fn svg_of_one_run() {
    let folder = two_runs();
    plot(folder.path(), &["@first", "--output", "@out.svg"]).unwrap();
    expect_file!["golden/one_run.svg"].assert_eq(&fs::read_to_string(folder.path().join("out.svg")).unwrap());
}

#[test]
fn svg_of_two_smoothed_runs_on_log_axes() {
    let folder = two_runs();
    let options = ["--smooth", "0.8", "--log", "--x", "tokens", "--metric", "loss,grad_norm"];
    plot(folder.path(), &[&["@first", "@<second> & more", "--output", "@out.svg"][..], &options].concat()).unwrap();
    let svg = fs::read_to_string(folder.path().join("out.svg")).unwrap();
    expect_file!["golden/two_runs.svg"].assert_eq(&svg);
}

#[test]
fn png_has_twice_the_pixels_of_the_svg_and_ink_in_each_color() {
    let folder = two_runs();
    plot(folder.path(), &["@first", "@<second> & more", "-o", "@out.png"]).unwrap();
    plot(folder.path(), &["@first", "@<second> & more", "-o", "@out.svg"]).unwrap();
    let pixels = tiny_skia::Pixmap::decode_png(&fs::read(folder.path().join("out.png")).unwrap()).unwrap();
    let svg = fs::read_to_string(folder.path().join("out.svg")).unwrap();
    let size = format!(r#"width="{}" height="{}""#, pixels.width() / 2, pixels.height() / 2);
    assert!(svg.lines().next().unwrap().contains(&size), "{size}");
    for (red, green, blue) in [(0x00, 0x72, 0xb2), (0xd5, 0x5e, 0x00), (0x26, 0x26, 0x26)] {
        let has =
            |pixel: &tiny_skia::PremultipliedColorU8| (pixel.red(), pixel.green(), pixel.blue()) == (red, green, blue);
        assert!(pixels.pixels().iter().any(has), "no pixel is #{red:02x}{green:02x}{blue:02x}");
    }
}

/// As `finery score` and `finery eval` write: at once, to what a link points to.
#[test]
fn a_plot_takes_the_place_of_another_at_once() {
    let folder = two_runs();
    fs::create_dir(folder.path().join("figures")).unwrap();
    let (place, link) = (folder.path().join("figures/a.svg"), folder.path().join("out.svg"));
    fs::write(&place, "old").unwrap();
    let old = fs::File::open(&place).unwrap();
    std::os::unix::fs::symlink("figures/a.svg", &link).unwrap();
    plot(folder.path(), &["@first", "-o", "@out.svg"]).unwrap();
    assert!(fs::read_to_string(&place).unwrap().starts_with("<svg"));
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(std::io::read_to_string(old).unwrap(), "old", "whoever has the old one open can go on reading it");
    assert_eq!(fs::read_dir(folder.path().join("figures")).unwrap().count(), 1);
}

#[test]
fn every_option_draws() {
    let folder = two_runs();
    for x in ["step", "tokens", "time"] {
        for metric in ["loss", "loss,learning_rate,tokens_per_second,grad_norm"] {
            for extra in [&["-o", "@out.png"][..], &["--log", "-o", "@out.svg"]] {
                plot(folder.path(), &[&["@first", "--x", x, "--metric", metric], extra].concat()).unwrap();
            }
        }
    }
}

#[test]
fn a_run_without_a_finite_loss_still_draws_the_rest() {
    let folder = two_runs();
    let metrics = folder.path().join("first").join(METRICS_FILE);
    let lines = fs::read_to_string(&metrics).unwrap();
    let steps = lines.lines().filter(|line| !line.contains("eval_loss"));
    let without_loss: Vec<String> = steps.map(|line| line.replace("\"loss\":", "\"loss\":null,\"was\":")).collect();
    fs::write(&metrics, without_loss.join("\n")).unwrap();
    plot(folder.path(), &["@first", "-o", "@out.svg"]).unwrap();
    let svg = fs::read_to_string(folder.path().join("out.svg")).unwrap();
    assert_eq!(svg.matches("no finite value").count(), 1);
    assert!(svg.contains(">8000<"), "the throughput axis is drawn");
}

#[test]
fn runs_of_the_same_name_are_told_apart_by_their_path() {
    let folder = tempfile::tempdir().unwrap();
    let paths = ["a/run", "b/run", "c"].map(|name| folder.path().join(name));
    paths.iter().for_each(|path| write_run(path, 0.03));
    let names: Vec<_> = load_runs(&paths).unwrap().into_iter().map(|run| run.name).collect();
    assert_eq!(names, [paths[0].display().to_string(), paths[1].display().to_string(), "c".to_owned()]);
}

#[test]
fn terminal_charts() {
    let folder = two_runs();
    let runs = load_runs(&[folder.path().join("first")]).unwrap();
    let options =
        Options { metrics: vec![Metric::Loss, Metric::LearningRate], x: XAxis::Time, smoothing: 0.0, log: false };
    let text = curves::figure(&runs, &options).to_text(Terminal { unicode: true, color: false }, 60);
    expect![[r#"
        Loss
              │⠢⡀
              │ ⠈⠢⡀
              │   ⠈⠒⢄
              │      ⠑⠤●
            6 ┤        ⠈⠢⡀
              │          ⠑⢄
              │            ⠑⠢⣀    ●
            4 ┤               ⠉⠒⠒⠤⠤⢄⡀
              │                     ⠈⠑⠢⣀
              │                         ⠑⠢⢄⣀⣀●⣀⣀⣀⡀
              │                                  ⠈⠉⠑⠢⢄⡀ ●   ⢀⣀⣀⡀
              │                                       ⠈⠉⠒⠒⠉⠉⠁  ⠈⠉⠑⠒●
              └┬──────────┬──────────┬──────────┬──────────┬────────
               0         10         20         30         40
                                     Time (s)
        ━ first   ● evaluation

        Learning rate
              │⠒⠤⢄⡀
              │   ⠈⠑⠢⢄⣀
              │        ⠉⠒⠤⣀
         2e-4 ┤            ⠉⠑⠒⠤⣀
              │                 ⠉⠒⠤⢄⡀
              │                     ⠈⠑⠢⢄⣀
              │                          ⠉⠒⠤⣀
         1e-4 ┤                              ⠉⠑⠢⠤⣀⡀
              │                                   ⠈⠑⠢⢄⡀
              │                                       ⠈⠉⠒⠤⣀
              │                                            ⠉⠒⠢⢄⡀
            0 ┤                                                ⠈⠑⠢⠤⣀
              └┬──────────┬──────────┬──────────┬──────────┬────────
               0         10         20         30         40
                                     Time (s)
    "#]]
    .assert_eq(&text);
}

#[test]
fn each_device_has_a_curve_where_it_tells_something() {
    let folder = two_runs();
    write_sensors(&folder.path().join("first"));
    let runs = load_runs(&[folder.path().join("first")]).unwrap();
    let options =
        |metrics: &[Metric]| Options { metrics: metrics.to_vec(), x: XAxis::Step, smoothing: 0.0, log: false };
    let text = |metrics| curves::figure(&runs, &options(metrics)).to_text(Terminal { unicode: true, color: false }, 60);
    expect![[r#"
        Power (W)
             │                                               *******
             │***********************************************
         600 ┤
             │++++++++++++++++++++++++++++
             │
         400 ┤
             │
             │
         200 ┤
             │
             │
           0 ┤
             └┬────────────┬─────────────┬────────────┬────────────┬
             20           40            60           80          100
                                       Step
        * gpu0   + gpu1
    "#]]
    .assert_eq(&text(&[Metric::Power]));

    let names = |runs: &[Run], metrics| curves::figure(runs, &options(metrics)).names.join(", ");
    assert_eq!(names(&runs, &HARDWARE), "gpu0, gpu1, host");
    assert_eq!(names(&runs, &[Metric::Throttled]), "gpu0, gpu1");
    assert_eq!(names(&runs, &[Metric::Loss]), "first");
    assert_eq!(names(&runs, &[Metric::Loss, Metric::Memory]), "first, host");
    write_sensors(&folder.path().join("<second> & more"));
    let both = load_runs(&[folder.path().join("first"), folder.path().join("<second> & more")]).unwrap();
    assert_eq!(names(&both, &[Metric::Memory]), "first host, <second> & more host");

    let figure = curves::figure(&runs, &options(&[Metric::Loss, Metric::Temperature]));
    let points = |panel: usize| figure.panels[panel].curves.iter().map(|curve| curve.points.len()).collect::<Vec<_>>();
    assert_eq!((points(0), points(1)), (vec![20, 0, 0], vec![0, 5, 3]), "of the run, gpu0 and gpu1");
}

#[test]
fn the_hardware_has_a_figure_of_its_own() {
    let folder = two_runs();
    write_sensors(&folder.path().join("first"));
    plot(folder.path(), &["@first", "--hardware", "--x", "time", "-o", "@out.svg"]).unwrap();
    let svg = fs::read_to_string(folder.path().join("out.svg")).unwrap();
    for text in
        ["Memory taken (GB)", "Power (W)", "Temperature, highest (°C)", "Throttled (% of the time)", "gpu1", "Time (s)"]
    {
        assert!(svg.contains(&format!(">{text}<")), "{text}");
    }
    assert!(!svg.contains("Utilisation") && !svg.contains("no finite value"), "what nobody tells has no panel");
    let without = plot(folder.path(), &["@<second> & more", "--hardware", "-o", "@out.svg"]).unwrap_err().to_string();
    assert!(without.starts_with("cannot plot <second> & more: nothing of this kind was measured"), "{without}");
    assert!(plot(folder.path(), &["@first", "--hardware", "--metric", "loss", "-o", "@out.svg"]).is_err());
}

#[test]
fn errors_say_what_to_do() {
    let folder = two_runs();
    let path = |name: &str| folder.path().join(name);
    fs::create_dir(path("no_metrics")).unwrap();
    fs::create_dir(path("empty")).unwrap();
    fs::write(path("empty").join(METRICS_FILE), "").unwrap();
    fs::create_dir(path("malformed")).unwrap();
    let whole = fs::read_to_string(path("first").join(METRICS_FILE)).unwrap();
    fs::write(path("malformed").join(METRICS_FILE), whole.replace("\"step\":10,", "")).unwrap();
    let cases: [(&[&str], &str); 7] = [
        (&["@absent"], "cannot plot @absent: there is no such folder; name the output folder of a `finery train` run"),
        (
            &["@no_metrics"],
            "cannot plot @no_metrics: it holds no metrics.jsonl, so it is not the output folder of a run",
        ),
        (&["@empty"], "cannot plot @empty/metrics.jsonl: no step is logged in it yet"),
        (&["@malformed"], "@malformed/metrics.jsonl:2: not a metrics record: missing field `step`; "),
        (
            &["@first", "-o", "@out.pdf"],
            "cannot tell the format of the plot from `@out.pdf`: name a file that ends in ",
        ),
        (&["@first", "-o", "@absent/out.svg"], "cannot write the plot to @absent/out.svg"),
        (
            &["@first", "--smooth", "1"],
            "error: invalid value '1' for '--smooth <F>': expected a number from 0 to below 1",
        ),
    ];
    for (arguments, expected) in cases {
        let message = plot(folder.path(), arguments).unwrap_err().to_string();
        let message = message.replace(&format!("{}/", folder.path().display()), "@");
        assert!(message.starts_with(expected), "{message}");
    }
}
