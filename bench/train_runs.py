"""Trains with tfm or the baseline in a separate process. Returns the same record for both."""
import json
import os
import subprocess
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

BENCH = Path(__file__).resolve().parent


class RunFailed(Exception):
    """A command that failed, with the end of its output."""


@dataclass
class Run:
    side: str  # "peer", "marian" or "tfm"
    variant: str  # "fp32", "bf16", "bf16+compile"
    tokens_per_second: float  # source + target, padding excluded, after the warm-up
    updates: int  # only timed ones
    losses: list  # one per update, from the first on; label-smoothed, per target token
    peak_memory_mib: float  # whole process, including libraries
    details: dict = field(default_factory=dict)


@dataclass
class Text:
    source: Path
    target: Path
    vocabulary: Path


def call(command):
    """Runs a command, and returns (its stdout, its peak resident memory in MiB)."""
    with tempfile.TemporaryFile("w+") as output, tempfile.TemporaryFile("w+") as log:
        process = subprocess.Popen([str(word) for word in command], stdout=output, stderr=log,
                                   stdin=subprocess.DEVNULL)
        try:
            _, status, usage = os.wait4(process.pid, 0)
        except BaseException:
            process.terminate()
            process.wait()
            raise
        process.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        log.seek(0)
        if process.returncode != 0:
            end = "".join(log.readlines()[-15:])
            raise RunFailed(
                f"{' '.join(map(str, command))}\n  exited with {process.returncode}:\n{end}")
        return output.read(), usage.ru_maxrss / 1024


def run_peer(options, text, model, variant, seed):
    precision, *extras = variant.split("+")
    command = [options.peer_python, BENCH / "peers/pytorch_train.py"]
    command += ["--source", text.source, "--target", text.target, "--vocab", text.vocabulary]
    command += ["--model", model, "--precision", precision, "--threads", options.threads]
    command += ["--seed", seed, "--losses", "--dropout-places", options.peer_dropout]
    command += ["--batch-size", options.batch_size, "--device", options.device]
    command += ["--learning-rate", options.learning_rate, "--warmup-steps", options.warmup_steps]
    command += ["--seconds", options.seconds, "--skip-seconds", options.skip_seconds]
    command += ["--skip-updates", options.skip_updates]
    output, memory = call(command + [f"--{extra}" for extra in extras])
    report = json.loads(output.splitlines()[-1])
    losses = report.pop("losses")
    return Run("peer", variant, report["tokens_per_second"], report["updates"], losses, memory,
               report)


def run_tfm(options, text, model, precision, seed):
    with tempfile.TemporaryDirectory(dir=options.work) as folder:
        folder = Path(folder) / "run"
        settings = tfm_settings(options, text, folder) | {
            "training.seed": seed,
            "training.max_steps": 0,
            "training.max_minutes": (options.skip_seconds + options.seconds) / 60,
        }
        if options.precision_field:
            settings["training.precision"] = precision
        _, memory = call(tfm_command(options, model, settings))
        steps = step_events(folder / "metrics.jsonl")
        report = json.loads((folder / "report.json").read_text())
    speed, updates = steady_rate(steps, options)
    return Run("tfm", precision, round(speed, 1), updates, [step["loss"] for step in steps], memory,
               report)


def tfm_settings(options, text, folder):
    settings = {
        "data.train_source": text.source,
        "data.train_target": text.target,
        "training.run_folder": folder,
        "training.threads": options.threads,
        "training.device": options.device,
        "training.batch_size": options.batch_size,
        "training.learning_rate": options.learning_rate,
        "training.warmup_steps": options.warmup_steps,
    }
    if text.vocabulary:
        settings["tokenizer.source_vocab"] = text.vocabulary
    return settings


def tfm_command(options, model, settings):
    overrides = [f"{key}={value}" for key, value in settings.items()]
    return [
        options.tfm, "--quiet", "train", "--config", BENCH / f"train_{model}.yaml", *overrides,
        *options.tfm_set
    ]


def steady_rate(steps, options):
    """Returns (tokens per second, updates) of the steps after the warm-up."""
    steps = [
        step for step in steps
        if step["step"] >= options.skip_updates and step["seconds"] >= options.skip_seconds
    ]
    if len(steps) < 2:
        raise RunFailed("tfm made no update after the warm-up; raise --seconds")
    return mean_rate(steps), len(steps) - 1


def mean_rate(steps):
    """Returns the tokens per second of all steps but the first. Each step's rate is weighted by its
    time.
    """
    times = [after["seconds"] - before["seconds"] for before, after in zip(steps, steps[1:])]
    tokens = sum(step["tokens_per_second"] * time for step, time in zip(steps[1:], times))
    return tokens / sum(times)


def step_events(file):
    """Returns the step events of metrics.jsonl, without a last line that is still being written."""
    lines = file.read_text().split("\n")[:-1]
    return [event for event in map(json.loads, lines) if event["event"] == "step"]


def train_vocabulary(options, text):
    """Trains a joint BPE vocabulary with tfm, and returns its path."""
    folder = options.work / "vocabulary"
    settings = tfm_settings(options, text, folder) | {
        "tokenizer.algorithm": "bpe", "tokenizer.vocab_size": 10000, "training.max_steps": 1
    }
    call(tfm_command(options, "tiny", settings))
    return folder / "joint.model"


def matmul_rate(options):
    """Returns {"fp32": GFLOPS, "bf16": GFLOPS}."""
    output, _ = call([
        options.peer_python, BENCH / "peers/matmul_rate.py", "--threads", options.threads,
        "--device", options.device
    ])
    return json.loads(output)["gflops"]


def knows_field(options, key):
    command = [options.tfm, "config", "explain", key]
    return subprocess.run(command, capture_output=True).returncode == 0


def config_fault(options):
    """Returns tfm's errors about its config with the overrides, or an empty string."""
    # The check needs data that exist, but does not read them.
    data = [f"data.train_{side}={BENCH / 'train_tiny.yaml'}" for side in ("source", "target")]
    command = [options.tfm, "config", "check", BENCH / "train_tiny.yaml", *data, *options.tfm_set]
    return subprocess.run(command, capture_output=True, text=True).stderr.strip()
