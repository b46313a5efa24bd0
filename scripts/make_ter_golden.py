#!/usr/bin/env python3
"""Writes tests/metrics/golden/ter.json: sacreBLEU's TER on hard lines, and with all its options.

Hard lines reach the limits of TER's search: many moves of blocks, equally good moves, blocks and
distances of the largest size, texts that leave the beam, and more than 1,000 candidates. Needs
sacrebleu==2.6.0:

    pip install sacrebleu==2.6.0
    python scripts/make_ter_golden.py

The same seed gives the same file.
"""

import argparse
import itertools
import json
import random
from pathlib import Path

import sacrebleu
from make_metrics_golden import SACREBLEU_VERSION, disturb
from sacrebleu.metrics import TER

ROOT = Path(__file__).resolve().parent.parent
DEFAULT_OUTPUT = ROOT / "tests" / "metrics" / "golden" / "ter.json"


def words(count, first=0):
    """Returns distinct words of two letters."""
    return [chr(97 + i // 26) + chr(97 + i % 26) for i in range(first, first + count)]


def moved(line, begin, length, target):
    block, rest = line[begin : begin + length], line[:begin] + line[begin + length :]
    return rest[:target] + block + rest[target:]


def far_move(distance, length=4):
    """Returns a line whose first block belongs `distance` words to the right."""
    line = words(distance + length + 3)
    return moved(line, distance, length, 0), line


# Each case has a name, the words of a hypothesis, and the words of each reference.
EDGE_CASES = [
    ("everything empty", "", [""]),
    ("an empty hypothesis", "", ["a b c"]),
    ("an empty reference", "a b c", [""]),
    ("one empty reference", "a b c", ["", "a b c d e"]),
    ("several references", "a b c d", ["a b d c x", "d c b a", "a b c d e f"]),
    ("three lengths", "a b c", ["a", "a b", "a b x y z w v"]),
    ("Snover et al. 2006",
     "THIS WEEK THE SAUDIS denied information published in the new york times",
     ["SAUDI ARABIA denied THIS WEEK information published in the AMERICAN new york times"]),
    ("two moves", "d e f a b c i g h", ["a b c d e f g h i"]),
    ("a move within a repetition", "a a b a a a b", ["a b a a a b a a"]),
    ("equally good moves", "x a x b x c", ["a b c x x x"]),
    ("reversed", "h g f e d c b a", ["a b c d e f g h"]),
]  # fmt: skip


def edge_cases():
    yield from EDGE_CASES
    for distance in (49, 50, 51):
        hypothesis, reference = far_move(distance)
        yield f"a move over {distance} words", " ".join(hypothesis), [" ".join(reference)]
    for length in (9, 10, 11, 12):
        line = words(30)
        yield (f"a block of {length} words", " ".join(moved(line, 3, length, 14)),
               [" ".join(line)])
    for extra in (23, 24, 25, 26, 27, 50):
        line = words(60)
        longer = line[:20] + words(extra, 200) + line[20:]
        yield f"{extra} words inserted", " ".join(longer), [" ".join(line)]
        yield f"{extra} words missing", " ".join(line), [" ".join(longer)]
    for extra in (23, 24, 25, 26):
        front, back = [words(extra, first) + words(60) for first in (200, 300)]
        yield f"{extra} words before", " ".join(front), [" ".join(back[extra:] + back[:extra])]
        yield f"{extra} words after", " ".join(front[extra:] + front[:extra]), [" ".join(back)]
    for length in (40, 51, 52, 53, 120, 201):
        line = " ".join(words(length))
        yield f"the first word for {length}", words(1)[0], [line]
        yield f"the last word for {length}", words(length)[-1], [line]
        yield f"two words for {length}", "ab aa", [line]
        yield f"{length} words for one", line, [words(length)[-1]]


def random_case(rng, kind):
    if kind == "ties":
        vocabulary = words(rng.randint(2, 4))
        lines = [rng.choices(vocabulary, k=rng.randint(3, 12)) for _ in range(2)]
    elif kind == "many candidates":
        vocabulary = words(rng.randint(2, 6))
        lines = [rng.choices(vocabulary, k=rng.randint(20, 40)) for _ in range(2)]
    else:
        count = rng.randint(15, 30) if kind == "moves" else rng.randint(60, 120)
        reference = rng.choices(words(3 * count), k=count)
        hypothesis = disturb(rng, " ".join(reference)).split()
        for _ in range(rng.randint(1, 6)):
            begin, length = rng.randrange(len(hypothesis)), rng.randint(1, count // 3)
            hypothesis = moved(hypothesis, begin, length, rng.randrange(len(hypothesis)))
        lines = [hypothesis, reference]
    return " ".join(lines[0]), [" ".join(lines[1])]


def hard_line(name, hypothesis, references):
    score = TER().corpus_score([hypothesis], [[reference] for reference in references])
    return {
        "name": name, "hypothesis": hypothesis, "references": references,
        "edits": score.num_edits, "reference_length": score.ref_length, "score": score.score
    }


TEXTS = [
    "Hello, World! It's 5 o'clock (p.m.).",
    "John's dogs' 'tis JAMES'S it's",
    "it's\t",
    "a's's b's. c's, 's",
    "1,000.50 costs 5. or .5 ,5 5, 1990-1995 well-known A-4 4-A 5-",
    ",.8+~A ..5 5..",
    "&quot;Tom &amp; Jerry&quot; &lt;b&gt; &amp;lt; &apos; &AMP;",
    "a-\nb c\n-d e\nf\n",
    "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~",
    "What?! ... --- (yes): no; \"so\"",
    "<skipped> U.S.A. www.example.com a@b.org",
    "ΟΔΟΣ ÄÖÜ STRASSE İ Straße",
    "10\u00a0000\u3000Euro \u200b x",
    "我喜欢吃苹果。他在北京，「真的」？",
    "東京は日本の首都です。カタカナ・ひらがな ㇰㇱ",
    "（全角）！＂．，：；？ ｡｢｣､･ 〈a〉【b】〔c〕〟",
    "㈱㋿㌀㏿㐀䶿䷀一鿿ꀀ 豈﫿︰﹏ ⺀⻿ ㇀㇯ 🈚𠀀",
    "한국어 문장입니다.",
    "I ❤️ you 😀!😀",
    "",
    " \t ",
]  # fmt: skip


def option_case(options, references):
    metric = TER(**options)
    score = metric.corpus_score(TEXTS, references)
    lines = [metric.sentence_score(text, list(each)) for text, *each in zip(TEXTS, *references)]
    return {
        "options": options,
        "signature": str(metric.get_signature()),
        "tokens": [metric.tokenizer(text.rstrip()) for text in TEXTS],
        "lines": [[line.num_edits, line.ref_length] for line in lines],
        "score": score.score,
    }


def all_options():
    names = ("normalized", "no_punct", "asian_support", "case_sensitive")
    for values in itertools.product((False, True), repeat=len(names)):
        yield dict(zip(names, values))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--output", type=Path, default=DEFAULT_OUTPUT)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--random", type=int, default=48, help="random lines")
    args = parser.parse_args()
    if sacrebleu.__version__ != SACREBLEU_VERSION:
        raise SystemExit(f"needs sacrebleu=={SACREBLEU_VERSION}, found {sacrebleu.__version__}")

    rng = random.Random(args.seed)
    lines = [hard_line(*case) for case in edge_cases()]
    for i in range(args.random):
        kind = ("ties", "many candidates", "moves", "long moves")[i % 4]
        lines.append(hard_line(f"{kind} {i}", *random_case(rng, kind)))
    # A text's second reference is similar to the text, and its first is the next text.
    references = [TEXTS[1:] + TEXTS[:1], [disturb(rng, text) for text in TEXTS]]
    options = [option_case(each, references) for each in all_options()]
    head = {"sacrebleu": sacrebleu.__version__, "texts": TEXTS, "references": references}
    rows = {"lines": lines, "options": options}
    text = json.dumps(head)[:-1]
    for name, values in rows.items():
        text += f',\n "{name}": [\n' + ",\n".join(json.dumps(value) for value in values) + "\n]"
    args.output.write_text(text + "}\n", encoding="utf-8")
    print(f"{args.output}: {len(lines)} lines, {args.output.stat().st_size} bytes")


if __name__ == "__main__":
    main()
