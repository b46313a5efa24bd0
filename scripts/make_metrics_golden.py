#!/usr/bin/env python3
"""Writes tests/metrics/golden/metrics.json: corpora with sacreBLEU's scores.

The C++ metrics are tested against this file, so it must come from sacreBLEU alone. Needs
sacrebleu==2.6.0:

    pip install sacrebleu==2.6.0
    python scripts/make_metrics_golden.py

The corpora are hand-made edge cases, followed by random ones. The same seed gives the same file.
--random and --output write a larger file for a one-time comparison.
"""

import argparse
import json
import random
from pathlib import Path

import sacrebleu
from sacrebleu.metrics import BLEU, CHRF, TER
from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a

SACREBLEU_VERSION = "2.6.0"
ROOT = Path(__file__).resolve().parent.parent
DEFAULT_OUTPUT = ROOT / "tests" / "metrics" / "golden" / "metrics.json"

UNICODE_SPACES = [chr(c) for c in range(0x110000) if chr(c).isspace() and chr(c) not in "\n\r"]
NO_SPACES = ["\u200b", "\ufeff", "\u2060", "\u180e", "\u00ad"]  # invisible, but do not split words

SENTENCE = "The quick brown fox jumps over the lazy dog , then sleeps ."
GERMAN = "Ein Mann fährt mit einem Fahrrad über die Straße ."

# Each corpus has a name, hypotheses and references.
EDGE_CASES = [
    ("identical", [SENTENCE, GERMAN], [SENTENCE, GERMAN]),
    ("no word matches", ["a b c d e f"], ["u v w x y z"]),
    ("all hypotheses empty", ["", ""], [SENTENCE, GERMAN]),
    ("all references empty", [SENTENCE, GERMAN], ["", ""]),
    ("everything empty", ["", "", ""], ["", "", ""]),
    ("only spaces", ["   ", "\t", "\u00a0"], ["\u3000", " ", ""]),
    ("one empty hypothesis", [SENTENCE, "", GERMAN], [SENTENCE, GERMAN, GERMAN]),
    ("one empty reference", [SENTENCE, GERMAN], [SENTENCE, ""]),
    ("one word, right", ["Hello"], ["Hello"]),
    ("one word, wrong", ["Hello"], ["World"]),
    ("two words", ["Hello World"], ["Hello World"]),
    ("three words", ["Hello big World"], ["Hello big World"]),
    ("four words", ["Hello big blue World"], ["Hello big blue World"]),
    ("short lines beside a long one", ["Hi", "Hello World", SENTENCE],
     ["Hi", "Hello World", SENTENCE]),
    ("smoothing of order 4", ["a b c x d e f y"], ["a b c z d e f w"]),
    ("smoothing of orders 2, 3, 4", ["a x b y c"], ["a z b w c"]),
    ("smoothing of orders 3, 4", ["a b x c d"], ["a b y c d"]),
    ("only order 1 has totals", ["a", "b"], ["a", "c"]),
    ("clipping", ["the the the the the the the"], ["the cat is on the mat"]),
    ("clipping of bigrams", ["a b a b a b a b"], ["a b c a b"]),
    ("brevity penalty, strong", ["the cat is on"],
     ["the cat is on the mat and looks at the dog in the garden"]),
    ("brevity penalty, weak", ["the cat is on the mat and looks at the dog"],
     ["the cat is on the mat and looks at the dog now"]),
    ("hypothesis longer", ["the cat is on the mat and looks at the dog in the garden"],
     ["the cat is on"]),
    ("case counts", ["THE CAT IS ON THE MAT"], ["the cat is on the mat"]),
    ("mixed case", ["The Cat is on the mat today"], ["The cat is on the Mat today"]),
    ("decimal numbers", ["It costs 1,000.50 or 3.14 dollars, i.e. 2.", "1.2.3,4,5"],
     ["It costs 1,000.50 or 3,14 dollars, i.e. 2 .", "1.2.3,4.5"]),
    ("stops beside digits",
     [".5 5. ,5 5, a.5 5.a a,5 5,a", "1..2 1.,2 ..5 5.. ,,,", "..", ".", ",", ".,.,."],
     ["5", "1 . . 2", ". .", ".", ".", ", ."]),
    ("hyphens", ["1990-1995 well-known 5-year A-4 4-A 1--2 -3 3- - -- 1-", "2-3-4"],
     ["1990 - 1995 well-known 5 - year A-4 4 - A", "2 - 3 - 4"]),
    ("hyphens and stops", ["1.-2 1,-2 1-.2 1-,2 -.5 5-. 5.-"], ["1 . -2 1 , -2"]),
    ("entities", ["&quot;Tom &amp; Jerry&quot; &lt;b&gt; &apos; &nbsp;"],
     ['"Tom & Jerry" <b> \' &nbsp;']),
    ("entities twice", ["&amp;quot; &amp;lt; &amp;amp; &amp;amp;gt; &quot", "&lt;skipped&gt;"],
     ['&quot; < &amp; &gt; "', "<skipped>"]),
    ("skipped", ["<skipped> a <skipped>b c<skipped>d e", "<<skipped>skipped>", "<Skipped>"],
     ["a b cd e", "<skipped>", "< Skipped >"]),
    ("tabs", ["a\tb\tc\td", "\ta b c d\t"], ["a b c d", "a b c d"]),
    ("leading and trailing spaces", ["   a b c d   ", "a  b   c    d"], ["a b c d", " a b c d"]),
    ("line feeds inside", ["a b-\nc d e", "a\nb\nc d", "Haus-\n", "a\r\nb c d"],
     ["a bc d e", "a b c d", "Haus-", "a b c d"]),
    ("repeated punctuation", ["What???!!! ... --- ,,, ((())) ''' \"\"\"", "!!!!!!!!"],
     ["What?! ... - , () ' \"", "!!!!"]),
    ("every symbol", ["!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~", "a!b\"c#d$e%f&g'h(i)j*k+l,m-n.o/p"],
     ["! \" # $ % & ' ( )", "a ! b \" c # d"]),
    ("symbols glued to words", ["(a)[b]{c}<d>/e/ #f @g $5 10% x=y^2 a_b a|b ~c `d`"],
     ["( a ) [ b ] { c } < d >"]),
    ("apostrophes", ["don't 'tis dogs' it''s", "l'homme qu'il"],
     ["don ' t ' tis dogs ' it ' ' s", "l' homme qu' il"]),
    ("abbreviations and addresses", ["U.S.A. Mr. Smith p.m. www.example.com a@b.org"],
     ["U. S. A. Mr . Smith p . m ."]),
    ("umlauts", [GERMAN, "Größe, Übermut; äöüß.", "Straße.", "5ä.5"],
     [GERMAN, "Größe , Übermut ; äöüß .", "Strasse.", "5ä . 5"]),
    ("stops beside wide characters", ["ä.ö ü,ß 5.ä ä.5 。. .。 5。5", "é.é,é"],
     ["ä . ö ü , ß", "é . é , é"]),
    ("CJK", ["我喜欢吃苹果。", "東京は日本の首都です。", "한국어 문장 입니다 ."], ["我喜欢吃香蕉。", "東京は日本の首都だ。", "한국어 문장 이다 ."]),
    ("CJK with spaces", ["我 喜欢 吃 苹果 。", "東京 は\u3000日本 の 首都 です"],
     ["我 喜欢 吃 香蕉 。", "東京 は 日本 の 首都 です"]),
    ("emoji", ["I ❤️ you 😀😀 👨‍👩‍👧 🇩🇪", "👍🏽👍🏽"], ["I ❤ you 😀 👨‍👩‍👧 🇩🇪", "👍🏽"]),
    ("Arabic", ["السلام عليكم ورحمة الله وبركاته.", "١٢٣٫٤٥ ١,٢ ١-٢"],
     ["السلام عليكم ورحمة الله.", "١٢٣٫٤٥ ١ , ٢"]),
    ("Hebrew and Cyrillic", ["שלום עולם, מה שלומך?", "Привет, мир! Как дела?"],
     ["שלום עולם , מה נשמע ?", "Привет , мир ! Как дела ?"]),
    ("Devanagari and Thai", ["नमस्ते दुनिया। कैसे हो?", "สวัสดีชาวโลก"],
     ["नमस्ते दुनिया । कैसे हैं ?", "สวัสดีโลก"]),
    ("combining marks", ["cafe\u0301 nai\u0308ve", "a\u0300\u0301\u0302 b\u0323", "\u0301a"],
     ["caf\u00e9 na\u00efve", "a\u0300\u0301 b", "a\u0301"]),
    ("no-break spaces", ["10\u00a0000\u00a0Euro und mehr", "a\u202fb c\u2007d"],
     ["10 000 Euro und mehr", "a b c d"]),
    ("every Unicode space", ["a".join(UNICODE_SPACES), "b" + "c".join(UNICODE_SPACES) + "d"],
     ["a " * 26, "b c d"]),
    ("blank, but no space", ["a".join(NO_SPACES), "b\u200bc d\ufeffe"], ["a a a a", "b c d e"]),
    ("control characters", ["a\x1cb\x1dc\x1ed\x1fe", "a\x01b \x7f \x02", "a\x85b\x0bc\x0cd"],
     ["a b c d e", "a b", "a b c d"]),
    ("spaces before stops", ["a . b , c .", "5 . 5 , 5 - 5", "5\u00a0.\u00a05"],
     ["a. b, c.", "5.5,5-5", "5 . 5"]),
    ("typographic quotes and dashes", ["„Hallo“, sagte er – laut—sehr. «Oui» … ‚ja‘ 1–2"],
     ["\"Hallo\" , sagte er - laut - sehr . « Oui » ..."]),
    ("currency", ["€5.50, £3, ¥100 5€. $1,234.56!"], ["€ 5.50 , £ 3 , ¥ 100 5 € . $ 1,234.56 !"]),
    ("characters of one letter", ["aaaaaaaa"], ["aaaaa"]),
    ("reference shorter than 6 characters", ["abcdefgh", "ab"], ["abc", "abcdefgh"]),
    ("hypothesis shorter than 6 characters", ["abc"], ["abcdefgh"]),
    ("words joined", ["thecatisonthemat"], ["the cat is on the mat"]),
    ("same line many times", [GERMAN] * 12, [GERMAN] * 11 + [SENTENCE]),
    ("shuffled words", ["dog lazy the over jumps fox brown quick The"],
     ["The quick brown fox jumps over the lazy dog"]),
    ("long line", ["ab cd, " * 60], ["ab cd. ef " * 40]),
]  # fmt: skip

WORDS = ("a the cat dog man woman sits runs on in red blue house , . ! ? "
         "Der die Straße fährt über 5 1,000.50 3.5 10-20 well-known don't").split()
SYMBOLS = list("..,,,--''!?\"#$%&()*+/:;<=>@[]^_`{|}~0123456789aAbB zZ") + [
    "<skipped>", "&quot;", "&amp;", "&lt;", "&gt;", "\t", "  "
]
WIDE = list("äöüßÄé我是日本語한국어😀👍🏽❤سلام१٣םש") + [
    "\u0301", "\u0308", "\u200d", "\u2026", "\u2019", "\u20ac"
] + UNICODE_SPACES + NO_SPACES


def random_words(rng, longest):
    return " ".join(rng.choice(WORDS) for _ in range(rng.randint(0, longest)))


def random_characters(rng, alphabet):
    return "".join(rng.choice(alphabet) for _ in range(rng.randint(0, 35)))


def disturb(rng, line):
    """Returns the line with some words dropped, repeated, swapped, changed in case or replaced,
    like a translation with errors.
    """
    words = line.split(" ")
    for _ in range(rng.randint(0, 1 + len(words) // 3)):
        i = rng.randrange(len(words))
        kind = rng.randrange(5)
        if kind == 0 and len(words) > 1:
            del words[i]
        elif kind == 1:
            words.insert(i, words[i])
        elif kind == 2:
            j = max(i - 1, 0)
            words[i], words[j] = words[j], words[i]
        elif kind == 3:
            words[i] = words[i].swapcase()
        else:
            words[i] = rng.choice(WORDS)
    return " ".join(words)


def random_corpus(rng, kind):
    hypotheses, references = [], []
    for _ in range(rng.randint(1, rng.choice([2, 4, 4, 12]))):
        if kind == "words":
            reference = random_words(rng, 16)
        elif kind == "short words":
            reference = random_words(rng, 4)
        elif kind == "symbols":
            reference = random_characters(rng, SYMBOLS)
        else:
            reference = random_characters(rng, SYMBOLS + WIDE + WIDE + [" "] * 20)
        unrelated = (random_words(rng, 10) if "words" in kind
                     else random_characters(rng, SYMBOLS + WIDE))
        hypotheses.append(rng.choice([disturb(rng, reference)] * 6 + [reference, unrelated, ""]))
        references.append(reference)
    return hypotheses, references


def golden(name, hypotheses, references):
    bleu = BLEU().corpus_score(hypotheses, [references])
    tokenize = Tokenizer13a()
    return {
        "name": name,
        "hypotheses": hypotheses,
        "references": references,
        "hypotheses_13a": [tokenize(line) for line in hypotheses],
        "references_13a": [tokenize(line) for line in references],
        "bleu": {
            "score": bleu.score,
            "precisions": bleu.precisions,
            "bp": bleu.bp,
            "sys_len": bleu.sys_len,
            "ref_len": bleu.ref_len,
            "counts": bleu.counts,
            "totals": bleu.totals,
            "printed": str(bleu),
        },
        "bleu_none": str(BLEU(tokenize="none").corpus_score(hypotheses, [references])),
        "chrf2": CHRF().corpus_score(hypotheses, [references]).score,
        "ter": TER().corpus_score(hypotheses, [references]).score,
    }


def signature(metric):
    metric.corpus_score(["a"], [["a"]])  # a signature needs the number of references
    return str(metric.get_signature())


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--output", type=Path, default=DEFAULT_OUTPUT)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--random", type=int, default=180, help="random corpora")
    args = parser.parse_args()
    if sacrebleu.__version__ != SACREBLEU_VERSION:
        raise SystemExit(f"needs sacrebleu=={SACREBLEU_VERSION}, found {sacrebleu.__version__}")

    rng = random.Random(args.seed)
    corpora = [golden(*case) for case in EDGE_CASES]
    for i in range(args.random):
        kind = ["words", "short words", "symbols", "unicode"][i % 4]
        corpora.append(golden(f"random {kind} {i}", *random_corpus(rng, kind)))

    head = {
        "sacrebleu": sacrebleu.__version__,
        "bleu_signature": signature(BLEU()),
        "bleu_none_signature": signature(BLEU(tokenize="none")),
        "chrf_signature": signature(CHRF()),
        "ter_signature": signature(TER()),
    }
    # One corpus per line, with escapes for everything beyond ASCII: readable in a diff, and no
    # editor can change an invisible space.
    lines = ",\n".join(json.dumps(corpus) for corpus in corpora)
    args.output.parent.mkdir(parents=True, exist_ok=True)
    args.output.write_text(
        json.dumps(head, indent=1)[:-2] + ',\n "corpora": [\n' + lines + "\n]}\n", encoding="utf-8")
    print(f"{args.output}: {len(corpora)} corpora, {args.output.stat().st_size} bytes")


if __name__ == "__main__":
    main()
