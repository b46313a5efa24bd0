"""German and English noun phrases, inflected together, with their word alignment.

A Phrase holds the words of both sides and the links between them. Larger phrases are combined from
smaller ones (here and in notation.py), so the alignment of a sentence follows from its parts and is
never guessed.
"""

import itertools
from dataclasses import dataclass


@dataclass(frozen=True)
class Phrase:
    """Words of both sides; links are pairs (German index, English index), 0-based and sorted."""
    de: tuple
    en: tuple
    links: tuple


@dataclass(frozen=True)
class Noun:
    """gender is m, f, n, or p for a noun that is used only in the plural. A mass noun has None as
    its plural.
    """
    gender: str
    de: str
    de_plural: str
    en: str
    en_plural: str


@dataclass(frozen=True)
class Adjective:
    stem: str
    en: str


GENDERS = "mfnp"

# The key is the masculine form. The values are the forms for m, f, n and plural, the case, the
# declension of a following adjective, and the English before a singular and before a plural.
DETERMINERS = {
    "": ("- - - -", "acc", "strong", "", ""),
    "der": ("der die das die", "nom", "weak", "the", "the"),
    "den": ("den die das die", "acc", "weak", "the", "the"),
    "dem": ("dem der dem den", "dat", "weak", "the", "the"),
    "dieser": ("dieser diese dieses diese", "nom", "weak", "this", "these"),
    "diesen": ("diesen diese dieses diese", "acc", "weak", "this", "these"),
    "welcher": ("welcher welche welches welche", "nom", "weak", "which", "which"),
    "ein": ("ein eine ein -", "nom", "mixed", "a", ""),
    "einen": ("einen eine ein -", "acc", "mixed", "a", ""),
    "einem": ("einem einer einem -", "dat", "mixed", "a", ""),
    "noch_einen": ("noch_einen noch_eine noch_ein -", "acc", "mixed", "another", ""),
    "noch_ein": ("noch_ein noch_eine noch_ein -", "nom", "mixed", "another", ""),
    "zum": ("zum zur zum zu_den", "dat", "weak", "to_the", "to_the"),
    "am": ("am an_der am an_den", "dat", "weak", "at_the", "at_the"),
}
for stem, english in [("kein", "no"), ("mein", "my"), ("dein", "your"), ("Ihr", "your"),
                      ("unser", "our")]:
    DETERMINERS[stem] = (f"{stem} {stem}e {stem} {stem}e", "nom", "mixed", english, english)
    DETERMINERS[stem + "en"] = (f"{stem}en {stem}e {stem} {stem}e", "acc", "mixed", english,
                                english)
    DETERMINERS[stem + "em"] = (f"{stem}em {stem}er {stem}em {stem}en", "dat", "mixed", english,
                                english)

# Adjective endings for m, f, n and plural.
ENDINGS = {
    ("strong", "acc"): "en e es e",
    ("weak", "nom"): "e e e en",
    ("weak", "acc"): "en e e en",
    ("weak", "dat"): "en en en en",
    ("mixed", "nom"): "er e es en",
    ("mixed", "acc"): "en e es en",
    ("mixed", "dat"): "en en en en",
}

# English words that start with a written vowel and a spoken consonant.
TAKES_A = ("uni", "euro", "one")


def aligned(de, en):
    """Links word by word if both sides have equally many words, otherwise every word with every
    word, as in Apfelkuchen and apple cake.
    """
    if len(de) == len(en):
        links = [(i, i) for i in range(len(de))]
    else:
        links = itertools.product(range(len(de)), range(len(en)))
    return Phrase(tuple(de), tuple(en), tuple(links))


def concatenate(*phrases):
    """Joins phrases whose order is the same on both sides."""
    de, en, links = (), (), ()
    for phrase in phrases:
        links += tuple((i + len(de), j + len(en)) for i, j in phrase.links)
        de, en = de + phrase.de, en + phrase.en
    return Phrase(de, en, links)


def dative_plural(word):
    return word if word[-1] in "ns" else word + "n"


def noun_phrase(noun, determiner, adjective=None, count=None, plural=False, english=None):
    """Inflects determiner, adjective and noun together. count is a Phrase such as zwei / two;
    english replaces the usual English of the determiner.
    """
    plural = plural or count is not None
    gender = "p" if plural else noun.gender
    forms, case, declension, singular_en, plural_en = DETERMINERS[determiner]
    row = GENDERS.index(gender)
    form = forms.split()[row]
    de_word, en_word = (noun.de_plural, noun.en_plural) if plural else (noun.de, noun.en)
    if de_word is None:
        raise ValueError(f"lexicon.txt: {noun.de} has no plural, but a template asks for it")
    if gender == "p" and case == "dat":
        de_word = dative_plural(de_word)
    if english is None:
        english = plural_en if gender == "p" else singular_en

    inner = aligned(de_word.split(), en_word.split())
    if adjective:
        # A plural without an article takes the strong ending, whatever its singular article.
        declension = "strong" if form == "-" else declension
        ending = ENDINGS[declension, case].split()[row]
        inner = concatenate(aligned([adjective.stem + ending], [adjective.en]), inner)
    if count:
        inner = concatenate(count, inner)
    en_article = english.split("_") if english else []
    if en_article == ["a"] and inner.en[0][0] in "aeiou" and not inner.en[0].startswith(TAKES_A):
        en_article = ["an"]
    return concatenate(aligned([] if form == "-" else form.split("_"), en_article), inner)
