"""A pre-training step of Mamba in JAX, compiled as a whole, without kernels of its own: the scan in chunks by `associative_scan`.

    python bench/peers/jax_mamba.py --preset mamba-1.6b

Sizes are those of `finery bench train --preset` of the same name: 8 rows of 2048 tokens, bf16 over f32 masters, AdamW. Of each layer the
products are kept for the backward pass, and the states of a chunk are computed again. Prints the median as a JSON line.
"""

import argparse
import functools
import json
import statistics
import time
from types import SimpleNamespace

import jax
import jax.numpy as jnp
from jax import lax

PRESETS = {
    "mamba-370m": SimpleNamespace(hidden=1024, layers=48, vocab=50_280, tied=True),
    "mamba-1.6b": SimpleNamespace(hidden=2688, layers=28, vocab=65_024, tied=False),
}
STATE, TAPS = 16, 4


def parameters(shape, key):
    """f32 masters; those of layers stacked."""
    hidden, inner, layers = shape.hidden, 2 * shape.hidden, shape.layers
    rank = -(-hidden // 16)
    keys = iter(jax.random.split(key, 8))
    normal = lambda *axes: 0.02 * jax.random.normal(next(keys), axes)
    stacked = {
        "norm": jnp.ones((layers, hidden)),
        "in_proj": normal(layers, hidden, 2 * inner),
        "conv": normal(layers, TAPS, inner),
        "conv_bias": jnp.zeros((layers, inner)),
        "x_proj": normal(layers, inner, rank + 2 * STATE),
        "dt_proj": normal(layers, rank, inner),
        "dt_bias": jnp.full((layers, inner), -4.6),
        "a_log": jnp.broadcast_to(jnp.log(jnp.arange(1.0, STATE + 1)), (layers, inner, STATE)),
        "d": jnp.ones((layers, inner)),
        "out_proj": normal(layers, inner, hidden),
    }
    rest = {"embeddings": normal(shape.vocab, hidden), "norm": jnp.ones(hidden)}
    if not shape.tied:
        rest["head"] = normal(shape.vocab, hidden)
    return {"layers": stacked, **rest}


def rms_norm(x, weight):
    x = x.astype(jnp.float32)
    return x * lax.rsqrt(jnp.mean(x * x, -1, keepdims=True) + 1e-5) * weight


def selective_scan(x, widths, rates, b, c, chunk):
    """y of (batch, position, inner), chunk by chunk; a chunk's states are computed again for the backward pass."""
    batch, positions, inner = x.shape
    chunks = lambda z: jnp.moveaxis(z.reshape(batch, positions // chunk, chunk, -1), 1, 0)

    @jax.checkpoint
    def one(h, given):
        x, widths, b, c = given
        decay = jnp.exp(widths[..., None] * rates)
        added = (widths * x)[..., None] * b[:, :, None]
        combine = lambda before, after: (before[0] * after[0], after[0] * before[1] + after[1])
        decays, states = lax.associative_scan(combine, (decay, added), axis=1)
        states = states + decays * h[:, None]
        return states[:, -1], jnp.einsum("btds,bts->btd", states, c)

    begin = jnp.zeros((batch, inner, STATE))
    _, y = lax.scan(one, begin, tuple(map(chunks, (x, widths, b, c))))
    return jnp.moveaxis(y, 0, 1).reshape(batch, positions, inner)


def layer(x, p, chunk):
    narrow = lambda name: p[name].astype(jnp.bfloat16)
    inner, rank = p["d"].shape[0], p["dt_proj"].shape[0]
    u, gate = jnp.split(rms_norm(x, p["norm"]).astype(jnp.bfloat16) @ narrow("in_proj"), 2, -1)
    padded = jnp.pad(u.astype(jnp.float32), ((0, 0), (TAPS - 1, 0), (0, 0)))
    taps = [padded[:, k : k + u.shape[1]] * p["conv"][k] for k in range(TAPS)]
    u = jax.nn.silu(sum(taps) + p["conv_bias"]).astype(jnp.bfloat16)
    ranks, b, c = jnp.split(u @ narrow("x_proj"), [rank, rank + STATE], -1)
    widths = jax.nn.softplus((ranks @ narrow("dt_proj")).astype(jnp.float32) + p["dt_bias"])
    wide = u.astype(jnp.float32)
    b, c = b.astype(jnp.float32), c.astype(jnp.float32)
    y = selective_scan(wide, widths, -jnp.exp(p["a_log"]), b, c, chunk) + wide * p["d"]
    y = (y * jax.nn.silu(gate.astype(jnp.float32))).astype(jnp.bfloat16)
    return x + (y @ narrow("out_proj")).astype(jnp.float32)


def loss(params, ids, targets, chunk):
    x = params["embeddings"][ids]
    keep = jax.checkpoint_policies.dots_with_no_batch_dims_saveable
    one = jax.checkpoint(functools.partial(layer, chunk=chunk), policy=keep)
    x, _ = lax.scan(lambda x, p: (one(x, p), None), x, params["layers"])
    head = params.get("head", params["embeddings"]).astype(jnp.bfloat16)
    logits = (rms_norm(x, params["norm"]).astype(jnp.bfloat16) @ head.T).astype(jnp.float32)
    chosen = jnp.take_along_axis(logits, targets[..., None], -1)[..., 0]
    return jnp.mean(jax.nn.logsumexp(logits, -1) - chosen)


def adamw(number, p, m, v, g):
    m, v = 0.9 * m + 0.1 * g, 0.95 * v + 0.05 * g * g
    step = (m / (1 - 0.9**number)) / (jnp.sqrt(v / (1 - 0.95**number)) + 1e-8)
    return p - 1e-4 * (step + 0.1 * p), m, v


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--preset", choices=PRESETS, required=True)
    parser.add_argument("--rows", type=int, default=8)
    parser.add_argument("--positions", type=int, default=2048)
    parser.add_argument("--chunk", type=int, default=64)
    parser.add_argument("--warmup-steps", type=int, default=2)
    parser.add_argument("--steps", type=int, default=5)
    args = parser.parse_args()
    shape = PRESETS[args.preset]

    @functools.partial(jax.jit, donate_argnums=0)
    def step(state, number, ids):
        value, gradients = jax.value_and_grad(loss)(state[0], ids[:, :-1], ids[:, 1:], args.chunk)
        updated = jax.tree.map(functools.partial(adamw, number), *state, gradients)
        parts = [jax.tree.map(lambda leaf, i=i: leaf[i], updated, is_leaf=lambda x: isinstance(x, tuple)) for i in range(3)]
        return tuple(parts), value

    params = parameters(shape, jax.random.key(0))
    state = (params, jax.tree.map(jnp.zeros_like, params), jax.tree.map(jnp.zeros_like, params))
    ids = jax.random.randint(jax.random.key(1), (args.rows, args.positions + 1), 0, shape.vocab)
    times = []
    for number in range(1, args.warmup_steps + args.steps + 1):
        start = time.perf_counter()
        state, value = step(state, float(number), ids)
        value.block_until_ready()
        times.append(1e3 * (time.perf_counter() - start))
    times = times[args.warmup_steps :]
    ms = {"median": statistics.median(times), "min": min(times), "max": max(times)}
    result = {"peer": "jax-associative-scan", "preset": args.preset, "chunk": args.chunk, "step_ms": ms}
    result |= {"tokens_per_second": round(args.rows * args.positions / ms["median"] * 1e3, 1), "loss": round(float(value), 4)}
    peak = jax.devices()[0].memory_stats() or {}
    result |= {"peak_bytes": peak["peak_bytes_in_use"]} if "peak_bytes_in_use" in peak else {}
    print(json.dumps(result | {"jax": jax.__version__, "device": jax.devices()[0].device_kind}))


if __name__ == "__main__":
    main()
