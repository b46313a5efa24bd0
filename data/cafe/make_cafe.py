"""Makes the cafe corpus: German-English phrases of everyday life with their word alignment.

    python3 data/cafe/make_cafe.py
        writes {train,valid,test}.{de,en,align} next to this file
    python3 data/cafe/make_cafe.py --check
        checks the files: sizes, held-out sentences, known words, alignments
    python3 data/cafe/make_cafe.py --sample N
        prints N training pairs drawn at random, for proofreading

Needs only the standard library. The same seed gives the same bytes. Words and sentences come from
lexicon.txt and templates.txt, which notation.py reads and grammar.py inflects.
"""

import argparse
import collections
import hashlib
import pathlib
import random
import re

import notation

HERE = pathlib.Path(__file__).resolve().parent
SPLITS = ("train", "valid", "test")
SIDES = ("de", "en", "align")

# The number of sentences per template, which sets the size of the corpus. A template with fewer
# combinations gives all of them.
PER_TEMPLATE = 23
# Sentences are held out only from templates with at least this many, so that the model sees each
# template often enough.
RICH = 12
HELD_OUT = 250  # Sentences in each of valid and test, or a few less.
SEEN = 3        # A held-out word occurs at least this often in train.
MAX_BYTES = 700_000


def digest(seed, text):
    """A key for sorting in an order that is random, but the same in every version of Python."""
    return hashlib.sha256(f"{seed}:{text}".encode()).hexdigest()


def key(sentence):
    """The sentence without case and punctuation: sentences with equal keys count as the same when
    some are held out.
    """
    return " ".join(bare(word).lower() for word in sentence.split())


def bare(word):
    return word.strip(".,!?")


def sentence(words):
    text = " ".join(words)
    return text[0].upper() + text[1:]


def repeats_a_noun(de):
    """Whether a noun occurs twice, as in "two coffees and two coffees": grammatical, but not
    natural. German nouns have capitals; Sie and Uhr may occur twice.
    """
    nouns = [
        bare(word)
        for word in de.split()[1:]
        if word[0].isupper() and bare(word) not in ("Sie", "Uhr")
    ]
    return len(set(nouns)) < len(nouns)


def expand(template, lexicon, seed):
    """Returns up to PER_TEMPLATE (German, English, alignment) of a template, in random order."""
    if template.size(lexicon) <= 2000:
        choices = list(template.choices(lexicon))
    else:
        rng = random.Random(digest(seed, template.line))
        choices = [template.sample(lexicon, rng) for _ in range(4 * PER_TEMPLATE)]
    pairs = {}
    for choice in filter(template.sensible, choices):
        phrase = template.render(choice)
        links = " ".join(f"{i}-{j}" for i, j in phrase.links)
        pair = sentence(phrase.de), sentence(phrase.en), links
        if not repeats_a_noun(pair[0]):
            pairs[pair[0]] = pair
    return sorted(pairs.values(), key=lambda pair: digest(seed, pair[0]))[:PER_TEMPLATE]


def require_one_translation(pairs):
    """Raises ValueError if a sentence has two translations, which a model cannot learn."""
    translation = {}
    for de, en, _ in pairs:
        if translation.setdefault(key(de), en) != en:
            raise ValueError(f"two translations of {de!r}: {translation[key(de)]!r} and {en!r}; "
                             "change templates.txt")


def word_counts(pairs):
    counts = collections.Counter()
    for de, en, _ in pairs:
        counts.update(("de", bare(word)) for word in de.split())
        counts.update(("en", bare(word)) for word in en.split())
    return counts


def known(pair, counts, times=SEEN):
    return all(counts[word] >= times for word in word_counts([pair]))


def hold_out(by_template, seed):
    """Returns the English keys of valid and of test: at most two from every rich template for each,
    so that both cover the corpus evenly.
    """
    counts = word_counts(pair for pairs in by_template for pair in pairs)
    valid, test = set(), set()
    for pairs in by_template:
        # Requires twice the count that train must have, because some of the sentences are held out.
        keys = {key(pair[1]) for pair in pairs if known(pair, counts, 2 * SEEN)} - valid - test
        if len(keys) >= RICH:
            chosen = sorted(keys, key=lambda k: digest(seed, k))
            valid.update(chosen[:2])
            test.update(chosen[2:4])
    return [set(sorted(keys, key=lambda k: digest(seed, k))[:HELD_OUT]) for keys in (valid, test)]


def make(seed):
    """Returns a list of (German, English, alignment) for each split."""
    lexicon = notation.read_lexicon(HERE / "lexicon.txt")
    by_template = [
        expand(template, lexicon, seed)
        for template in notation.read_templates(HERE / "templates.txt")
    ]
    pairs = {pair[0]: pair for pairs in by_template for pair in pairs}.values()
    require_one_translation(pairs)

    held = dict(zip(("valid", "test"), hold_out(by_template, seed)))
    splits = {name: {} for name in SPLITS}
    for pair in sorted(pairs, key=lambda pair: digest(seed, pair[0])):
        english = key(pair[1])
        name = next((name for name in held if english in held[name]), "train")
        # du and Sie give the same English: one of them is enough to test, and train must not
        # contain the other.
        if name == "train":
            splits[name][pair[0]] = pair
        else:
            splits[name].setdefault(english, pair)
    splits = {name: list(chosen.values()) for name, chosen in splits.items()}
    counts = word_counts(splits["train"])
    for name in held:
        splits[name] = [pair for pair in splits[name] if known(pair, counts)]
    return splits


def read(split):
    columns = [(HERE / f"{split}.{side}").read_text(encoding="utf-8").splitlines()
               for side in SIDES]
    assert len({len(column) for column in columns}) == 1, f"{split}: the files differ in length"
    return list(zip(*columns))


def write(splits):
    for split, pairs in splits.items():
        for side, column in zip(SIDES, zip(*pairs)):
            (HERE / f"{split}.{side}").write_text("".join(line + "\n" for line in column),
                                                  encoding="utf-8", newline="\n")


def check_alignment(split, pairs):
    aligned_words = words = 0
    for de, en, alignment in pairs:
        links = [tuple(map(int, link.split("-"))) for link in alignment.split()]
        lengths = len(de.split()), len(en.split())
        assert links == sorted(set(links)), f"{split}: unsorted or double links for {de!r}"
        for side in (0, 1):
            within = all(0 <= link[side] < lengths[side] for link in links)
            assert within, f"{split}: a link is out of range for {de!r}"
            aligned_words += len({link[side] for link in links})
            words += lengths[side]
    assert aligned_words >= 0.97 * words, f"{split}: only {aligned_words} of {words} words aligned"


def check_text(split, pairs):
    # Catches broken templates (an unfilled slot, double punctuation, a missing capital), not bad
    # grammar.
    plain = re.compile(r"[A-ZÄÖÜ0-9][^{}/_#+]*[.!?]")
    for pair in pairs:
        for text in pair[:2]:
            doubled = "  " in text or re.search(r"[.,!?][.,!?]", text)
            assert plain.fullmatch(text) and not doubled, f"{split}: {text!r} is not a sentence"


def check(seed):
    splits = {split: read(split) for split in SPLITS}
    train, counts = splits["train"], word_counts(splits["train"])
    assert 4000 <= len(train) <= 6000, f"train has {len(train)} pairs"
    for split, pairs in splits.items():
        check_alignment(split, pairs)
        check_text(split, pairs)
        assert len({de for de, _, _ in pairs}) == len(pairs), f"{split}: a sentence occurs twice"
    require_one_translation([pair for pairs in splits.values() for pair in pairs])

    for split, others in (("test", train + splits["valid"]), ("valid", train)):
        assert 200 <= len(splits[split]) <= HELD_OUT, f"{split} has {len(splits[split])} pairs"
        for side in (0, 1):
            overlap = ({key(pair[side]) for pair in splits[split]} &
                       {key(pair[side]) for pair in others})
            assert not overlap, f"{split} is not held out: {sorted(overlap)[:3]}"
        for pair in splits[split]:
            assert known(pair, counts), (
                f"{split}: a word of {pair[:2]} occurs fewer than {SEEN} times in train")

    for side in ("de", "en"):
        assert sum(word[0] == side for word in counts) >= 400, f"too few words in {side}"
    size = sum((HERE / f"{split}.{side}").stat().st_size for split in SPLITS for side in SIDES)
    assert size <= MAX_BYTES, f"{size} bytes"
    assert splits == make(seed), "the files are not what this script writes: run it without --check"
    report(splits, size)


def report(splits, size):
    counts = word_counts(splits["train"])
    words = {side: sum(word[0] == side for word in counts) for side in ("de", "en")}
    templates = len(notation.read_templates(HERE / "templates.txt"))
    print(" ".join(f"{split} {len(pairs)}" for split, pairs in splits.items()), "pairs;",
          f"{templates} templates;",
          f"{words['de']} German and {words['en']} English words; {size} bytes")


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--sample", type=int, metavar="N")
    arguments = parser.parse_args()
    if arguments.check:
        check(arguments.seed)
    elif arguments.sample:
        for pair in random.sample(read("train"), arguments.sample):
            print("\n".join(pair), end="\n\n")
    else:
        write(make(arguments.seed))


if __name__ == "__main__":
    main()
