"""Single operations in PyTorch on one GPU: what `finery bench kernels` is compared with.

    python bench/peers/torch_kernels.py --only attention

Attention (batch, heads, positions, head_dim), causal, bf16, by each backend of `scaled_dot_product_attention`; the causal
convolution with SiLU, four taps, depthwise by torch's own and as four compiled products; Mamba's selective scan by mamba_ssm,
where that is installed; products of one vector with a weight. Prints a JSON line for each, under the operation's name in Finery.
"""

import argparse
import json
import sys

import torch
import torch._functorch.config
import torch.nn.functional as F
from measure import kernel_ms
from torch.nn.attention import SDPBackend, sdpa_kernel

ATTENTION = [(8, 2048, 16, 128), (2, 8192, 16, 128)]
CONVOLUTION = (2, 4096, 5376)
SCAN = (2, 4096, 5376, 16)
PRODUCTS = [(4096, 4096), (4096, 11008), (11008, 4096), (4096, 32000)]


def normal(*axes, dtype=torch.bfloat16, grad=True):
    return torch.randn(*axes, dtype=dtype, device="cuda", requires_grad=grad)


def attention():
    """Yields (operation, peer, what to run)."""
    for batch, positions, heads, head_dim in ATTENTION:
        q, k, v = (normal(batch, heads, positions, head_dim) for _ in range(3))
        ct = normal(batch, heads, positions, head_dim, grad=False)
        name = f"({batch}, {positions}, {heads}, 1, {head_dim}), bf16"
        for peer, backend in (("cuDNN", SDPBackend.CUDNN_ATTENTION), ("flash", SDPBackend.FLASH_ATTENTION)):

            def forward():
                with sdpa_kernel(backend):
                    return F.scaled_dot_product_attention(q, k, v, is_causal=True)

            def both():
                torch.autograd.grad(forward(), (q, k, v), ct)

            yield f"attention forward {name}", f"torch {peer}", forward
            yield f"attention forward and backward {name}", f"torch {peer}", both


def depthwise(x, taps, bias):
    """Of x (batch, positions, channels)."""
    padded = F.pad(x.transpose(1, 2), (taps.shape[0] - 1, 0))
    return F.silu(F.conv1d(padded, taps.t()[:, None], bias, groups=taps.shape[1])).transpose(1, 2)


def four_taps(x, taps, bias):
    count = taps.shape[0]
    padded = F.pad(x, (0, 0, count - 1, 0))
    return F.silu(sum(padded[:, k : k + x.shape[1]] * taps[k] for k in range(count)) + bias)


def convolution():
    batch, positions, channels = CONVOLUTION
    x, taps, bias = normal(batch, positions, channels), normal(4, channels), normal(channels)
    ct = normal(batch, positions, channels, grad=False)
    for peer, run in (("torch", depthwise), ("torch, four products compiled", torch.compile(four_taps))):
        y = run(x, taps, bias)
        name = f"({batch}, {positions}, {channels}), 4 taps, bf16"
        yield f"causal convolution forward {name}", peer, lambda: run(x, taps, bias)
        yield f"causal convolution backward {name}", peer, lambda: torch.autograd.grad(y, (x, taps, bias), ct, retain_graph=True)


def scan():
    from mamba_ssm.ops.selective_scan_interface import selective_scan_fn

    batch, positions, inner, state = SCAN
    x, widths = (normal(batch, inner, positions) for _ in range(2))
    rates = -torch.rand(inner, state, device="cuda").requires_grad_()
    b, c = (normal(batch, state, positions) for _ in range(2))
    ct = normal(batch, inner, positions, grad=False)
    name = f"({batch}, {positions}, {inner}, {state}), bf16"
    forward = lambda: selective_scan_fn(x, widths, rates, b, c, delta_softplus=True)
    yield f"selective scan forward {name}", "mamba_ssm", forward
    both = lambda: torch.autograd.grad(forward(), (x, widths, rates, b, c), ct)
    yield f"selective scan forward and backward {name}", "mamba_ssm", both


def products():
    for inputs, outputs in PRODUCTS:
        x, weight = normal(1, inputs, grad=False), normal(outputs, inputs, grad=False)
        yield f"product of 1 vectors, {inputs} to {outputs}, bf16", "torch", lambda: F.linear(x, weight)


OPERATIONS = {"attention": attention, "convolution": convolution, "scan": scan, "products": products}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", choices=OPERATIONS, action="append", help="only these; may be repeated")
    args = parser.parse_args()
    # A compiled backward pass may give its buffers away, and runs many times here.
    torch._functorch.config.donated_buffer = False
    for name in args.only or OPERATIONS:
        try:
            for operation, peer, run in OPERATIONS[name]():
                result = {"peer": peer, "operation": operation, "ms": kernel_ms(run), "torch": torch.__version__}
                print(json.dumps(result), flush=True)
        except Exception as error:  # Whatever it is, the others can run.
            print(f"{name}: left out: {type(error).__name__}: {error}", file=sys.stderr)


if __name__ == "__main__":
    main()
