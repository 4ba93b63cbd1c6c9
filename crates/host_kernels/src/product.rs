//! A matrix times a few vectors.
//!
//! The matrix is cut into bands of rows, which threads take one after the other. Of a band, four rows meet up to four vectors at a time: each of the
//! sixteen sums stays in a register of its own, and each row is read from memory once, since four of some thousand numbers fit the first caches.

use std::hint::black_box;
use std::sync::Mutex;

use pulp::{Simd, WithSimd};

use crate::simd::{Lanes, best};
use crate::threads::{next, side_by_side};

/// The most vectors that were tried beside XLA's product. Steps of a model of 125M parameters take as long with either for 32 and 48 vectors, within noise, and
/// less with this for 24 and 64 (56 ms in place of 64, and 127 in place of 154).
pub const VECTORS_MAX: usize = 64;

/// Rows of the matrix, and vectors, that are multiplied with each other at a time.
const TILE: usize = 4;

/// Bytes of the matrix in a band: long enough that handing it out costs nothing, and short enough that threads end together.
const BAND_BYTES: usize = 128 << 10;

/// `y[o, v] = sum over i of matrix[o, i] x[v, i]`, of `width` numbers i: `x` are vectors (vector, width), `matrix` is (output, width), and `y` is
/// (output, vector). Each sum is added up in the order of i within each of a register's places, and then over these.
///
/// # Errors
/// The arrays' lengths are not those of such a product.
pub fn multiply(matrix: &[f32], x: &[f32], width: usize, y: &mut [f32]) -> Result<(), String> {
    let vectors = x.len().checked_div(width).unwrap_or(0);
    let outputs = matrix.len().checked_div(width).unwrap_or(0);
    if x.len() != vectors * width || matrix.len() != outputs * width || y.len() != outputs * vectors {
        let (matrix, x, y) = (matrix.len(), x.len(), y.len());
        return Err(format!(
            "{matrix} numbers of a matrix and {x} of vectors, both in rows of {width}, do not make {y}"
        ));
    }
    if y.is_empty() {
        return Ok(());
    }
    let rows = (BAND_BYTES / (4 * width)).next_multiple_of(TILE).max(TILE);
    let bands = Mutex::new(y.chunks_mut(rows * vectors).zip(matrix.chunks(rows * width)));
    side_by_side(&|| {
        while let Some((y, matrix)) = next(&bands) {
            best(Band { matrix, x, width, y });
        }
    });
    Ok(())
}

/// Some rows of the matrix, with all vectors.
struct Band<'a> {
    matrix: &'a [f32],
    x: &'a [f32],
    width: usize,
    y: &'a mut [f32],
}

impl WithSimd for Band<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Band { matrix, x, width, y } = self;
        let vectors = x.len() / width;
        for (rows, y) in matrix.chunks(TILE * width).zip(y.chunks_mut(TILE * vectors)) {
            fetch(rows);
            match rows.len() / width {
                4 => tiles::<S, 4>(simd, rows, x, width, y),
                3 => tiles::<S, 3>(simd, rows, x, width, y),
                2 => tiles::<S, 2>(simd, rows, x, width, y),
                _ => tiles::<S, 1>(simd, rows, x, width, y),
            }
        }
    }
}

/// Reads a number of each cache line, so that what is multiplied next is in the first cache. Processors fetch ahead of one place that is read from, and less
/// ahead of four: products with one vector take up to a third longer where rows are first met side by side, and those with sixteen a tenth.
#[inline(always)]
fn fetch(rows: &[f32]) {
    black_box(rows.iter().step_by(64 / size_of::<f32>()).fold(0, |bits, number| bits | number.to_bits()));
}

/// So many rows with all vectors.
#[inline(always)]
fn tiles<S: Simd, const ROWS: usize>(simd: S, rows: &[f32], x: &[f32], width: usize, y: &mut [f32]) {
    let vectors = x.len() / width;
    let rows: [Lanes<'_, S>; ROWS] = std::array::from_fn(|row| Lanes::of(simd, &rows[row * width..(row + 1) * width]));
    for (group, x) in x.chunks(TILE * width).enumerate() {
        let say = |row: usize, vector: usize, sum| y[row * vectors + group * TILE + vector] = sum;
        match x.len() / width {
            4 => tile::<S, ROWS, 4>(simd, rows, x, width, say),
            3 => tile::<S, ROWS, 3>(simd, rows, x, width, say),
            2 => tile::<S, ROWS, 2>(simd, rows, x, width, say),
            _ => tile::<S, ROWS, 1>(simd, rows, x, width, say),
        }
    }
}

/// So many rows with as many vectors; says each sum.
#[inline(always)]
fn tile<S: Simd, const ROWS: usize, const VECTORS: usize>(
    simd: S,
    rows: [Lanes<'_, S>; ROWS],
    x: &[f32],
    width: usize,
    mut say: impl FnMut(usize, usize, f32),
) {
    let x: [Lanes<'_, S>; VECTORS] =
        std::array::from_fn(|vector| Lanes::of(simd, &x[vector * width..(vector + 1) * width]));
    let mut sums = [[simd.splat_f32s(0.0); VECTORS]; ROWS];
    // All are as long, which is said here once and not asked about at each step.
    let whole = rows[0].body.len();
    let (weights, numbers) = (rows.map(|row| &row.body[..whole]), x.map(|x| &x.body[..whole]));
    for i in 0..whole {
        for (weights, sums) in weights.iter().zip(&mut sums) {
            for (numbers, sum) in numbers.iter().zip(sums) {
                *sum = simd.mul_add_f32s(weights[i], numbers[i], *sum);
            }
        }
    }
    for (row, sums) in sums.iter().enumerate() {
        for (vector, sum) in sums.iter().enumerate() {
            // What is behind the last whole register is the last register's, with zeros behind it.
            let sum = simd.mul_add_f32s(rows[row].tail, x[vector].tail, *sum);
            say(row, vector, simd.reduce_sum_f32s(sum));
        }
    }
}
