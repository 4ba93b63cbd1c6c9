//! Layers that multiply with their weights in 8-bit floats, against transformers.

use crate::subject::{Batch, Oracle, Subject, relative_distance};
use crate::zoo::cases;
use graph::Float8;
use models::{LayerLoop, Products};

/// How far the product of two rounded matrices is off, of its norm: each factor's rounding is 2.6 % of it in the mean, in E4M3.
const PRODUCT: f64 = 0.037;

/// Of families whose layers differ, a case each against transformers in f64, in f32 but for the products.
///
/// Of four products that a layer has one behind the other each adds its error, as random numbers do. A gradient goes through all of them twice,
/// backward with one factor in E5M2, which is off by twice as much.
#[test]
fn families() {
    for family in ["llama", "gpt2", "gpt_neox", "mpt", "phi3", "mamba"] {
        let case = format!("{family}/{}", cases(family)[0]);
        let oracle = Oracle::open(&format!("zoo/{case}/oracle.safetensors"));
        let mut subject = Subject::open(&format!("zoo/{case}"), None);
        (subject.products, subject.layers) = (Products::Rounded(Float8::Ocp), LayerLoop::Loop);
        let through = (4.0 * subject.model.sizes().num_hidden_layers as f64).sqrt() * PRODUCT;
        let (found, expected) = (subject.run(&Batch::of(&oracle)), oracle.gradients());
        let loss = f64::from(found.loss / oracle.floats("loss")[0] - 1.0).abs();
        let logits = relative_distance(&found.logits, &oracle.floats("logits"));
        let off = found.gradients.iter().map(|(name, found)| relative_distance(found, &expected[name]));
        let gradients = off.sum::<f64>() / found.gradients.len() as f64;
        println!("{case:36} loss {loss:.1e}  logits {logits:.1e}  gradients {gradients:.1e}, {through:.1e}");
        assert!(loss < through / 8.0, "{case}: the loss is off by {loss} of it");
        // Rounded indeed.
        assert!(logits > PRODUCT / 2.0 && logits < through, "{case}: logits are off by {logits} of their norm");
        assert!(gradients < 2.0 * through, "{case}: gradients are off by {gradients} of their norms in the mean");
    }
}
