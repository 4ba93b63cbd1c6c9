//! Adapters of all experts in two tensors: what PEFT 0.21 makes of experts whose matrices transformers 5 holds in one (`target_parameters`).
//!
//! A is (experts * rank, inputs), expert by expert; B is (outputs, rank * experts), with the experts of a rank beside each other. Where a
//! tensor has two matrices of each expert, both have A, and B's rows are those of one above those of the other.

use graph::HostTensor;

use crate::adapter::{BASE_LAYER, LoraFactor};
use crate::adapter_config::LoraConfig;
use crate::stored::{self, Block};

/// The parameter that the adapter at the path of a module of experts is of. PEFT's wrappers are of one parameter each, those of the module's
/// later ones around those of its earlier ones. `None` for any other module.
pub(crate) fn parameter_of(module: &str, config: &LoraConfig) -> Option<String> {
    let experts = module.trim_end_matches(BASE_LAYER);
    let around = (module.len() - experts.len()) / BASE_LAYER.len();
    let parameters = stored::stacks_of(experts).iter().map(|name| format!("{experts}.{name}"));
    let mut wrapped: Vec<String> = parameters.filter(|name| config.targets_parameter(name)).collect();
    let at = wrapped.len().checked_sub(around + 1)?;
    Some(wrapped.swap_remove(at))
}

/// Whether a path is that of such a parameter.
pub(crate) fn is_of_experts(path: &str) -> bool {
    path.rsplit_once('.').is_some_and(|(module, name)| stored::stacks_of(module).contains(&name))
}

/// The shape of a factor of this expert and those before it, of which this one's own has the shape `own`.
pub(crate) fn whole(factor: LoraFactor, block: &Block, own: &[usize]) -> Vec<usize> {
    let experts = block.expert() + 1;
    match (factor, own) {
        (LoraFactor::A, [rank, inputs]) => vec![experts * rank, *inputs],
        (LoraFactor::B, [outputs, rank]) => vec![block.of_each() * outputs, rank * experts],
        _ => own.to_vec(),
    }
}

/// The factor of one matrix, of that of `all`. `None` if that has none.
pub(crate) fn of_expert(
    factor: LoraFactor,
    block: &Block,
    rank: usize,
    all: &HostTensor<'_>,
) -> Option<HostTensor<'static>> {
    let &[rows, columns] = all.shape() else { return None };
    let (size, bytes) = (all.dtype().size(), all.bytes());
    let (shape, own) = match factor {
        LoraFactor::A => {
            let begin = block.expert() * rank;
            ([rank, columns], bytes.get(begin * columns * size..(begin + rank) * columns * size)?.to_vec())
        }
        LoraFactor::B => {
            let (outputs, experts) = (rows / block.of_each(), columns / rank);
            if block.expert() >= experts {
                return None;
            }
            let rows = (block.position() * outputs..).take(outputs);
            let at = rows.flat_map(|row| (0..rank).map(move |r| row * columns + r * experts + block.expert()));
            ([outputs, rank], at.flat_map(|at| &bytes[at * size..][..size]).copied().collect())
        }
    };
    HostTensor::new(all.dtype(), &shape, own).ok()
}
