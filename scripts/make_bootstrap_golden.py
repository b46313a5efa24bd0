#!/usr/bin/env python3
"""Writes tests/metrics/golden/bootstrap.json: test sets with several systems, and the results of
sacreBLEU's paired bootstrap for them.

Each set has the counts of every line, 100 resamples drawn as in sacreBLEU, and the results of its
PairedTest for these resamples. PairedTest sums in fp32. The file therefore also has the results in
double precision by sacreBLEU's own formulas, for these and for 20,000 resamples. Needs
sacrebleu==2.6.0:

    pip install sacrebleu==2.6.0
    python scripts/make_bootstrap_golden.py
"""

import json
import random
from pathlib import Path

import numpy
import sacrebleu
from make_metrics_golden import GERMAN, SACREBLEU_VERSION, SENTENCE, disturb, random_words
from sacrebleu.metrics import BLEU, CHRF, TER
from sacrebleu.significance import PairedTest, _compute_p_value, estimate_ci

OUTPUT = Path(__file__).resolve().parent.parent / "tests" / "metrics" / "golden" / "bootstrap.json"
SEED = 12345  # sacreBLEU's default
RESAMPLES = 100
MANY_RESAMPLES = 20000
METRICS = {"bleu": BLEU, "chrf": CHRF, "ter": TER}


def test_sets():
    rng = random.Random(7)
    references = [random_words(rng, 18) + " ." for _ in range(40)]
    good = [disturb(rng, line) for line in references]
    close = [disturb(rng, line) if rng.random() < 0.2 else line for line in good]
    poor = [disturb(rng, disturb(rng, disturb(rng, line))) for line in references]
    yield "random words", references, [good, close, poor]
    references = [
        SENTENCE, GERMAN, "", "Hi", "a b c d", "1,000.50 costs 5.", "don't (stop)",
        SENTENCE + " " + GERMAN
    ]
    disturbed = [disturb(rng, line) for line in references]
    other = ["", GERMAN, "x", "Hi", "", "1,000.50", "do not stop", SENTENCE]
    yield "empty and short lines", references, [disturbed, other]
    yield "a system and itself", references, [references[::-1], references[::-1]]


def results(test):
    return {
        "score": float(test.score), "mean": float(test.mean), "ci": float(test.ci),
        "p": test.p_value
    }


def paired_test(references, systems, samples):
    named = [(str(i), lines) for i, lines in enumerate(systems)]
    metrics = {metric.__name__: metric(references=[references]) for metric in METRICS.values()}
    _, scores = PairedTest(named, metrics, None, "bs", samples)()
    names = {"bleu": "BLEU", "chrf": "chrF2", "ter": "TER"}
    return {key: [results(test) for test in scores[name]] for key, name in names.items()}


def in_double_precision(metric, counts, indices):
    score = lambda lines: metric._compute_score_from_stats(
        [int(x) for x in numpy.sum(lines, axis=0)]).score
    found, baseline = [], None
    for system in counts:
        system = numpy.array(system, dtype=numpy.int64)
        whole, scores = score(system), numpy.array([score(system[lines]) for lines in indices])
        mean, ci = estimate_ci(scores)
        result = {"score": whole, "mean": mean, "ci": ci, "p": None}
        if baseline is None:
            baseline = whole, scores
        else:
            differences = numpy.abs(scores - baseline[1])
            result["p"] = _compute_p_value(differences - differences.mean(),
                                           abs(baseline[0] - whole))
        found.append(result)
    return found


def draw(lines, resamples):
    return numpy.random.default_rng(SEED).choice(lines, size=(resamples, lines), replace=True)


def golden(name, references, systems):
    metrics = {key: metric() for key, metric in METRICS.items()}
    counts = {
        key: [metric._extract_corpus_statistics(lines, [references]) for lines in systems]
        for key, metric in metrics.items()
    }
    indices, many = draw(len(references), RESAMPLES), draw(len(references), MANY_RESAMPLES)
    return {
        "name": name,
        "references": references,
        "systems": systems,
        # The columns are hypothesis length, reference length, four matches and four totals.
        "bleu_lines": counts["bleu"],
        "chrf_lines": counts["chrf"],  # for each order: hypothesis, reference, matches
        "ter_lines": counts["ter"],  # edits, reference length
        "resamples": indices.tolist(),
        "double": {
            key: in_double_precision(metric, counts[key], indices)
            for key, metric in metrics.items()
        },
        "double_many": {
            key: in_double_precision(metric, counts[key], many)
            for key, metric in metrics.items()
        },
        "paired_test": paired_test(references, systems, RESAMPLES),
    }


def main():
    if sacrebleu.__version__ != SACREBLEU_VERSION:
        raise SystemExit(f"needs sacrebleu=={SACREBLEU_VERSION}, found {sacrebleu.__version__}")
    bleu = BLEU()
    bleu.corpus_score(["a"], [["a"]], n_bootstrap=1000)
    sets = ",\n".join(json.dumps(golden(*test_set)) for test_set in test_sets())
    signature = json.dumps(str(bleu.get_signature()))
    OUTPUT.write_text('{"bleu_signature": ' + signature + ',\n "sets": [\n' + sets + "\n]}\n",
                      encoding="utf-8")
    print(f"{OUTPUT}: {OUTPUT.stat().st_size} bytes")


if __name__ == "__main__":
    main()
