//! Presets of `finery bench train`, and what their steps take, counted by hand.

/// A preset of `finery bench train`, described here once more so that the parameters which the step takes are counted
/// by hand and not by the program that is checked.
pub(super) struct Shape {
    pub(super) preset: &'static str,
    /// The model's own parameters.
    pub(super) parameters: u64,
    pub(super) layers: u64,
    /// Those of adapters, if they are trained in place of the model.
    pub(super) adapters: Option<u64>,
    pub(super) tokens: u64,
    /// Whether layers are lowered as a loop. The deep ones of many small ops compile much sooner so.
    pub(super) scan_layers: bool,
    /// Parameters that layers multiply in 8 bits where that is asked for; 0 where no case asks.
    pub(super) in_8_bits: u64,
    /// Kernels of Finery's that the step is to call on AMD's GPUs.
    pub(super) kernels: &'static [&'static str],
    /// Those that it is to call on an H200, where cuDNN has plain attention.
    pub(super) beside_cudnn: &'static [&'static str],
}

pub(super) const ATTENTION: &[&str] = &["attention_forward", "attention_backward_queries", "attention_backward_keys"];
/// Of experts that are frozen: none of their weights has a gradient.
pub(super) const FROZEN_EXPERTS: &[&str] = &[
    "attention_forward",
    "attention_backward_queries",
    "attention_backward_keys",
    "grouped_product",
    "grouped_product_of_rows",
];
/// The same without attention.
pub(super) const FROZEN_PRODUCTS: &[&str] = &["grouped_product", "grouped_product_of_rows"];
pub(super) const PRODUCTS: &[&str] = &["grouped_product", "grouped_product_of_rows", "grouped_product_of_weights"];
pub(super) const EXPERTS: &[&str] = &[
    "attention_forward",
    "attention_backward_queries",
    "attention_backward_keys",
    "grouped_product",
    "grouped_product_of_rows",
    "grouped_product_of_weights",
];
pub(super) const MAMBA: &[&str] =
    &["causal_convolution", "causal_convolution_backward", "selective_scan", "selective_scan_gradients"];
pub(super) const MAMBA2: &[&str] =
    &["causal_convolution", "causal_convolution_backward", "dual_scan_outputs", "dual_scan_gradients"];

/// Tokens of a row.
const ROW: u64 = 2048;

pub(super) const LLAMA_1B: Shape = Shape {
    preset: "llama-1.3b",
    layers: 24,
    parameters: llama(2048, 5504, 24),
    adapters: None,
    tokens: 8 * 2048,
    scan_layers: false,
    in_8_bits: 24 * llama_layer(2048, 5504),
    kernels: ATTENTION,
    beside_cudnn: &[],
};

/// Rank 8 on all linear layers.
pub(super) const LLAMA_7B_LORA: Shape = Shape {
    preset: "llama-7b-lora",
    layers: 32,
    parameters: llama(4096, 11_008, 32),
    // Two matrices each: (rank, inputs) and (outputs, rank). The output layer has none, as in PEFT.
    adapters: Some(32 * 8 * (4 * (4096 + 4096) + 3 * (4096 + 11_008))),
    tokens: 4 * 2048,
    scan_layers: false,
    in_8_bits: 32 * llama_layer(4096, 11_008),
    kernels: ATTENTION,
    beside_cudnn: &[],
};

/// No biases, a tied head, ALiBi; the inner width is four times 2048.
pub(super) const MPT_1B: Shape = Shape {
    preset: "mpt-1b",
    layers: 24,
    parameters: 50_368 * 2048 + 24 * (12 * 2048 * 2048 + 2 * 2048) + 2048,
    adapters: None,
    tokens: 8 * 2048,
    scan_layers: true,
    in_8_bits: 0,
    kernels: ATTENTION,
    beside_cudnn: ATTENTION,
};

/// A tied head; twice the width inside, 16 states, 4 taps, rank 64 of the steps.
pub(super) const MAMBA_370M: Shape = Shape {
    preset: "mamba-370m",
    layers: 48,
    parameters: 50_280 * 1024 + 48 * mamba_layer(1024, 64) + 1024,
    adapters: None,
    tokens: 8 * 2048,
    scan_layers: true,
    in_8_bits: 0,
    kernels: MAMBA,
    beside_cudnn: MAMBA,
};

/// A tied head; twice the width inside, in heads of 64 of one group with 128 states, 4 taps.
pub(super) const MAMBA2_1300M: Shape = Shape {
    preset: "mamba2-1.3b",
    layers: 48,
    parameters: 50_280 * 2048 + 48 * mamba2_layer(2048) + 2048,
    adapters: None,
    tokens: 8 * 2048,
    scan_layers: true,
    in_8_bits: 0,
    kernels: MAMBA2,
    beside_cudnn: MAMBA2,
};

/// All of it in f32.
pub(super) const MIXTRAL_3B: Shape = Shape {
    preset: "mixtral-3b",
    layers: 8,
    parameters: mixtral(2048, 7168, 8, 512),
    adapters: None,
    tokens: 8 * 2048,
    scan_layers: true,
    in_8_bits: 0,
    kernels: EXPERTS,
    beside_cudnn: PRODUCTS,
};

/// Rank 8 on the attention's four matrices and the router's.
pub(super) const MIXTRAL_LORA: Shape = Shape {
    preset: "mixtral-8x7b-lora",
    layers: 32,
    parameters: mixtral(4096, 14_336, 32, 1024),
    adapters: Some(32 * 8 * (2 * (4096 + 4096) + 2 * (4096 + 1024) + 4096 + 8)),
    tokens: 2048,
    scan_layers: true,
    in_8_bits: 0,
    kernels: FROZEN_EXPERTS,
    beside_cudnn: FROZEN_PRODUCTS,
};

/// A Mixtral of eight experts with a vocabulary of 32,000 and an output layer of its own.
const fn mixtral(hidden: u64, intermediate: u64, layers: u64, keys: u64) -> u64 {
    let (attention, router, norms) = (2 * hidden * (hidden + keys), 8 * hidden, 2 * hidden);
    let layer = attention + router + 8 * 3 * hidden * intermediate + norms;
    2 * 32_000 * hidden + layers * layer + hidden
}

/// A Llama with as many key heads as query heads, a vocabulary of 32,000 and an output layer of its own.
const fn llama(hidden: u64, intermediate: u64, layers: u64) -> u64 {
    let norms = 2 * hidden;
    2 * 32_000 * hidden + layers * (llama_layer(hidden, intermediate) + norms) + hidden
}

/// What a layer multiplies.
const fn llama_layer(hidden: u64, intermediate: u64) -> u64 {
    4 * hidden * hidden + 3 * hidden * intermediate
}

const fn mamba_layer(hidden: u64, rank: u64) -> u64 {
    let (inner, state, taps) = (2 * hidden, 16, 4);
    let projections = 2 * inner * hidden + inner * (rank + 2 * state) + rank * inner + inner * hidden;
    let convolution = (taps + 1) * inner;
    let (step_bias, decays, skip, norm) = (inner, inner * state, inner, hidden);
    projections + convolution + step_bias + decays + skip + norm
}

const fn mamba2_layer(hidden: u64) -> u64 {
    let (inner, state, taps) = (2 * hidden, 128, 4);
    let (heads, convolved) = (inner / 64, inner + 2 * state);
    let projections = hidden * (inner + convolved + heads) + inner * hidden;
    let convolution = (taps + 1) * convolved;
    let (step_bias, decays, skip, norms) = (heads, heads, heads, inner + hidden);
    projections + convolution + step_bias + decays + skip + norms
}

impl Shape {
    /// All that the step takes: 12 bytes for a trained parameter (f32 with AdamW's two moments), 2 for a frozen one (bf16, or 8 bits
    /// twice, and 4 for the unit of each weight), 12 for a token
    /// (its id, its target, its weight in the loss) and 8 more where rows are packed (its position, its document), or 4 for a row (its length)
    /// where not, and 16 of scalars (dropout's seed, three for AdamW).
    pub(super) fn argument_bytes(&self, packed: bool, float8: bool) -> u64 {
        let (trained, frozen) = match self.adapters {
            Some(adapters) => (adapters, self.parameters),
            None => (self.parameters, 0),
        };
        let data = if packed { 20 * self.tokens } else { 12 * self.tokens + 4 * (self.tokens / ROW) };
        // Of each of seven modules of a layer.
        let units = if float8 && frozen > 0 { 4 * 7 * self.layers } else { 0 };
        12 * trained + 2 * frozen + units + data + 16
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_those_of_the_published_models() {
        // Llama 2 7B, and what PEFT's print_trainable_parameters says of rank 8 on all its linear layers.
        assert_eq!((LLAMA_7B_LORA.parameters, LLAMA_7B_LORA.adapters), (6_738_415_616, Some(19_988_480)));
        assert_eq!(LLAMA_1B.parameters, 1_345_423_360);
        // The hub counts these.
        assert_eq!(MIXTRAL_LORA.parameters, 46_702_792_704);
        assert_eq!(MIXTRAL_3B.parameters, 3_033_696_256);
        assert_eq!(MAMBA_370M.parameters, 371_516_416);
    }
}
