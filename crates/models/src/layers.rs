//! Layers that every model is made of.

use graph::{Axis, DType, Init, Remat, Tensor};
use kernels::{Norm, NormForm};

use crate::activation::Activation;
use crate::attention::ATTENTION;
use crate::experts::EXPERTS;
use crate::float8::FLOAT8_PRODUCT;
use crate::journal::{Gates, LinearModule};
use crate::lora::Frozen;
use crate::state_space::SCAN;
use crate::{Products, Scope, float8, lora, part};

/// `W x (+ b)`, with the module's adapter if it has one; `x` loses `input` and gains `output`.
pub(crate) fn linear<'g>(
    scope: &Scope<'g>,
    x: Tensor<'g>,
    input: Axis,
    output: Axis,
    bias: bool,
    init: Init,
) -> Tensor<'g> {
    product(scope, x, input, output, [output, input], bias, init)
}

/// GPT-2's `Conv1D`: a linear layer with a bias, whose weight is stored as (inputs, outputs).
pub(crate) fn conv1d<'g>(scope: &Scope<'g>, x: Tensor<'g>, input: Axis, output: Axis, init: Init) -> Tensor<'g> {
    product(scope, x, input, output, [input, output], true, init)
}

/// [`linear`] over the axis `embed` of the modules of such names and outputs below `scope`, up to three: in one launch where weights meet few vectors.
pub(crate) fn linear_each<'g, const N: usize>(
    scope: &Scope<'g>,
    x: Tensor<'g>,
    modules: [(&str, Axis); N],
    bias: bool,
    init: Init,
) -> [Tensor<'g>; N] {
    let input = x.axis("embed");
    let modules = modules.map(|(name, output)| (scope.child(name), output));
    let is_apart = |scope: &Scope<'g>| !scope.has_token_kernels() || scope.products() != Products::AsComputed;
    if modules.iter().any(|(scope, _)| is_apart(scope)) {
        return modules.map(|(scope, output)| linear(&scope, x, input, output, bias, init));
    }
    let _named = scope.named(None);
    let weights = modules.each_ref().map(|(scope, output)| declare(scope, input, *output, [*output, input], init));
    let products = scope.multiply_all(x, &weights, input.name);
    std::array::from_fn(|place| {
        let (scope, output) = &modules[place];
        let (weight, product) = (Some(weights[place]), products[place]);
        finish(scope, Frozen { weight, input, output: *output, x, product }, bias)
    })
}

/// `silu(gate x) * (up x)` by the modules of such names below `scope`, without biases: in one launch where weights meet few vectors, unless an adapter adds to
/// one of them. `None` where no such launches are wanted.
pub(crate) fn gated_linear<'g>(
    scope: &Scope<'g>,
    x: Tensor<'g>,
    names: [&str; 2],
    output: Axis,
    init: Init,
) -> Option<Tensor<'g>> {
    let input = x.axis("embed");
    let scopes = names.map(|name| scope.child(name));
    let both = scope.child(&names.join("_and_"));
    let paths = scopes.each_ref().map(|scope| scope.path().to_owned());
    let (path, stack) = (both.path().to_owned(), scope.stack().to_vec());
    scope.journal().gates(Gates { paths, path, stack, input, output });
    let is_as_computed = |scope: &Scope<'g>| scope.products() == Products::AsComputed;
    let vectors = scope.few_vectors(x, input.name).filter(|_| scopes.iter().all(is_as_computed))?;
    let _named = scope.named(None);
    let weights = scopes.each_ref().map(|scope| declare(scope, input, output, [output, input], init));
    let packed = both.packed_gates(output, input);
    let is_adapted = scopes.iter().any(lora::is_adapted);
    let gated = if is_adapted { None } else { vectors.gated_product(weights, packed) };
    if let (Some(gated), Some(packed), false) = (gated, packed, scope.has_adapters()) {
        // What comes next reads either: an adapter of it would read both.
        scope.know_laid(gated, vectors.gated_product_laid(weights, packed));
    }
    Some(gated.unwrap_or_else(|| {
        let in_turn = packed.and_then(|packed| vectors.products_in_turn(weights, packed));
        let products = in_turn.map_or_else(|| scope.multiply_all(x, &weights, input.name), |both| both.to_vec());
        let [gate, up] = std::array::from_fn(|place| {
            let (weight, product) = (Some(weights[place]), products[place]);
            finish(&scopes[place], Frozen { weight, input, output, x, product }, false)
        });
        Activation::Silu.apply(gate) * up
    }))
}

fn product<'g>(
    scope: &Scope<'g>,
    x: Tensor<'g>,
    input: Axis,
    output: Axis,
    stored: [Axis; 2],
    bias: bool,
    init: Init,
) -> Tensor<'g> {
    let _named = scope.named(None);
    let (weight, product) = match scope.products() {
        Products::AsComputed => {
            let weight = declare(scope, input, output, stored, init);
            (Some(weight), scope.multiply(x, weight, input.name))
        }
        Products::Rounded(kind) => {
            record(scope, input, output, stored, false);
            let held = scope.held_param("weight", &stored, init);
            (Some(held.cast(scope.compute())), float8::product(kind, x, held, input.name))
        }
        Products::Held(kind) => {
            record(scope, input, output, stored, false);
            (None, float8::held_product(kind, scope, x, input, stored, init))
        }
    };
    finish(scope, Frozen { weight, input, output, x, product }, bias)
}

/// Writes the module at `scope` down.
fn record(scope: &Scope<'_>, input: Axis, output: Axis, stored: [Axis; 2], by_kernels: bool) {
    scope.journal().linear(LinearModule {
        path: scope.path().to_owned(),
        stack: scope.stack().to_vec(),
        input,
        output,
        share: 1.0,
        weight: format!("{}.weight", scope.path()),
        transposed: stored == [input, output],
        by_kernels,
        is_head: false,
    });
}

/// Declares the module at `scope`, and gives its weight.
fn declare<'g>(scope: &Scope<'g>, input: Axis, output: Axis, stored: [Axis; 2], init: Init) -> Tensor<'g> {
    record(scope, input, output, stored, true);
    let weight = scope.param("weight", &stored, init);
    // What gates is packed with what it gates.
    if stored == [output, input] && !scope.journal().is_of_gates(scope.path()) {
        scope.declare_packed(weight, output, input);
    }
    weight
}

/// Adds the bias and what an adapter adds.
fn finish<'g>(scope: &Scope<'g>, module: Frozen<'g>, bias: bool) -> Tensor<'g> {
    let y = match bias {
        true => module.product + scope.param("bias", &[module.output], Init::Zeros),
        false => module.product,
    };
    match lora::adapter(scope, module) {
        Some(change) => (y + change).checkpoint_name(ADAPTED),
        None => y,
    }
}

/// The name, for a rematerialisation policy, of a linear module's output with its adapter's.
const ADAPTED: &str = "adapted";

/// Keeps products with weights and attention's output, so that only what is cheap is computed again in the backward pass. Of a module with
/// an adapter the sum is kept, instead of both products.
pub fn products_kept() -> Remat {
    Remat::dots(&[ATTENTION, ADAPTED, EXPERTS, FLOAT8_PRODUCT, SCAN])
}

/// Root mean square normalisation (Zhang and Sennrich 2019) over `embed`, in f32 at least.
pub(crate) fn rms_norm<'g>(scope: &Scope<'g>, x: Tensor<'g>, epsilon: f64) -> Tensor<'g> {
    RmsNorm::new(epsilon).apply(scope, x, "embed")
}

/// The tensor in f32, unless it is more precise already.
pub(crate) fn widen(x: Tensor<'_>) -> Tensor<'_> {
    x.cast(wide(x.dtype()))
}

/// F32, or the type itself if it is more precise.
pub(crate) fn wide(dtype: DType) -> DType {
    if dtype == DType::F64 { DType::F64 } else { DType::F32 }
}

/// `x * factor` in `x`'s type. The factor itself is not rounded to it: an adapter's 16 / 12 as bf16 would be another scale than the one in
/// adapter_config.json.
pub(crate) fn scaled(x: Tensor<'_>, factor: f64) -> Tensor<'_> {
    (widen(x) * factor).cast(x.dtype())
}

/// A product that is not rounded to its inputs' type.
pub(crate) fn wide_dot<'g>(a: Tensor<'g>, b: Tensor<'g>, contract: &[&'static str]) -> Tensor<'g> {
    a.dot_as(b, contract, wide(a.dtype()))
}

/// Layer normalisation (Ba et al. 2016) over `axis`, in f32 at least and rounded once.
pub(crate) fn layer_norm<'g>(
    scope: &Scope<'g>,
    x: Tensor<'g>,
    axis: &'static str,
    epsilon: f64,
    bias: bool,
) -> Tensor<'g> {
    let _named = scope.named(part::NORMS);
    let features = [x.axis(axis)];
    let weight = scope.param("weight", &features, Init::Ones);
    let wide = widen(x);
    let centred = wide - wide.mean(&[axis]);
    let mut y = centred * ((centred * centred).mean(&[axis]) + epsilon).rsqrt() * widen(weight);
    if bias {
        y = y + widen(scope.param("bias", &features, Init::Zeros));
    }
    y.cast(x.dtype())
}

/// Rows of a table, (`rows`, `embed`), by their numbers: what stands for tokens, or for positions.
pub(crate) fn embedding<'g>(scope: &Scope<'g>, rows: Axis, embed: Axis, numbers: Tensor<'g>, init: Init) -> Tensor<'g> {
    let _named = scope.named(part::EMBEDDING);
    scope.param("weight", &[rows, embed], init).take(rows.name, numbers)
}

/// A multilayer perceptron with one hidden layer, of `width`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Mlp {
    pub(crate) width: usize,
    pub(crate) activation: Activation,
    pub(crate) bias: bool,
}

impl Mlp {
    /// Over `embed`; `names` are those of its linear layers.
    pub(crate) fn apply<'g>(self, scope: &Scope<'g>, x: Tensor<'g>, names: [&str; 2], init: Init) -> Tensor<'g> {
        let _named = scope.named(part::MLP);
        let (embed, mlp) = (x.axis("embed"), Axis::new("mlp", self.width));
        let [up, down] = names.map(|name| scope.child(name));
        let hidden = self.activation.apply(linear(&up, x, embed, mlp, self.bias, init));
        linear(&down, hidden, mlp, embed, self.bias, init)
    }
}

/// Root mean square normalisation (Zhang and Sennrich 2019), in f32 at least.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct RmsNorm {
    /// What the mean square is kept above 0 with.
    pub(crate) epsilon: f64,
    /// How weights are applied.
    pub(crate) form: NormForm,
}

impl RmsNorm {
    pub(crate) fn new(epsilon: f64) -> RmsNorm {
        RmsNorm { epsilon, form: NormForm::Narrow }
    }

    /// With a weight for each place along `axis`.
    pub(crate) fn apply<'g>(self, scope: &Scope<'g>, x: Tensor<'g>, axis: &'static str) -> Tensor<'g> {
        self.apply_with(scope, x, axis, self.weight(scope, x.axis(axis)))
    }

    /// The weight of the norm at `scope`.
    pub(crate) fn weight<'g>(self, scope: &Scope<'g>, features: Axis) -> Tensor<'g> {
        let _named = scope.named(part::NORMS);
        scope.param("weight", &[features], if self.form == NormForm::OneMore { Init::Zeros } else { Init::Ones })
    }

    /// [`RmsNorm::apply`] with that weight.
    pub(crate) fn apply_with<'g>(
        self,
        scope: &Scope<'g>,
        x: Tensor<'g>,
        axis: &'static str,
        weight: Tensor<'g>,
    ) -> Tensor<'g> {
        let _named = scope.named(part::NORMS);
        if let Some(normal) = scope.normalised(self.of(x, axis, weight)) {
            return normal;
        }
        let wide = widen(x);
        let normal = wide * ((wide * wide).mean(&[axis]) + self.epsilon).rsqrt();
        match self.form {
            NormForm::Narrow => normal.cast(x.dtype()) * weight,
            NormForm::Wide => (normal * widen(weight)).cast(x.dtype()),
            // Near 1, bf16 would lose most of the weights.
            NormForm::OneMore => (normal * (widen(weight) + 1.0)).cast(x.dtype()),
        }
    }

    /// As kernels are asked for it.
    pub(crate) fn of<'g>(self, x: Tensor<'g>, input: &'static str, weight: Tensor<'g>) -> Norm<'g> {
        Norm { x, input, weight, epsilon: self.epsilon, form: self.form }
    }
}

#[cfg(test)]
mod tests {
    use graph::Graph;
    use serde_json::json;

    use super::*;
    use crate::config::Fields;
    use crate::family::Head;
    use crate::pass::Tokens;
    use crate::{Precision, families};

    /// By the program's text: XLA may leave out a rounding that another follows.
    #[test]
    fn rms_norms_are_rounded_where_transformers_rounds_them() {
        let config = json!({
            "vocab_size": 96, "hidden_size": 4, "intermediate_size": 8, "num_hidden_layers": 2, "num_attention_heads": 2,
            "num_key_value_heads": 2, "head_dim": 2,
        });
        let fields = Fields::of(&config).expect("it is an object");
        let cases = [(families::llama::ENTRY, 1), (families::olmo2::ENTRY, 0), (families::gemma2::ENTRY, 0)];
        for (entry, narrow_products) in cases {
            let family = (entry.read)(&fields).expect("it is a model");
            let graph = Graph::new();
            let scope = Scope::root(&graph, Precision::uniform(DType::BF16), None);
            let x = graph.input("x", DType::BF16, &[Axis::new("row", 3), Axis::new("embed", 4)]);
            let text = graph.lower("norm", &[("normal", family.norm(&scope, x))], &[]).expect("it can be lowered").text;
            let count = |op| text.lines().filter(|line| line.contains(op) && line.ends_with("xbf16>")).count();
            let found = [count("stablehlo.multiply"), count("stablehlo.convert")];
            assert_eq!(found, [narrow_products, 1], "{}: {text}", entry.model_type);
        }
    }

    /// By the program's text. In bf16 a cap of 30 would raise all logits by 0.3 %: 1 / 30 is rounded to what is more.
    #[test]
    fn what_is_multiplied_with_is_not_rounded_to_bf16() {
        let graph = Graph::new();
        let [batch, position] = [("batch", 2), ("position", 3)].map(|(name, size)| Axis::new(name, size));
        let x = graph.input("x", DType::BF16, &[batch, position]);
        let head = |scale, softcap| Head { scale, softcap, ..Head::lm_head(false, "embed", 0.02) }.finish(x);
        let config = json!({"vocab_size": 96, "d_model": 4, "n_layers": 1, "n_heads": 2, "embedding_fraction": 0.1});
        let mpt = (families::mpt::ENTRY.read)(&Fields::of(&config).expect("it is an object")).expect("it is a model");
        let scope = Scope::root(&graph, Precision::uniform(DType::BF16), None);
        let [ids, positions] = ["ids", "positions"].map(|name| graph.input(name, DType::I32, &[batch, position]));
        let cases = [
            ("cap", head(1.0, Some(30.0))),
            ("scale", head(0.3, None)),
            ("scale and cap", head(0.3, Some(30.0))),
            ("quick_gelu", Activation::QuickGelu.apply(x)),
            ("embedding_fraction", mpt.embed(&scope, Tokens { ids, positions, segments: None, lengths: None })),
        ];
        for (name, tensor) in cases {
            let text = graph.lower(name, &[(name, tensor)], &[]).expect("it can be lowered").text;
            let count = |op: &str| text.lines().filter(|line| line.contains(op) && line.ends_with("xbf16>")).count();
            let narrow = ["multiply", "divide", "tanh", "logistic"].map(|op| count(&format!("stablehlo.{op}")));
            assert_eq!((narrow, count("stablehlo.convert")), ([0; 4], 1), "{name}: {text}");
        }
        let plain = graph.lower("plain", &[("logits", head(1.0, None))], &[]).expect("it can be lowered").text;
        assert!(!plain.contains("stablehlo."), "{plain}");
    }
}
