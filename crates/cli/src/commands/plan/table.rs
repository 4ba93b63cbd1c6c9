//! A plan as text.

use planner::{Candidate, Cluster, Plan, Search};
use runtime::Bytes;

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
    format!("dp {} x fsdp {} x mp {}, {accumulation} x {rows} rows, {kept}", shape.dp, shape.fsdp, shape.mp)
}

/// What a search has found: a line for each that fits, and what to write for the first.
pub(super) fn of_search(search: &Search) -> String {
    let mut lines = Vec::new();
    if !search.found.is_empty() {
        lines.push(format!(
            "{:<22} {:>12} {:>14} {:>12} {:>14} {:>12}",
            "mesh", "micro-batch", "checkpointing", "ms a step", "tokens/s", "of a device"
        ));
    }
    for proposal in &search.found {
        let plan = &proposal.plan;
        let [dp, fsdp, mp] = plan.mesh;
        let (micro, steps) = (plan.micro_batch_size, plan.gradient_accumulation_steps);
        let (seconds, speed) = (plan.estimate.map_or(f64::NAN, |estimate| estimate.step), plan.tokens_per_second);
        lines.push(format!(
            "{:<22} {:>12} {:>14} {:>12.1} {:>14.0} {:>12}",
            format!("dp {dp} fsdp {fsdp} mp {mp}"),
            if steps == 1 { micro.to_string() } else { format!("{steps} x {micro}") },
            proposal.gradient_checkpointing,
            seconds * 1e3,
            speed.unwrap_or(f64::NAN),
            bytes(plan.memory.total).to_string()
        ));
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
        lines.push(format!(
            "  (of {count} loops the compiler does not tell how often they run; they are counted as if once)"
        ));
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
