"""Makes models with Marian, and translates and trains with it, for bench/translate and bench/train.

Marian has no least length of translations; it limits them to a multiple of the longest source in
the batch. All sources therefore have the same number of pieces, and the models cannot produce EOS.
"""
import json
import subprocess
from dataclasses import dataclass
from pathlib import Path

from train_runs import BENCH, Run, RunFailed, call

BEGINNINGS = """
import itertools, sentencepiece, sys
vocabulary = sentencepiece.SentencePieceProcessor(model_file=sys.argv[1])
for line in sys.stdin:
    words = line.split()
    # No piece crosses a space, so the pieces of words add up.
    lengths = itertools.accumulate(len(vocabulary.encode(word)) for word in words)
    count = next((i for i, length in enumerate(lengths, 1) if length == int(sys.argv[2])), 0)
    if count:
        print(*words[:count])
"""


@dataclass
class MarianModel:
    weights: Path  # .npz
    vocabulary: Path  # .spm
    imported: Path  # the same weights as a model folder of tfm


def fault(options):
    """Returns why --marian cannot run, or an empty string."""
    command = [options.peer_python, "-c", "import pymarian"]
    found = subprocess.run(command, capture_output=True).returncode == 0
    return "" if found else f"{options.peer_python} has no pymarian; run bench/peers/setup"


def gemm_types():
    """Returns Marian's int8 types for this processor."""
    avx512 = "avx512f" in Path("/proc/cpuinfo").read_text()
    return ["intgemm8", "packed8avx512" if avx512 else "packed8avx2"]


def equally_long(options, vocabulary, lines):
    """Returns beginnings of lines that have --length pieces, EOS included."""
    command = [options.peer_python, "-c", BEGINNINGS, vocabulary, str(options.length - 1)]
    text = "".join(line + "\n" for line in lines)
    found = subprocess.run(command, input=text, capture_output=True, check=True,
                           encoding="utf-8").stdout.splitlines()
    if not found:
        raise RunFailed(f"no line of {options.data} begins with {options.length - 1} pieces")
    return found


def make_model(options, name, text, work):
    """Trains a model for --marian-updates updates. The translations of the model never end."""
    model = MarianModel(work / f"{name}.npz", work / f"{name}.spm", work / f"{name}-marian")
    model.vocabulary.write_bytes(text.vocabulary.read_bytes())
    call([
        options.peer_python, BENCH / "peers/marian_train.py", "--source", text.source,
        "--target", text.target, "--vocab", text.vocabulary, "--model", name,
        "--updates", options.marian_updates, "--batch-size", 1000, "--threads", options.threads,
        "--endless", "--save", model.weights
    ])
    call([
        options.tfm, "import", "--format", "marian", model.weights, "--vocab", model.vocabulary,
        "--output", model.imported
    ])
    return model


def translate(options, model, pieces, gemm_type, beam, output=None, limit=0):
    command = [
        options.peer_python, BENCH / "peers/marian_translate.py", "--model", model.weights,
        "--vocab", model.vocabulary, "--input", pieces, "--gemm-type", gemm_type,
        "--beam-size", beam, "--batch-size", options.batch_size, "--threads", options.threads,
        "--length-factor", 1, "--limit", limit
    ]
    if output:
        command += ["--output", output, "--repeat", 1]
    text, memory = call(command)
    report = json.loads(text.splitlines()[-1])
    if report["target_tokens"] != report["sentences"] * options.length:
        raise RunFailed(f"Marian's translations are not all {options.length} pieces long")
    return report | {"peak_memory_mib": memory}


def train(options, text, model, variant, seed):
    """Trains in `variant`, which is fp32, like run_peer and run_tfm of train_runs."""
    output, memory = call([
        options.peer_python, BENCH / "peers/marian_train.py", "--source", text.source,
        "--target", text.target, "--vocab", text.vocabulary, "--model", model, "--seed", seed,
        "--losses", "--threads", options.threads, "--batch-size", options.batch_size,
        "--learning-rate", options.learning_rate, "--warmup-steps", options.warmup_steps,
        "--seconds", options.seconds, "--skip-seconds", options.skip_seconds,
        "--skip-updates", options.skip_updates
    ])
    report = json.loads(output.splitlines()[-1])
    losses = report.pop("losses")
    return Run("marian", variant, report["tokens_per_second"], report["updates"], losses, memory,
               report)
