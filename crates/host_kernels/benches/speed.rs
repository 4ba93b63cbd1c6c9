//! How fast the kernels read: `cargo bench -p host_kernels`.

use std::time::Instant;

use host_kernels::{PagedAttention, Pages, attend, multiply};

/// Seconds of the fastest of some calls.
fn fastest(mut call: impl FnMut()) -> f64 {
    let timed = (0..12).map(|_| {
        let started = Instant::now();
        call();
        started.elapsed().as_secs_f64()
    });
    timed.min_by(f64::total_cmp).expect("there are some calls")
}

fn numbers(count: usize) -> Vec<f32> {
    (0..count).map(|i| (i * 7919 % 1009) as f32 / 1009.0 - 0.5).collect()
}

fn main() {
    // As many matrices as no cache holds.
    let (width, outputs) = (768, 64 * 3072);
    let matrix = numbers(width * outputs);
    for vectors in [1, 2, 4, 8, 16, 32, 64] {
        let (x, mut y) = (numbers(vectors * width), vec![0.0; vectors * outputs]);
        let seconds = fastest(|| multiply(&matrix, &x, width, &mut y).expect("the sizes fit"));
        let (bytes, flops) = ((4 * width * outputs) as f64, (2 * vectors * width * outputs) as f64);
        println!(
            "{vectors:2} vectors: {:6.2} ms, {:5.1} GB/s, {:5.0} GFLOP/s",
            1e3 * seconds,
            bytes / seconds / 1e9,
            flops / seconds / 1e9
        );
    }
    let op = PagedAttention {
        kv_heads: 12,
        groups: 1,
        head_dim: 64,
        page_tokens: 32,
        scale: 0.125,
        window: None,
        softcap: None,
    };
    let (texts, seen, layers) = (16, 18, 12);
    let pages = texts * seen * layers;
    let [keys, values] = [0, 1].map(|_| numbers(pages * op.kv_heads * op.page_tokens * op.head_dim));
    let q = numbers(texts * op.kv_heads * op.head_dim);
    let mut out = vec![0.0; q.len()];
    let seconds = fastest(|| {
        for layer in 0..layers {
            let table: Vec<i32> = (0..texts * seen).map(|page| (page * layers + layer) as i32).collect();
            let (start, count) = (vec![(seen * op.page_tokens - 1) as i32; texts], vec![1; texts]);
            let pages = Pages { keys: &keys, values: &values, table: &table, start: &start, count: &count };
            attend(&op, &q, pages, &mut out).expect("the sizes fit");
        }
    });
    let bytes = (8 * keys.len()) as f64;
    println!(
        "{texts} texts of {} tokens, {layers} layers: {:.2} ms, {:.1} GB/s",
        seen * op.page_tokens,
        1e3 * seconds,
        bytes / seconds / 1e9
    );
}
