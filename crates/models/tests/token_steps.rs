//! What a step of one token for each of few texts is made of on a GPU: the kernels that a layer calls, one after the other.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use graph::{Axis, DType, Graph};
use models::{Gpu, LanguageModel, Precision, RaggedPart, Scope, StateSize, TokenKernels};
use serde_json::{Value, json};

/// The kernels that a round over layers calls, for so many texts.
fn calls(config: &Value, texts: usize) -> Vec<String> {
    let mut model = LanguageModel::from_json(config).unwrap();
    model.token_kernels = Some(TokenKernels::Gpu(Gpu::Hopper));
    let graph = Graph::new();
    let scope = Scope::root(&graph, Precision::uniform(DType::BF16), None);
    let (rows, size) = (Axis::new("batch", texts), StateSize { slots: texts + 1, pages: 8, page_tokens: 16 });
    let input = |name: &str, axes: &[Axis]| graph.input(name, DType::I32, axes);
    let ids = input("ids", &[Axis::new("batch", 1), Axis::new("position", texts)]);
    let [start, count, slot] = ["start", "count", "slot"].map(|name| input(name, &[rows]));
    let pages = Some(input("pages", &[rows, Axis::new("seen_page", 4)]));
    let part = RaggedPart { rows: texts, chunk: 1, start, count, length: None, pages, slot, ranks: None, each: false };
    let state = model.ragged_state_inputs(&scope, size);
    let (logits, _) = model.ragged_step(&scope, ids, &[part], size.page_tokens, &state, None);
    let text = graph.lower("step", &[("logits", logits)], &[]).unwrap().text;
    let (_, body) = text.split_once("} do {").unwrap_or_else(|| panic!("no loop over layers: {text}"));
    let body = body.split("stablehlo.return").next().unwrap();
    let names = body.split("name = \"").skip(1).map(|rest| rest.split('"').next().unwrap().to_owned());
    names.collect()
}

fn config(family: &str) -> Value {
    json!({
        "model_type": family, "vocab_size": 320, "hidden_size": 256, "intermediate_size": 1024, "num_hidden_layers": 4, "num_attention_heads": 4,
        "num_key_value_heads": 4, "head_dim": 64, "max_position_embeddings": 4096, "sliding_window": 21,
    })
}

#[test]
fn a_layers_last_sum_is_normalised_where_it_is_added() {
    let launches = |family: &str, texts| calls(&config(family), texts).join(" ");
    assert_eq!(
        launches("llama", 1),
        "vector_product paged_attention narrow_product sum_and_norm gated_narrow_product narrow_product sum_and_norm"
    );
    assert_eq!(
        launches("llama", 16),
        "narrow_product paged_attention narrow_product sum_and_norm gated_narrow_product narrow_product sum_and_norm"
    );
    // Rounds of two layers, which norm what they add.
    let half = "narrow_product paged_attention narrow_product row_norm sum_and_norm narrow_product narrow_product row_norm sum_and_norm";
    assert_eq!(launches("gemma2", 16), [half; 2].join(" "));
    // Which has a norm behind each part, and none before.
    let found = launches("olmo2", 16);
    assert!(found.starts_with("narrow_product row_norm row_norm paged_attention") && !found.contains("sum"), "{found}");
}
