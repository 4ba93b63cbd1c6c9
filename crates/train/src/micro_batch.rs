//! `micro_batch_size: auto`: the most rows that the compiler says fit, on the devices at hand ([`settle`]) or any others ([`largest`]).

use runtime::{Bytes, Memory, Session};

use crate::config::{MicroBatch, TrainConfig};
use crate::event::Event;
use crate::least::LeastMemory;
use crate::processes::{Processes, Stop};
use crate::run_data::RunData;
use crate::setup::Setup;
use crate::{BatchShape, Error, StepPlan, memory_guard};

/// No number of rows is one of a run's.
#[derive(Debug, thiserror::Error)]
#[error(
    "`global_batch_size` is {all}, and the mesh spreads rows over {parts} devices (dp times fsdp): make it a multiple of that"
)]
pub struct NoRows {
    all: u64,
    parts: u64,
}

/// Programs that are compiled at the most.
const COMPILES_MAX: usize = 6;

/// The configuration with the fewest rows that a machine's mesh spreads, where they are to be found.
pub(crate) fn fewest(config: &TrainConfig, devices: usize) -> Result<TrainConfig, Error> {
    match config.micro_batch_size {
        MicroBatch::Rows(_) => Ok(config.clone()),
        MicroBatch::Auto => {
            let parts = config.mesh.sizes().on(devices)?.row_parts() as u64;
            // Refused now, and not when the data have been read.
            allowed(parts, config.global_batch_size, parts)?;
            Ok(config.with_rows(parts))
        }
    }
}

/// Finds the rows of a run that is `wanted` with as many as fit: then `config`, `data` and the step are those with the fewest, and become those
/// with the rows that are found. Other runs stay as they are. What attention is used, and what is kept for the backward pass, follows from the
/// rows that are tried.
pub(crate) fn settle(
    session: &Session,
    setup: &mut Setup,
    wanted: &TrainConfig,
    config: TrainConfig,
    data: RunData,
    stop: Stop<'_>,
    observe: &mut dyn FnMut(Event<'_>),
) -> Result<(TrainConfig, RunData), Error> {
    if wanted.micro_batch_size != MicroBatch::Auto {
        return Ok((config, data));
    }
    observe(Event::Preparing);
    let (hardware, documents) = (session.hardware()?, data.documents_per_row_max());
    let of = |rows: u64| {
        let accumulation = wanted.with_rows(rows).gradient_accumulation_steps as usize;
        let mut plan = setup.plan.clone();
        plan.batch = BatchShape { rows: rows as usize, accumulation, ..plan.batch };
        plan.choose_kernels(wanted.kernels, wanted.gradient_checkpointing, hardware, documents);
        plan
    };
    let parts = setup.plan.batch.rows as u64;
    let allowed = allowed(parts, wanted.global_batch_size, data.train.rows_per_epoch() as u64)?;
    let rows = find(session, &allowed, of, stop)?;
    let config = wanted.with_rows(rows);
    setup.plan = of(rows);
    let data = data.in_batches_of(&config);
    Ok((config, data))
}

/// The most rows that fit, of those that are allowed; `of` gives the step with so many.
fn find(session: &Session, allowed: &[u64], of: impl Fn(u64) -> StepPlan, stop: Stop<'_>) -> Result<u64, Error> {
    let fewest = allowed[0];
    // All processes try the same numbers: with what the poorest has, and what a step takes at the most.
    let processes = Processes::of(session);
    let free = session.memory_of_each(of(fewest).device_count())?.map(|memory| memory.free);
    let frees: Option<Vec<u64>> = processes.all("the devices' memory", free)?.into_iter().collect();
    let Some(free) = frees.and_then(|frees| frees.into_iter().min()) else {
        tracing::info!("micro_batch_size: {fewest}, the fewest: nothing tells how much memory there is");
        return Ok(fewest);
    };
    let of_host = Memory::of_host().map(|Memory { free, total, .. }| (free, total));
    let of_hosts = processes.all("the machines' memory", of_host)?;
    let host = of_hosts.into_iter().flatten().min().map(|(free, total)| Memory { free, total, peak: None });
    // What is known not to fit is not compiled.
    let may_fit = |rows: &u64| {
        let plan = of(*rows);
        let is_within = LeastMemory::of(&plan).is_ok_and(|least| least.total() <= free);
        is_within && memory_guard::check_batches(plan.batch, host).is_ok()
    };
    let tried = &allowed[..allowed.partition_point(may_fit).max(1)];
    let mut compiled = 0;
    let largest = largest(tried, free, |rows| {
        stop.check()?;
        compiled += 1;
        let taken: Vec<Option<u64>> = processes.all("what a step takes", memory_of(session, &of(rows))?)?;
        Ok::<_, Error>(taken.into_iter().collect::<Option<Vec<u64>>>().and_then(|taken| taken.into_iter().max()))
    })?;
    // A step that does not fit even so says what would make it smaller.
    let (rows, bytes) = largest.unwrap_or((fewest, 0));
    if bytes > 0 {
        let (taken, free) = (Bytes(bytes.into()), Bytes(free.into()));
        tracing::info!(
            "micro_batch_size: {rows}, the most that auto finds to fit: a step takes {taken} of the {free} that are free on each device \
             ({compiled} programs compiled)"
        );
    }
    Ok(rows)
}

/// What a step takes of each device by its compiler; `None` where that finds no room for it.
fn memory_of(session: &Session, plan: &StepPlan) -> Result<Option<u64>, Error> {
    match session.compile_program(&plan.train_program()?.program) {
        Ok(executable) => Ok(Some(executable.program().memory_stats().map_err(runtime::Error::from)?.total())),
        Err(error) if error.is_out_of_memory() => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// The most rows of any micro-batch.
pub const ROWS_MAX: u64 = 65_536;

/// The numbers of rows that may be, in order: multiples of `parts` that divide `all`, up to the first that has `rows_max`.
///
/// # Errors
/// `all` is no multiple of `parts`.
pub fn allowed(parts: u64, all: Option<u64>, rows_max: u64) -> Result<Vec<u64>, NoRows> {
    if let Some(all) = all.filter(|all| !all.is_multiple_of(parts)) {
        return Err(NoRows { all, parts });
    }
    let most = rows_max.next_multiple_of(parts).min(ROWS_MAX);
    let multiples = (1..=(most / parts).max(1)).map(|count| count * parts);
    Ok(multiples.filter(|rows| all.is_none_or(|all| all.is_multiple_of(*rows))).collect())
}

/// The last of `allowed` that takes at most `free`, with what it takes, by `bytes`, which says `None` of what takes more than it can tell; `None`
/// where the first takes more, or there is none.
///
/// Memory grows with rows about as a line does: the first two give one, its foot says which to try, and what that takes gives the next line,
/// until the last that fits and the first that does not stand side by side or are what the line says.
///
/// # Errors
/// Those of `bytes`.
pub fn largest<E>(
    allowed: &[u64],
    free: u64,
    mut bytes: impl FnMut(u64) -> Result<Option<u64>, E>,
) -> Result<Option<(u64, u64)>, E> {
    let Some(fewest) = allowed.first() else { return Ok(None) };
    let Some(first) = bytes(*fewest)?.filter(|taken| *taken <= free) else { return Ok(None) };
    // Places in `allowed` with what they take.
    let (mut fits, mut before, mut beyond) = ((0, first), None, (allowed.len(), None));
    for _ in 1..COMPILES_MAX {
        let next = match (beyond, before) {
            ((place, Some(taken)), _) => foot(allowed, fits, (place, taken), free),
            ((place, None), _) if place < allowed.len() => between(allowed, fits.0, place),
            (_, Some(before)) => foot(allowed, fits, before, free),
            (_, None) => fits.0 + 1,
        };
        let next = next.min(beyond.0 - 1);
        if next <= fits.0 {
            break;
        }
        match bytes(allowed[next])? {
            Some(taken) if taken <= free => (before, fits) = (Some(fits), (next, taken)),
            taken => beyond = (next, taken),
        }
    }
    Ok(Some((allowed[fits.0], fits.1)))
}

/// The place between two whose rows are about as many times the first's as the second's are its own.
fn between(allowed: &[u64], first: usize, second: usize) -> usize {
    let rows = (allowed[first] as f64 * allowed[second] as f64).sqrt();
    (allowed.partition_point(|own| *own as f64 <= rows) - 1).max(first + 1)
}

/// The last place that a line through two says to fit.
fn foot(allowed: &[u64], fits: (usize, u64), other: (usize, u64), free: u64) -> usize {
    let rows = |at: usize| allowed[at] as f64;
    let slope = (fits.1 as f64 - other.1 as f64) / (rows(fits.0) - rows(other.0));
    if slope <= 0.0 {
        return allowed.len() - 1;
    }
    let most = rows(fits.0) + (free as f64 - fits.1 as f64) / slope;
    allowed.partition_point(|rows| *rows as f64 <= most).max(1) - 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_divide_what_they_have_to() {
        assert_eq!(allowed(4, None, 21).unwrap(), [4, 8, 12, 16, 20, 24]);
        assert_eq!(allowed(4, Some(48), 1000).unwrap(), [4, 8, 12, 16, 24, 48]);
        assert_eq!(allowed(4, Some(48), 13).unwrap(), [4, 8, 12, 16]);
        assert_eq!(allowed(8, None, 1).unwrap(), [8]);
        let message = allowed(4, Some(10), 1000).unwrap_err().to_string();
        assert!(
            message.starts_with("`global_batch_size` is 10, and the mesh spreads rows over 4 devices"),
            "{message}"
        );
    }

    /// What is found, and how many programs that took.
    fn found(allowed: &[u64], free: u64, taken: impl Fn(u64) -> Option<u64>) -> (Option<u64>, usize) {
        let mut compiled = 0;
        let largest = largest(allowed, free, |rows| {
            compiled += 1;
            Ok::<_, ()>(taken(rows))
        });
        (largest.unwrap().map(|(rows, _)| rows), compiled)
    }

    #[test]
    fn a_line_is_found_with_three_programs() {
        let all: Vec<u64> = (1..=500).collect();
        let line = |rows| Some(1000 + 70 * rows);
        assert_eq!(found(&all, 10_000, line), (Some(128), 3));
        assert_eq!(found(&all, 1069, line), (None, 1));
        assert_eq!(found(&all, 1139, line), (Some(1), 2));
        assert_eq!(found(&all, 100_000, line), (Some(500), 3));
        assert_eq!(found(&[8], 10_000, line), (Some(8), 1));
        assert_eq!(found(&[], 10_000, line), (None, 0));
        assert_eq!(found(&[1, 2, 4, 8, 16, 32], 2000, line), (Some(8), 3));
    }

    #[test]
    fn what_is_no_line_is_found_with_few_more() {
        let all: Vec<u64> = (1..=500).collect();
        // A step up at 64, a curve, and a compiler that gives up.
        let step = |rows| Some(1000 + 70 * rows + if rows > 64 { 2000 } else { 0 });
        let (rows, compiled) = found(&all, 10_000, step);
        assert!(
            rows.is_some_and(|rows| step(rows) <= Some(10_000) && rows >= 95) && compiled <= COMPILES_MAX,
            "{rows:?}"
        );
        let curve = |rows| Some(1000 + 70 * rows + rows * rows / 10);
        let (rows, compiled) = found(&all, 10_000, curve);
        assert!(
            rows.is_some_and(|rows| (105..=111).contains(&rows)) && compiled <= COMPILES_MAX,
            "{rows:?}, {compiled}"
        );
        // What does not grow at first, and a compiler that gives up far beyond.
        let many: Vec<u64> = (1..=65_536).collect();
        let flat = |rows: u64| (rows <= 400).then_some((1000 + 70 * rows).max(5000));
        let (rows, compiled) = found(&many, 10_000, flat);
        assert!(
            rows.is_some_and(|rows| (100..=128).contains(&rows)) && compiled <= COMPILES_MAX,
            "{rows:?}, {compiled}"
        );
        let (rows, compiled) = found(&all, 10_000, |rows| (rows <= 40).then_some(1000 + 70 * rows));
        assert!(rows.is_some_and(|rows| (20..=40).contains(&rows)) && compiled <= COMPILES_MAX, "{rows:?}, {compiled}");
    }
}
