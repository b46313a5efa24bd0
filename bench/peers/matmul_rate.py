#!/usr/bin/env python3
"""Prints the machine's matmul rate as one JSON line: the GFLOPS of multiplying two SIZE x SIZE
matrices in fp32 and bf16, each the best of several tries.

The rate is an upper bound for training: no model can be faster than its matmuls.
"""
import argparse
import json
import time

import torch


def gflops(dtype, options):
    a, b = (torch.randn(options.size, options.size).to(options.device, dtype) for _ in range(2))
    out = torch.empty_like(a)
    best = float("inf")
    end = time.perf_counter() + options.seconds
    rounds = 0
    while rounds < 3 or time.perf_counter() < end:
        begin = time.perf_counter()
        torch.mm(a, b, out=out)
        if out.is_cuda:
            torch.cuda.synchronize(out.device)
        best = min(best, time.perf_counter() - begin)
        rounds += 1
    return 2 * options.size**3 / best / 1e9


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--size", type=int, default=2048)
    parser.add_argument("--seconds", type=float, default=2, help="seconds for each data type")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--device", default="cpu")
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    rates = {
        name: round(gflops(dtype, options), 1)
        for name, dtype in (("fp32", torch.float32), ("bf16", torch.bfloat16))
    }
    print(json.dumps({
        "matmul_size": options.size, "threads": options.threads, "device": options.device,
        "torch": torch.__version__, "gflops": rates
    }))


if __name__ == "__main__":
    main()
