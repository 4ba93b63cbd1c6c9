//! A profile as text.

use std::fmt;

use crate::{DeviceTime, KindTime, OpTime, PartTime, Profile};

impl fmt::Display for Profile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Profile { steps, step_ms, host_ms, .. } = self;
        match &self.estimate {
            Some(estimate) => {
                writeln!(f, "A step takes {host_ms:.2} ms (mean of {steps}). That is measured.\n{estimate}")?;
            }
            None => writeln!(
                f,
                "A step takes {step_ms:.2} ms on the device, {host_ms:.2} ms by the host's clock (mean of {steps})"
            )?,
        }
        self.by_kind(f)?;
        self.by_part(f)?;
        self.longest(f)?;
        self.by_device(f)?;
        for warning in &self.warnings {
            writeln!(f, "\nThe profiler warns: {warning}")?;
        }
        Ok(())
    }
}

impl Profile {
    fn by_kind(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "\n{:<32}{:>10}{:>9}{:>11}", "by what runs", "ms", "share", "kernels")?;
        for KindTime { kind, ms, count } in &self.kinds {
            writeln!(f, "  {:<30}{ms:>10.2}{:>9}{:>11}", kind.name(), self.share(*ms), number(*count))?;
        }
        Ok(())
    }

    fn by_part(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [forward, again, backward, all] = ["forward", "again", "backward", "all"];
        let title = "by part of the model, ms";
        writeln!(f, "\n{title:<32}{forward:>10}{again:>10}{backward:>10}{all:>10}{:>9}", "share")?;
        for part in &self.parts {
            let PartTime { part: name, forward_ms, recomputed_ms, backward_ms } = part;
            write!(f, "  {name:<30}{forward_ms:>10.2}{recomputed_ms:>10.2}{backward_ms:>10.2}")?;
            writeln!(f, "{:>10.2}{:>9}", part.ms(), self.share(part.ms()))?;
        }
        Ok(())
    }

    fn longest(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "\n{:>8}{:>8}  {:<24}where: op (instruction)", "ms", "times", "what takes longest")?;
        for OpTime { place, op, kind, instruction, ms, count } in &self.ops {
            let op = if op.is_empty() { "-" } else { op };
            let count = number(*count);
            writeln!(f, "{ms:>8.3}{count:>8}  {:<24}{place}: {op} ({instruction})", kind.name())?;
        }
        Ok(())
    }

    fn by_device(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(collectives) = self.collectives {
            let (ms, exposed) = (collectives.ms, collectives.exposed_ms);
            writeln!(
                f,
                "\nExchanges are under way for {ms:.2} ms of a step, and for {exposed:.2} ms nothing else runs"
            )?;
        }
        if !self.devices.is_empty() {
            writeln!(f, "\n{:<32}{:>10}{:>10}{:>22}", "by device, ms", "step", "idle", "exposed collectives")?;
        }
        for DeviceTime { device, step_ms, idle_ms, exposed_ms } in &self.devices {
            writeln!(f, "  {device:<30}{step_ms:>10.2}{idle_ms:>10.2}{exposed_ms:>22.2}")?;
        }
        Ok(())
    }

    fn share(&self, ms: f64) -> String {
        format!("{:.1} %", 100.0 * ms / self.step_ms.max(f64::MIN_POSITIVE))
    }
}

/// A mean of counts, which need not be whole.
fn number(count: f64) -> String {
    if count.fract() == 0.0 { format!("{count:.0}") } else { format!("{count:.1}") }
}
