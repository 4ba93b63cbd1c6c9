//! The derivative of the scan, in four launches.
//!
//! 1. Of each segment, all at the same time: the states between blocks of tokens, from the state that was kept before it; and how the
//!    cotangent of the state behind it becomes that of the state before it, which is a factor and a summand.
//! 2. The cotangents of the states behind all segments, one after the other.
//! 3. Of each segment, block by block from its end: the block's states and decays again, in registers, and what follows from them. B and C
//!    have cotangents from all channels: each program writes what its own give.
//! 4. Those added up; also the rates' over segments and rows.

use graph::{Axis, DType, TensorType};

use super::tile::{CHANNELS, Tile, of_channels};
use super::token::{Arrays, OwnPlaces, SharedPlaces, step};
use super::{SEGMENT, SelectiveScan};
use crate::sum_parts::SumParts;
use crate::{Builder, Kernel, KernelError, Launch, Road, Value};

/// Tokens between two states that are written, and whose states are in registers at once.
const BLOCK: usize = 8;

const BLOCKS: usize = SEGMENT / BLOCK;

/// In how many groups states are.
const GROUPS: usize = 4;

/// Tiles of a program that adds up over channels.
const TILES: usize = 2;

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

/// How many programs share a row's channels in the third launch.
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

    /// Of each token of the block from `first` on whether the row has it; `None`: it has.
    fn is_token(&self, first: Value<'k>) -> Vec<Option<Value<'k>>> {
        let is_whole = self.scan.positions.is_multiple_of(BLOCK);
        (0..BLOCK).map(|i| (!is_whole).then(|| (first + i).less(self.scan.positions))).collect()
    }
}

fn segments(scan: &SelectiveScan) -> Result<Launch, KernelError> {
    let [batch, _, inner, state] = scan.axes();
    let k = Builder::new("selective_scan_segments");
    write_segments(&k, *scan);
    let of_segments = f32(&[batch, scan.segments(), inner, state]);
    Ok(Launch {
        kernel: k.finish()?,
        grid: [scan.inner.div_ceil(CHANNELS), scan.segments().size, scan.batch],
        warps: 1,
        stages: 1,
        results: vec![f32(&[batch, Axis::new("block", blocks(scan)), inner, state]), of_segments.clone(), of_segments],
    })
}

fn write_segments(k: &Builder, scan: SelectiveScan) {
    let arrays = Arrays::new(k, scan);
    let kept = k.input("kept", DType::F32);
    let dy = k.input("dy", scan.dtype);
    let [states, factors, summands] = ["states", "factors", "summands"].map(|name| k.output(name, DType::F32));
    let segment = Segment::new(k, scan);
    let tile = Tile::new(k, scan, GROUPS, [1, 0], k.program_id(2));
    let own = OwnPlaces::new(scan, tile, &arrays);
    let shared = SharedPlaces::new(k, scan, tile, &arrays);
    let dy = tile.tokens(dy);
    let count = scan.segments().size;
    let begin = [tile.load(tile.states(kept, count, segment.number)), tile.full(1.0), tile.full(0.0)];
    let [_, factor, summand] = k.for_range(0, segment.blocks(), 1, begin, |block, carried| {
        let block = segment.first_block() + block;
        tile.store(tile.states(states, blocks(&scan), block), carried[0]);
        let first = block * BLOCK;
        let is_token = segment.is_token(first);
        let tokens = own.read(first, &is_token).into_iter().zip(shared.read(first, &is_token)).zip(&is_token);
        let dy = dy + first * scan.inner;
        tokens.enumerate().fold(carried, |[h, factor, summand], (i, ((token, shared), is_token))| {
            let dy = tile.load_token(dy + i * scan.inner, *is_token);
            let decay = own.decay(&token, &shared);
            let factor = factor * decay;
            let summand = factor.multiply_add(of_channels(dy) * shared.c.expand(2), summand);
            [step(h, decay, &token, &shared), factor, summand]
        })
    });
    tile.store(tile.states(factors, count, segment.number), factor);
    tile.store(tile.states(summands, count, segment.number), summand);
}

fn carry(scan: &SelectiveScan) -> Result<Launch, KernelError> {
    let [batch, _, inner, state] = scan.axes();
    Ok(Launch {
        kernel: carry_kernel(scan)?,
        grid: [(scan.inner * scan.state).div_ceil(CARRIED), scan.batch, 1],
        warps: 4,
        stages: 1,
        results: vec![f32(&[batch, scan.segments(), inner, state]), f32(&[batch, inner, state])],
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
        warps: 1,
        stages: 1,
        results: vec![
            TensorType::new(scan.dtype, &whole),
            f32(&whole),
            f32(&[batch, scan.segments(), inner, state]),
            part.clone(),
            part,
        ],
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
        let tile = Tile::new(k, scan, GROUPS, [TILES, i], k.program_id(2));
        let own = OwnPlaces::new(scan, tile, &arrays);
        Channels { tile, own, dy: tile.tokens(dy), dx: tile.tokens(dx), dwidths: tile.tokens(dwidths) }
    });
    let any = channels[0].tile;
    let shared = SharedPlaces::new(k, scan, any, &arrays);
    let part = k.program_id(0).cast(DType::I64) * (scan.batch * scan.positions * scan.state);
    let [db, dc] = [db, dc].map(|array| any.shared(array + part));
    let count = scan.segments().size;
    let begin = channels
        .iter()
        .flat_map(|Channels { tile, .. }| [tile.load(tile.states(behind, count, segment.number)), tile.full(0.0)]);
    let results = k.for_range_of(0, segment.blocks(), 1, &begin.collect::<Vec<_>>(), |block, carried| {
        let block = segment.first_block() + segment.blocks() - 1 - block;
        let first = block * BLOCK;
        let is_token = segment.is_token(first);
        let shared = shared.read(first, &is_token);
        let mut blocks: Vec<_> = channels
            .iter()
            .zip(carried.chunks(2))
            .map(|(channels, carried)| {
                let h = channels.tile.load(channels.tile.states(states, blocks(&scan), block));
                Block::new(scan, *channels, first, h, &shared, &is_token, [carried[0], carried[1]])
            })
            .collect();
        for i in (0..BLOCK).rev() {
            let sums = blocks.iter_mut().map(|block| block.back(i, &shared[i], is_token[i]));
            let sums = sums.reduce(|[b, c], [b2, c2]| [b + b2, c + c2]).expect("a program has a tile");
            for (array, sum) in [db, dc].into_iter().zip(sums) {
                any.store_shared(array + (first + i) * scan.state, is_token[i], sum.sum(2));
            }
        }
        blocks.iter().flat_map(|block| [block.dh, block.drates]).collect()
    });
    for (Channels { tile, .. }, results) in channels.iter().zip(results.chunks(2)) {
        tile.store(tile.states(drates, count, segment.number), results[1]);
    }
}

/// A block of tokens of a tile, while its cotangents are computed.
struct Block<'k> {
    channels: Channels<'k>,
    tokens: Vec<Token<'k>>,
    /// Of the state behind the token that is next, from all behind it.
    dh: Value<'k>,
    drates: Value<'k>,
}

#[derive(Clone, Copy)]
struct Token<'k> {
    x: Value<'k>,
    width: Value<'k>,
    dy: Value<'k>,
    /// Places of the cotangents.
    dx: Value<'k>,
    dwidth: Value<'k>,
    decay: Value<'k>,
    before: Value<'k>,
    behind: Value<'k>,
}

impl<'k> Block<'k> {
    /// Computes the states of a block again, from that before it.
    fn new(
        scan: SelectiveScan,
        channels: Channels<'k>,
        first: Value<'k>,
        mut h: Value<'k>,
        shared: &[super::token::Shared<'k>],
        is_token: &[Option<Value<'k>>],
        [dh, drates]: [Value<'k>; 2],
    ) -> Block<'k> {
        let [dy, dx, dwidths] = [channels.dy, channels.dx, channels.dwidths].map(|places| places + first * scan.inner);
        let tokens = channels.own.read(first, is_token).into_iter().zip(shared).enumerate();
        let tokens = tokens.map(|(i, (own, shared))| {
            let (decay, before) = (channels.own.decay(&own, shared), h);
            h = step(h, decay, &own, shared);
            let place = i * scan.inner;
            let token_dy = channels.tile.load_token(dy + place, is_token[i]);
            let (dx, dwidth) = (dx + place, dwidths + place);
            Token { x: own.x, width: own.width, dy: token_dy, dx, dwidth, decay, before, behind: h }
        });
        Block { channels, tokens: tokens.collect(), dh, drates }
    }

    /// Goes back over a token. Gives the cotangents of B and C, of each channel.
    fn back(&mut self, i: usize, shared: &super::token::Shared<'k>, is_token: Option<Value<'k>>) -> [Value<'k>; 2] {
        let Token { x, width, dy, dx, dwidth, decay, before, behind } = self.tokens[i];
        let tile = self.channels.tile;
        let dh = of_channels(dy).multiply_add(shared.c.expand(2), self.dh);
        self.dh = dh * decay;
        // Of the exponent.
        let exponent = self.dh * before;
        self.drates = of_channels(width).multiply_add(exponent, self.drates);
        let input = (dh * shared.b.expand(2)).sum(0).sum(0);
        let rates = (exponent * self.channels.own.rates).sum(0).sum(0);
        tile.store_token(dx, is_token, input * width);
        // The rates are those of powers of two.
        tile.store_token(dwidth, is_token, x.multiply_add(input, rates * std::f64::consts::LN_2));
        [dh * of_channels(x * width), behind * of_channels(dy)]
    }
}
