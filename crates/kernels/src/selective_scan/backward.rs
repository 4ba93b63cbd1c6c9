//! The derivative of the scan, in four launches.
//!
//! 1. Of each segment, all at the same time: the states between blocks of tokens, from the state that was kept before it; and how the
//!    cotangent of the state behind it becomes that of the state before it, which is a factor and a summand.
//! 2. The cotangents of the states behind all segments, one after the other.
//! 3. Of each segment, block by block from its end: the block's states and decays again, in registers, and what follows from them. B and C
//!    have cotangents from all channels: each program writes what its own give.
//! 4. Those added up; also the rates' over segments and rows.

use graph::{Axis, DType, TensorType};

use super::spread::Spread;
use super::tile::{CHANNELS, GROUPS, Tile, Tokens, of_channels};
use super::token::{Arrays, Own, OwnPlaces, Shared, SharedPlaces, step};
use super::{SEGMENT, SelectiveScan};
use crate::sum_parts::SumParts;
use crate::{Builder, Code, Kernel, KernelError, Launch, Road, Value};

/// Tokens between two states that are written, and whose states are in registers at once.
const BLOCK: usize = 8;

const BLOCKS: usize = SEGMENT / BLOCK;

const _: () =
    assert!(BLOCK == CHANNELS, "the cotangents of B and C of a block's tokens are spread over the channels of a tile");

/// Tiles of a program: of the first launch because they share what is read of B and C, of the third also because the cotangents of these are added up over
/// them. On an H100 the first took 0.42 ms with 2, 0.47 with 1, and 0.40 with 4, which take three times as long to compile; the third 0.77 with 2, 1.00 with 1.
const TILES: usize = 2;

/// Blocks that are computed or on their way at once. The gradients took 0.97 ms with 2, 0.77 with 3 or 4.
const STAGES: usize = 3;

/// Numbers that a program of the second launch has.
const CARRIED: usize = 256;

/// Of what the forward pass was given (its state aside), what it kept, and the cotangents of y and of the last state: those of x, widths,
/// rates, B, C and the state before the first token.
pub(super) fn run<R: Road>(
    scan: &SelectiveScan,
    road: &R,
    arrays: &[R::Array],
    kept: &R::Array,
    [dy, last]: [&R::Array; 2],
) -> Result<Vec<R::Array>, KernelError> {
    let given = |more: &[&R::Array]| -> Vec<R::Array> { arrays.iter().chain(more.iter().copied()).cloned().collect() };
    let segments = road.run(&segments(scan)?, &given(&[kept, dy]));
    let [states, factors, summands] = &segments[..] else { return Ok(segments) };
    let carried = road.run(&carry(scan)?, &[factors.clone(), summands.clone(), last.clone()]);
    let [behind, first] = &carried[..] else { return Ok(carried) };
    let gradients = road.run(&gradients(scan)?, &given(&[states, behind, dy]));
    let [dx, dwidths, rates, b, c] = &gradients[..] else { return Ok(gradients) };
    let [_, _, inner, state] = scan.axes();
    let drates =
        SumParts { name: "rates", parts: scan.batch * scan.segments().size, axes: &[inner, state], dtype: DType::F32 };
    let drates = drates.run(road, rates)?;
    let [batch, position, ..] = scan.axes();
    let shared =
        SumParts { name: "b_and_c", parts: programs(scan), axes: &[batch, position, state], dtype: DType::F32 };
    let [db, dc] = [shared.run(road, b)?, shared.run(road, c)?];
    Ok(vec![dx.clone(), dwidths.clone(), drates, db, dc, first.clone()])
}

/// The launches that are the scan's own.
#[cfg(test)]
pub(super) fn launches(scan: &SelectiveScan) -> Result<[Launch; 3], KernelError> {
    Ok([segments(scan)?, carry(scan)?, gradients(scan)?])
}

/// How many programs share a row's channels in the first and the third launch.
fn programs(scan: &SelectiveScan) -> usize {
    scan.inner.div_ceil(CHANNELS * TILES)
}

fn f32(axes: &[Axis]) -> TensorType {
    TensorType::new(DType::F32, axes)
}

/// How many blocks a row has.
fn blocks(scan: &SelectiveScan) -> usize {
    scan.positions.div_ceil(BLOCK)
}

/// A segment of a row.
struct Segment<'k> {
    k: &'k Builder,
    scan: SelectiveScan,
    number: Value<'k>,
}

impl<'k> Segment<'k> {
    fn new(k: &'k Builder, scan: SelectiveScan) -> Segment<'k> {
        Segment { k, scan, number: k.program_id(1) }
    }

    fn first_block(&self) -> Value<'k> {
        self.number * BLOCKS
    }

    /// How many blocks it has: the last may have fewer.
    fn blocks(&self) -> Value<'k> {
        (self.k.int(blocks(&self.scan)) - self.first_block()).minimum(BLOCKS)
    }

    /// `count` of a block's tokens, from `first` on.
    fn tokens(&self, first: Value<'k>, count: usize) -> Tokens<'k> {
        Tokens::new(self.k, self.scan, first, count, self.is_ragged())
    }

    fn is_ragged(&self) -> bool {
        !self.scan.positions.is_multiple_of(BLOCK)
    }
}

fn segments(scan: &SelectiveScan) -> Result<Launch, KernelError> {
    let [batch, _, inner, state] = scan.axes();
    let k = Builder::new("selective_scan_segments");
    write_segments(&k, *scan);
    let of_segments = f32(&[batch, scan.segments(), inner, state]);
    Ok(Launch {
        kernel: k.finish()?,
        grid: [programs(scan), scan.segments().size, scan.batch],
        code: Code::Triton { warps: 1, stages: 1 },
        results: vec![f32(&[batch, Axis::new("block", blocks(scan)), inner, state]), of_segments.clone(), of_segments],
        in_place: Vec::new(),
    })
}

fn write_segments(k: &Builder, scan: SelectiveScan) {
    let arrays = Arrays::new(k, scan);
    let kept = k.input("kept", DType::F32);
    let dy = k.input("dy", scan.dtype);
    let [states, factors, summands] = ["states", "factors", "summands"].map(|name| k.output(name, DType::F32));
    let segment = Segment::new(k, scan);
    let tiles: [_; TILES] = std::array::from_fn(|i| {
        let tile = Tile::new(k, scan, [TILES, i], k.program_id(2));
        Forward { tile, own: OwnPlaces::new(scan, tile, &arrays), dy: tile.tokens(dy) }
    });
    let shared = SharedPlaces::new(tiles[0].tile, &arrays);
    let count = scan.segments().size;
    let begin = tiles.iter().flat_map(|Forward { tile, .. }| {
        [tile.load(tile.states(kept, count, segment.number)), tile.full(1.0), tile.full(0.0)]
    });
    let results = k.for_range_ahead(0, segment.blocks(), STAGES, &begin.collect::<Vec<_>>(), |number, carried| {
        let block = segment.first_block() + number;
        let tokens = segment.tokens(block * BLOCK, BLOCK);
        let shared = shared.read(tokens);
        let behind = tiles.iter().zip(carried.chunks(3)).flat_map(|(tile, carried)| {
            tile.tile.store(tile.tile.states(states, blocks(&scan), block), carried[0]);
            tile.steps([carried[0], carried[1], carried[2]], tokens, &shared)
        });
        behind.collect()
    });
    for (Forward { tile, .. }, results) in tiles.iter().zip(results.chunks(3)) {
        tile.store(tile.states(factors, count, segment.number), results[1]);
        tile.store(tile.states(summands, count, segment.number), results[2]);
    }
}

/// What a tile needs in the first launch.
struct Forward<'k> {
    tile: Tile<'k>,
    own: OwnPlaces<'k>,
    /// Places of the cotangent of y.
    dy: Value<'k>,
}

impl<'k> Forward<'k> {
    /// Goes through the tokens of a block with the state, the factor and the summand.
    fn steps(&self, carried: [Value<'k>; 3], tokens: Tokens<'k>, shared: &[Shared<'k>]) -> [Value<'k>; 3] {
        let own = Own::of(self.own.read(tokens));
        let decays: Vec<_> = own.iter().zip(shared).map(|(own, shared)| self.own.decay(own, shared)).collect();
        let dy = self.tile.load_tokens(self.dy, tokens).rows();
        let tokens = own.iter().zip(shared).zip(decays).zip(dy);
        tokens.fold(carried, |[h, factor, summand], (((own, shared), decay), dy)| {
            let factor = factor * decay;
            let summand = factor.multiply_add(of_channels(dy) * shared.c.expand(2), summand);
            [step(h, decay, own, shared), factor, summand]
        })
    }
}

fn carry(scan: &SelectiveScan) -> Result<Launch, KernelError> {
    let [batch, _, inner, state] = scan.axes();
    Ok(Launch {
        kernel: carry_kernel(scan)?,
        grid: [(scan.inner * scan.state).div_ceil(CARRIED), scan.batch, 1],
        code: Code::Triton { warps: 4, stages: 1 },
        results: vec![f32(&[batch, scan.segments(), inner, state]), f32(&[batch, inner, state])],
        in_place: Vec::new(),
    })
}

fn carry_kernel(scan: &SelectiveScan) -> Result<Kernel, KernelError> {
    let k = Builder::new("selective_scan_carry");
    let [factors, summands, last] = ["factors", "summands", "last"].map(|name| k.input(name, DType::F32));
    let [behind, first] = ["behind", "first"].map(|name| k.output(name, DType::F32));
    let size = scan.inner * scan.state;
    let element = k.program_id(0) * CARRIED + k.range(CARRIED);
    let mask = element.less(size);
    let row = k.program_id(1).cast(DType::I64);
    let place = row * size + element.cast(DType::I64);
    let count = scan.segments().size;
    let carried = (last + place).load_where(mask, 0.0);
    let [carried] = k.for_range(0, count, 1, [carried], |i, [carried]| {
        let segment = k.int(count - 1) - i;
        let place = (row * count + segment.cast(DType::I64)) * size + element.cast(DType::I64);
        (behind + place).store_where(carried, mask);
        let [factor, summand] = [factors, summands].map(|array| (array + place).load_where(mask, 0.0));
        [factor.multiply_add(carried, summand)]
    });
    (first + place).store_where(carried, mask);
    k.finish()
}

fn gradients(scan: &SelectiveScan) -> Result<Launch, KernelError> {
    let [batch, position, inner, state] = scan.axes();
    let k = Builder::new("selective_scan_gradients");
    write_gradients(&k, *scan);
    let whole = [batch, position, inner];
    let part = f32(&[Axis::new("part", programs(scan)), batch, position, state]);
    Ok(Launch {
        kernel: k.finish()?,
        grid: [programs(scan), scan.segments().size, scan.batch],
        code: Code::Triton { warps: 1, stages: 1 },
        results: vec![
            TensorType::new(scan.dtype, &whole),
            f32(&whole),
            f32(&[batch, scan.segments(), inner, state]),
            part.clone(),
            part,
        ],
        in_place: Vec::new(),
    })
}

/// What a tile needs and gives in the third launch.
#[derive(Clone, Copy)]
struct Channels<'k> {
    tile: Tile<'k>,
    own: OwnPlaces<'k>,
    /// Places of the cotangent that is read, and of those that are written.
    dy: Value<'k>,
    dx: Value<'k>,
    dwidths: Value<'k>,
}

fn write_gradients(k: &Builder, scan: SelectiveScan) {
    let arrays = Arrays::new(k, scan);
    let [states, behind] = ["states", "behind"].map(|name| k.input(name, DType::F32));
    let dy = k.input("dy", scan.dtype);
    let dx = k.output("dx", scan.dtype);
    let [dwidths, drates, db, dc] = ["dwidths", "drates", "db", "dc"].map(|name| k.output(name, DType::F32));
    let segment = Segment::new(k, scan);
    let channels: [Channels<'_>; TILES] = std::array::from_fn(|i| {
        let tile = Tile::new(k, scan, [TILES, i], k.program_id(2));
        let own = OwnPlaces::new(scan, tile, &arrays);
        Channels { tile, own, dy: tile.tokens(dy), dx: tile.tokens(dx), dwidths: tile.tokens(dwidths) }
    });
    let any = channels[0].tile;
    let shared = SharedPlaces::new(any, &arrays);
    let part = k.program_id(0).cast(DType::I64) * (scan.batch * scan.positions * scan.state);
    let [db, dc] = [db, dc].map(|array| any.shared(array + part));
    let count = scan.segments().size;
    let begin = channels
        .iter()
        .flat_map(|Channels { tile, .. }| [tile.load(tile.states(behind, count, segment.number)), tile.full(0.0)]);
    let results = k.for_range_ahead(0, segment.blocks(), STAGES, &begin.collect::<Vec<_>>(), |block, carried| {
        let block = segment.first_block() + segment.blocks() - 1 - block;
        let first = block * BLOCK;
        let shared = shared.read(segment.tokens(first, BLOCK));
        let mut blocks: Vec<_> = channels
            .iter()
            .zip(carried.chunks(2))
            .map(|(channels, carried)| {
                let h = channels.tile.load(channels.tile.states(states, blocks(&scan), block));
                Block::new(&segment, *channels, first, h, &shared, carried[0])
            })
            .collect();
        let mut spread = [Spread::over(k, 2), Spread::over(k, 2)];
        for i in (0..BLOCK).rev() {
            let sums = blocks.iter_mut().map(|block| block.back(i, &shared[i]));
            let sums = sums.reduce(|[b, c], [b2, c2]| [b + b2, c + c2]).expect("a program has a tile");
            for ((array, spread), sum) in [db, dc].into_iter().zip(&mut spread).zip(sums) {
                if let Some(sums) = spread.push(i, sum) {
                    any.store_shared(array, segment.tokens(first, BLOCK), sums);
                }
            }
        }
        let behind = blocks.iter().zip(carried.chunks(2));
        behind.flat_map(|(block, carried)| [block.dh, carried[1] + block.drates]).collect()
    });
    for (Channels { tile, .. }, results) in channels.iter().zip(results.chunks(2)) {
        tile.store(tile.states(drates, count, segment.number), results[1]);
    }
}

/// A block of tokens of a tile, while its cotangents are computed.
struct Block<'k> {
    channels: Channels<'k>,
    tokens: Vec<Token<'k>>,
    /// The same tokens a group at a time, each on a lane of its own.
    groups: Vec<Group<'k>>,
    /// Of the state behind the token that is next, from all behind it.
    dh: Value<'k>,
    /// The block's part of the rates' cotangents, which are sums of terms of either sign: one after the other over a whole segment they were off by 3.7e-7 in
    /// f32, in the middle of 40 draws, and are by 2.4e-7 of 950; what is left is the states' own rounding.
    drates: Value<'k>,
    /// What the cotangents of x and of the widths are made of, each a sum over a channel's states.
    inputs: Spread<'k>,
    rates: Spread<'k>,
}

#[derive(Clone, Copy)]
struct Token<'k> {
    own: Own<'k>,
    dy: Value<'k>,
    decay: Value<'k>,
    before: Value<'k>,
    behind: Value<'k>,
}

#[derive(Clone, Copy)]
struct Group<'k> {
    tokens: Tokens<'k>,
    x: Value<'k>,
    width: Value<'k>,
}

impl<'k> Block<'k> {
    /// Computes the states of a block again, from that before it.
    fn new(
        segment: &Segment<'k>,
        channels: Channels<'k>,
        first: Value<'k>,
        mut h: Value<'k>,
        shared: &[Shared<'k>],
        dh: Value<'k>,
    ) -> Block<'k> {
        let Channels { tile, own, .. } = channels;
        let all = segment.tokens(first, BLOCK);
        let arrays = own.read(all);
        let dy = tile.load_tokens(channels.dy, all).rows();
        let tokens: Vec<_> = Own::of(arrays)
            .into_iter()
            .zip(dy)
            .zip(shared)
            .map(|((own_of_token, dy), shared)| {
                let (decay, before) = (own.decay(&own_of_token, shared), h);
                h = step(h, decay, &own_of_token, shared);
                Token { own: own_of_token, dy, decay, before, behind: h }
            })
            .collect();
        let [x, widths] = arrays.map(|array| array.reshape(&[BLOCK / GROUPS, GROUPS, CHANNELS]).rows());
        let groups = x.into_iter().zip(widths).enumerate();
        let groups = groups.map(|(i, (x, width))| {
            let tokens = segment.tokens(first + i * GROUPS, GROUPS);
            Group { tokens, x, width }
        });
        let [inputs, rates] = [Spread::over(segment.k, 0), Spread::over(segment.k, 0)];
        Block { channels, tokens, groups: groups.collect(), dh, drates: tile.full(0.0), inputs, rates }
    }

    /// Goes back over a token. Gives the cotangents of B and C, of each channel.
    fn back(&mut self, i: usize, shared: &Shared<'k>) -> [Value<'k>; 2] {
        let Token { own: Own { x, width }, dy, decay, before, behind } = self.tokens[i];
        let Channels { tile, own, dx, dwidths, .. } = self.channels;
        let dh = of_channels(dy).multiply_add(shared.c.expand(2), self.dh);
        self.dh = dh * decay;
        // Of the exponent.
        let exponent = self.dh * before;
        self.drates = of_channels(width).multiply_add(exponent, self.drates);
        let inputs = self.inputs.push(i, (dh * shared.b.expand(2)).sum(0));
        let rates = self.rates.push(i, (exponent * own.rates).sum(0));
        if let (Some(inputs), Some(rates)) = (inputs, rates) {
            let Group { tokens, x, width } = self.groups[i / GROUPS];
            tile.store_tokens(dx, tokens, inputs * width);
            // The rates are those of powers of two.
            tile.store_tokens(dwidths, tokens, x.multiply_add(inputs, rates * std::f64::consts::LN_2));
        }
        [dh * of_channels(x * width), behind * of_channels(dy)]
    }
}
