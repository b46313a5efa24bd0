#!/usr/bin/env python3
"""Writes train.source and train.target: strings of bits, and the same strings with every bit
flipped. With `--check`, compares the files instead of writing them.
"""
import pathlib
import random
import sys

folder = pathlib.Path(__file__).parent
draw = random.Random(1)
lines = []
for i in range(400):
    # Every fiftieth line is longer than the model's 30 tokens, so that it is truncated.
    length = draw.randint(1, 10) if i % 50 else 40
    lines.append([draw.randint(0, 1) for _ in range(length)])
texts = {
    "train.source": lines,
    "train.target": [[1 - bit for bit in line] for line in lines],
}
for name, bits in texts.items():
    text = "".join(" ".join(map(str, line)) + "\n" for line in bits)
    if "--check" not in sys.argv:
        (folder / name).write_text(text)
    elif (folder / name).read_text() != text:
        sys.exit(f"{name} is not what this program writes")
