#!/usr/bin/env python3
"""Prints two BLEU scores of Multi30k translations: the literature's and sacreBLEU's default.

Called by scripts/multi30k_score, which explains both.

    python multi30k_score.py HYPOTHESES REFERENCE LANGUAGE

Needs sacremoses and sacrebleu.
"""

import argparse
import gzip
from pathlib import Path

from sacrebleu.metrics import BLEU
from sacremoses import MosesPunctNormalizer, MosesTokenizer


def read_lines(path):
    data = path.read_bytes()
    text = (gzip.decompress(data) if data.startswith(b"\x1f\x8b") else data).decode("utf-8")
    # splitlines would also split at characters that may occur within a sentence.
    lines = text.split("\n")
    return [line.rstrip("\r") for line in (lines[:-1] if lines[-1] == "" else lines)]


def moses_lines(lines, language):
    normalizer = MosesPunctNormalizer(lang=language)
    tokenizer = MosesTokenizer(lang=language)
    return [
        tokenizer.tokenize(normalizer.normalize(line.lower()), return_str=True) for line in lines
    ]


def describe(name, metric, hypotheses, references):
    score = metric.corpus_score(hypotheses, [references])
    return f"{name}\t{score.score:.2f}\t{score}\t{metric.get_signature()}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("hypotheses", type=Path)
    parser.add_argument("reference", type=Path)
    parser.add_argument("language", help="language of both files: en, de, fr, ...")
    args = parser.parse_args()
    hypotheses, references = read_lines(args.hypotheses), read_lines(args.reference)
    if len(hypotheses) != len(references):
        raise SystemExit(f"{args.hypotheses} has {len(hypotheses)} lines, {args.reference} "
                         f"{len(references)}: give one translation per line")
    tokenized = [moses_lines(lines, args.language) for lines in (hypotheses, references)]
    # Without force, sacreBLEU would warn that the text looks tokenised, which is intended here.
    print(describe("lowercased, Moses tokens", BLEU(tokenize="none", force=True), *tokenized))
    print(describe("cased, 13a", BLEU(), hypotheses, references))


if __name__ == "__main__":
    main()
