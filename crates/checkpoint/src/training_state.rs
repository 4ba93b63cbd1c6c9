//! The files of a checkpoint.

/// Parameters and moments, where one process writes them all.
pub(crate) const STATE: &str = "state.safetensors";
/// What the trainer says besides.
pub(crate) const TRAINER_STATE: &str = "trainer_state.json";
/// What the others hold.
pub(crate) const MANIFEST: &str = "manifest.json";

/// The name of a file that one of `count` processes writes. Of several `files`, numbered from 1, none has the name of one that is all.
pub(crate) fn state_file((rank, count): (usize, usize), (number, files): (usize, usize)) -> String {
    let of_process = if count == 1 { String::new() } else { format!("-{rank:05}-of-{count:05}") };
    let of_file = if files == 1 { String::new() } else { format!("-part-{number:05}") };
    format!("state{of_process}{of_file}.safetensors")
}

/// Whether a tensor of a checkpoint is one of the optimizer's moments, which have the name of their parameter and one
/// of two endings, and not a parameter.
pub fn is_moment(name: &str) -> bool {
    name.ends_with(".exp_avg") || name.ends_with(".exp_avg_sq")
}
