//! Kernels for CPUs as programs call them.

use host_kernels::{ATTEND, MULTIPLY, PagedAttention, Pages, attend, multiply};
use pjrt::{HostArguments, HostFunction, Plugin};

/// Lets programs for CPUs call all of them: whether the plugin and the processor can. What they compute is slow in instructions for single numbers.
pub(crate) fn register(plugin: &Plugin) -> bool {
    if !host_kernels::has_wide_registers() {
        return false;
    }
    let registered = || Ok(plugin.register::<Multiply>()? && plugin.register::<Attend>()?);
    registered().unwrap_or_else(|error: pjrt::Error| {
        tracing::warn!(%error, "the plugin takes no kernels for CPUs: steps of generation are slower");
        false
    })
}

struct Multiply;

impl HostFunction for Multiply {
    const NAME: &'static str = MULTIPLY;

    fn call(arguments: &HostArguments<'_>, result: &mut [f32]) -> Result<(), String> {
        multiply(arguments.f32s(0)?, arguments.f32s(1)?, size(arguments, 0, 1)?, result)
    }
}

struct Attend;

impl HostFunction for Attend {
    const NAME: &'static str = ATTEND;

    fn call(arguments: &HostArguments<'_>, result: &mut [f32]) -> Result<(), String> {
        let positive = |number: f32| (number > 0.0).then_some(number);
        let window = usize::try_from(arguments.int("window")?).map_err(|_| "a window has no fewer than 0 tokens")?;
        // q is (batch, position, kv_heads, groups, head_dim), keys and values (page, kv_heads, page_token, head_dim).
        let op = PagedAttention {
            kv_heads: size(arguments, 1, 1)?,
            groups: size(arguments, 0, 3)?,
            head_dim: size(arguments, 1, 3)?,
            page_tokens: size(arguments, 1, 2)?,
            scale: arguments.float("scale")?,
            window: (window > 0).then_some(window),
            softcap: positive(arguments.float("softcap")?),
        };
        let pages = Pages {
            keys: arguments.f32s(1)?,
            values: arguments.f32s(2)?,
            table: arguments.i32s(3)?,
            start: arguments.i32s(4)?,
            count: arguments.i32s(5)?,
        };
        attend(&op, arguments.f32s(0)?, pages, result)
    }
}

/// The size of an argument's axis.
fn size(arguments: &HostArguments<'_>, place: usize, axis: usize) -> Result<usize, String> {
    let shape = arguments.shape(place)?;
    let size = shape.get(axis).and_then(|size| usize::try_from(*size).ok());
    size.ok_or_else(|| format!("argument {place} of the sizes {shape:?} has no axis {axis}"))
}
