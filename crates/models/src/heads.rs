//! Heads of attention, and how projections are laid out in them.

use graph::{Axis, Tensor};

use crate::config::{COUNT_MAX, Fields, Result, WIDTH_MAX};

/// Numbers and width of heads: each `num_attention_heads / num_key_value_heads` query heads share one of keys and values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Heads {
    /// Heads of keys and values.
    pub(crate) kv: usize,
    /// Query heads for each of them.
    pub(crate) groups: usize,
    /// Width of a head.
    pub(crate) head_dim: usize,
}

impl Heads {
    /// By the keys `num_attention_heads`, `num_key_value_heads`, `head_dim` and `hidden_size`.
    pub(crate) fn read(fields: &Fields<'_>) -> Result<Heads> {
        Heads::read_or(fields, None, None)
    }

    /// The same where a family takes these numbers of heads of keys and of their elements for said.
    pub(crate) fn read_or(fields: &Fields<'_>, kv: Option<usize>, head_dim: Option<usize>) -> Result<Heads> {
        let hidden_size = fields.size("hidden_size", WIDTH_MAX)?;
        let heads = fields.size("num_attention_heads", COUNT_MAX)?;
        let kv = fields.nullable_size_or("num_key_value_heads", COUNT_MAX, kv)?.unwrap_or(heads);
        if !heads.is_multiple_of(kv) {
            let rule = format!("it should divide `num_attention_heads`, {heads}");
            return Err(fields.wrong("num_key_value_heads", &kv.into(), &rule));
        }
        let head_dim = match fields.optional_size("head_dim", COUNT_MAX)?.or(head_dim) {
            Some(head_dim) => head_dim,
            None if hidden_size.is_multiple_of(heads) => hidden_size / heads,
            None => {
                let rule = format!("without `head_dim` it should be a multiple of the {heads} heads");
                return Err(fields.wrong("hidden_size", &hidden_size.into(), &rule));
            }
        };
        Ok(Heads { kv, groups: heads / kv, head_dim })
    }

    /// Heads with keys and values of their own, `heads` of them, which share out `width` among them. Both come with their keys.
    pub(crate) fn alike(fields: &Fields<'_>, width: (&str, usize), heads: (&str, usize)) -> Result<Heads> {
        if !width.1.is_multiple_of(heads.1) {
            let rule = format!("it should be a multiple of `{}`, {}", heads.0, heads.1);
            return Err(fields.wrong(width.0, &width.1.into(), &rule));
        }
        Ok(Heads { kv: heads.1, groups: 1, head_dim: width.1 / heads.1 })
    }

    /// All query heads' features side by side.
    pub(crate) fn queries(&self) -> Axis {
        Axis::new("queries", self.kv * self.groups * self.head_dim)
    }

    /// All key heads' features, or values', side by side.
    pub(crate) fn keys(&self) -> Axis {
        Axis::new("keys", self.kv * self.head_dim)
    }

    /// (…, queries) to (…, kv_heads, groups, head_dim).
    pub(crate) fn split_queries<'g>(&self, x: Tensor<'g>) -> Tensor<'g> {
        let groups = Axis::new("groups", self.groups);
        x.split("queries", &[Axis::new("kv_heads", self.kv), groups, Axis::new("head_dim", self.head_dim)])
    }

    /// (…, keys) to (…, kv_heads, head_dim).
    pub(crate) fn split_keys<'g>(&self, x: Tensor<'g>) -> Tensor<'g> {
        x.split("keys", &[Axis::new("kv_heads", self.kv), Axis::new("head_dim", self.head_dim)])
    }

    /// (…, kv_heads, groups, head_dim) to (…, queries).
    pub(crate) fn merge<'g>(&self, x: Tensor<'g>) -> Tensor<'g> {
        x.merge(&["kv_heads", "groups", "head_dim"], "queries")
    }

    /// All queries' features, then all keys' and all values', side by side.
    pub(crate) fn fused(&self) -> Axis {
        Axis::new("queries_keys_values", self.queries().size + 2 * self.keys().size)
    }

    /// (…, queries_keys_values) to queries (…, kv_heads, groups, head_dim), and to keys and values (…, kv_heads, head_dim).
    pub(crate) fn split_fused<'g>(&self, x: Tensor<'g>) -> [Tensor<'g>; 3] {
        let (queries, keys) = (self.queries(), self.keys());
        let part = |start, axis: Axis| {
            x.slice("queries_keys_values", start, axis.size).rename("queries_keys_values", axis.name)
        };
        let q = self.split_queries(part(0, queries));
        let k = self.split_keys(part(queries.size, keys));
        [q, k, self.split_keys(part(queries.size + keys.size, keys))]
    }

    /// The same of projections that hold each key head's queries, its key and its value side by side (Megatron-LM).
    pub(crate) fn split_interleaved<'g>(&self, x: Tensor<'g>) -> [Tensor<'g>; 3] {
        let parts = Axis::new("groups", self.groups + 2);
        let axes = [Axis::new("kv_heads", self.kv), parts, Axis::new("head_dim", self.head_dim)];
        let x = x.split("queries_keys_values", &axes);
        let one = |place| x.slice("groups", place, 1).merge(&["kv_heads", "groups"], "kv_heads");
        [x.slice("groups", 0, self.groups), one(self.groups), one(self.groups + 1)]
    }
}
