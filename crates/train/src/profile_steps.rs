//! `finery profile`: steps of a configuration that are recorded, and train nothing that is kept.

use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use runtime::Session;

use crate::config::{MicroBatch, TrainConfig};
use crate::event::Event;
use crate::metrics::now;
use crate::position::{Course, End, Position};
use crate::processes::{Processes, Stop};
use crate::recorder::{Recorded, record_steps};
use crate::run_data::RunData;
use crate::start::{folders_found, ready, set_up, trainer};
use crate::{Error, batches, micro_batch, random_batch};

/// What is recorded, besides what the configuration says.
pub struct ProfileOptions<'a> {
    /// The devices.
    pub session: &'a Session,
    /// Folder in which tokenised data sets are kept.
    pub cache: Option<&'a Path>,
    /// Set from outside to end it between the phases of its set-up.
    pub stop: &'a AtomicBool,
    /// Steps before those that are recorded.
    pub warmup: u64,
    /// Steps that are recorded.
    pub steps: u64,
    /// Told what happens.
    pub observe: &'a mut dyn FnMut(Event<'_>),
}

/// The learning rate of steps whose weights nobody keeps: small, so that the loss stays a number.
const LEARNING_RATE: f64 = 1e-6;

/// Takes a configuration's first steps, on its data or on random tokens, and records them. Writes nothing. Where the session is
/// one of several processes, all of them call this; each tells of its own devices.
///
/// # Errors
/// See [`Error`]. Of the recording itself [`Recorded::profile`] tells.
pub fn profile_config(config: &TrainConfig, is_random: bool, options: ProfileOptions<'_>) -> Result<Recorded, Error> {
    let ProfileOptions { session, cache, stop, warmup, steps, observe } = options;
    let processes = Processes::of(session);
    let (asked, stop) = (stop, Stop::new(stop, processes));
    let wanted = folders_found(config, None)?;
    if is_random && wanted.micro_batch_size == MicroBatch::Auto {
        return Err(Error::RandomRows);
    }
    let config = micro_batch::fewest(&wanted, session.device_count())?;
    let mut setup = set_up(&config, session, None, &wanted)?;
    let course = |config: &TrainConfig| {
        let step_rows = config.micro_batch_rows() * config.gradient_accumulation_steps;
        Course { step_rows, end: End::Step(warmup + steps), first_step_rows: step_rows }
    };
    if is_random {
        let batch = random_batch(&setup.plan);
        let documents = batch.segment_ids.iter().copied().max().unwrap_or(0) as usize;
        setup.choose_kernels(&config, session.hardware()?, documents);
        observe(Event::Preparing);
        let started = Instant::now();
        let mut trainer = trainer(session, &setup, None, stop)?;
        observe(ready(&trainer, course(&config), Position::default(), started));
        return record_steps(session, &mut trainer, (warmup, steps), |trainer, number| {
            trainer.launch(&batch, number, LEARNING_RATE, config.seed)
        });
    }
    let data = processes.one_of_each_machine_first("the data", || {
        RunData::for_model(&config, &setup.plan.model, cache, now() as i64, asked, observe)
    })?;
    let (config, data) = micro_batch::settle(session, &mut setup, &wanted, config, data, stop, observe)?;
    setup.choose_kernels(&config, session.hardware()?, data.documents_per_row_max());
    observe(Event::Preparing);
    let started = Instant::now();
    let mut trainer = trainer(session, &setup, None, stop)?;
    let course = course(&config);
    observe(ready(&trainer, course, Position::default(), started));
    let share = trainer.share()?;
    std::thread::scope(|scope| {
        let batches = batches::make_ahead(scope, &data.train, course, Position::default(), &share);
        record_steps(session, &mut trainer, (warmup, steps), |trainer, number| {
            let next = batches.recv().expect("there is a batch for each step of the course");
            trainer.launch(&next.batch, number, LEARNING_RATE, config.seed)
        })
    })
}
