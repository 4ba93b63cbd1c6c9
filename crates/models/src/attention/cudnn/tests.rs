//! The text of the calls. The packed ones are those of a program that JAX wrote and that was run on an H200, with other names.

use expect_test::{Expect, expect};
use graph::Graph;

use super::super::{AttentionKernels, Cudnn, Form, Mask, attention};
use super::*;

/// The calls in the program of attention and its gradient, over rows of 2048 tokens with 16 heads of 128.
fn check(cudnn: Cudnn, kv_heads: usize, expected: &Expect) {
    let graph = Graph::new();
    let [batch, position] = [Axis::new("batch", 8), Axis::new("position", 2048)];
    let [kv, groups] = [Axis::new("kv_heads", kv_heads), Axis::new("groups", 16 / kv_heads)];
    let head_dim = Axis::new("head_dim", 128);
    let keys = [batch, position.named("key_position"), kv, head_dim];
    let q = graph.input("q", DType::BF16, &[batch, position, kv, groups, head_dim]);
    let (k, v) = (graph.input("k", DType::BF16, &keys), graph.input("v", DType::BF16, &keys));
    let kernels = AttentionKernels::cudnn(cudnn);
    let mask = match cudnn {
        Cudnn::Packed { .. } => Mask::within(kernels, graph.input("segments", DType::I32, &[batch, position])),
        _ => Mask::Causal,
    };
    let out = attention(kernels, q, k, v, mask, &Form::scaled(128));
    let grads = graph.grad(out.cast(DType::F32).sum_all(), &[q, k, v]);
    let outputs = [("out", out), ("dq", grads[0]), ("dk", grads[1]), ("dv", grads[2])];
    let text = graph.lower("attention", &outputs, &[]).unwrap().text;
    let calls: Vec<_> = text.lines().filter(|line| line.contains("custom_call")).map(readable).collect();
    expected.assert_eq(&calls.concat());
}

/// A call in lines that can be read, without the names of its arguments, and its JSON without quoting.
fn readable(call: &str) -> String {
    let (_, call) = call.split_once(" = ").unwrap();
    let (target, rest) = call.split_once('(').unwrap();
    let (_, rest) = rest.split_once(") ").unwrap();
    let (before, rest) = rest.split_once("backend_config = \"").unwrap();
    let (config, rest) = rest.split_once("\", ").unwrap();
    let (layouts, types) = rest.split_once("} : ").unwrap();
    let config = config.replace("\\22", "\"");
    let whole = format!("{target} {before}{config}, {layouts} {types}").replace(",\"", ", \"");
    let mut lines = vec![String::new()];
    for word in whole.split(' ') {
        let line = lines.last_mut().unwrap();
        if line.len() + word.len() > 120 {
            lines.push(format!("  {word}"));
        } else {
            line.push_str(&format!("{}{word}", if line.is_empty() { "" } else { " " }));
        }
    }
    lines.join("\n") + "\n"
}

#[test]
fn calls_over_whole_rows() {
    check(
        Cudnn::Causal,
        16,
        &expect![[r#"
        stablehlo.custom_call @__cudnn$fmhaSoftmax {api_version = 2 : i32, {"operation_queue_id":"0",
          "cudnn_fmha_backend_config":{"algorithm":{"algo_id":"0", "math_type":"TENSOR_OP_MATH", "tuning_knobs":{"17":"1",
          "24":"0"}, "is_cudnn_frontend":true, "workspace_size":"0"}, "fmha_scale":0.08838834764831843,
          "intermediate_tensor_shape":{"element_type":"BF16", "dimensions":["8", "16", "2048", "2048"], "tuple_shapes":[],
          "layout":{"dim_level_types":[], "dim_unique":[], "dim_ordered":[], "minor_to_major":["3", "2", "1", "0"], "tiles":[],
          "element_size_in_bits":"0", "memory_space":"0", "index_primitive_type":"PRIMITIVE_TYPE_INVALID",
          "pointer_primitive_type":"PRIMITIVE_TYPE_INVALID", "dynamic_shape_metadata_prefix_bytes":"0"},
          "is_dynamic_dimension":[false,false,false,false]}, "is_flash_attention":true, "mask_type":"CAUSAL", "dropout_rate":0.0,
          "seed":42, "sliding_window_length":0, "max_seg_per_batch":1, "is_paged_attention":false,
          "bmm1_dot_dimension_numbers":{"lhs_contracting_dimensions":["3"], "rhs_contracting_dimensions":["3"],
          "lhs_batch_dimensions":["0", "2"], "rhs_batch_dimensions":["0", "2"]},
          "bmm2_dot_dimension_numbers":{"lhs_contracting_dimensions":["3"], "rhs_contracting_dimensions":["1"],
          "lhs_batch_dimensions":["0", "1"], "rhs_batch_dimensions":["0", "2"]}}}, operand_layouts = [dense<[3, 2, 1, 0]> :
          tensor<4xindex>, dense<[3, 2, 1, 0]> : tensor<4xindex>, dense<[3, 2, 1, 0]> : tensor<4xindex>], result_layouts =
          [dense<[3, 1, 2, 0]> : tensor<4xindex>, dense<[2, 1, 0]> : tensor<3xindex>, dense<[0]> : tensor<1xindex>]
          (tensor<8x2048x16x128xbf16>, tensor<8x2048x16x128xbf16>, tensor<8x2048x16x128xbf16>) -> (tensor<8x16x2048x128xbf16>,
          tensor<8x16x2048xf32>, tensor<0xui8>)
        stablehlo.custom_call @__cudnn$fmhaSoftmaxBackward {api_version = 2 : i32, {"operation_queue_id":"0",
          "cudnn_fmha_backend_config":{"algorithm":{"algo_id":"0", "math_type":"TENSOR_OP_MATH", "tuning_knobs":{"17":"1",
          "24":"0"}, "is_cudnn_frontend":true, "workspace_size":"0"}, "fmha_scale":0.08838834764831843,
          "intermediate_tensor_shape":{"element_type":"BF16", "dimensions":["8", "16", "2048", "2048"], "tuple_shapes":[],
          "layout":{"dim_level_types":[], "dim_unique":[], "dim_ordered":[], "minor_to_major":["3", "2", "1", "0"], "tiles":[],
          "element_size_in_bits":"0", "memory_space":"0", "index_primitive_type":"PRIMITIVE_TYPE_INVALID",
          "pointer_primitive_type":"PRIMITIVE_TYPE_INVALID", "dynamic_shape_metadata_prefix_bytes":"0"},
          "is_dynamic_dimension":[false,false,false,false]}, "is_flash_attention":true, "mask_type":"CAUSAL", "dropout_rate":0.0,
          "seed":42, "sliding_window_length":0, "max_seg_per_batch":1, "is_paged_attention":false,
          "bmm1_grad_gemm1_dot_dimension_numbers":{"lhs_contracting_dimensions":["2"], "rhs_contracting_dimensions":["1"],
          "lhs_batch_dimensions":["0", "1"], "rhs_batch_dimensions":["0", "2"]},
          "bmm1_grad_gemm2_dot_dimension_numbers":{"lhs_contracting_dimensions":["3"], "rhs_contracting_dimensions":["1"],
          "lhs_batch_dimensions":["0", "1"], "rhs_batch_dimensions":["0", "2"]},
          "bmm2_grad_gemm1_dot_dimension_numbers":{"lhs_contracting_dimensions":["2"], "rhs_contracting_dimensions":["1"],
          "lhs_batch_dimensions":["0", "1"], "rhs_batch_dimensions":["0", "2"]},
          "bmm2_grad_gemm2_dot_dimension_numbers":{"lhs_contracting_dimensions":["3"], "rhs_contracting_dimensions":["3"],
          "lhs_batch_dimensions":["0", "2"], "rhs_batch_dimensions":["0", "2"]}}}, operand_layouts = [dense<[3, 2, 1, 0]> :
          tensor<4xindex>, dense<[3, 2, 1, 0]> : tensor<4xindex>, dense<[3, 2, 1, 0]> : tensor<4xindex>, dense<[2, 1, 0]> :
          tensor<3xindex>, dense<[3, 2, 1, 0]> : tensor<4xindex>, dense<[3, 2, 1, 0]> : tensor<4xindex>], result_layouts =
          [dense<[3, 1, 2, 0]> : tensor<4xindex>, dense<[3, 1, 2, 0]> : tensor<4xindex>, dense<[3, 1, 2, 0]> : tensor<4xindex>,
          dense<[0]> : tensor<1xindex>] (tensor<8x2048x16x128xbf16>, tensor<8x2048x16x128xbf16>, tensor<8x2048x16x128xbf16>,
          tensor<8x16x2048xf32>, tensor<8x2048x16x128xbf16>, tensor<8x2048x16x128xbf16>) -> (tensor<8x16x2048x128xbf16>,
          tensor<8x16x2048x128xbf16>, tensor<8x16x2048x128xbf16>, tensor<0xui8>)
    "#]],
    );
}

#[test]
fn calls_over_packed_rows() {
    check(
        Cudnn::Packed { documents: 7 },
        16,
        &expect![[r#"
        stablehlo.custom_call @__cudnn$fmhaSoftmax {api_version = 2 : i32, {"operation_queue_id":"0",
          "cudnn_fmha_backend_config":{"algorithm":{"algo_id":"0", "math_type":"TENSOR_OP_MATH", "tuning_knobs":{"17":"1",
          "24":"0"}, "is_cudnn_frontend":true, "workspace_size":"0"}, "fmha_scale":0.08838834764831843,
          "intermediate_tensor_shape":{"element_type":"BF16", "dimensions":["8", "16", "2048", "2048"], "tuple_shapes":[],
          "layout":{"dim_level_types":[], "dim_unique":[], "dim_ordered":[], "minor_to_major":["3", "2", "1", "0"], "tiles":[],
          "element_size_in_bits":"0", "memory_space":"0", "index_primitive_type":"PRIMITIVE_TYPE_INVALID",
          "pointer_primitive_type":"PRIMITIVE_TYPE_INVALID", "dynamic_shape_metadata_prefix_bytes":"0"},
          "is_dynamic_dimension":[false,false,false,false]}, "is_flash_attention":true, "mask_type":"PADDING_CAUSAL",
          "dropout_rate":0.0, "seed":42, "sliding_window_length":0, "max_seg_per_batch":8, "is_paged_attention":false,
          "bmm1_dot_dimension_numbers":{"lhs_contracting_dimensions":["3"], "rhs_contracting_dimensions":["3"],
          "lhs_batch_dimensions":["0", "2"], "rhs_batch_dimensions":["0", "2"]},
          "bmm2_dot_dimension_numbers":{"lhs_contracting_dimensions":["3"], "rhs_contracting_dimensions":["1"],
          "lhs_batch_dimensions":["0", "1"], "rhs_batch_dimensions":["0", "2"]}}}, operand_layouts = [dense<[3, 2, 1, 0]> :
          tensor<4xindex>, dense<[3, 2, 1, 0]> : tensor<4xindex>, dense<[3, 2, 1, 0]> : tensor<4xindex>, dense<[1, 0]> :
          tensor<2xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 0]> : tensor<2xindex>],
          result_layouts = [dense<[3, 1, 2, 0]> : tensor<4xindex>, dense<[2, 1, 0]> : tensor<3xindex>, dense<[0]> :
          tensor<1xindex>] (tensor<8x2048x16x128xbf16>, tensor<8x2048x16x128xbf16>, tensor<8x2048x16x128xbf16>, tensor<8x8xi32>,
          tensor<8x8xi32>, tensor<8x9xi32>, tensor<8x9xi32>) -> (tensor<8x16x2048x128xbf16>, tensor<64x16x2048xf32>,
          tensor<0xui8>)
        stablehlo.custom_call @__cudnn$fmhaSoftmaxBackward {api_version = 2 : i32, {"operation_queue_id":"0",
          "cudnn_fmha_backend_config":{"algorithm":{"algo_id":"0", "math_type":"TENSOR_OP_MATH", "tuning_knobs":{"17":"1",
          "24":"0"}, "is_cudnn_frontend":true, "workspace_size":"0"}, "fmha_scale":0.08838834764831843,
          "intermediate_tensor_shape":{"element_type":"BF16", "dimensions":["8", "16", "2048", "2048"], "tuple_shapes":[],
          "layout":{"dim_level_types":[], "dim_unique":[], "dim_ordered":[], "minor_to_major":["3", "2", "1", "0"], "tiles":[],
          "element_size_in_bits":"0", "memory_space":"0", "index_primitive_type":"PRIMITIVE_TYPE_INVALID",
          "pointer_primitive_type":"PRIMITIVE_TYPE_INVALID", "dynamic_shape_metadata_prefix_bytes":"0"},
          "is_dynamic_dimension":[false,false,false,false]}, "is_flash_attention":true, "mask_type":"PADDING_CAUSAL",
          "dropout_rate":0.0, "seed":42, "sliding_window_length":0, "max_seg_per_batch":8, "is_paged_attention":false,
          "bmm1_grad_gemm1_dot_dimension_numbers":{"lhs_contracting_dimensions":["2"], "rhs_contracting_dimensions":["1"],
          "lhs_batch_dimensions":["0", "1"], "rhs_batch_dimensions":["0", "2"]},
          "bmm1_grad_gemm2_dot_dimension_numbers":{"lhs_contracting_dimensions":["3"], "rhs_contracting_dimensions":["1"],
          "lhs_batch_dimensions":["0", "1"], "rhs_batch_dimensions":["0", "2"]},
          "bmm2_grad_gemm1_dot_dimension_numbers":{"lhs_contracting_dimensions":["2"], "rhs_contracting_dimensions":["1"],
          "lhs_batch_dimensions":["0", "1"], "rhs_batch_dimensions":["0", "2"]},
          "bmm2_grad_gemm2_dot_dimension_numbers":{"lhs_contracting_dimensions":["3"], "rhs_contracting_dimensions":["3"],
          "lhs_batch_dimensions":["0", "2"], "rhs_batch_dimensions":["0", "2"]}}}, operand_layouts = [dense<[3, 2, 1, 0]> :
          tensor<4xindex>, dense<[3, 2, 1, 0]> : tensor<4xindex>, dense<[3, 2, 1, 0]> : tensor<4xindex>, dense<[2, 1, 0]> :
          tensor<3xindex>, dense<[3, 2, 1, 0]> : tensor<4xindex>, dense<[3, 2, 1, 0]> : tensor<4xindex>, dense<[1, 0]> :
          tensor<2xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 0]> : tensor<2xindex>],
          result_layouts = [dense<[3, 1, 2, 0]> : tensor<4xindex>, dense<[3, 1, 2, 0]> : tensor<4xindex>, dense<[3, 1, 2, 0]> :
          tensor<4xindex>, dense<[0]> : tensor<1xindex>] (tensor<8x2048x16x128xbf16>, tensor<8x2048x16x128xbf16>,
          tensor<8x2048x16x128xbf16>, tensor<64x16x2048xf32>, tensor<8x2048x16x128xbf16>, tensor<8x2048x16x128xbf16>,
          tensor<8x8xi32>, tensor<8x8xi32>, tensor<8x9xi32>, tensor<8x9xi32>) -> (tensor<8x16x2048x128xbf16>,
          tensor<8x16x2048x128xbf16>, tensor<8x16x2048x128xbf16>, tensor<0xui8>)
    "#]],
    );
}

#[test]
fn calls_over_packed_rows_with_grouped_queries() {
    check(
        Cudnn::Packed { documents: 7 },
        4,
        &expect![[r#"
        stablehlo.custom_call @__cudnn$fmhaSoftmax {api_version = 2 : i32, {"operation_queue_id":"0",
          "cudnn_fmha_backend_config":{"algorithm":{"algo_id":"0", "math_type":"TENSOR_OP_MATH", "tuning_knobs":{"17":"1",
          "24":"0"}, "is_cudnn_frontend":true, "workspace_size":"0"}, "fmha_scale":0.08838834764831843,
          "intermediate_tensor_shape":{"element_type":"BF16", "dimensions":["8", "16", "2048", "2048"], "tuple_shapes":[],
          "layout":{"dim_level_types":[], "dim_unique":[], "dim_ordered":[], "minor_to_major":["3", "2", "1", "0"], "tiles":[],
          "element_size_in_bits":"0", "memory_space":"0", "index_primitive_type":"PRIMITIVE_TYPE_INVALID",
          "pointer_primitive_type":"PRIMITIVE_TYPE_INVALID", "dynamic_shape_metadata_prefix_bytes":"0"},
          "is_dynamic_dimension":[false,false,false,false]}, "is_flash_attention":true, "mask_type":"PADDING_CAUSAL",
          "dropout_rate":0.0, "seed":42, "sliding_window_length":0, "max_seg_per_batch":8, "is_paged_attention":false,
          "bmm1_dot_dimension_numbers":{"lhs_contracting_dimensions":["3"], "rhs_contracting_dimensions":["3"],
          "lhs_batch_dimensions":["0", "2"], "rhs_batch_dimensions":["0", "2"]},
          "bmm2_dot_dimension_numbers":{"lhs_contracting_dimensions":["3"], "rhs_contracting_dimensions":["1"],
          "lhs_batch_dimensions":["0", "1"], "rhs_batch_dimensions":["0", "2"]}}}, operand_layouts = [dense<[3, 2, 1, 0]> :
          tensor<4xindex>, dense<[3, 2, 1, 0]> : tensor<4xindex>, dense<[3, 2, 1, 0]> : tensor<4xindex>, dense<[1, 0]> :
          tensor<2xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 0]> : tensor<2xindex>],
          result_layouts = [dense<[3, 1, 2, 0]> : tensor<4xindex>, dense<[2, 1, 0]> : tensor<3xindex>, dense<[0]> :
          tensor<1xindex>] (tensor<8x2048x16x128xbf16>, tensor<8x2048x4x128xbf16>, tensor<8x2048x4x128xbf16>, tensor<8x8xi32>,
          tensor<8x8xi32>, tensor<8x9xi32>, tensor<8x9xi32>) -> (tensor<8x16x2048x128xbf16>, tensor<64x16x2048xf32>,
          tensor<0xui8>)
        stablehlo.custom_call @__cudnn$fmhaSoftmaxBackward {api_version = 2 : i32, {"operation_queue_id":"0",
          "cudnn_fmha_backend_config":{"algorithm":{"algo_id":"0", "math_type":"TENSOR_OP_MATH", "tuning_knobs":{"17":"1",
          "24":"0"}, "is_cudnn_frontend":true, "workspace_size":"0"}, "fmha_scale":0.08838834764831843,
          "intermediate_tensor_shape":{"element_type":"BF16", "dimensions":["8", "16", "2048", "2048"], "tuple_shapes":[],
          "layout":{"dim_level_types":[], "dim_unique":[], "dim_ordered":[], "minor_to_major":["3", "2", "1", "0"], "tiles":[],
          "element_size_in_bits":"0", "memory_space":"0", "index_primitive_type":"PRIMITIVE_TYPE_INVALID",
          "pointer_primitive_type":"PRIMITIVE_TYPE_INVALID", "dynamic_shape_metadata_prefix_bytes":"0"},
          "is_dynamic_dimension":[false,false,false,false]}, "is_flash_attention":true, "mask_type":"PADDING_CAUSAL",
          "dropout_rate":0.0, "seed":42, "sliding_window_length":0, "max_seg_per_batch":8, "is_paged_attention":false,
          "bmm1_grad_gemm1_dot_dimension_numbers":{"lhs_contracting_dimensions":["2"], "rhs_contracting_dimensions":["1"],
          "lhs_batch_dimensions":["0", "1"], "rhs_batch_dimensions":["0", "2"]},
          "bmm1_grad_gemm2_dot_dimension_numbers":{"lhs_contracting_dimensions":["3"], "rhs_contracting_dimensions":["1"],
          "lhs_batch_dimensions":["0", "1"], "rhs_batch_dimensions":["0", "2"]},
          "bmm2_grad_gemm1_dot_dimension_numbers":{"lhs_contracting_dimensions":["2"], "rhs_contracting_dimensions":["1"],
          "lhs_batch_dimensions":["0", "1"], "rhs_batch_dimensions":["0", "2"]},
          "bmm2_grad_gemm2_dot_dimension_numbers":{"lhs_contracting_dimensions":["3"], "rhs_contracting_dimensions":["3"],
          "lhs_batch_dimensions":["0", "2"], "rhs_batch_dimensions":["0", "2"]}}}, operand_layouts = [dense<[3, 2, 1, 0]> :
          tensor<4xindex>, dense<[3, 2, 1, 0]> : tensor<4xindex>, dense<[3, 2, 1, 0]> : tensor<4xindex>, dense<[2, 1, 0]> :
          tensor<3xindex>, dense<[3, 2, 1, 0]> : tensor<4xindex>, dense<[3, 2, 1, 0]> : tensor<4xindex>, dense<[1, 0]> :
          tensor<2xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 0]> : tensor<2xindex>],
          result_layouts = [dense<[3, 1, 2, 0]> : tensor<4xindex>, dense<[3, 1, 2, 0]> : tensor<4xindex>, dense<[3, 1, 2, 0]> :
          tensor<4xindex>, dense<[0]> : tensor<1xindex>] (tensor<8x2048x16x128xbf16>, tensor<8x2048x4x128xbf16>,
          tensor<8x2048x4x128xbf16>, tensor<64x16x2048xf32>, tensor<8x2048x16x128xbf16>, tensor<8x2048x16x128xbf16>,
          tensor<8x8xi32>, tensor<8x8xi32>, tensor<8x9xi32>, tensor<8x9xi32>) -> (tensor<8x16x2048x128xbf16>,
          tensor<8x4x2048x128xbf16>, tensor<8x4x2048x128xbf16>, tensor<0xui8>)
    "#]],
    );
}
