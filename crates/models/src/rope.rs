//! Rotary position embeddings (Su et al. 2021, "RoFormer"), and their changes for contexts longer than those of pre-training.

use std::f64::consts::{PI, TAU};

use graph::{Axis, DType, HostTensor, Tensor};
use serde_json::Value;

use crate::config::{ConfigError, Fields, POSITIONS_MAX, Result};
use crate::layers::widen;

/// How the frequencies are changed.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum RopeScaling {
    /// Not at all.
    None,
    /// All divided by a factor (Chen et al. 2023, "Position Interpolation").
    Linear {
        /// The divisor.
        factor: f64,
    },
    /// Of another base for sequences that are longer than the model was made for ("dynamic NTK").
    Dynamic {
        /// How far the base grows with the length.
        factor: f64,
        /// The longest sequence of which nothing is changed.
        max_position_embeddings: f64,
    },
    /// Low ones divided, high ones kept, those between blended by their place (Peng et al. 2023).
    Yarn {
        /// The divisor of low frequencies.
        factor: f64,
        /// Those that turn more often than this in the original context are kept.
        beta_fast: f64,
        /// Those that turn less often are divided.
        beta_slow: f64,
        /// Whether the places of these are rounded outwards.
        truncate: bool,
        /// The context length of pre-training.
        original_max_position_embeddings: f64,
    },
    /// Each divided by a factor of its own, and by another in sequences that are longer than those of pre-training (Ding et al. 2024).
    LongRope {
        /// The divisors in short sequences.
        short_factor: Vec<f64>,
        /// The divisors in long ones.
        long_factor: Vec<f64>,
        /// The longest of the short ones.
        original_max_position_embeddings: f64,
    },
    /// Llama 3.1: low ones divided, high ones kept, those between blended by their frequency.
    Llama3 {
        /// The divisor of low frequencies.
        factor: f64,
        /// Wavelengths longer than the original context over this are divided.
        low_freq_factor: f64,
        /// Wavelengths shorter than the original context over this are kept.
        high_freq_factor: f64,
        /// The context length of pre-training.
        original_max_position_embeddings: f64,
    },
}

/// A rotary embedding: what it rotates, and how fast.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Rotary {
    /// Elements of a head that are rotated, the first ones; even.
    pub(crate) dim: usize,
    /// Base of the frequencies.
    pub(crate) theta: f64,
    /// Their change.
    pub(crate) scaling: RopeScaling,
    /// What rotated elements are multiplied with.
    pub(crate) attention_factor: f64,
}

impl Rotary {
    /// Nothing but rotation.
    pub(crate) fn new(dim: usize, theta: f64) -> Rotary {
        Rotary { dim, theta, scaling: RopeScaling::None, attention_factor: 1.0 }
    }

    /// As `config.json` says it in transformers 5 (`rope_parameters`) or before (`rope_theta`, `rope_scaling`), for `dim` elements of a head.
    pub(crate) fn read(fields: &Fields<'_>, dim: usize) -> Result<Rotary> {
        Rotary::of_parameters(fields, parameters(fields)?, ("rope_theta", USUAL_THETA), dim)
    }

    /// The same for a family that rotates whole heads.
    pub(crate) fn read_whole(fields: &Fields<'_>, head_dim: usize) -> Result<Rotary> {
        Rotary::read_whole_or(fields, head_dim, USUAL_THETA)
    }

    /// The same with another base where none is given.
    pub(crate) fn read_whole_or(fields: &Fields<'_>, head_dim: usize, usual: f64) -> Result<Rotary> {
        let parameters = parameters(fields)?;
        for object in [Some(*fields), parameters].iter().flatten() {
            refuse_partial(object)?;
        }
        Rotary::of_parameters(fields, parameters, ("rope_theta", usual), head_dim)
    }

    /// How many of the elements of a head are rotated, by the parameters' `partial_rotary_factor`; which `outer` says if they do not: its key, and what it is if
    /// it is absent.
    pub(crate) fn partial_dim(fields: &Fields<'_>, outer: (&str, f64), head_dim: usize) -> Result<usize> {
        let key = "partial_rotary_factor";
        let inner = parameters(fields)?.filter(|inner| inner.get(key).is_some());
        let (object, key) = inner.map_or((*fields, outer.0), |inner| (inner, key));
        let factor = object.number_or(key, outer.1)?;
        let dim = (head_dim as f64 * factor) as usize;
        if factor > 1.0 || dim == 0 || !dim.is_multiple_of(2) {
            let rule = format!("of the {head_dim} elements of a head an even number should be rotated");
            return Err(object.wrong(key, &factor.into(), &rule));
        }
        Ok(dim)
    }

    /// By `parameters`, which `theta` says the base of if they do not: its key, and what it is if it is absent.
    pub(crate) fn of_parameters(
        fields: &Fields<'_>,
        parameters: Option<Fields<'_>>,
        theta: (&str, f64),
        dim: usize,
    ) -> Result<Rotary> {
        if !dim.is_multiple_of(2) {
            return Err(fields.wrong("head_dim", &dim.into(), "rotary embeddings need an even one"));
        }
        let outer = fields.number_or(theta.0, theta.1)?;
        let Some(parameters) = parameters else { return Ok(Rotary::new(dim, outer)) };
        if let Some((key, value)) = parameters.other_than(KEYS) {
            return Err(parameters.wrong(key, value, "no rotary embedding that is implemented has this key"));
        }
        let (scaling, attention_factor) = RopeScaling::read(fields, &parameters, dim)?;
        Ok(Rotary { dim, theta: parameters.number_or("rope_theta", outer)?, scaling, attention_factor })
    }

    /// Whether a token's rotation depends on how long its sequence is.
    pub(crate) fn depends_on_length(&self) -> bool {
        matches!(self.scaling, RopeScaling::Dynamic { .. } | RopeScaling::LongRope { .. })
    }

    /// The longest sequence that a scaling is for whose configuration keeps the length of pre-training as its max_position_embeddings.
    pub(crate) fn context(&self) -> Option<usize> {
        match self.scaling {
            RopeScaling::Dynamic { factor, max_position_embeddings: length }
            | RopeScaling::Yarn { factor, original_max_position_embeddings: length, .. } => {
                Some((factor * length) as usize)
            }
            _ => None,
        }
    }

    /// Radians per position, for each pair of elements of a head: `theta^(-2i / dim)`, scaled as in short sequences.
    fn frequencies(&self) -> Vec<f64> {
        let plain = self.exponents().map(|exponent| self.theta.powf(-exponent));
        match &self.scaling {
            RopeScaling::None | RopeScaling::Dynamic { .. } => plain.collect(),
            RopeScaling::Linear { factor } => plain.map(|frequency| frequency / factor).collect(),
            RopeScaling::Yarn { .. } => {
                plain.enumerate().map(|(place, frequency)| frequency * self.yarn(place as f64)).collect()
            }
            RopeScaling::LongRope { short_factor, .. } => divided(plain, short_factor),
            RopeScaling::Llama3 { factor, low_freq_factor, high_freq_factor, original_max_position_embeddings } => {
                let scaled = |frequency: f64| {
                    let turns = original_max_position_embeddings * frequency / TAU;
                    let kept = ((turns - low_freq_factor) / (high_freq_factor - low_freq_factor)).clamp(0.0, 1.0);
                    (1.0 - kept) * frequency / factor + kept * frequency
                };
                plain.map(scaled).collect()
            }
        }
    }

    /// `2i / dim` for each pair of elements.
    fn exponents(&self) -> impl Iterator<Item = f64> {
        let dim = self.dim;
        (0..dim / 2).map(move |i| (2 * i) as f64 / dim as f64)
    }

    /// What YaRN multiplies the frequency at a place with.
    fn yarn(&self, place: f64) -> f64 {
        let RopeScaling::Yarn { factor, beta_fast, beta_slow, truncate, original_max_position_embeddings } =
            self.scaling
        else {
            return 1.0;
        };
        // The place of the frequency that turns so often in the original context.
        let dim = self.dim as f64;
        let place_of =
            |turns: f64| dim * (original_max_position_embeddings / (turns * 2.0 * PI)).ln() / (2.0 * self.theta.ln());
        let (low, high) = (place_of(beta_fast), place_of(beta_slow));
        let (low, high) = if truncate { (low.floor(), high.ceil()) } else { (low, high) };
        let (low, high) = (low.max(0.0), high.min(dim - 1.0));
        // One place cannot be a slope.
        let high = if low == high { high + 0.001 } else { high };
        let divided = ((place - low) / (high - low)).clamp(0.0, 1.0);
        divided / factor + 1.0 - divided
    }
}

/// The base where a family has no other.
const USUAL_THETA: f64 = 10_000.0;

/// What may be said of a rotary embedding, in any of them.
const KEYS: &[&str] = &[
    "type",
    "rope_type",
    "rope_theta",
    "partial_rotary_factor",
    "factor",
    "original_max_position_embeddings",
    "attention_factor",
    "beta_fast",
    "beta_slow",
    "mscale",
    "mscale_all_dim",
    "truncate",
    "short_factor",
    "long_factor",
    "low_freq_factor",
    "high_freq_factor",
];

/// `rope_scaling` where it says something, else `rope_parameters`.
pub(crate) fn parameters<'a>(fields: &Fields<'a>) -> Result<Option<Fields<'a>>> {
    match fields.object("rope_scaling")?.filter(|scaling| !scaling.is_empty()) {
        Some(scaling) => Ok(Some(scaling)),
        None => Ok(fields.object("rope_parameters")?.filter(|parameters| !parameters.is_empty())),
    }
}

/// Refuses heads that are rotated in part.
pub(crate) fn refuse_partial(fields: &Fields<'_>) -> Result<()> {
    match fields.get("partial_rotary_factor").filter(|factor| factor.as_f64() != Some(1.0)) {
        Some(factor) => Err(fields.wrong("partial_rotary_factor", factor, "models of this type rotate whole heads")),
        None => Ok(()),
    }
}

/// The key of what names a scaling, and the name.
fn scaling_type(parameters: &Fields<'_>) -> (&'static str, Value) {
    let key = if parameters.get("rope_type").is_some() { "rope_type" } else { "type" };
    (key, parameters.get(key).cloned().unwrap_or(Value::Null))
}

impl RopeScaling {
    /// That the scaling is one which models of this type do not have.
    pub(crate) fn refuse(fields: &Fields<'_>, rule: &str) -> ConfigError {
        match parameters(fields) {
            Ok(inner) => {
                let inner = inner.unwrap_or(*fields);
                let (key, kind) = scaling_type(&inner);
                inner.wrong(key, &kind, rule)
            }
            Err(error) => error,
        }
    }

    /// And what rotated elements are multiplied with.
    fn read(fields: &Fields<'_>, inner: &Fields<'_>, dim: usize) -> Result<(RopeScaling, f64)> {
        let (key, kind) = scaling_type(inner);
        let longest = || fields.number("max_position_embeddings");
        // What stands outside is Phi-3's, which goes before.
        let original = || match fields.optional_size("original_max_position_embeddings", POSITIONS_MAX)? {
            Some(size) => Ok(size as f64),
            None => match inner.optional_size("original_max_position_embeddings", POSITIONS_MAX)? {
                Some(size) => Ok(size as f64),
                None => longest()?.ok_or_else(|| inner.missing("original_max_position_embeddings")),
            },
        };
        let plain = |scaling| Ok((scaling, 1.0));
        match kind.as_str().unwrap_or(if kind.is_null() { "default" } else { "" }) {
            "default" => plain(RopeScaling::None),
            "linear" => plain(RopeScaling::Linear { factor: inner.required_number("factor")? }),
            "dynamic" if dim == 2 => Err(inner.wrong(key, &kind, "it needs more than one pair of elements to rotate")),
            "dynamic" => plain(RopeScaling::Dynamic {
                factor: inner.required_number("factor")?,
                max_position_embeddings: longest()?.ok_or_else(|| fields.missing("max_position_embeddings"))?,
            }),
            "yarn" if inner.get("short_factor").is_none() => RopeScaling::yarn(inner, original()?),
            // Phi-3's first files have the other names.
            "longrope" | "su" | "yarn" => RopeScaling::long_rope(fields, inner, original()?, dim),
            "llama3" => plain(RopeScaling::Llama3 {
                factor: inner.required_number("factor")?,
                low_freq_factor: inner.required_number("low_freq_factor")?,
                high_freq_factor: inner.required_number("high_freq_factor")?,
                original_max_position_embeddings: original()?,
            }),
            _ => Err(inner.wrong(key, &kind, "it should be default, linear, dynamic, yarn, longrope or llama3")),
        }
    }

    fn yarn(inner: &Fields<'_>, original_max_position_embeddings: f64) -> Result<(RopeScaling, f64)> {
        let factor = inner.required_number("factor")?;
        let magnitude = |by: f64| if factor <= 1.0 { 1.0 } else { 0.1 * by * factor.ln() + 1.0 };
        let usual = match (inner.number("mscale")?, inner.number("mscale_all_dim")?) {
            (Some(mscale), Some(all_dim)) => magnitude(mscale) / magnitude(all_dim),
            _ => magnitude(1.0),
        };
        let scaling = RopeScaling::Yarn {
            factor,
            beta_fast: inner.number_or("beta_fast", 32.0)?,
            beta_slow: inner.number_or("beta_slow", 1.0)?,
            truncate: inner.flag_or("truncate", true)?,
            original_max_position_embeddings,
        };
        Ok((scaling, inner.number_or("attention_factor", usual)?))
    }

    fn long_rope(fields: &Fields<'_>, inner: &Fields<'_>, original: f64, dim: usize) -> Result<(RopeScaling, f64)> {
        let factor = match inner.number("factor")? {
            Some(factor) => factor,
            None => fields.required_number("max_position_embeddings")? / original,
        };
        let usual = if factor <= 1.0 { 1.0 } else { (1.0 + factor.ln() / original.ln()).sqrt() };
        let divisors = |key| {
            let Some(list) = inner.get(key) else { return Err(inner.missing(key)) };
            let numbers = |list: &Vec<Value>| list.iter().map(|x| x.as_f64().filter(|x| *x > 0.0)).collect();
            let numbers: Option<Vec<f64>> = list.as_array().and_then(numbers);
            numbers
                .filter(|numbers| numbers.len() == dim / 2)
                .ok_or_else(|| inner.wrong(key, list, &format!("it should be a list of {} numbers above 0", dim / 2)))
        };
        let scaling = RopeScaling::LongRope {
            short_factor: divisors("short_factor")?,
            long_factor: divisors("long_factor")?,
            original_max_position_embeddings: original,
        };
        Ok((scaling, inner.number_or("attention_factor", usual)?))
    }
}

fn divided(frequencies: impl Iterator<Item = f64>, divisors: &[f64]) -> Vec<f64> {
    frequencies.zip(divisors).map(|(frequency, divisor)| frequency / divisor).collect()
}

/// Cosine and sine of the angles at given positions.
#[derive(Clone, Copy)]
pub(crate) struct Rotation<'g> {
    cos: Tensor<'g>,
    sin: Tensor<'g>,
}

const HALF: &str = "half_head_dim";

impl<'g> Rotation<'g> {
    /// Each embedding's rotation at `positions` of sequences of these lengths. To be made once, outside of the loop over layers.
    pub(crate) fn all(rotary: &[Rotary], positions: Tensor<'g>, lengths: Tensor<'g>) -> Vec<Rotation<'g>> {
        rotary.iter().map(|rotary| Rotation::at(positions, lengths, rotary)).collect()
    }

    /// `positions`: i32 over any axes; `lengths`: i32 over some of them.
    fn at(positions: Tensor<'g>, lengths: Tensor<'g>, rotary: &Rotary) -> Rotation<'g> {
        let table = |values: Vec<f64>| {
            let values: Vec<f32> = values.into_iter().map(|value| value as f32).collect();
            match HostTensor::from_slice(&[values.len()], &values) {
                Ok(table) => positions.graph().literal(&table, &[Axis::new(HALF, values.len())]),
                Err(_) => unreachable!("the shape is the slice's length"),
            }
        };
        let frequencies = table(rotary.frequencies());
        let frequencies = match &rotary.scaling {
            RopeScaling::Dynamic { factor, max_position_embeddings } => {
                // theta grows by stretch^(dim / (dim - 2)), so that the lowest frequency is divided by the stretch.
                let excess = (lengths.cast(DType::F32) * (1.0 / max_position_embeddings) - 1.0).maximum(0.0);
                let (stretch, last) = (excess * *factor + 1.0, (rotary.dim - 2) as f64 / rotary.dim as f64);
                frequencies * (-(stretch.log() * table(rotary.exponents().map(|x| x / last).collect()))).exp()
            }
            RopeScaling::LongRope { long_factor, original_max_position_embeddings, .. } => {
                let long = table(divided(rotary.exponents().map(|x| rotary.theta.powf(-x)), long_factor));
                lengths.greater_equal(original_max_position_embeddings + 1.0).select(long, frequencies)
            }
            _ => frequencies,
        };
        let angles = positions.cast(DType::F32) * frequencies;
        match rotary.attention_factor {
            1.0 => Rotation { cos: angles.cos(), sin: angles.sin() },
            factor => Rotation { cos: angles.cos() * factor, sin: angles.sin() * factor },
        }
    }

    /// Cosines and sines of each token, f32 (token, pair), of positions (batch, position).
    pub(crate) fn of_tokens(self) -> [Tensor<'g>; 2] {
        [self.cos, self.sin].map(|angles| {
            let ordered = angles.transpose(&["batch", "position", HALF]);
            ordered.merge(&["batch", "position"], "token").rename(HALF, "pair")
        })
    }

    /// Rotates the pairs (i, i + dim / 2) of the first `dim` elements of `x`'s heads, as Hugging Face's checkpoints have them.
    pub(crate) fn apply(self, x: Tensor<'g>) -> Tensor<'g> {
        let (head_dim, half) = (x.axis("head_dim").size, self.cos.axis(HALF).size);
        let wide = widen(x);
        let part = |start| wide.slice("head_dim", start, half).rename("head_dim", HALF);
        let (first, second) = (part(0), part(half));
        let (cos, sin) = (self.cos.cast(wide.dtype()), self.sin.cast(wide.dtype()));
        let rotated =
            [first * cos - second * sin, second * cos + first * sin].map(|part| part.rename(HALF, "head_dim"));
        let rest = (2 * half < head_dim).then(|| wide.slice("head_dim", 2 * half, head_dim - 2 * half));
        let parts: Vec<_> = rotated.into_iter().chain(rest).collect();
        Tensor::concat(&parts, "head_dim").cast(x.dtype())
    }
}
