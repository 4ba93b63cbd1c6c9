//! A plan as text.

use planner::{Candidate, Cluster, Plan, Search};
use runtime::Bytes;

use crate::plural::counted;

/// All of a plan.
pub(super) fn of(plan: &Plan, cluster: &Cluster) -> String {
    let mut lines = heading(plan);
    lines.push(String::new());
    lines.extend(memory(plan, cluster));
    lines.push(String::new());
    lines.extend(exchanges(plan));
    lines.push(String::new());
    lines.extend(time(plan));
    lines.join("\n")
}

/// A candidate in a line of progress.
pub(super) fn name(candidate: &Candidate) -> String {
    let Candidate { shape, rows, accumulation, .. } = candidate;
    let kept = candidate.kept_name();
    format!(
        "dp {} x fsdp {} x mp {}, {accumulation} x {}, {kept}",
        shape.dp,
        shape.fsdp,
        shape.mp,
        counted(*rows as u64, "row")
    )
}

/// What a search has found: a line for each that fits, and what to write for the first.
pub(super) fn of_search(search: &Search) -> String {
    let mut lines = Vec::new();
    if !search.found.is_empty() {
        let found = search.found.iter().map(|proposal| (proposal.gradient_checkpointing, &proposal.plan));
        lines.extend(proposals(found));
        lines.push(String::new());
    }
    let Search { too_large, ruled_out, untried, .. } = search;
    lines.push(format!(
        "compiled {}: {too_large} do not fit; {ruled_out} others are slower or larger; {untried} are left that may be faster (--compiles)",
        search.found.len() + too_large
    ));
    if let Some(best) = search.found.first() {
        lines.extend([String::new(), best.config_lines().to_owned()]);
    }
    lines.join("\n")
}

/// A line for each plan, with what its backward pass keeps, below the names of the columns.
fn proposals<'p>(found: impl Iterator<Item = (&'p str, &'p Plan)>) -> Vec<String> {
    let mut lines = vec![format!(
        "{:<22} {:>12} {:>14} {:>12} {:>14} {:>12}",
        "mesh", "micro-batch", "checkpointing", "ms a step", "tokens/s", "of a device"
    )];
    lines.extend(found.map(|(kept, plan)| {
        let [dp, fsdp, mp] = plan.mesh;
        let (micro, steps) = (plan.micro_batch_size, plan.gradient_accumulation_steps);
        let (seconds, speed) = (plan.estimate.map_or(f64::NAN, |estimate| estimate.step), plan.tokens_per_second);
        format!(
            "{:<22} {:>12} {:>14} {:>12.1} {:>14.0} {:>12}",
            format!("dp {dp} fsdp {fsdp} mp {mp}"),
            if steps == 1 { micro.to_string() } else { format!("{steps} x {micro}") },
            kept,
            seconds * 1e3,
            speed.unwrap_or(f64::NAN),
            bytes(plan.memory.total).to_string()
        )
    }));
    lines
}

fn heading(plan: &Plan) -> Vec<String> {
    let machines = if plan.nodes == 1 { "one machine".to_owned() } else { format!("{} machines", plan.nodes) };
    let [dp, fsdp, mp] = plan.mesh;
    let accumulation = match plan.gradient_accumulation_steps {
        1 => String::new(),
        steps => format!("{steps} x "),
    };
    let mut lines = vec![
        format!("target       {}: {} x {} in {machines}", plan.target, plan.devices, plan.device),
        format!("mesh         dp {dp} x fsdp {fsdp} x mp {mp}"),
        format!(
            "step         {accumulation}{} x {} = {} tokens",
            plan.micro_batch_size, plan.sequence_len, plan.tokens
        ),
        format!("attention    {}", plan.attention),
    ];
    lines.extend(plan.state_spaces.iter().map(|kernels| format!("state spaces {kernels}")));
    lines.extend(plan.experts.iter().map(|kernels| format!("experts      {kernels}")));
    lines.push(match plan.compile_seconds {
        Some(seconds) => format!("compiled     in {seconds:.1} s, and not run"),
        None => "compiled     before, and not run".to_owned(),
    });
    lines
}

fn memory(plan: &Plan, cluster: &Cluster) -> Vec<String> {
    let memory = plan.memory;
    let parts = [
        ("frozen weights", memory.frozen),
        ("trained weights", memory.trained),
        ("optimizer", memory.optimizer),
        ("data", memory.data),
        ("gradients", memory.gradients),
        ("activations and temporaries", memory.activations),
        ("other results, code", memory.other),
    ];
    let shown = parts.into_iter().filter(|(_, count)| *count > 0);
    let mut lines = vec!["each device holds".to_owned()];
    lines.extend(shown.map(|(name, count)| format!("  {name:<28} {:>10}", bytes(count).to_string())));
    let of = match (memory.usable, memory.fits) {
        (Some(usable), Some(fits)) => {
            let whole = cluster.device.as_ref().map(|device| format!(" (of {})", bytes(device.memory_bytes)));
            let verdict = if fits { "fits" } else { "DOES NOT FIT" };
            format!("  of {} that may be used{}: {verdict}", bytes(usable), whole.unwrap_or_default())
        }
        _ => String::new(),
    };
    lines.push(format!("  {:<28} {:>10}{of}", "total", bytes(memory.total).to_string()));
    lines
}

fn exchanges(plan: &Plan) -> Vec<String> {
    if plan.exchanges.is_empty() {
        return vec!["devices exchange nothing".to_owned()];
    }
    let mut lines =
        vec![format!("{:<20} {:>8} {:>12} {:>18}", "devices exchange", "a step", "in all", "each device sends")];
    lines.extend(plan.exchanges.iter().map(|exchange| {
        let (all, sent) = (bytes(exchange.bytes).to_string(), bytes(exchange.sent_bytes).to_string());
        format!("  {:<18} {:>8} {all:>12} {sent:>18}", exchange.kind, exchange.count)
    }));
    if plan.loops_unknown > 0 {
        let count = plan.loops_unknown;
        // A paragraph of its own, as a sentence is not broken where columns are.
        lines.extend([
            String::new(),
            format!("(of {count} loops the compiler does not tell how often they run; they are counted as if once)"),
        ]);
    }
    lines
}

/// `207.1 TFLOP`; of small models in smaller units.
fn in_flop(flops: f64) -> String {
    let (unit, name) =
        [(1e12, "TFLOP"), (1e9, "GFLOP")].into_iter().find(|(unit, _)| flops >= *unit).unwrap_or((1e6, "MFLOP"));
    format!("{:.1} {name}", flops / unit)
}

fn time(plan: &Plan) -> Vec<String> {
    let mut lines = vec![format!(
        "products     {} asked for in all; {} on each device, with what is computed again",
        in_flop(plan.model_flops),
        in_flop(plan.device_flops)
    )];
    let (Some(estimate), Some(speed), Some(rates)) = (plan.estimate, plan.tokens_per_second, plan.rates) else {
        lines.push("time         no estimate: the device's peak and links are not known".to_owned());
        return lines;
    };
    let ms = |seconds: f64| format!("{:.1} ms", seconds * 1e3);
    lines.push(format!(
        "time         about {} a step, {:.0} tokens/s: {} bound by products, {} by memory, {} of exchanges",
        ms(estimate.step),
        speed,
        ms(estimate.products),
        ms(estimate.memory),
        ms(estimate.exposed)
    ));
    lines.push("  if".to_owned());
    lines.extend(rates.lines().into_iter().map(|line| format!("  {line}")));
    lines
}

fn bytes(count: u64) -> Bytes {
    Bytes(u128::from(count))
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use planner::{Estimate, Exchange, MemoryPlan, Rates};

    use super::*;
    use crate::narrow::fitted;

    fn plan(cluster: &Cluster) -> Plan {
        let gigabytes = |count: u64| count * 1_000_000_000;
        let exchange = |kind, count| Exchange { kind, count, bytes: gigabytes(1600), sent_bytes: gigabytes(1400) };
        let (products, memory, exchanges, exposed, step) = (0.5, 0.515, 4.8925, 4.8925, 5.9074);
        Plan {
            target: cluster.name.clone(),
            device: "MI300X".to_owned(),
            nodes: 1,
            devices: 8,
            mesh: [2, 4, 1],
            micro_batch_size: 16,
            gradient_accumulation_steps: 4,
            sequence_len: 64,
            tokens: 4096,
            attention: "fused attention (Finery's kernels)".to_owned(),
            state_spaces: None,
            experts: None,
            memory: MemoryPlan {
                trained: gigabytes(1),
                frozen: gigabytes(101),
                optimizer: gigabytes(2),
                data: 1600,
                gradients: gigabytes(1),
                activations: gigabytes(12),
                other: 400,
                total: gigabytes(117),
                usable: Some(gigabytes(248)),
                fits: Some(true),
            },
            model_flops: 1656.5e12,
            device_flops: 207.1e12,
            exchanges: vec![exchange("all-gather", 2019), exchange("reduce-scatter", 126)],
            loops_unknown: 3,
            estimate: Some(Estimate { products, memory, exchanges, exposed, step }),
            tokens_per_second: Some(189.0),
            rates: cluster.device.as_ref().and_then(Rates::of),
            compile_seconds: Some(6.8),
        }
    }

    /// A terminal breaks a line that is wider in the midst of a number.
    #[test]
    fn plans_fit_into_narrow_terminals() {
        let cluster: Cluster = "mi300x:8".parse().unwrap();
        let plan = plan(&cluster);
        let text = proposals([("full", &plan), ("dots", &plan)].into_iter()).join("\n");
        expect![[r#"
            mesh                    micro-batch  checkpointing    ms a step       tokens/s
                of a device
            dp 2 fsdp 4 mp 1             4 x 16           full       5907.4            189
                   117.0 GB
            dp 2 fsdp 4 mp 1             4 x 16           dots       5907.4            189
                   117.0 GB"#]]
        .assert_eq(&fitted(&text, 80));
        expect![[r#"
            target       mi300x:8: 8 x MI300X in one machine
            mesh         dp 2 x fsdp 4 x mp 1
            step         4 x 16 x 64 = 4096 tokens
            attention    fused attention (Finery's kernels)
            compiled     in 6.8 s, and not run

            each device holds
              frozen weights                 101.0 GB
              trained weights                  1.0 GB
              optimizer                        2.0 GB
              data                             1.6 kB
              gradients                        1.0 GB
              activations and temporaries     12.0 GB
              other results, code              0.4 kB
              total                          117.0 GB  of 248.0 GB that
                may be used (of 270.6 GB): fits

            devices exchange       a step       in all
                each device sends
              all-gather             2019       1.6 TB
                           1.4 TB
              reduce-scatter          126       1.6 TB
                           1.4 TB

            (of 3 loops the compiler does not tell how often they run;
            they are counted as if once)

            products     1656.5 TFLOP asked for in all; 207.1 TFLOP on
                         each device, with what is computed again
            time         about 5907.4 ms a step, 189 tokens/s: 500.0 ms
                         bound by products, 515.0 ms by memory, 4892.5
                         ms of exchanges
              if
              products  1307 TFLOP/s in bf16, of which 50 % are
                        attained, by fused attention 37 %; in f32 8
                        times slower, in 8-bit floats 2 times faster
              memory    5.30 TB/s, of which 80 % are attained
              links     448 GB/s from a device within its machine, 64 to
                        each other one, and 50 GB/s between machines, of
                        which 65 % are attained; 0 % of that time is
                        hidden
              each      exchange takes 15 us besides its bytes, and
                        launching a kernel nothing"#]]
        .assert_eq(&fitted(&of(&plan, &cluster), 60));
        for text in [text, of(&plan, &cluster)] {
            for columns in [60, 80] {
                let fitted = fitted(&text, columns);
                assert!(fitted.lines().all(|line| line.len() <= columns), "{columns}:\n{fitted}");
            }
        }
    }
}
