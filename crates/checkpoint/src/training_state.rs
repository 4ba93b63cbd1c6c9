//! The files of a checkpoint.

/// Parameters and moments, where one process writes them all.
pub(crate) const STATE: &str = "state.safetensors";
/// What the trainer says besides.
pub(crate) const TRAINER_STATE: &str = "trainer_state.json";
/// What the others hold.
pub(crate) const MANIFEST: &str = "manifest.json";

/// The name of the file that one of several processes writes.
pub(crate) fn state_file(rank: usize, count: usize) -> String {
    if count == 1 { STATE.to_owned() } else { format!("state-{rank:05}-of-{count:05}.safetensors") }
}

/// Whether a tensor of a checkpoint is one of the optimizer's moments, which have the name of their parameter and one
/// of two endings, and not a parameter.
pub fn is_moment(name: &str) -> bool {
    name.ends_with(".exp_avg") || name.ends_with(".exp_avg_sq")
}
