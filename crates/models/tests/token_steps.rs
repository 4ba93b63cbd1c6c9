//! What a step of one token for each of few texts is made of on a GPU: the kernels that a layer calls, one after the other.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeSet;

use graph::{Axis, DType, Graph, ParamSpec, Program};
use models::{Gpu, Held, LanguageModel, Lora, LoraModule, Precision, RaggedPart, Scope, StateSize, TokenKernels};
use serde_json::{Value, json};

const PRECISION: Precision = Precision::uniform(DType::BF16);

/// A step of so many texts, as a Hopper has it, of a model whose weights are packed, too, or not.
fn step(config: &Value, texts: usize, packed: bool) -> (Program, Vec<ParamSpec>) {
    adapted_step(config, texts, packed, None)
}

/// The same with an adapter of all modules of this name.
fn adapted_step(config: &Value, texts: usize, packed: bool, adapted: Option<&str>) -> (Program, Vec<ParamSpec>) {
    let mut model = LanguageModel::from_json(config).unwrap();
    model.token_kernels = Some(TokenKernels::Gpu(Gpu::Hopper));
    model.packed = packed;
    let graph = Graph::new();
    let lora = adapted.map(|name| {
        let mut linear = model.linear_modules().unwrap();
        linear.retain(|module| module.path.ends_with(name));
        Lora::of_each(&linear, LoraModule { rank: 2, scale: 1.0 }, 0.0)
    });
    let scope = Scope::root(&graph, PRECISION, lora);
    let (rows, size) = (Axis::new("batch", texts), StateSize { slots: texts + 1, pages: 8, page_tokens: 16 });
    let input = |name: &str, axes: &[Axis]| graph.input(name, DType::I32, axes);
    let ids = input("ids", &[Axis::new("batch", 1), Axis::new("position", texts)]);
    let [start, count, slot] = ["start", "count", "slot"].map(|name| input(name, &[rows]));
    let pages = Some(input("pages", &[rows, Axis::new("seen_page", 4)]));
    let part = RaggedPart { rows: texts, chunk: 1, start, count, length: None, pages, slot, ranks: None, each: false };
    let state = model.ragged_state_inputs(&scope, size);
    let (logits, _) = model.ragged_step(&scope, ids, &[part], size.page_tokens, &state, None);
    let program = graph.lower("step", &[("logits", logits)], &[]).unwrap();
    (program, graph.params().into_iter().map(|(spec, _)| spec).collect())
}

/// The kernels that a round over layers calls, for so many texts.
fn calls(config: &Value, texts: usize, packed: bool) -> Vec<String> {
    let text = step(config, texts, packed).0.text;
    let (_, body) = text.split_once("} do {").unwrap_or_else(|| panic!("no loop over layers: {text}"));
    let body = body.split("stablehlo.return").next().unwrap();
    let names = body.split("name = \"").skip(1).map(|rest| rest.split('"').next().unwrap().to_owned());
    names.collect()
}

/// The parts of which arguments are joined into a (`rounds`, embed) of weights, in order, and the arguments' names.
fn joined(program: &Program, rounds: usize) -> Vec<(String, String)> {
    let ty = format!("-> tensor<{rounds}x256xbf16>");
    let is_it = |line: &&str| line.contains(" = stablehlo.concatenate ") && line.ends_with(&ty);
    let line = program.text.lines().find(is_it).unwrap_or_else(|| panic!("nothing is joined: {}", program.text));
    let (_, operands) = line.split_once("concatenate ").unwrap();
    let operands = operands.split(", dim").next().unwrap().split(", ");
    let slice_of = |operand: &str| {
        let begins = format!("{operand} = stablehlo.slice %arg");
        let line = program.text.lines().find_map(|line| line.trim().strip_prefix(&begins)).unwrap();
        let (number, rest) = line.split_once(' ').unwrap();
        let name = &program.inputs[number.parse::<usize>().unwrap()].name;
        (name.clone(), rest.split(',').next().unwrap().to_owned())
    };
    operands.map(slice_of).collect()
}

fn config(family: &str) -> Value {
    json!({
        "model_type": family, "vocab_size": 320, "hidden_size": 256, "intermediate_size": 1024, "num_hidden_layers": 4, "num_attention_heads": 4,
        "num_key_value_heads": 4, "head_dim": 64, "max_position_embeddings": 4096, "sliding_window": 21,
    })
}

#[test]
fn a_layers_last_sum_is_normalised_where_it_is_added() {
    let launches = |family: &str, texts| calls(&config(family), texts, false).join(" ");
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

/// A round's last sum is normalised by the weights of the next round's first layer, and those behind the last round's are the first's.
#[test]
fn what_is_handed_on_is_normalised_by_the_weights_of_who_gets_it() {
    let norms = "model.layers.*.input_layernorm.weight";
    for (family, rounds, name) in [("llama", 4, norms), ("gemma2", 2, "model.layers.*[0::2].input_layernorm.weight")] {
        let found = joined(&step(&config(family), 16, false).0, rounds);
        let expected = [format!("[1:{rounds}"), "[0:1".to_owned()].map(|range| (name.to_owned(), range));
        assert_eq!(found, expected, "{family}");
    }
}

/// A norm that a layer does not have would be a parameter that no file has.
#[test]
fn steps_of_few_tokens_have_the_parameters_of_all() {
    for family in
        ["llama", "mistral", "qwen2", "qwen3", "gemma2", "gemma3_text", "olmo2", "phi3", "mixtral", "qwen3_moe"]
    {
        let mut config = config(family);
        for (key, value) in
            [("num_local_experts", 64), ("num_experts", 64), ("num_experts_per_tok", 2), ("moe_intermediate_size", 64)]
        {
            config[key] = value.into();
        }
        let expected = LanguageModel::from_json(&config).unwrap().params(PRECISION, None).unwrap();
        let names = |specs: &[ParamSpec]| specs.iter().map(|spec| format!("{spec:?}")).collect::<BTreeSet<_>>();
        assert_eq!(names(&step(&config, 1, false).1), names(&expected), "{family}");
        // What packs them has to know the same ones.
        let packed = LanguageModel::from_json(&config).unwrap().packed_weights().unwrap();
        let known =
            packed.into_iter().flat_map(|packed| [packed.words, packed.scales]).chain(expected).collect::<Vec<_>>();
        let found = names(&step(&config, 1, true).1);
        assert_eq!(found, names(&known), "{family}");
        assert!(found.iter().any(|name| name.contains(".words")), "{family}");
    }
}

#[test]
fn packed_weights_are_multiplied_with_where_that_is_faster() {
    let launches = |family: &str, texts| calls(&config(family), texts, true).join(" ");
    for texts in [1, 16, 128] {
        let expected = "packed_product paged_attention packed_product sum_and_norm gated_packed_product packed_product sum_and_norm";
        assert_eq!(launches("llama", texts), expected, "{texts} texts");
    }
    assert!(!launches("llama", 129).contains("packed"));
    // Vectors that are laid out come from the same launches.
    for family in ["llama", "mistral", "qwen2", "qwen3", "gemma2", "gemma3_text", "olmo2", "phi3"] {
        assert_eq!(launches(family, 128), launches(family, 64), "{family}");
    }
    let half = "packed_product paged_attention packed_product row_norm sum_and_norm packed_product packed_product row_norm sum_and_norm";
    assert_eq!(launches("gemma2", 16), [half; 2].join(" "));
    // Of whole blocks neither in outputs nor in inputs.
    let mut none = config("llama");
    none["hidden_size"] = 288.into();
    let expected =
        "narrow_product paged_attention narrow_product sum_and_norm gated_narrow_product narrow_product sum_and_norm";
    assert_eq!(calls(&none, 16, true).join(" "), expected);
    // Of gates and what they gate, 33 blocks are whole together, and the inputs of what is behind them are not.
    let mut odd = config("llama");
    odd["intermediate_size"] = 1056.into();
    let expected =
        "packed_product paged_attention packed_product sum_and_norm gated_packed_product narrow_product sum_and_norm";
    assert_eq!(calls(&odd, 16, true).join(" "), expected);
}

/// Blocks of 64 elements of all vectors: what gate and up multiply with, and what down does. What rounds hand on is not known as such.
#[test]
fn vectors_of_packed_products_are_laid_out_where_both_are_known() {
    let laid = |texts: usize| {
        let text = step(&config("llama"), texts, true).0.text;
        let (_, body) = text.split_once("} do {").unwrap();
        let calls = body.split("stablehlo.return").next().unwrap().lines().filter(|line| line.contains("custom_call"));
        let is_laid = |ty: &str| ty.matches(&format!("x{texts}x64xbf16>")).count();
        let types = calls.map(|line| line.split_once(" : (").unwrap().1.split_once(") -> ").unwrap());
        types.map(|(given, results)| (is_laid(given), is_laid(results))).collect::<Vec<_>>()
    };
    let [none, given, made, both] = [(0, 0), (1, 0), (0, 1), (1, 1)];
    assert_eq!(laid(128), [none, none, none, made, both, given, none]);
    assert_eq!(laid(64), [none; 7]);
}

/// What an adapter of what comes next reads is not laid out: else gates would be computed once for it, and once for the product.
#[test]
fn gates_are_computed_once_beside_an_adapter() {
    let text = adapted_step(&config("llama"), 128, true, Some("down_proj")).0.text;
    assert_eq!(text.matches("gated_packed_product\"").count(), 1);
}

/// The kernels that a step calls, of rows of so many tokens each, where keys and values are packed.
fn calls_of_packed(config: &Value, chunk: usize) -> BTreeSet<String> {
    let mut model = LanguageModel::from_json(config).unwrap();
    model.token_kernels = Some(TokenKernels::Gpu(Gpu::Hopper));
    model.held = Held::Packed;
    let graph = Graph::new();
    let scope = Scope::root(&graph, PRECISION, None);
    let (rows, size) = (Axis::new("batch", 4), StateSize { slots: 5, pages: 17, page_tokens: 32 });
    let input = |name: &str, axes: &[Axis]| graph.input(name, DType::I32, axes);
    let ids = input("ids", &[Axis::new("batch", 1), Axis::new("position", 4 * chunk)]);
    let [start, count, slot] = ["start", "count", "slot"].map(|name| input(name, &[rows]));
    let pages = Some(input("pages", &[rows, Axis::new("seen_page", 4)]));
    let part = RaggedPart { rows: 4, chunk, start, count, length: None, pages, slot, ranks: None, each: false };
    let state = model.ragged_state_inputs(&scope, size);
    let (logits, next) = model.ragged_step(&scope, ids, &[part], size.page_tokens, &state, None);
    assert_eq!(
        next.iter().map(|next| next.ty()).collect::<Vec<_>>(),
        state.iter().map(|state| state.ty()).collect::<Vec<_>>()
    );
    let text = graph.lower("step", &[("logits", logits)], &[]).unwrap().text;
    text.split("name = \"").skip(1).map(|rest| rest.split('"').next().unwrap().to_owned()).collect()
}

#[test]
fn packed_keys_and_values_are_read_where_heads_are_as_wide_as_that() {
    let wide = |family: &str, kv_heads: usize| {
        let mut config = config(family);
        for (key, value) in [("head_dim", 128), ("num_key_value_heads", kv_heads)] {
            config[key] = value.into();
        }
        config
    };
    let has = |config: &Value, chunk, name: &str| calls_of_packed(config, chunk).contains(name);
    for (family, kv_heads) in [("llama", 4), ("llama", 2), ("qwen3", 4)] {
        let config = wide(family, kv_heads);
        assert!(has(&config, 1, "paged_attention_by_hand"), "{family}");
        let chunk = calls_of_packed(&config, 16);
        for name in ["paged_write", "unpacked_pages", "paged_attention"] {
            assert!(chunk.contains(name), "{family}: {chunk:?}");
        }
    }
    // Windows in some layers, four query heads to a key head, and narrow heads: those lie as they are computed.
    for config in [wide("gemma2", 4), wide("mistral", 4), wide("llama", 1), config("llama")] {
        assert!(!has(&config, 16, "unpacked_pages") && !has(&config, 1, "paged_attention_by_hand"), "{config}");
    }
}
