"""Transformer translation models: translation, scores, metrics and training.

    import tfm
    translator = tfm.Translator("runs/multi30k_de_en")
    translator.translate(["ein hund schläft ."], beam_size=4)

Fields of a model's config can be given by their names (`tfm config explain decoding` lists them).
Messages of the log go to Python's logger "tfm". The functions release Python's global lock while
they compute.
"""

import logging
import os
from collections.abc import Iterable, Sequence

from tfm_program import libtorch

libtorch.load()

from . import _tfm  # noqa: E402
from ._tfm import (  # noqa: E402
    Candidate,
    CommunicationError,
    ConfigError,
    DataError,
    Error,
    Model,
    ModelError,
    PairScore,
    Translation,
    __version__,
    set_threads,
)

__all__ = [
    "Candidate",
    "CommunicationError",
    "ConfigError",
    "DataError",
    "Error",
    "Model",
    "ModelError",
    "PairScore",
    "Scorer",
    "Translation",
    "Translator",
    "__version__",
    "bleu",
    "chrf",
    "set_threads",
    "ter",
    "train",
]

_levels = [logging.DEBUG, logging.INFO, logging.WARNING, logging.ERROR]
_log = logging.getLogger("tfm")
_tfm.set_log(lambda level, message: _log.log(_levels[level], "%s", message))

Folder = str | os.PathLike


def _load(models: Folder | Model | Sequence[Folder | Model], device: str) -> list[Model]:
    if isinstance(models, (str, os.PathLike, Model)):
        models = [models]
    return [
        each if isinstance(each, Model) else Model(os.fspath(each), device) for each in models
    ]


def _text(value) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (list, tuple)):
        texts = list(map(str, value))
        if any(";" in text for text in texts):
            raise ValueError(f"an entry of a list contains ';', which separates entries: {texts}")
        return "; ".join(texts)
    return str(value)


def _overrides(section: str, fields: dict) -> list[str]:
    """None leaves a field as it is in the config."""
    return [f"{section}.{name}={_text(value)}"
            for name, value in fields.items() if value is not None]


def _lines(lines: Iterable[str]) -> list[str]:
    """Raises TypeError for one string, which is an iterable of its characters."""
    if isinstance(lines, (str, bytes)):
        raise TypeError("expected a list of lines, not one string")
    return list(lines)


class Translator:
    """Translates lines of text with a model, or with several models as an ensemble.

    `model` is a model folder, a loaded Model, or a list of these. `device` is "auto", "cpu" or
    "cuda:N". Further arguments are fields of the section decoding, such as beam_size=4.
    Several threads may call the methods at once.
    """

    def __init__(self, model, *, device: str = "auto", **decoding):
        self._models = _load(model, device)
        self._decoding = decoding
        self._translators: dict[tuple[str, ...], _tfm.Translator] = {}
        self._with({})

    def _with(self, decoding: dict) -> _tfm.Translator:
        key = tuple(_overrides("decoding", {**self._decoding, **decoding}))
        translator = self._translators.get(key)
        if translator is None:  # another thread may make the same one, which does no harm
            translator = _tfm.Translator(self._models, list(key))
            if len(self._translators) >= 8:  # each holds its own packed weights
                self._translators.clear()
            self._translators[key] = translator
        return translator

    def translate(self, lines: str | Iterable[str], **decoding) -> str | list[str]:
        """Returns one translation for each line, in order; a string for a string.

        Further arguments are fields of the section decoding, for this call. Raises DataError or
        ConfigError if the settings do not fit the model.
        """
        if isinstance(lines, str):
            return self._with(decoding).translate([lines], 0, False, False)[0].text
        found = self._with(decoding).translate(_lines(lines), 0, False, False)
        return [each.text for each in found]

    def explain(
        self,
        lines: Iterable[str],
        *,
        alternatives: int = 3,
        alignment: bool = True,
        keep_markup: bool = False,
        **decoding,
    ) -> list[Translation]:
        """Returns a Translation for each line: its candidates with their scores, tokens,
        probabilities with this number of alternatives, and alignments of words."""
        return self._with(decoding).translate(_lines(lines), alternatives, alignment, keep_markup)


class Scorer:
    """Computes the log-probabilities that a model, or an ensemble, gives translations.

    The arguments are those of Translator. As in `tfm score`, the precision is fp32 unless
    precision="bf16", "fp16" or "int8" is given.
    """

    def __init__(self, model, *, device: str = "auto", **decoding):
        self._models = _load(model, device)
        overrides = _overrides("decoding", {"precision": "fp32", **decoding})
        self._scorer = _tfm.Scorer(self._models, overrides)

    def score(self, pairs: Iterable[tuple[str, str]]) -> list[PairScore]:
        """Returns a score for each pair of a source sentence and its translation, in order."""
        return self._scorer.score(list(pairs))


def bleu(
    hypotheses: Sequence[str],
    references: Sequence[str],
    *,
    tokenizer: str = "13a",
    lowercase: bool = False,
) -> float:
    """Returns corpus BLEU, 0 to 100, equal to sacreBLEU's."""
    return _tfm.bleu(_lines(hypotheses), _lines(references), tokenizer, lowercase)


def chrf(hypotheses: Sequence[str], references: Sequence[str]) -> float:
    """Returns chrF2 of a corpus, 0 to 100, equal to sacreBLEU's."""
    return _tfm.chrf(_lines(hypotheses), _lines(references))


def ter(hypotheses: Sequence[str], references: Sequence[str]) -> float:
    """Returns the translation edit rate of a corpus in percent, equal to sacreBLEU's. Lower is
    better."""
    return _tfm.ter(_lines(hypotheses), _lines(references))


def train(config: Folder | dict, *, resume: bool = False, **fields) -> str:
    """Trains as a config file or a dict of sections describes, and returns the run folder.

    Keyword arguments are fields, with two underscores for the dot: training__max_steps=1000.
    Ctrl-C saves a checkpoint and raises KeyboardInterrupt; resume=True continues there.
    """
    overrides = [f"{name.replace('__', '.', 1)}={_text(value)}"
                 for name, value in fields.items() if value is not None]
    if not isinstance(config, dict):
        return _tfm.train(os.fspath(config), overrides, resume)
    given = [each for section, values in config.items() for each in _overrides(section, values)]
    return _tfm.train("", given + overrides, resume)
