"""Translates with tfm or CTranslate2 in a separate process, for bench/translate."""
import argparse
import gzip
import json
import math
import os
import re
import subprocess
import tempfile
import time
from pathlib import Path

import marian_runs as marian
from train_runs import BENCH, RunFailed, Text, call

ENCODE = (
    "import sys, sentencepiece as s\n"
    "p = s.SentencePieceProcessor(model_file=sys.argv[1])\n"
    "for l in sys.stdin: print(*p.encode(l.rstrip('\\n'), out_type=str))"
)


def side_file(folder, name):
    plain = folder / name
    return plain if plain.exists() else folder / f"{name}.gz"


def fresh_model(options, name, work):
    folder = work / name
    settings = {
        "data.train_source": side_file(options.train_data, "train.de").resolve(),
        "data.train_target": side_file(options.train_data, "train.en").resolve(),
        "training.run_folder": folder,
        "training.max_steps": 1,
        "training.max_minutes": 0,
        "tokenizer.algorithm": "bpe",
        "tokenizer.vocab_size": options.vocab_size,
    }
    call([
        options.tfm, "--quiet", "train", "--config", BENCH / f"train_{name}.yaml",
        *(f"{key}={value}" for key, value in settings.items())
    ])
    return folder


def measure_int8_rate(options):
    """Returns the int8 multiply-adds per second that the processor can do on all threads, without
    any memory access, or None if tfm_bench_ops is not built or the processor has no benchmark.
    """
    program = options.tfm.parent / "tfm_bench_ops"
    if not os.access(program, os.X_OK):
        return None
    run = subprocess.run([program, "--benchmark_filter=Int8Limit", "--benchmark_format=json"],
                         env=os.environ | {"OMP_NUM_THREADS": str(options.threads)},
                         stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True)
    return json.loads(run.stdout)["benchmarks"][0].get("items_per_second")


def changed(options, **settings):
    """Returns a copy of the options with these settings."""
    return argparse.Namespace(**vars(options) | settings)


def read_lines(file):
    opened = gzip.open if file.suffix == ".gz" else open
    with opened(file, "rt", encoding="utf-8", newline="\n") as text:
        return [line.rstrip("\n") for line in text]


class Side:
    """A model, its CTranslate2 export, and the text as lines and as pieces."""

    def __init__(self, options, name, folder, work, lines):
        self.folder = Path(folder)
        self.marian = None  # the same model for Marian
        self.exported = work / f"{name}-ct2"
        if options.peer_types:
            call([
                options.tfm, "export", "--format", "ctranslate2", "--model", self.folder,
                "--output", self.exported
            ])
        self.lines = lines[: options.lines or None]
        self.text = work / f"{name}.txt"
        self.text.write_text("".join(line + "\n" for line in self.lines), encoding="utf-8")
        if options.peer_python:
            self.write_pieces(options, work / f"{name}.pieces")

    def write_pieces(self, options, file):
        models = (self.folder / "joint.model", self.folder / "source.model")
        vocabulary = next(path for path in models if path.exists())
        pieces = subprocess.run([options.peer_python, "-c", ENCODE, vocabulary],
                                input=self.text.read_bytes(), capture_output=True,
                                check=True).stdout
        self.pieces = file
        self.pieces.write_bytes(pieces)
        # An end-of-sentence token follows the pieces of each line.
        self.source_tokens = len(pieces.split()) + len(self.lines)


def side_of(options, name, work):
    """Returns the model NAME for all sides, with the text."""
    lines = read_lines(options.data)
    if not options.marian:
        return Side(options, name, options.model.get(name) or fresh_model(options, name, work),
                    work, lines)
    vocabulary = fresh_model(options, name, work) / "joint.model"
    text = Text(side_file(options.train_data, "train.de").resolve(),
                side_file(options.train_data, "train.en").resolve(), vocabulary)
    model = marian.make_model(options, name, text, work)
    side = Side(options, name, model.imported, work,
                marian.equally_long(options, vocabulary, lines))
    side.marian = model
    return side


def run_peer(options, side, kind, beam, translators=1, latency=False, output=None, length=None):
    command = [
        options.peer_python, BENCH / "peers/ctranslate2_translate.py", "--model", side.exported,
        "--input", side.pieces, "--compute-type", kind, "--device", options.device
    ]
    command += ["--no-source-eos"]  # an exported model adds EOS itself
    command += [
        "--beam-size", beam, "--batch-size", options.batch_size, "--threads", options.threads,
        "--translators", translators
    ]
    command += ["--length", options.length if length is None else length]
    if latency:
        command += ["--latency", "--limit", options.latency_lines, "--repeat", 1]
    if output:
        command += ["--output", output]
    text, memory = call(command)
    return json.loads(text.splitlines()[-1]) | {"peak_memory_mib": memory}


def tfm_command(options, side, precision, beam, length):
    command = [
        options.tfm, "--verbose", "translate", "--model", side.folder, "--precision", precision,
        "--beam-size", beam, "--threads", options.threads, "--device", options.device
    ]
    command += ["--batch-type", "sentences", "--batch-size", options.batch_size]
    # As in ctranslate2_translate.py, whatever the model's config says.
    command += ["--max-length-factor", 1000, "--length-penalty", 1]
    command += ["--min-length", length, "--max-length", length] if length else ["--max-length", 256]
    return [str(word) for word in command]


def run_tfm(options, side, precision, beam, length=None, more=(), pieces=False):
    """Times tfm, including the first batches, before which weights are prepacked. `more` are
    further arguments. With `pieces`, the result has the pieces of each translation, for which tfm
    also computes scores; the other side computes none either.
    """
    command = tfm_command(options, side, precision, beam,
                          options.length if length is None else length) + list(more)
    with tempfile.TemporaryDirectory() as folder:
        output, log = Path(folder) / "out", Path(folder) / "log"
        output_format = "jsonl" if pieces else "text"
        with open(log, "w") as errors:
            process = subprocess.Popen(
                command + ["-i", side.text, "-o", output, "--format", output_format],
                stderr=errors)
            _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        said = log.read_text()
        if process.returncode:
            raise RunFailed(said[-2000:])
        lines = output.read_text(encoding="utf-8").splitlines() if pieces else []
    speed = re.search(r"([\d.]+) tokens/s", said)
    result = {
        "tokens_per_second": float(speed.group(1)), "peak_memory_mib": usage.ru_maxrss / 1024
    }
    if pieces:
        result["pieces"] = [json.loads(line)["translations"][0]["tokens"] for line in lines]
    return result


def tfm_latency(options, side, precision):
    """Returns the milliseconds from a line to its translation, over a pipe to a running program."""
    command = tfm_command(options, side, precision, 1, options.length)
    times = []
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, text=True, encoding="utf-8") as program:
        # The first five lines are a warm-up.
        for line in [side.lines[0]] * 5 + side.lines[: options.latency_lines]:
            begin = time.perf_counter()
            program.stdin.write(line + "\n")
            program.stdin.flush()
            program.stdout.readline()
            times.append(1000 * (time.perf_counter() - begin))
        program.stdin.close()
    times = sorted(times[5:])
    # The percentile is defined as in ctranslate2_translate.py.
    percentile = lambda share: times[max(0, math.ceil(share * len(times)) - 1)]
    return {"latency_p50_ms": percentile(0.5), "latency_p99_ms": percentile(0.99)}
