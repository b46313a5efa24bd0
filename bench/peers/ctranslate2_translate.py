#!/usr/bin/env python3
"""Translates a file of subword pieces with a CTranslate2 model and prints its speed as one JSON
line: the baseline for tfm's translation.

Only translation is timed, after the model has been loaded, the pieces have been split and a first
batch has been translated. tokens_per_second counts the pieces of the best hypotheses, EOS excluded,
in the fastest of --repeat passes over the file. With --latency, every sentence is then translated
alone as well, and the median and the 99th percentile of its milliseconds are added.

Needs bench/peers/setup. Example:
  build/peers-venv/bin/python bench/peers/ctranslate2_translate.py --model ct2_model \\
    --input test.pieces --compute-type int8 --latency
"""
import argparse
import json
import math
import resource
import time

import ctranslate2

EOS = "</s>"


def read_pieces(file, add_eos, limit):
    with open(file, encoding="utf-8") as lines:
        sentences = [line.split() + ([EOS] if add_eos else []) for line in lines]
    return sentences[:limit] if limit else sentences


def timed(work):
    """Calls work and returns (seconds, result)."""
    begin = time.perf_counter()
    result = work()
    return time.perf_counter() - begin, result


def percentile(values, share):
    """Returns the smallest value that a share of the values do not exceed."""
    return sorted(values)[max(0, math.ceil(share * len(values)) - 1)]


def latencies(translate, sentences):
    milliseconds = [1000 * timed(lambda: translate([sentence]))[0] for sentence in sentences]
    return {
        "latency_sentences": len(sentences),
        "latency_p50_ms": round(percentile(milliseconds, 0.5), 3),
        "latency_p99_ms": round(percentile(milliseconds, 0.99), 3),
    }


def parse_options():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--model", required=True, help="folder of a converted model")
    parser.add_argument("--input", required=True,
                        help="one sentence per line, its pieces separated by spaces")
    parser.add_argument("--output", help="file for the pieces of the translations")
    parser.add_argument("--beam-size", type=int, default=4)
    parser.add_argument("--batch-size", type=int, default=32, help="sentences")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument(
        "--translators", type=int, default=1,
        help="translators that work in parallel (inter_threads) and share the threads")
    parser.add_argument("--compute-type", default="float32", help="float32, int8, bfloat16, ...")
    parser.add_argument("--device", default="cpu")
    parser.add_argument(
        "--length", type=int, default=0,
        help="exact number of pieces of every translation; 0 lets the model decide, up to 256")
    parser.add_argument("--no-source-eos", action="store_true",
                        help="the model was trained without EOS on its sources")
    parser.add_argument("--limit", type=int, default=0,
                        help="number of sentences to translate; 0 for all")
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--latency", action="store_true", help="also time each sentence alone")
    return parser.parse_args()


def main():
    options = parse_options()
    sentences = read_pieces(options.input, not options.no_source_eos, options.limit)
    each = max(1, options.threads // options.translators)
    translator = ctranslate2.Translator(options.model, device=options.device,
                                        compute_type=options.compute_type,
                                        inter_threads=options.translators, intra_threads=each)

    def translate(batch):
        return translator.translate_batch(
            batch,
            beam_size=options.beam_size,
            max_batch_size=options.batch_size,
            min_decoding_length=options.length or 1,
            max_decoding_length=options.length or 256,
        )

    translate(sentences[: options.batch_size * options.translators])
    seconds, results = min((timed(lambda: translate(sentences)) for _ in range(options.repeat)),
                           key=lambda pass_: pass_[0])
    translations = [result.hypotheses[0] for result in results]
    tokens = sum(len(pieces) for pieces in translations)
    report = {
        "peer": "CTranslate2",
        "ctranslate2": ctranslate2.__version__,
        "compute_type": translator.compute_type,
        "device": options.device,
        "threads": options.threads,
        "translators": options.translators,
        "beam_size": options.beam_size,
        "batch_size": options.batch_size,
        "sentences": len(sentences),
        "target_tokens": tokens,
        "seconds": round(seconds, 3),
        "tokens_per_second": round(tokens / seconds, 1),
    }
    if options.latency:
        report |= latencies(translate, sentences)
    report["peak_memory_mib"] = round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, 1)
    if options.output:
        with open(options.output, "w", encoding="utf-8") as output:
            output.writelines(" ".join(pieces) + "\n" for pieces in translations)
    print(json.dumps(report))


if __name__ == "__main__":
    main()
