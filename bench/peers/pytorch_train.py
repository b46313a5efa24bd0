#!/usr/bin/env python3
"""Trains torch.nn.Transformer on parallel text and prints its speed as one JSON line: the baseline
for tfm's training.

This is a plain PyTorch program: torch.nn.Transformer (post-norm), one embedding matrix for source,
target and output, label smoothing 0.1, fused Adam, batches of pairs of similar length with at most
--batch-size padded tokens. Batches, recipe and model are tfm's, so that both do the same work.
"--dropout-places residual" removes the dropouts of nn.Transformer that tfm by default omits.

tokens_per_second counts source and target tokens, EOS included and padding excluded, after the
warm-up.

Needs bench/peers/setup. Example:
  build/peers-venv/bin/python bench/peers/pytorch_train.py --source train.de --target train.en \\
    --vocab joint.model --model tiny --precision bf16
"""
import argparse
import gzip
import json
import math
import random
import resource
import sys
import time
from dataclasses import dataclass

sys.dont_write_bytecode = True
import sentencepiece
import torch
from sizes import SIZES, Size
from torch import nn
from torch.nn import functional

# The vocabulary must give these ids to <pad>, <s> and </s>, as vocabularies trained by tfm do. The
# embedding of padding is not trained.
PAD, BOS, EOS = 0, 1, 2
LONGEST = 256  # tokens; longer pairs are skipped, as in tfm


class Translator(nn.Module):
    """Maps token ids [B, S] and [B, T] to logits [B, T, V]."""

    def __init__(self, size: Size, vocab_size: int):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, size.width, padding_idx=PAD)
        nn.init.normal_(self.embedding.weight, std=1 / math.sqrt(size.width))
        self.register_buffer("positions", sinusoids(LONGEST + 1, size.width), persistent=False)
        self.dropout = nn.Dropout(size.dropout)
        self.layers = nn.Transformer(
            d_model=size.width,
            nhead=size.heads,
            num_encoder_layers=size.layers,
            num_decoder_layers=size.layers,
            dim_feedforward=size.feed_forward,
            dropout=size.dropout,
            batch_first=True,
        )

    def embed(self, ids):
        scaled = self.embedding(ids) * math.sqrt(self.embedding.embedding_dim)
        return self.dropout(scaled + self.positions[: ids.size(1)])

    def forward(self, source, target):
        length = target.size(1)
        future = torch.ones(length, length, dtype=torch.bool, device=target.device).triu(1)
        hidden = self.layers(
            self.embed(source),
            self.embed(target),
            tgt_mask=future,
            tgt_is_causal=True,
            src_key_padding_mask=source == PAD,
            memory_key_padding_mask=source == PAD,
            tgt_key_padding_mask=target == PAD,
        )
        return functional.linear(hidden, self.embedding.weight)

    def keep_residual_dropout_only(self):
        """Keeps only the dropout on embeddings and block outputs (Vaswani et al. 2017, section
        5.4), which is tfm's default.
        """
        for module in self.modules():
            if isinstance(module, nn.MultiheadAttention):
                module.dropout = 0.0
            elif isinstance(module, (nn.TransformerEncoderLayer, nn.TransformerDecoderLayer)):
                module.dropout.p = 0.0  # the dropout inside the feed-forward block


def sinusoids(length, width):
    """Returns the sinusoids of Vaswani et al. 2017, section 3.5: [length, width]."""
    frequency = 10000.0 ** (-torch.arange(0, width, 2) / width)
    angle = torch.arange(length).unsqueeze(1) * frequency
    table = torch.empty(length, width)
    table[:, 0::2], table[:, 1::2] = angle.sin(), angle.cos()
    return table


@dataclass
class Pair:
    source: list[int]  # ends in </s>
    target: list[int]  # without special tokens

    def length(self):
        """Returns the number of tokens that the pair needs in a padded batch."""
        return max(len(self.source), len(self.target) + 1)


def read_pairs(source_file, target_file, vocabulary):
    def encoded(file):
        with (gzip.open if file.endswith(".gz") else open)(file, "rt", encoding="utf-8") as lines:
            return vocabulary.encode([line.strip() for line in lines])

    pairs = [
        Pair(s + [EOS], t)
        for s, t in zip(encoded(source_file), encoded(target_file), strict=True)
        if s and t
    ]
    return [pair for pair in pairs if pair.length() <= LONGEST]


def batches_of(pairs, budget):
    """Returns batches of pairs of similar length, each with at most `budget` = rows x longest
    tokens.
    """
    batches = [[]]
    # Pairs are sorted, so the last pair of a batch is its longest.
    for pair in sorted(pairs, key=lambda p: (p.length(), len(p.source))):
        if batches[-1] and (len(batches[-1]) + 1) * pair.length() > budget:
            batches.append([])
        batches[-1].append(pair)
    return batches


def endless(batches):
    while True:
        random.shuffle(batches)
        yield from batches


def padded(rows, device):
    width = max(len(row) for row in rows)
    return torch.tensor([row + [PAD] * (width - len(row)) for row in rows]).to(device)


class Counts:
    """Counts real tokens and the pairs of positions in attention, which determine a model's FLOPs.
    """

    def __init__(self):
        self.source = self.target = self.source_source = self.target_target = self.target_source = 0

    def add(self, batch):
        for pair in batch:
            s, t = len(pair.source), len(pair.target) + 1
            self.source += s
            self.target += t
            self.source_source += s * s
            self.target_target += t * t
            self.target_source += t * s


class Training:
    def __init__(self, options, vocab_size):
        self.options = options
        self.device = torch.device(options.device)
        self.model = Translator(SIZES[options.model], vocab_size).to(self.device)
        if options.dropout_places == "residual":
            self.model.keep_residual_dropout_only()
        self.network = torch.compile(self.model, dynamic=True) if options.compile else self.model
        self.optimizer = torch.optim.Adam(self.model.parameters(), lr=options.learning_rate,
                                          betas=(0.9, 0.98), eps=1e-9, fused=True)
        self.losses = []  # one per update, per target token

    def update(self, batch):
        self.set_learning_rate(len(self.losses) + 1)
        source = padded([pair.source for pair in batch], self.device)
        target_input = padded([[BOS] + pair.target for pair in batch], self.device)
        target_output = padded([pair.target + [EOS] for pair in batch], self.device)
        with torch.autocast(self.device.type, torch.bfloat16,
                            enabled=self.options.precision == "bf16"):
            logits = self.network(source, target_input)
            loss = functional.cross_entropy(logits.flatten(0, 1), target_output.flatten(),
                                            ignore_index=PAD, label_smoothing=0.1)
        self.optimizer.zero_grad(set_to_none=True)
        loss.backward()
        self.optimizer.step()
        self.losses.append(loss.detach())

    def set_learning_rate(self, step):
        warmup = self.options.warmup_steps
        if warmup > 0:  # as tfm's inverse_sqrt
            self.optimizer.param_groups[0]["lr"] = self.options.learning_rate * min(
                step / warmup, math.sqrt(warmup / step))

    def now(self):
        """Returns the time in seconds, after the device has finished its work."""
        if self.device.type == "cuda":
            torch.cuda.synchronize(self.device)
        return time.perf_counter()


def train(training, batches, options):
    """Trains, and returns (updates, seconds, Counts) of the timed part."""
    begin = training.now()
    warm = 0
    while warm < options.skip_updates or training.now() - begin < options.skip_seconds:
        training.update(next(batches))
        warm += 1
    counts, updates = Counts(), 0
    begin = training.now()
    while (updates < options.updates if options.updates
           else time.perf_counter() - begin < options.seconds):
        batch = next(batches)
        training.update(batch)
        counts.add(batch)
        updates += 1
    return updates, training.now() - begin, counts


def parse_options():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--source", required=True, help="one sentence per line, plain or .gz")
    parser.add_argument("--target", required=True, help="its translations, line by line")
    parser.add_argument(
        "--vocab", required=True,
        help="SentencePiece model of both languages, with <pad>, <s>, </s> as ids 0, 1, 2")
    parser.add_argument("--model", choices=SIZES, default="tiny")
    parser.add_argument("--precision", choices=["fp32", "bf16"], default="fp32",
                        help="bf16 uses autocast")
    parser.add_argument(
        "--dropout-places", choices=["everywhere", "residual"], default="everywhere",
        help="everywhere: as in nn.Transformer, including attention weights and feed-forward "
             "activations")
    parser.add_argument("--compile", action="store_true",
                        help="compile the model with torch.compile and dynamic shapes")
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--batch-size", type=int, default=4096,
                        help="padded tokens: rows x longest of source and target")
    parser.add_argument("--learning-rate", type=float, default=0.001)
    parser.add_argument("--warmup-steps", type=int, default=0,
                        help="warm-up of the inverse-sqrt schedule; 0 for a constant learning rate")
    parser.add_argument("--skip-updates", type=int, default=3,
                        help="least number of updates before the timing starts")
    parser.add_argument("--skip-seconds", type=float, default=0,
                        help="least number of seconds before the timing starts")
    parser.add_argument("--seconds", type=float, default=60, help="seconds to time")
    parser.add_argument("--updates", type=int, default=0,
                        help="number of updates to time, instead of --seconds")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--losses", action="store_true",
                        help='add the field "losses": one per update, from the first on')
    return parser.parse_args()


def peak_memory_mib(device):
    if device.type == "cuda":
        return torch.cuda.max_memory_allocated(device) / 2**20
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main():
    options = parse_options()
    random.seed(options.seed)
    torch.manual_seed(options.seed)
    torch.set_num_threads(options.threads)
    vocabulary = sentencepiece.SentencePieceProcessor(model_file=options.vocab)
    if (vocabulary.pad_id(), vocabulary.bos_id(), vocabulary.eos_id()) != (PAD, BOS, EOS):
        raise SystemExit(f"{options.vocab}: <pad>, <s>, </s> are not ids 0, 1, 2; "
                         "use a joint.model that tfm trained")
    training = Training(options, vocabulary.get_piece_size())
    pairs = read_pairs(options.source, options.target, vocabulary)
    updates, seconds, counts = train(training, endless(batches_of(pairs, options.batch_size)),
                                     options)
    losses = [loss.item() for loss in training.losses]
    report = {
        "peer": "torch.nn.Transformer",
        "torch": torch.__version__,
        "model": options.model,
        "size": vars(SIZES[options.model]) | {"vocab": vocabulary.get_piece_size()},
        "precision": options.precision,
        "dropout_places": options.dropout_places,
        "compiled": options.compile,
        "device": options.device,
        "threads": options.threads,
        "parameters": sum(p.numel() for p in training.model.parameters()),
        "updates": updates,
        "skipped_updates": len(losses) - updates,
        "seconds": round(seconds, 3),
        "tokens": vars(counts),
        "tokens_per_second": round((counts.source + counts.target) / seconds, 1),
        "loss": round(losses[-1], 4),
        "peak_memory_mib": round(peak_memory_mib(training.device), 1),
    }
    if options.losses:
        report["losses"] = [round(loss, 4) for loss in losses]
    print(json.dumps(report))


if __name__ == "__main__":
    main()
