//! cuDNN's fused attention as XLA calls it: forward keeps the log-sum-exp of the scores' rows, backward recomputes the scores from it.

use graph::{Axis, CustomCall, DType, Layout, Tensor, TensorType};

use super::documents::TokenWidths;
use super::{ATTENTION, Documents};

/// Whether cuDNN has a kernel for heads of this size in this element type.
pub fn cudnn_supports(dtype: DType, head_dim: usize) -> bool {
    matches!(dtype, DType::BF16 | DType::F16) && head_dim <= 128 && head_dim.is_multiple_of(8)
}

const MEMORY_ORDER: [&str; 4] = ["batch", "position", "heads", "head_dim"];

/// Row-major over [`MEMORY_ORDER`], told of an array whose dimensions are (batch, heads, position, head_dim).
const HEADS_SECOND: [usize; 4] = [3, 1, 2, 0];

/// Causal attention, over whole rows or within `documents`. `q`: (batch, position, kv_heads, groups, head_dim); `k`, `v`: (batch,
/// key_position, kv_heads, head_dim).
pub(super) fn attention<'g>(
    q: Tensor<'g>,
    k: Tensor<'g>,
    v: Tensor<'g>,
    documents: Option<Documents<'g>>,
    scale: f64,
) -> Tensor<'g> {
    let graph = q.graph();
    let per_row = documents.map_or(1, |documents| documents.per_row());
    let shape = |q: Tensor<'g>| Shape { documents: per_row, scale, ..Shape::of(q) };
    let documents = documents.map_or(Vec::new(), |documents| documents.tensors().to_vec());
    let [k, v] = [k, v].map(|x| x.rename("key_position", "position"));
    let inputs = [vec![q, k, v], documents].concat();
    let out = graph.custom_vjp(
        &inputs,
        |inputs| {
            let results = graph.per_shard(&APART, inputs, |inputs| {
                let shape = shape(inputs[0]);
                let args = shape.arguments(inputs);
                let results = graph.custom_call(shape.forward(inputs[0].dtype(), args.len() - 3), &args);
                let out = results[0].transpose(&MEMORY_ORDER);
                [out, results[1]].map(|result| result.split("heads", &shape.groups())).to_vec()
            });
            let [out, statistics] = [0, 1].map(|place: usize| results[place].checkpoint_name(ATTENTION));
            (vec![out], [inputs, &[statistics, out]].concat())
        },
        |residuals, cts| {
            let grads = graph.per_shard(&APART, &[residuals, cts].concat(), |all| {
                let (inputs, saved) = all.split_at(inputs.len());
                let shape = shape(inputs[0]);
                let args = shape.arguments(inputs);
                let (qkv, lists) = args.split_at(3);
                let [statistics, out, ct] = [0, 1, 2].map(|place: usize| saved[place].merge(&HEADS, "heads"));
                let args = [qkv, &[statistics, ct, out], lists].concat();
                let grads = graph.custom_call(shape.backward(saved[1].dtype(), lists.len()), &args);
                let [q, k, v] = [0, 1, 2].map(|place: usize| grads[place].transpose(&MEMORY_ORDER));
                vec![q.split("heads", &shape.groups()), k.rename("heads", "kv_heads"), v.rename("heads", "kv_heads")]
            });
            grads.iter().map(|grad| Some(*grad)).chain(inputs[3..].iter().map(|_| None)).collect()
        },
    );
    out[0]
}

/// Rows and key heads know nothing of each other.
const APART: [&str; 2] = ["batch", "kv_heads"];

const HEADS: [&str; 2] = ["kv_heads", "groups"];

#[derive(Clone, Copy)]
struct Shape {
    batch: usize,
    position: usize,
    heads: usize,
    kv_heads: usize,
    head_dim: usize,
    /// The most that a row holds; 1 without packing.
    documents: usize,
    /// What scores are multiplied with.
    scale: f64,
}

impl Shape {
    fn of(q: Tensor<'_>) -> Shape {
        let size = |name| q.axis(name).size;
        Shape {
            batch: size("batch"),
            position: size("position"),
            heads: size("kv_heads") * size("groups"),
            kv_heads: size("kv_heads"),
            head_dim: size("head_dim"),
            documents: 1,
            scale: 1.0,
        }
    }

    /// The axes that query heads are merged from.
    fn groups(&self) -> [Axis; 2] {
        [Axis::new("kv_heads", self.kv_heads), Axis::new("groups", self.heads / self.kv_heads)]
    }

    /// Queries, keys and values as the kernel takes them, and what tells of documents behind them. cuDNN takes fewer key and value heads than
    /// query heads as they are: grouped queries.
    fn arguments<'g>(&self, inputs: &[Tensor<'g>]) -> Vec<Tensor<'g>> {
        let (qkv, documents) = inputs.split_at(3);
        let q = qkv[0].merge(&HEADS, "heads").transpose(&MEMORY_ORDER);
        let [k, v] = [qkv[1], qkv[2]].map(|x| x.rename("kv_heads", "heads").transpose(&MEMORY_ORDER));
        let lists = match documents {
            [lengths, starts] => Documents::from_tensors([*lengths, *starts]).operands(self.widths()).to_vec(),
            _ => Vec::new(),
        };
        [vec![q, k, v], lists].concat()
    }

    fn widths(&self) -> TokenWidths {
        TokenWidths { queries: self.heads * self.head_dim, keys: self.kv_heads * self.head_dim }
    }

    /// (batch, heads, position, head_dim), in memory (batch, position, heads, head_dim).
    fn result(&self, dtype: DType, heads: usize) -> (TensorType, Layout) {
        let axes = [
            Axis::new("batch", self.batch),
            Axis::new("heads", heads),
            Axis::new("position", self.position),
            Axis::new("head_dim", self.head_dim),
        ];
        (TensorType::new(dtype, &axes), Some(HEADS_SECOND.to_vec()))
    }

    /// The log-sum-exp of the scores' rows. Each document has room for a whole row of them.
    fn statistics(&self) -> (TensorType, Layout) {
        let sequences = Axis::new("batch", self.batch * self.documents);
        let axes = [sequences, Axis::new("heads", self.heads), Axis::new("position", self.position)];
        (TensorType::new(DType::F32, &axes), None)
    }

    fn workspace(&self) -> (TensorType, Layout) {
        (TensorType::new(DType::U8, &[Axis::new("workspace", 0)]), None)
    }

    /// `lists` is the number of operands that tell of documents.
    fn forward(&self, dtype: DType, lists: usize) -> CustomCall {
        let dots = [
            ("bmm1_dot_dimension_numbers", [3, 3], [[0, 2], [0, 2]]),
            ("bmm2_dot_dimension_numbers", [3, 1], [[0, 1], [0, 2]]),
        ];
        CustomCall {
            target: "__cudnn$fmhaSoftmax".into(),
            api_version: 2,
            backend_config: self.config(dtype, &dots),
            operand_layouts: vec![None; 3 + lists],
            results: vec![self.result(dtype, self.heads), self.statistics(), self.workspace()],
            in_place: Vec::new(),
        }
    }

    fn backward(&self, dtype: DType, lists: usize) -> CustomCall {
        let dots = [
            ("bmm1_grad_gemm1_dot_dimension_numbers", [2, 1], [[0, 1], [0, 2]]),
            ("bmm1_grad_gemm2_dot_dimension_numbers", [3, 1], [[0, 1], [0, 2]]),
            ("bmm2_grad_gemm1_dot_dimension_numbers", [2, 1], [[0, 1], [0, 2]]),
            ("bmm2_grad_gemm2_dot_dimension_numbers", [3, 3], [[0, 2], [0, 2]]),
        ];
        CustomCall {
            target: "__cudnn$fmhaSoftmaxBackward".into(),
            api_version: 2,
            backend_config: self.config(dtype, &dots),
            operand_layouts: vec![None; 6 + lists],
            in_place: Vec::new(),
            results: vec![
                self.result(dtype, self.heads),
                self.result(dtype, self.kv_heads),
                self.result(dtype, self.kv_heads),
                self.workspace(),
            ],
        }
    }

    /// XLA's `CudnnfMHABackendConfig` as JSON.
    fn config(&self, dtype: DType, dots: &[DotDimensions]) -> String {
        let scores = [self.batch, self.heads, self.position, self.position].map(|size| size.to_string());
        let dots: serde_json::Map<String, serde_json::Value> = dots
            .iter()
            .map(|(name, contract, batch)| ((*name).to_owned(), dimension_numbers(*contract, *batch)))
            .collect();
        let mut config = serde_json::json!({
            "algorithm": {
                "algo_id": "0", "math_type": "TENSOR_OP_MATH", "tuning_knobs": {"17": "1", "24": "0"},
                "is_cudnn_frontend": true, "workspace_size": "0"
            },
            "fmha_scale": self.scale,
            "intermediate_tensor_shape": {
                "element_type": dtype.to_string().to_uppercase(), "dimensions": scores, "tuple_shapes": [],
                "layout": {
                    "dim_level_types": [], "dim_unique": [], "dim_ordered": [], "minor_to_major": ["3", "2", "1", "0"],
                    "tiles": [], "element_size_in_bits": "0", "memory_space": "0",
                    "index_primitive_type": "PRIMITIVE_TYPE_INVALID",
                    "pointer_primitive_type": "PRIMITIVE_TYPE_INVALID", "dynamic_shape_metadata_prefix_bytes": "0"
                },
                "is_dynamic_dimension": [false, false, false, false]
            },
            "is_flash_attention": true, "mask_type": if self.documents > 1 { "PADDING_CAUSAL" } else { "CAUSAL" },
            "dropout_rate": 0.0, "seed": 42, "sliding_window_length": 0, "max_seg_per_batch": self.documents,
            "is_paged_attention": false
        });
        if let Some(fields) = config.as_object_mut() {
            fields.extend(dots);
        }
        let whole = serde_json::json!({"operation_queue_id": "0", "cudnn_fmha_backend_config": config});
        format!("\"{}\"", whole.to_string().replace('"', "\\22"))
    }
}

/// A dot's key, contracting dimension of each side, and batch dimensions of each side.
type DotDimensions = (&'static str, [u8; 2], [[u8; 2]; 2]);

fn dimension_numbers(contract: [u8; 2], batch: [[u8; 2]; 2]) -> serde_json::Value {
    let text = |dims: [u8; 2]| dims.map(|dim| dim.to_string());
    serde_json::json!({
        "lhs_contracting_dimensions": [contract[0].to_string()],
        "rhs_contracting_dimensions": [contract[1].to_string()],
        "lhs_batch_dimensions": text(batch[0]),
        "rhs_batch_dimensions": text(batch[1]),
    })
}

#[cfg(test)]
mod tests;
