//! What the parts of a model are for, in the words that a profile sums up by.

pub(crate) const EMBEDDING: &str = "embedding";
pub(crate) const LAYERS: &str = "residual stream and layer loop";
pub(crate) const NORMS: &str = "norms";
pub(crate) const PROJECTIONS: &str = "attention projections";
pub(crate) const ATTENTION: &str = "attention";
pub(crate) const MLP: &str = "mlp";
pub(crate) const EXPERTS: &str = "experts";
pub(crate) const MIXER: &str = "state space";
pub(crate) const ADAPTERS: &str = "adapters";
pub(crate) const HEAD: &str = "head and loss";
