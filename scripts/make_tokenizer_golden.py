#!/usr/bin/env python3
"""Writes tests/metrics/golden/tokenizers.json: sacreBLEU's tokens and scores by each tokenizer.

The C++ tokenizers are tested against this file, so it must come from sacreBLEU alone. Needs
sacrebleu==2.6.0, and the version of regex that src/text/unicode_ranges.h is made from:

    pip install sacrebleu==2.6.0 regex==2026.11.19
    python scripts/make_tokenizer_golden.py

The corpora are hand-made sentences of several scripts with errors, followed by random characters
near the borders of the tokenizers' classes. The same seed gives the same file.
"""

import argparse
import json
import random
from importlib.metadata import version
from pathlib import Path

import regex
import sacrebleu
from sacrebleu.metrics import BLEU
from sacrebleu.tokenizers.tokenizer_zh import _UCODE_RANGES

SACREBLEU_VERSION = "2.6.0"
ROOT = Path(__file__).resolve().parent.parent
DEFAULT_OUTPUT = ROOT / "tests" / "metrics" / "golden" / "tokenizers.json"
TOKENIZERS = ["13a", "zh", "char", "intl", "none"]

# Each corpus has a name, hypotheses and references.
TEXTS = [
    ("Chinese", ["我喜欢吃苹果。", "他在2019年3月5日去了北京（首都）。", "“你好”，她说——然后走了…"],
     ["我很喜欢吃苹果。", "他于2019年3月5日前往北京(首都)。", "“您好”，她说，然后离开了……"]),
    ("Chinese with Latin words", ["使用GPU训练Transformer模型，需要3.5小时，共1,000步。"],
     ["用 GPU 训练 Transformer 模型需要3.5个小时,共1,000步。"]),
    ("Chinese beyond the basic plane",
     ["\U00020000\U0002a6d6漢字\U0002f800", "\u9fbb\u9fbc\u4db5\u4db6"],
     ["\U00020000漢字\U0002f801", "\u9fbc\u9fbb\u4db6\u4db5"]),
    ("Japanese", ["東京は日本の首都です。", "カタカナとひらがな、ｱｲｳ「引用」。", "これは１２３．４円です!"],
     ["東京が日本の首都だ。", "カタカナとひらがな、ｱｲｳ『引用』。", "これは123.4円です！"]),
    ("Thai", ["สวัสดีชาวโลก", "วันที่ ๑๒ มกราคม ๒๕๖๓"], ["สวัสดีโลก", "วันที่ 12 มกราคม 2563"]),
    ("Lao, Khmer, Myanmar", ["ສະບາຍດີ ໂລກ", "សួស្តី​ពិភពលោក។", "မင်္ဂလာပါ ကမ္ဘာ။"],
     ["ສະບາຍດີ", "សួស្តី ពិភពលោក។", "မင်္ဂလာပါ။"]),
    ("Korean", ["안녕하세요, 세계! 3.14는 원주율이다."], ["안녕 세계! 3.14는 원주율입니다."]),
    ("Arabic and Hindi", ["السلام عليكم، كيف حالك؟ ١٢٣٫٤٥", "नमस्ते दुनिया। १,२३४"],
     ["السلام عليكم ، كيف الحال؟ ١٢٣٫٤", "नमस्ते, दुनिया। १,२३४"]),
    ("European", ["„Hallo“, sagte er – laut. «Oui» … ‚ja‘ 1–2, €5.50 £3 100€ 5°C ½ m²",
                  "It costs 1,000.50 (i.e. 5%) in 2019.",
                  "a.b,c 5.a a.5 5.5 .5 5. .a a.", "x=y+z <b> ^_` ~ $1"],
     ["“Hallo”, sagte er - laut. «Oui» ... 'ja' 1-2, € 5,50 £ 3 100 € 5 °C 1/2 m2",
      "It costs 1,000.5 (e.g. 5 %) in 2019 .", "a. b, c 5. a a .5 5.5 .5 5 . .a a .",
      "x = y + z <b> ^ _ ` ~ $ 1"]),
    ("entities stay", ["&quot;a&amp;b&quot; <skipped> &lt;"], ["\"a&b\" &lt;"]),
    ("stops and hyphens", ["...,,, .. 1..2 5-6 a-b 5- -5 - .", "。。，，、、!!??", ".", "。"],
     ["... , 1.2 5 - 6 a-b 5 - 5", "。，、!?", ". .", "。 ."]),
    ("emoji", ["I ❤️ you 😀😀 👨‍👩‍👧 🇩🇪 ☺✓➔"], ["I ❤ you 😀 👨‍👩‍👧 🇩🇪 ✓ ➔"]),
    ("spaces", ["  我\u3000是\u00a0谁 \t", "\u200b我\ufeff", "   ", ""], ["我是谁", "我", "", " "]),
    ("all equal", ["我喜欢吃苹果。"], ["我喜欢吃苹果。"]),
    ("short", ["我", "a"], ["你", "a"]),
]  # fmt: skip


def borders():
    """Returns the characters at both sides of the borders of all classes, and their neighbours."""
    points = set()
    for first, last in _UCODE_RANGES:
        points.update(ord(text[0]) + shift for text in (first, last) for shift in (-1, 0, 1))
    for pattern in (r"\p{N}", r"\p{P}", r"\p{S}"):
        member = regex.compile(pattern)
        inside = [bool(member.match(chr(c))) for c in range(0x110000)]
        points.update(x for c in range(1, 0x110000) if inside[c] != inside[c - 1]
                      for x in (c - 1, c))
    return [chr(c) for c in sorted(points) if not 0xD800 <= c <= 0xDFFF]


def random_corpora(rng, count):
    # Distributes the border characters over the corpora in turn, so that each character is in a
    # corpus.
    characters = borders()
    rng.shuffle(characters)
    share = (len(characters) + count - 1) // count
    for i in range(count):
        mixed = characters[i * share : (i + 1) * share] + list("aZ5. ,-0  ") * (share // 25)
        rng.shuffle(mixed)
        references = ["".join(mixed[k : k + 50]) for k in range(0, len(mixed), 50)]
        hypotheses = ["".join(c for c in line if rng.random() > 0.1) for line in references]
        yield f"random {i}", hypotheses, references


def golden(name, hypotheses, references):
    def tokens(tokenizer, line):
        return " ".join(tokenizer(line).split())

    corpus = {"name": name, "hypotheses": hypotheses, "references": references, "tokenizers": {}}
    for tokenizer in TOKENIZERS:
        bleu = BLEU(tokenize=tokenizer)
        result = bleu.corpus_score(hypotheses, [references])
        corpus["tokenizers"][tokenizer] = {"score": result.score, "printed": str(result)}
        if tokenizer != "none":
            corpus["tokenizers"][tokenizer]["references"] = [
                tokens(bleu.tokenizer, line) for line in references]
    return corpus


def escape_invisible(text):
    """Escapes characters that an editor could change without being seen."""
    return "".join(c if c.isprintable() or c == "\n" else json.dumps(c)[1:-1] for c in text)


def signature(tokenizer):
    bleu = BLEU(tokenize=tokenizer)
    bleu.corpus_score(["a"], [["a"]])  # a signature needs the number of references
    return str(bleu.get_signature())


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--output", type=Path, default=DEFAULT_OUTPUT)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--random", type=int, default=8, help="random corpora")
    args = parser.parse_args()
    if sacrebleu.__version__ != SACREBLEU_VERSION:
        raise SystemExit(f"needs sacrebleu=={SACREBLEU_VERSION}, found {sacrebleu.__version__}")

    corpora = [golden(*case) for case in TEXTS]
    corpora += [golden(*case) for case in random_corpora(random.Random(args.seed), args.random)]
    head = {
        "sacrebleu": sacrebleu.__version__,
        "regex": version("regex"),
        "signatures": {tokenizer: signature(tokenizer) for tokenizer in TOKENIZERS},
    }
    lines = ",\n".join(
        escape_invisible(json.dumps(corpus, ensure_ascii=False)) for corpus in corpora)
    args.output.write_text(
        json.dumps(head, indent=1)[:-2] + ',\n "corpora": [\n' + lines + "\n]}\n", encoding="utf-8")
    print(f"{args.output}: {len(corpora)} corpora, {args.output.stat().st_size} bytes")


if __name__ == "__main__":
    main()
