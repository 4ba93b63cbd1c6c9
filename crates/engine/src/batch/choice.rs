//! The program that chooses a token behind each row of a step, so that of the logits only that comes to the host: temperature, top-k, top-p and min-p in
//! transformers' order and with its rules, behind the penalties of [`super::adjust`], and a draw by the inverse of the distribution function.

use graph::{Axis, DType, Graph, HostTensor, Program, Remat, Tensor};
use runtime::plugins::Platform;

use super::adjust::{ADJUSTED, Repeated};
use super::step::CHOSEN;
use crate::error::Result;

/// Logits (batch, vocab), f32.
pub(crate) const LOGITS: &str = "logits";
/// All whole numbers of a choice, i32.
pub(crate) const SETTINGS: &str = "settings";
/// All others, f32.
pub(crate) const FACTORS: &str = "factors";

/// What a program that chooses is compiled for. What no row asks for is not in it, as far as it is asked for often; what is asked for seldom comes with
/// all else, so that there are few programs and the first who asks for it does not wait for one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct ChoiceShape {
    pub(crate) rows: usize,
    /// Whether a row draws.
    pub(crate) draws: bool,
    /// Whether a row draws among some tokens only.
    pub(crate) filters: bool,
    /// Whether logits of a row are changed, or it allows some tokens only.
    pub(crate) changes: bool,
    /// How many of the likeliest tokens are told; 0 tells the chosen one's log-probability. `None`: neither.
    pub(crate) logprobs: Option<usize>,
}

/// What a row asks for.
#[derive(Clone, Debug, Default)]
pub(crate) struct Choice {
    /// The slot in which the token goes to the next step; `None`: in none.
    pub(crate) slot: Option<u32>,
    /// 0 takes the likeliest.
    pub(crate) temperature: f32,
    /// 0 keeps all.
    pub(crate) top_k: usize,
    pub(crate) top_p: f32,
    pub(crate) min_p: f32,
    /// In [0, 1); 0 where nothing is drawn.
    pub(crate) uniform: f32,
    /// What divides the logits of all that the text has said, if anything does.
    pub(crate) repeated: Option<Repeated>,
    /// Tokens, what their logits are divided by then if positive and multiplied with if not, and what is added at last. No token is there twice.
    pub(crate) adjusted: Vec<(u32, f32, f32)>,
    /// A bit for each token that is allowed; empty: all are.
    pub(crate) mask: Vec<u32>,
    pub(crate) logprobs: Option<usize>,
}

/// So many of the likeliest are told.
const LIKELIEST: [usize; 2] = [5, 20];

/// Numbers of a row in [`SETTINGS`] before its mask.
const SETTINGS_OF_ROW: usize = 2;
/// In [`FACTORS`].
const FACTORS_OF_ROW: usize = 4;

/// A place outside of every array.
const NOWHERE: i32 = 1 << 30;

/// Elements that are added up together where a draw looks for its token.
const LANES: usize = 128;

impl ChoiceShape {
    /// The smallest that serves these rows.
    pub(crate) fn of(rows: usize, choices: &[Choice], vocab_size: usize) -> ChoiceShape {
        let draws = |choice: &Choice| choice.temperature > 0.0;
        let filters = |choice: &Choice| draws(choice) && (choice.top_k > 0 || choice.top_p < 1.0 || choice.min_p > 0.0);
        let changes =
            |choice: &Choice| choice.repeated.is_some() || !choice.adjusted.is_empty() || !choice.mask.is_empty();
        let likeliest = choices.iter().filter_map(|choice| choice.logprobs).max();
        if choices.iter().any(changes) {
            return ChoiceShape::changing(rows, likeliest.unwrap_or_default(), vocab_size);
        }
        match likeliest {
            // Seldom enough to come with what changes logits.
            Some(count) if count > LIKELIEST[0] => ChoiceShape::changing(rows, count, vocab_size),
            Some(count) => ChoiceShape::telling(rows, count, vocab_size),
            None => {
                let (draws, filters) = (choices.iter().any(draws), choices.iter().any(filters));
                ChoiceShape { rows, draws, filters, ..ChoiceShape::default() }
            }
        }
    }

    /// That tells log-probabilities, and so many of the likeliest.
    fn telling(rows: usize, likeliest: usize, vocab_size: usize) -> ChoiceShape {
        let likeliest = at_least(&LIKELIEST, likeliest).unwrap_or(likeliest).min(vocab_size);
        ChoiceShape { rows, draws: true, filters: true, logprobs: Some(likeliest), ..ChoiceShape::default() }
    }

    /// That also takes changed logits, and has masks.
    fn changing(rows: usize, likeliest: usize, vocab_size: usize) -> ChoiceShape {
        ChoiceShape { changes: true, ..ChoiceShape::telling(rows, likeliest, vocab_size) }
    }

    /// What serves all requests that a server takes.
    pub(crate) fn usual(rows: usize, vocab_size: usize) -> [ChoiceShape; 6] {
        let greedy = ChoiceShape { rows, ..ChoiceShape::default() };
        let drawn = ChoiceShape { draws: true, ..greedy };
        let telling = ChoiceShape::telling(rows, 0, vocab_size);
        let [changing, all] = LIKELIEST.map(|likeliest| ChoiceShape::changing(rows, likeliest, vocab_size));
        [greedy, drawn, ChoiceShape { filters: true, ..drawn }, telling, changing, all]
    }

    /// The one that serves whatever rows ask for.
    pub(crate) fn for_all(rows: usize, vocab_size: usize) -> ChoiceShape {
        ChoiceShape::changing(rows, LIKELIEST[1], vocab_size)
    }

    fn mask_words(&self, vocab_size: usize) -> usize {
        if self.changes { vocab_size.div_ceil(32) } else { 0 }
    }

    /// The numbers for these rows; rows behind them choose nothing.
    pub(crate) fn numbers(&self, choices: &[Choice], vocab_size: usize) -> (Vec<i32>, Vec<f32>) {
        let words = self.mask_words(vocab_size);
        let mut settings = Vec::with_capacity(self.rows * (SETTINGS_OF_ROW + words));
        let mut factors = Vec::with_capacity(self.rows * FACTORS_OF_ROW);
        let nothing = Choice::default();
        for choice in choices.iter().chain(std::iter::repeat(&nothing)).take(self.rows) {
            let slot = choice.slot.map_or(NOWHERE, |slot| slot as i32);
            settings.extend([slot, choice.top_k.min(vocab_size) as i32]);
            match choice.mask.is_empty() {
                true => settings.extend(std::iter::repeat_n(-1, words)),
                false => settings.extend(choice.mask.iter().map(|word| *word as i32).take(words)),
            }
            factors.extend([choice.temperature, choice.top_p, choice.min_p, choice.uniform]);
        }
        (settings, factors)
    }
}

pub(super) fn at_least(sizes: &[usize], size: usize) -> Option<usize> {
    sizes.iter().copied().find(|known| *known >= size)
}

/// Bits of a threshold that are found in one pass over a vocabulary: of two there are three sums of what is read once. A GPU waits for what it reads, and
/// takes 0.59 ms with two where it takes 1.0 with one (filters, 64 texts, 128,256 tokens, H100); a CPU for what it adds up, 73 ms in place of 41 (16 texts, two cores).
pub(super) fn digit_bits(platform: Platform) -> usize {
    if platform == Platform::Cpu { 1 } else { 2 }
}

/// Arguments: logits, perhaps those that are changed, the tokens chosen last, settings and factors. Results: tokens i32 (batch), -1 where a logit is not finite;
/// log-probabilities (batch) and the likeliest tokens with theirs (likeliest, batch), if asked for; and the tokens chosen last. Thresholds are found by so many
/// bits at a time.
pub(crate) fn choice_program(
    graph: &Graph,
    shape: ChoiceShape,
    vocab_size: usize,
    slots: usize,
    digit_bits: usize,
) -> Result<Program> {
    let (batch, vocab) = (Axis::new("batch", shape.rows), Axis::new("vocab", vocab_size));
    let logits = graph.input(LOGITS, DType::F32, &[batch, vocab]);
    let words = shape.mask_words(vocab_size);
    let settings = graph.input(SETTINGS, DType::I32, &[batch, Axis::new("setting", SETTINGS_OF_ROW + words)]);
    let factors = graph.input(FACTORS, DType::F32, &[batch, Axis::new("factor", FACTORS_OF_ROW)]);
    let chosen = graph.input(CHOSEN, DType::I32, &[Axis::new("state_slot", slots)]);
    let setting = |at| settings.slice("setting", at, 1).sum(&["setting"]);
    let factor = |at| factors.slice("factor", at, 1).sum(&["factor"]);

    let mut adjusted = logits;
    if shape.changes {
        let changed = graph.input(ADJUSTED, DType::F32, &[batch, vocab]);
        let words = settings.slice("setting", SETTINGS_OF_ROW, words);
        adjusted = allowed(words, vocab).select(changed, f64::NEG_INFINITY);
    }
    let mut token = adjusted.argmax("vocab");
    if shape.draws {
        let [temperature, top_p, min_p, uniform] = [0, 1, 2, 3].map(factor);
        // The likeliest stays 0 whatever the temperature.
        let scaled = (adjusted - adjusted.max(&["vocab"])) / temperature.greater(0.0).select(temperature, 1.0);
        let mut weights = scaled.exp();
        if shape.filters {
            weights = filter(scaled, weights, setting(1), [top_p, min_p], digit_bits);
        }
        token = temperature.greater(0.0).select(draw(weights, uniform), token);
    }
    let is_finite = logits.abs().less_equal(f64::from(f32::MAX)).cast(DType::I32);
    let is_finite = (-is_finite).max(&["vocab"]).less(0.0);
    let token = is_finite.select(token, -1.0);
    let mut outputs = vec![("tokens", token)];
    if let Some(count) = shape.logprobs {
        let log_probabilities = logits - logits.log_sum_exp("vocab");
        outputs.push(("logprobs", log_probabilities.take("vocab", token)));
        if count > 0 {
            let [ids, values] = likeliest(log_probabilities, count);
            outputs.extend([("likeliest", ids), ("likeliest_logprobs", values)]);
        }
    }
    outputs.push(("chosen", chosen.scatter("state_slot", setting(0), token)));
    let last = outputs.len() - 1;
    Ok(graph.lower("choose", &outputs, &[(chosen, last)])?)
}

/// Which tokens' bits are set in words (batch, setting), i32.
pub(super) fn allowed<'g>(words: Tensor<'g>, vocab: Axis) -> Tensor<'g> {
    let graph = words.graph();
    let bit = Axis::new("bit", 32);
    let bits = words.bitcast(DType::U32).shift_right(graph.iota(bit, DType::I32).bitcast(DType::U32)).and(1.0);
    let bits = bits.transpose(&["batch", "setting", "bit"]).merge(&["setting", "bit"], "vocab");
    bits.slice("vocab", 0, vocab.size).not_equals(0.0)
}

/// `weights` of the tokens that top-k, top-p and min-p keep, zeros for the others. Equal logits at a border are all kept.
fn filter<'g>(
    scaled: Tensor<'g>,
    weights: Tensor<'g>,
    top_k: Tensor<'g>,
    [top_p, min_p]: [Tensor<'g>; 2],
    digit_bits: usize,
) -> Tensor<'g> {
    let digits = |bits| Axis::new("digit", bits / digit_bits);
    let keys = sortable(scaled);
    let count = top_k.greater(0.0).select(top_k, scaled.axis("vocab").size as f64).cast(DType::F32);
    let least = greatest(keys, digits(32), digit_bits, count, |is_above| is_above.cast(DType::F32));
    let weights = keys.greater_equal(least).select(weights, 0.0);
    // The likeliest token has the weight 1, and is kept by itself if need be.
    let mass = (weights.sum(&["vocab"]) * top_p).maximum(f64::from(f32::MIN_POSITIVE));
    // Positive floats are in the order of their bits, and those up to 1 have no more than 30.
    let least =
        greatest(weights.bitcast(DType::U32), digits(30), digit_bits, mass, |is_above| is_above.select(weights, 0.0));
    let nucleus = weights.bitcast(DType::U32).greater_equal(least).select(weights, 0.0);
    let weights = top_p.less(1.0).broadcast(&weights.axes()).select(nucleus, weights);
    weights.greater_equal(min_p).select(weights, 0.0)
}

/// Numbers in the order of floats, u32.
fn sortable(x: Tensor<'_>) -> Tensor<'_> {
    // Of equal value, but not of equal bits.
    let zeros = x.graph().full(0.0, x.dtype(), &x.axes());
    let x = x.equals(0.0).select(zeros, x);
    let bits = x.bitcast(DType::U32);
    let is_negative = bits.greater_equal(f64::from(0x8000_0000_u32));
    is_negative.select(bits.xor(f64::from(u32::MAX)), bits.or(f64::from(0x8000_0000_u32)))
}

/// The greatest number, u32 (batch), for which the weights of the `keys` (batch, vocab) from it on add up to `mass` (batch) at least; `of` gives the weights of
/// those keys that are. Found digit by digit, which takes as many passes as a key has digits and no sorting.
fn greatest<'g>(
    keys: Tensor<'g>,
    digits: Axis,
    bits: usize,
    mass: Tensor<'g>,
    of: impl Fn(Tensor<'g>) -> Tensor<'g>,
) -> Tensor<'g> {
    let graph = keys.graph();
    let zeros = graph.full(0.0, DType::U32, &[keys.axis("batch")]);
    let (found, _) = graph.scan(digits, &[zeros], &[], Remat::none(), |step| {
        let place = ((-step.index + (digits.size - 1) as f64) * bits as f64).bitcast(DType::U32);
        let found = (1..1 << bits).fold(step.carry[0], |found, digit| {
            let digit = graph.constant(f64::from(digit), DType::U32).shift_left(place);
            let candidate = step.carry[0].or(digit);
            let above = of(keys.greater_equal(candidate)).sum(&["vocab"]);
            above.greater_equal(mass).select(candidate, found)
        });
        (vec![found], vec![])
    });
    found[0]
}

/// The token at which the sum of `weights` (batch, vocab) passes the part `uniform` (batch) of all: blocks are added up, then a block's tokens.
fn draw<'g>(weights: Tensor<'g>, uniform: Tensor<'g>) -> Tensor<'g> {
    let vocab = weights.axis("vocab").size;
    let blocks = Axis::new("block", vocab.div_ceil(LANES));
    let lanes = Axis::new("lane", LANES);
    let padded = weights.pad("vocab", 0, blocks.size * LANES - vocab, 0.0).split("vocab", &[blocks, lanes]);
    let sums = padded.sum(&["lane"]);
    let target = sums.sum(&["block"]) * uniform;
    let (block, before) = passes(sums, "block", target);
    let (lane, _) = passes(padded.take("block", block), "lane", target - before);
    block * LANES as f64 + lane
}

/// The first place along `axis` at which the sum of positive `parts` (batch, axis) passes `target` (batch), or where rounding keeps it from that the last
/// place of a positive part; and the sum before it.
fn passes<'g>(parts: Tensor<'g>, axis: &'static str, target: Tensor<'g>) -> (Tensor<'g>, Tensor<'g>) {
    let graph = parts.graph();
    let own = parts.axis(axis);
    let other = Axis::new("earlier", own.size);
    let (place, earlier) = (graph.iota(own, DType::I32), graph.iota(other, DType::I32));
    let is_before = earlier.less(place).cast(DType::F32);
    let before = parts.rename(axis, "earlier").dot(is_before, &["earlier"]);
    let is_there = parts.greater(0.0);
    let passes = (before + parts).greater(target).and(is_there);
    let first = -passes.select(-place, -(own.size as f64)).max(&[axis]);
    let last = is_there.select(place, 0.0).max(&[axis]);
    let found = first.less(own.size as f64).select(first, last);
    (found, before.take(axis, found))
}

/// The `count` likeliest tokens, i32, and their log-probabilities, (likeliest, batch).
pub(super) fn likeliest<'g>(log_probabilities: Tensor<'g>, count: usize) -> [Tensor<'g>; 2] {
    let graph = log_probabilities.graph();
    let gone = HostTensor::scalar(f32::NEG_INFINITY);
    let batch = log_probabilities.axis("batch");
    let (_, found) = graph.scan(Axis::new("likeliest", count), &[log_probabilities], &[], Remat::none(), |step| {
        let left = step.carry[0];
        let id = left.argmax("vocab");
        let gone = graph.literal(&gone, &[]).broadcast(&[batch]);
        (vec![left.scatter("vocab", id, gone)], vec![id, left.take("vocab", id)])
    });
    [found[0], found[1]]
}

#[cfg(test)]
mod tests;
