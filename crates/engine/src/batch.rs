//! What an engine computes at once: steps over tokens of many texts, and the choice of a token behind each.

mod adjust;
mod choice;
mod live;
mod lookup;
mod pool;
mod programs;
mod runner;
mod scores;
mod step;

pub(crate) use live::Live;
pub(crate) use lookup::NgramIndex;
pub(crate) use pool::{AdapterKinds, NEW, NO_MAGNITUDE, Places, Pool, Room, pooled_specs, written_specs};
pub use runner::decode_program;
pub(crate) use runner::{CHUNK_MIN, Outcome, Row, Runner, Shapes, is_paged, pages_least, pool_bytes, state_bytes};

pub(crate) use choice::Choice;
pub(crate) use programs::ProgramShape;
pub(crate) use scores::{LIKELIEST_MAX, ScoredChunk, Scores};
pub(crate) use step::{StepShape, Texts};
