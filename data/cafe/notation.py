"""The notation of lexicon.txt and templates.txt (explained there): reads both files and renders
templates as aligned phrases.
"""

import itertools
import math
import re
from dataclasses import dataclass

from grammar import Adjective, Noun, Phrase, noun_phrase

SLOT = re.compile(
    r"\{(?P<key>(?P<category>[a-z]+)\d?)(?::(?P<form>[^}]*))?\}(?P<end>(?:'s)?[.,!?]*)")
WORD = re.compile(r"(?P<word>[^/]+)(?:/(?P<tags>\w+))?(?P<end>[.,!?]*)")
FORM = re.compile(
    r"(?P<determiner>[^#+.]*)(?:#(?P<count>[a-z]+))?(?:\+(?P<adjective>[a-z]+))?(?P<plural>\.pl)?")


@dataclass(frozen=True)
class Unit:
    """One element of a template's side: a word with alignment tags, or a slot (key) with its form.
    end is the punctuation that follows without a space.
    """
    text: str
    tags: str
    key: str
    category: str
    form: str
    end: str


def parse_side(text):
    units = []
    for token in text.split():
        slot = SLOT.fullmatch(token)
        if slot:
            units.append(Unit("", "", slot["key"], slot["category"], slot["form"], slot["end"]))
            continue
        word = WORD.fullmatch(token)
        if not word or "{" in token:
            raise ValueError(f"cannot read {token!r} in {text!r}")
        units.append(Unit(word["word"], word["tags"] or "", "", "", None, word["end"]))
    return units


class Template:
    """A pair of sides with the same slots. The variables are the things to choose: each slot, its
    count and its adjective.
    """

    def __init__(self, line):
        self.line = line
        de, separator, en = line.partition(" = ")
        if not separator:
            raise ValueError(f"no ' = ' in {line!r}")
        self.de, self.en = parse_side(de), parse_side(en)
        tagged = any(unit.tags for unit in self.de + self.en)
        if any(not unit.key for unit in self.en) and not tagged:
            self._tag_in_order()
        if sorted(u.key for u in self.de if u.key) != sorted(u.key for u in self.en if u.key):
            raise ValueError(f"the sides have different slots: {line!r}")
        if {t for u in self.de for t in u.tags} != {t for u in self.en for t in u.tags}:
            raise ValueError(f"a tag occurs on one side only: {line!r}")
        self.english_form = {unit.key: unit.form for unit in self.en if unit.key}
        self.variables = {}
        for unit in (u for u in self.de if u.key):
            self.variables[unit.key] = unit.category
            form = FORM.fullmatch(unit.form or "")
            for part in ("count", "adjective"):
                if form[part]:
                    self.variables[f"{unit.key}.{part}"] = form[part]

    def _tag_in_order(self):
        words = [[i for i, unit in enumerate(side) if not unit.key] for side in (self.de, self.en)]
        if len(words[0]) == len(words[1]):
            pairs = [([i], [j]) for i, j in zip(*words)]
        elif len(words[0]) == len(self.de) and len(words[1]) == len(self.en):
            pairs = [tuple(words)]
        else:
            raise ValueError(f"needs tags, the sides differ in length: {self.line!r}")
        for tag, (de, en) in enumerate(pairs):
            for side, indices in ((self.de, de), (self.en, en)):
                for i in indices:
                    side[i] = Unit(side[i].text, "123456789abcdefgh"[tag], "", "", None,
                                   side[i].end)

    def _entries(self, lexicon):
        """The possible values of each variable, in the order of variables."""
        unknown = set(self.variables.values()) - set(lexicon)
        if unknown:
            raise ValueError(f"{self.line!r} uses {sorted(unknown)}, which lexicon.txt "
                             "does not define, or defines only further below")
        return [lexicon[category] for category in self.variables.values()]

    def size(self, lexicon):
        return math.prod(len(entries) for entries in self._entries(lexicon))

    def choices(self, lexicon):
        """Every assignment of the variables, in a fixed order."""
        for values in itertools.product(*self._entries(lexicon)):
            yield dict(zip(self.variables, values))

    def sample(self, lexicon, rng):
        return {
            key: entries[rng.randrange(len(entries))]
            for key, entries in zip(self.variables, self._entries(lexicon))
        }

    def sensible(self, choice):
        """False if two slots of one category hold the same entry (from Berlin to Berlin)."""
        seen = [(self.variables[key], value) for key, value in choice.items()]
        return len(set(seen)) == len(seen)

    def render(self, choice):
        """Returns the Phrase of one assignment."""
        parts = {unit.key: self._fill(unit, choice) for unit in self.de if unit.key}
        de_parts = {key: part.de for key, part in parts.items()}
        en_parts = {key: part.en for key, part in parts.items()}
        de, de_tags, de_starts = self._lay_out(self.de, de_parts)
        en, en_tags, en_starts = self._lay_out(self.en, en_parts)
        links = {(i, j) for tag in de_tags for i in de_tags[tag] for j in en_tags[tag]}
        for key, part in parts.items():
            links |= {(i + de_starts[key], j + en_starts[key]) for i, j in part.links}
        return Phrase(tuple(de), tuple(en), tuple(sorted(links)))

    def _fill(self, unit, choice):
        value = choice[unit.key]
        if isinstance(value, Phrase):
            return value
        form = FORM.fullmatch(unit.form or "")
        determiner = "" if form["determiner"] == "0" else form["determiner"]
        return noun_phrase(value, determiner, choice.get(f"{unit.key}.adjective"),
                           choice.get(f"{unit.key}.count"), bool(form["plural"]),
                           self.english_form[unit.key])

    @staticmethod
    def _lay_out(units, parts):
        """Returns the words of one side, the positions of every tag, and the start of every slot.
        """
        words, tags, starts = [], {}, {}
        for unit in units:
            if unit.key:
                starts[unit.key] = len(words)
                words += parts[unit.key]
            else:
                for tag in unit.tags:
                    tags.setdefault(tag, []).append(len(words))
                words.append(unit.text)
            words[-1] += unit.end
        return words, tags, starts


def parse_noun(line):
    german, _, english = line.partition(" = ")
    article, _, rest = german.partition(" ")
    de, _, de_plural = rest.partition(" | ")
    en, _, en_plural = english.partition(" | ")
    gender = {"der": "m", "die": "f", "das": "n", "pl": "p"}[article]
    return Noun(gender, de, de_plural or None, en, en_plural or None)


def parse_adjective(line):
    stem, _, english = line.partition("- = ")
    return Adjective(stem, english)


def read_lines(path):
    lines = (line.strip() for line in path.read_text(encoding="utf-8").splitlines())
    return [line for line in lines if line and not line.startswith("#")]


def read_lexicon(path):
    """Returns a list of Noun, Adjective or Phrase for each category. A category may use only the
    categories above it.
    """
    lexicon, name, kind = {}, "", ""
    for line in read_lines(path):
        header = re.fullmatch(r"\[(\w+) : (noun|adjective|phrase)\]", line)
        if header:
            name, kind = header[1], header[2]
            lexicon[name] = []
        elif line.startswith("+ "):
            lexicon[name] += lexicon[line[2:]]
        elif kind == "noun":
            lexicon[name].append(parse_noun(line))
        elif kind == "adjective":
            lexicon[name].append(parse_adjective(line))
        else:
            template = Template(line)
            lexicon[name] += [template.render(choice) for choice in template.choices(lexicon)]
    return lexicon


def read_templates(path):
    return [Template(line) for line in read_lines(path)]
