//! The file in a checkpoint that holds parameters and moments.

/// Its name.
pub(crate) const STATE: &str = "state.safetensors";

/// Whether a tensor of `state.safetensors` is one of the optimizer's moments, which have the name of their parameter and one
/// of two endings, and not a parameter.
pub fn is_moment(name: &str) -> bool {
    name.ends_with(".exp_avg") || name.ends_with(".exp_avg_sq")
}
