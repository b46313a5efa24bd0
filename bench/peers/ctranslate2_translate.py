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
import sys

sys.dont_write_bytecode = True
import ctranslate2
import translation

EOS = "</s>"


def parse_options():
    parser = translation.option_parser(__doc__)
    parser.add_argument("--model", required=True, help="folder of a converted model")
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
    parser.add_argument("--latency", action="store_true", help="also time each sentence alone")
    return parser.parse_args()


def main():
    options = parse_options()
    end = [] if options.no_source_eos else [EOS]
    sentences = [pieces + end for pieces in translation.read_pieces(options)]
    each = max(1, options.threads // options.translators)
    translator = ctranslate2.Translator(options.model, device=options.device,
                                        compute_type=options.compute_type,
                                        inter_threads=options.translators, intra_threads=each)

    def translate(batch):
        results = translator.translate_batch(
            batch,
            beam_size=options.beam_size,
            max_batch_size=options.batch_size,
            min_decoding_length=options.length or 1,
            max_decoding_length=options.length or 256,
        )
        return [result.hypotheses[0] for result in results]

    translate(sentences[: options.batch_size * options.translators])
    report = {
        "peer": "CTranslate2",
        "ctranslate2": ctranslate2.__version__,
        "compute_type": translator.compute_type,
        "device": options.device,
        "translators": options.translators,
    } | translation.fastest_pass(translate, sentences, options)
    if options.latency:
        report |= translation.latencies(translate, sentences)
    translation.print_report(report)


if __name__ == "__main__":
    main()
