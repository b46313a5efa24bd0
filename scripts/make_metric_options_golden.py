#!/usr/bin/env python3
"""Writes tests/metrics/golden/metric_options.json: sacreBLEU's scores with its options.

The options are several references, --lowercase, and --chrf-word-order. The file also has texts with
their lower case by Python's str.lower(), which sacreBLEU uses. Needs sacrebleu==2.6.0:

    pip install sacrebleu==2.6.0
    python scripts/make_metric_options_golden.py

The same seed gives the same file.
"""

import argparse
import json
import random
from pathlib import Path

import sacrebleu
from sacrebleu.metrics import BLEU, CHRF

SACREBLEU_VERSION = "2.6.0"
ROOT = Path(__file__).resolve().parent.parent
DEFAULT_OUTPUT = ROOT / "tests" / "metrics" / "golden" / "metric_options.json"

# Each case has a name, hypotheses, and one list for each text of references.
EDGE_CASES = [
    ("closest length, shorter", ["a b c d e f"], [["a b c d"], ["a b c d e f g h"]]),
    ("closest length, longer first", ["a b c d e f"], [["a b c d e f g h"], ["a b c d"]]),
    ("closest length, same", ["a b c d"], [["a b c d e f"], ["d c b a"], ["a"]]),
    ("clipping by the larger count", ["the the the the cat"],
     [["the cat"], ["the the the dog"], ["a cat the"]]),
    ("n-grams of different references", ["a b c d e f g h"],
     [["a b c d x x x x"], ["y y y y e f g h"]]),
    ("prefixes shared", ["a b a c a"], [["a b a"], ["a c a"], ["b a"]]),
    ("an empty reference", ["a b c d"], [["a b c d"], [""]]),
    ("empty references", ["a b c d"], [[""], [""]]),
    ("an empty hypothesis", ["", "a b c d e"], [["a b", "a b c d e"], ["a", "a b c d"]]),
    ("equal references", ["The cat sat", "on the mat."], [["The cat sat", "on a mat."]] * 3),
    ("chrF of equal scores", ["ab"], [["abc"], ["bab"], ["cab"]]),
    ("case", ["THE Cat is ON the mat TODAY.", "ÄÖÜ ÇA ŁÓDŹ МОСКВА ΟΔΟΣ. İSTANBUL"],
     [["the cat is on the mat today.", "äöü ça łódź москва οδος. istanbul"]]),
    ("punctuation of words", ["(hi) \"Hello,\" she said... - ! 'tis it's (a",
                              "ä. «b» 。 .5 5. -x- x-y ?! ., ,ä"],
     [["(hi ) \"Hello ,\" she said .. - !! ' tis its ( a",
       "ä . « b » 。 . 5 5 . - x - x-y ? ! ä,"]]),
    ("one word", ["Hello"], [["Hello"]]),
    ("everything empty", [""], [[""]]),
]  # fmt: skip

WORDS = ("the The THE a cat Cat dog sits SITS on mat . , (so) \"so\" it's well-known 5.5 Straße "
         "STRASSE ÉTÉ été Όλος ΟΛΟΣ").split()


def disturb(rng, line):
    words = [rng.choice(WORDS) if rng.random() < 0.2 else word for word in line.split(" ")]
    return " ".join(word for word in words if rng.random() > 0.15)


def random_corpus(rng):
    lines = [" ".join(rng.choices(WORDS, k=rng.randint(1, 14))) for _ in range(rng.randint(1, 5))]
    references = [[disturb(rng, line) for line in lines] for _ in range(rng.randint(1, 4))]
    return [disturb(rng, line) for line in lines], references


def chrf_result(hypotheses, references, word_order):
    metric = CHRF(word_order=word_order)
    result = metric.corpus_score(hypotheses, references)
    return {"score": result.score, "name": result.name, "signature": str(metric.get_signature())}


def golden(name, hypotheses, references):
    corpus = {"name": name, "hypotheses": hypotheses, "references": references}
    for key, lowercase in (("bleu", False), ("bleu_lowercase", True)):
        metric = BLEU(lowercase=lowercase)
        result = metric.corpus_score(hypotheses, references)
        corpus[key] = {"score": result.score, "printed": str(result),
                       "signature": str(metric.get_signature())}
    corpus["chrf"] = [chrf_result(hypotheses, references, order) for order in (0, 1, 2)]
    return corpus


def lowercase_pairs(rng):
    upper = [chr(c) for c in range(0x110000) if chr(c).lower() != chr(c) and c != 0x3A3]
    texts = ["".join(upper[i : i + 200]) for i in range(0, len(upper), 200)]
    texts += ["Σ", "ΑΣ", "ΣΑ", "ΑΣΑ", "ΑΣ Α", "Α Σ", "Α'Σ", "ΑΣ'", "ΑΣ'Α", "Α\u0301Σ\u0301 ΣΣ",
              "ΑΣ.", "ΑΣ\u00adΑ", "1Σ", "ªΣ", "ǅΣǅ", "abcß 漢字 İI", ""]
    alphabet = list("ΣΣΣΣΑα ab1.'’:") + ["\u0301", "\u200b", "\u00ad", "ǅ", "ʰ", "ª", "漢", "^", "ⅰ"]
    texts += ["".join(rng.choices(alphabet, k=12)) for _ in range(60)]
    return [[text, text.lower()] for text in texts]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--output", type=Path, default=DEFAULT_OUTPUT)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--random", type=int, default=20, help="random corpora")
    args = parser.parse_args()
    if sacrebleu.__version__ != SACREBLEU_VERSION:
        raise SystemExit(f"needs sacrebleu=={SACREBLEU_VERSION}, found {sacrebleu.__version__}")

    rng = random.Random(args.seed)
    corpora = [golden(*case) for case in EDGE_CASES]
    corpora += [golden(f"random {i}", *random_corpus(rng)) for i in range(args.random)]
    head = {"sacrebleu": sacrebleu.__version__, "lowercase": lowercase_pairs(rng)}
    lines = ",\n".join(json.dumps(corpus) for corpus in corpora)
    args.output.write_text(
        json.dumps(head, indent=1)[:-2] + ',\n "corpora": [\n' + lines + "\n]}\n", encoding="utf-8")
    print(f"{args.output}: {len(corpora)} corpora, {args.output.stat().st_size} bytes")


if __name__ == "__main__":
    main()
