#!/usr/bin/env python3
"""Trains a Transformer with Marian in fp32 on the CPU and prints its speed as one JSON line: a
baseline for tfm's training.

Model, recipe and data are those of pytorch_train.py, with dropout on embeddings and block outputs
only, as in tfm. Each thread computes a part of the batch (--sync-sgd), because Marian's operations
use one thread. A batch has --batch-size source tokens, without padding, from sentences of similar
length.

tokens_per_second counts source and target tokens, EOS included and padding excluded, after the
warm-up. Marian reports the target tokens of each update; their ratio to the source tokens is taken
from the whole data.

Needs bench/peers/setup. Example:
  build/peers-venv/bin/python bench/peers/marian_train.py --source train.de --target train.en \\
    --vocab joint.spm --model tiny
"""
import argparse
import gzip
import json
import re
import resource
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

sys.dont_write_bytecode = True
import numpy
import pymarian
import sentencepiece
from sizes import SIZES

UPDATE = re.compile(r"Up\. ([\d,]+) : .*Cost ([-\d.na]+) \* ([\d,]+) @")
LONGEST = 255  # tokens without EOS; longer pairs are skipped, as in tfm


@dataclass
class Update:
    loss: float  # label-smoothed, per target token
    target_tokens: int
    end: float  # seconds


def marian_command(options, model, vocabulary):
    size = SIZES[options.model]
    settings = {
        "type": "transformer", "enc-depth": size.layers, "dec-depth": size.layers,
        "dim-emb": size.width, "transformer-dim-ffn": size.feed_forward,
        "transformer-heads": size.heads, "transformer-dropout": size.dropout,
        "transformer-ffn-activation": "relu", "transformer-postprocess": "dan",
        "transformer-postprocess-top": "n", "label-smoothing": 0.1, "clip-norm": 0,
        "learn-rate": options.learning_rate, "lr-warmup": options.warmup_steps,
        "lr-decay-inv-sqrt": options.warmup_steps, "mini-batch": 10000, "maxi-batch": 10,
        "mini-batch-words": options.batch_size, "maxi-batch-sort": "trg", "max-length": LONGEST,
        "cpu-threads": options.threads, "seed": options.seed, "after": f"{options.updates}u",
        "disp-freq": "1u", "save-freq": "1000000u", "sigterm": "exit-immediately", "model": model,
        "tempdir": model.parent
    }
    command = [sys.executable, "-m", "pymarian", "train"]
    command += [str(word) for key, value in settings.items() for word in (f"--{key}", value)]
    command += ["--optimizer-params", "0.9", "0.98", "1e-9", "--tied-embeddings-all", "--sync-sgd"]
    command += ["--train-sets", options.source, options.target]
    return command + ["--vocabs", str(vocabulary), str(vocabulary)]


def seen_updates(process, options):
    """Yields the updates that Marian reports, until it has trained for long enough."""
    said = []
    for line in process.stderr:
        said.append(line)
        found = UPDATE.search(line)
        if found:
            yield Update(float(found[2]), int(found[3].replace(",", "")), time.perf_counter())
    if process.wait():
        raise SystemExit("".join(said[-15:]))


def train(options, model, vocabulary):
    """Trains, and returns (all updates, number of updates of the warm-up)."""
    updates, warm = [], 0
    with subprocess.Popen(marian_command(options, model, vocabulary), stderr=subprocess.PIPE,
                          text=True) as process:
        try:
            for update in seen_updates(process, options):
                updates.append(update)
                trained = update.end - updates[0].end
                if len(updates) <= max(1, options.skip_updates) or trained < options.skip_seconds:
                    warm = len(updates)
                elif not options.updates and update.end - updates[warm - 1].end > options.seconds:
                    break
        finally:
            process.terminate()  # no effect if it has ended
    return updates, warm


def source_share(options, vocabulary):
    """Returns the source tokens per target token in the data."""
    def tokens(file):
        with (gzip.open if file.endswith(".gz") else open)(file, "rt", encoding="utf-8") as lines:
            return sum(len(ids) + 1 for ids in vocabulary.encode([line.strip() for line in lines]))

    return tokens(options.source) / tokens(options.target)


def forbid_end(model, eos):
    """Gives EOS a bias that no other logit can outweigh, so that a translation never ends."""
    with numpy.load(model) as file:
        tensors = dict(file)
    tensors["decoder_ff_logit_out_b"][0, eos] = -10000
    numpy.savez(model, **tensors)


def parse_options():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--source", required=True, help="one sentence per line, plain or .gz")
    parser.add_argument("--target", required=True, help="its translations, line by line")
    parser.add_argument("--vocab", type=Path, required=True,
                        help="SentencePiece model of both languages")
    parser.add_argument("--model", choices=SIZES, default="tiny")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--batch-size", type=int, default=4096, help="source tokens")
    parser.add_argument("--learning-rate", type=float, default=0.001)
    parser.add_argument("--warmup-steps", type=int, default=400,
                        help="warm-up of the inverse-sqrt schedule")
    parser.add_argument("--skip-updates", type=int, default=3,
                        help="least number of updates before the timing starts; at least 1")
    parser.add_argument("--skip-seconds", type=float, default=0,
                        help="least number of seconds between the first update and the timing")
    parser.add_argument("--seconds", type=float, default=60, help="seconds to time")
    parser.add_argument("--updates", type=int, default=0,
                        help="end after this many updates, instead of --seconds")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--losses", action="store_true",
                        help='add the field "losses": one per update, from the first on')
    parser.add_argument("--save", type=Path, help=".npz file for the model; needs --updates")
    parser.add_argument("--endless", action="store_true",
                        help="save a model whose translations never end by themselves")
    return parser.parse_args()


def main():
    options = parse_options()
    vocabulary = sentencepiece.SentencePieceProcessor(model_file=str(options.vocab))
    with tempfile.TemporaryDirectory() as folder:
        named = Path(folder) / "joint.spm"  # Marian recognises SentencePiece models by ".spm"
        named.symlink_to(options.vocab.resolve())
        model = Path(folder) / "model.npz"
        updates, warm = train(options, model, named)
        if options.save:
            if options.endless:
                forbid_end(model, vocabulary.eos_id())
            options.save.write_bytes(model.read_bytes())
    report = {
        "peer": "Marian", "pymarian": pymarian.__version__, "model": options.model,
        "precision": "fp32", "threads": options.threads, "updates": len(updates) - warm,
        "skipped_updates": warm, "loss": updates[-1].loss
    }
    if len(updates) > warm:
        seconds = updates[-1].end - updates[warm - 1].end
        target_tokens = sum(update.target_tokens for update in updates[warm:])
        tokens = target_tokens * (1 + source_share(options, vocabulary))
        report |= {
            "seconds": round(seconds, 3), "target_tokens": target_tokens,
            "tokens_per_second": round(tokens / seconds, 1)
        }
    # Marian runs as a child process.
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    report["peak_memory_mib"] = round(peak, 1)
    if options.losses:
        report["losses"] = [round(update.loss, 4) for update in updates]
    print(json.dumps(report))


if __name__ == "__main__":
    main()
