//! What kernels write, element by element.

use half::bf16;

use super::{HALVES, Of, SET, WIDTH};

/// Of plain keys or values (page, kv_heads, page_token, head_dim) of bf16 numbers the halves of words (page, kv_heads, word), and scales (page, kv_heads, page_token).
pub(crate) fn packed(of: Of, plain: &[f64], page_tokens: usize) -> (Vec<f64>, Vec<f64>) {
    let mut words = vec![0_u16; plain.len() / WIDTH * HALVES];
    let mut scales = Vec::new();
    for (row, plain) in plain.chunks(WIDTH).enumerate() {
        let elements: Vec<u16> = plain.iter().map(|number| bf16::from_f64(*number).to_bits()).collect();
        let top = elements.iter().map(|bits| bits >> 7 & 255).max().expect("a row has elements");
        scales.push(f64::from(f32::from_bits(u32::from(top) << 23)));
        let (page, token) = (row / page_tokens, row % page_tokens);
        let of_page = &mut words[page * page_tokens * HALVES..][..page_tokens * HALVES];
        for (place, number) in plain.iter().enumerate() {
            // A multiple of 2^-21 of the scale, or exact.
            let small = bf16::from_f64(number * f64::from(15 - i32::from(top)).exp2()).to_bits();
            let (piece, pair, half) = (place / 8, place % 8 / 2, place % 2);
            let mut put = |part: usize, bits: u16| {
                let word = token % SET / 4 * 6 + piece / 8 * 3 + part;
                let lane = match of {
                    Of::Keys => token % 4 * 8 + piece % 8,
                    Of::Values => piece % 8 * 4 + token % 4,
                };
                of_page[token / SET * SET * HALVES + word / 4 * 256 + lane * 8 + word % 4 * 2 + half] |= bits;
            };
            match pair {
                3 => {
                    put(0, (small & 0x0780) << 4);
                    put(1, (small & 0x0078) << 8);
                    put(2, (small & 0x0007) << 12 | (small & 0x8000) >> 4);
                }
                _ => put(pair, small),
            }
        }
    }
    (words.into_iter().map(f64::from).collect(), scales)
}
