"""Options and timing that the programs for translation baselines share."""
import argparse
import json
import math
import resource
import time


def option_parser(description):
    parser = argparse.ArgumentParser(description=description.split("\n\n")[0])
    parser.add_argument("--input", required=True,
                        help="one sentence per line, its pieces separated by spaces")
    parser.add_argument("--output", help="file for the pieces of the translations")
    parser.add_argument("--beam-size", type=int, default=4)
    parser.add_argument("--batch-size", type=int, default=32, help="sentences")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--limit", type=int, default=0,
                        help="number of sentences to translate; 0 for all")
    parser.add_argument("--repeat", type=int, default=3)
    return parser


def read_pieces(options):
    """Returns the pieces of every sentence."""
    with open(options.input, encoding="utf-8") as lines:
        sentences = [line.split() for line in lines]
    return sentences[: options.limit] if options.limit else sentences


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


def fastest_pass(translate, sentences, options):
    """Translates all sentences --repeat times. Writes the pieces of the translations to --output,
    and returns the speed of the fastest pass. `translate` maps sentences to the pieces of their
    translations.
    """
    seconds, translations = min((timed(lambda: translate(sentences))
                                 for _ in range(options.repeat)), key=lambda pass_: pass_[0])
    if options.output:
        with open(options.output, "w", encoding="utf-8") as output:
            output.writelines(" ".join(pieces) + "\n" for pieces in translations)
    tokens = sum(len(pieces) for pieces in translations)
    return {
        "threads": options.threads,
        "beam_size": options.beam_size,
        "batch_size": options.batch_size,
        "sentences": len(sentences),
        "target_tokens": tokens,
        "seconds": round(seconds, 3),
        "tokens_per_second": round(tokens / seconds, 1),
    }


def print_report(report):
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps(report | {"peak_memory_mib": round(peak, 1)}))
