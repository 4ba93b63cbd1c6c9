//! Attention of one token a row to the cache of keys and values, by a kernel of ours.

use graph::Tensor;
use kernels::{CachedAttention, Gpu};

use super::Form;

/// Attends with `q` (batch, position, kv_heads, groups, head_dim) of one position to the `visible` first of the keys and values (batch, kv_heads,
/// key_position, head_dim) up to that at `positions`, i32 (batch, position). Result: axes of `q` in its order. `None` where the kernel does not serve:
/// several positions, other types or forms, or several devices.
pub(crate) fn cached<'g>(
    gpu: Gpu,
    q: Tensor<'g>,
    [k, v]: [Tensor<'g>; 2],
    positions: Tensor<'g>,
    visible: usize,
    form: &Form,
) -> Option<Tensor<'g>> {
    let size = |name: &'static str| q.axis(name).size;
    let operation = CachedAttention {
        batch: size("batch"),
        kv_heads: size("kv_heads"),
        groups: size("groups"),
        head_dim: size("head_dim"),
        slots: k.axis("key_position").size,
        visible,
        dtype: q.dtype(),
        scale: form.scale,
        window: form.window,
        softcap: form.softcap,
        gpu,
    };
    let CachedAttention { dtype, head_dim, groups, .. } = operation;
    let serves = size("position") == 1
        && form.alibi.is_none()
        && CachedAttention::takes(dtype, head_dim, groups)
        && [k, v].iter().all(|cache| cache.dtype() == dtype);
    if !serves || q.graph().is_partitioned() {
        return None;
    }
    let order: Vec<&'static str> = q.axes().iter().map(|axis| axis.name).collect();
    let (batch, position) = (q.axis("batch"), q.axis("position"));
    let rows = |x: Tensor<'g>| x.merge(&["batch", "position"], "batch");
    let queries = rows(q).transpose(&["batch", "kv_heads", "groups", "head_dim"]);
    let [k, v] = [k, v].map(|cache| cache.transpose(&["batch", "kv_heads", "key_position", "head_dim"]));
    let out = operation.run(&q.graph(), &[queries, k, v, rows(positions)]).ok()?.pop()?;
    Some(out.split("batch", &[batch, position]).transpose(&order))
}
