#!/usr/bin/env python3
"""Translates a file of subword pieces with a Marian model and prints its speed as one JSON line: a
baseline for tfm's translation.

Timed as in ctranslate2_translate.py: after loading and a first batch for each thread. A --gemm-type
other than float32 converts the model first, as marian-conv does; the file is written next to it.
Threads translate batches independently. Greedy search skips the softmax (--skip-cost).

Marian has no least length. It ends a translation after --length-factor times the pieces of the
longest source in the batch, EOS included, so lengths are equal only if all sources are equally long
and the model never ends by itself (marian_train.py --endless).

Needs bench/peers/setup. Example:
  build/peers-venv/bin/python bench/peers/marian_translate.py --model model.npz \\
    --vocab joint.spm --input test.pieces --gemm-type intgemm8
"""
import subprocess
import sys
from pathlib import Path

sys.dont_write_bytecode = True
import pymarian
import translation


def parse_options():
    parser = translation.option_parser(__doc__)
    parser.add_argument("--model", type=Path, required=True, help=".npz file")
    parser.add_argument("--vocab", required=True, help="SentencePiece model of both sides, .spm")
    parser.add_argument("--gemm-type", default="float32",
                        help="float32, or a type of marian-conv: intgemm8, packed8avx512, ...")
    parser.add_argument("--length-factor", type=float, default=3)
    return parser.parse_args()


def converted(model, gemm_type):
    """Returns the model file with the weights in this type."""
    if gemm_type == "float32":
        return model
    output = model.with_suffix(f".{gemm_type}.bin")
    command = [sys.executable, "-m", "pymarian", "convert", "--from", model, "--to", output]
    subprocess.run(command + ["--gemm-type", gemm_type], check=True, capture_output=True)
    return output


def main():
    options = parse_options()
    lines = [" ".join(pieces) for pieces in translation.read_pieces(options)]
    settings = {
        "models": converted(options.model, options.gemm_type),
        "vocabs": f"{options.vocab} {options.vocab}", "cpu-threads": options.threads,
        "beam-size": options.beam_size, "max-length-factor": options.length_factor,
        "mini-batch": options.batch_size, "maxi-batch": 100, "maxi-batch-sort": "src"
    }
    flags = ["--quiet", "--no-spm-encode", "--no-spm-decode"]
    flags += ["--skip-cost"] if options.beam_size == 1 else []
    translator = pymarian.Translator(
        " ".join([f"--{key} {value}" for key, value in settings.items()] + flags))
    translate = lambda batch: [text.split() for text in translator.translate(batch)]
    translate(lines[: options.batch_size * options.threads])
    report = {
        "peer": "Marian", "pymarian": pymarian.__version__, "gemm_type": options.gemm_type
    } | translation.fastest_pass(translate, lines, options)
    translation.print_report(report)


if __name__ == "__main__":
    main()
