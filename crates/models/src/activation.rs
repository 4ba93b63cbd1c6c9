//! Activations, under the names that Hugging Face's configurations have for them.

use std::f64::consts::{FRAC_1_SQRT_2, FRAC_2_PI};

use graph::Tensor;

use crate::config::{Fields, Result};
use crate::layers::widen;

/// A function of each element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Activation {
    /// `x Φ(x)`, Φ the normal distribution's (Hendrycks and Gimpel 2016).
    Gelu,
    /// The same, but no more than 10 (Wu et al. 2020, for whole numbers). It is never less than -0.17.
    Gelu10,
    /// The same with Φ by a hyperbolic tangent.
    GeluTanh,
    /// `x sigmoid(1.702 x)`, another of the approximations in that paper.
    QuickGelu,
    /// The larger of x and 0.
    Relu,
    /// The square of that (So et al. 2021).
    ReluSquared,
    /// `x sigmoid(x)` (Ramachandran et al. 2017).
    Silu,
    /// Hyperbolic tangent.
    Tanh,
}

/// The names that are read, of those that transformers has. What it calls by several names differs by rounding alone.
const NAMES: &[(&str, Activation)] = &[
    ("gelu", Activation::Gelu),
    ("gelu_10", Activation::Gelu10),
    ("gelu_accurate", Activation::GeluTanh),
    ("gelu_fast", Activation::GeluTanh),
    ("gelu_new", Activation::GeluTanh),
    ("gelu_python", Activation::Gelu),
    ("gelu_python_tanh", Activation::GeluTanh),
    ("gelu_pytorch_tanh", Activation::GeluTanh),
    ("quick_gelu", Activation::QuickGelu),
    ("relu", Activation::Relu),
    ("relu2", Activation::ReluSquared),
    ("silu", Activation::Silu),
    ("swish", Activation::Silu),
    ("tanh", Activation::Tanh),
];

impl Activation {
    /// The one that `key` names, `usual` if it is absent.
    pub(crate) fn read(fields: &Fields<'_>, key: &str, usual: Activation) -> Result<Activation> {
        fields.choice(key, NAMES, usual)
    }

    /// Of each element of `x`. What has constants, which bf16 would round, is itself rounded to `x`'s type once: near 0 and in its tails GELU is a
    /// product of small differences.
    pub(crate) fn apply(self, x: Tensor<'_>) -> Tensor<'_> {
        let wide = || widen(x);
        match self {
            Activation::Gelu => gelu(wide()).cast(x.dtype()),
            Activation::Gelu10 => gelu(wide()).minimum(10.0).cast(x.dtype()),
            Activation::GeluTanh => gelu_tanh(wide()).cast(x.dtype()),
            Activation::QuickGelu => quick_gelu(wide()).cast(x.dtype()),
            Activation::Relu => relu(x),
            Activation::ReluSquared => relu(x) * relu(x),
            Activation::Silu => x.silu(),
            Activation::Tanh => x.tanh(),
        }
    }
}

fn gelu(x: Tensor<'_>) -> Tensor<'_> {
    x * 0.5 * ((x * FRAC_1_SQRT_2).erf() + 1.0)
}

fn gelu_tanh(x: Tensor<'_>) -> Tensor<'_> {
    let inner = (x + x * x * x * 0.044715) * FRAC_2_PI.sqrt();
    x * 0.5 * (inner.tanh() + 1.0)
}

fn quick_gelu(x: Tensor<'_>) -> Tensor<'_> {
    x * (x * 1.702).logistic()
}

/// Unlike a maximum it has no derivative at 0, where a half of the cotangent would come through; and a NaN stays one.
fn relu(x: Tensor<'_>) -> Tensor<'_> {
    (!x.less_equal(0.0)).select(x, 0.0)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use checkpoint::SafetensorsFile;
    use graph::{Axis, DType, Graph};
    use runtime::plugins::{Environment, Platform};

    use super::*;

    /// Values and derivatives against torch's, by `scripts/fixtures/activations.py`, from far tail to far tail.
    #[test]
    fn names_mean_what_transformers_means_by_them() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/activations.safetensors");
        let fixture = SafetensorsFile::open(path).expect("the fixture is there");
        let inputs = fixture.tensor("inputs").expect("it has inputs");
        let graph = Graph::new();
        let x = graph.input("x", DType::F32, &[Axis::new("x", inputs.shape()[0])]);
        let outputs: Vec<_> = NAMES
            .iter()
            .flat_map(|(name, activation)| {
                let y = activation.apply(x);
                [(format!("{name}.value"), y), (format!("{name}.derivative"), graph.grad(y.sum_all(), &[x])[0])]
            })
            .collect();
        let named: Vec<_> = outputs.iter().map(|(name, tensor)| (name.as_str(), *tensor)).collect();
        let program = graph.lower("activations", &named, &[]).expect("it can be traced");
        let session = runtime::open(&Environment::from_process(), Platform::Cpu, &mut |_| {}).expect("there is a CPU");
        let executable = session.compile(&program.name, &program.text, &Default::default()).expect("it compiles");
        let argument = session.upload(&inputs).expect("it fits");
        let results = executable.execute(&[&argument]).expect("it runs");
        assert_eq!(fixture.names().count(), 1 + outputs.len(), "the fixture has others");
        for ((name, _), result) in outputs.iter().zip(&results) {
            let found = session.download(result).expect("it fits").to_f32();
            let expected = fixture.tensor(name).unwrap_or_else(|_| panic!("{name} is not in the fixture")).to_f32();
            for ((found, expected), x) in found.iter().zip(&expected).zip(inputs.to_f32()) {
                // Some roundings of numbers of order one, times x.
                let fits = (found - expected).abs() <= 1e-6 * (1.0 + x.abs());
                assert!(fits, "{name} of {x} is {found}, not {expected}");
            }
        }
    }
}
