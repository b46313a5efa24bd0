"""Summarises translation runs, and prints the tables of bench/translate."""
import statistics

from peers.sizes import SIZES, weights_per_token

BASELINES = {"peer": "CTranslate2", "marian": "Marian"}


def summarise(name, beam, rounds):
    """Returns a row for each baseline. tfm and the baseline count in their fastest variants."""
    return [
        compare(name, beam, rounds, baseline) for baseline in BASELINES
        if any(variant.startswith(baseline) for variant in rounds[0])
    ]


def compare(name, beam, rounds, baseline):
    median = lambda key, what: statistics.median(played[key][what] for played in rounds)
    best = lambda who: max((key for key in rounds[0] if key.startswith(who)),
                           key=lambda key: median(key, "tokens_per_second"))
    peer, tfm = best(baseline), best("tfm")
    ratios = sorted(played[tfm]["tokens_per_second"] / played[peer]["tokens_per_second"]
                    for played in rounds)
    return {
        "model": name, "beam": beam, "baseline": BASELINES[baseline],
        "peer": peer.partition(" ")[2], "tfm": tfm.partition(" ")[2],
        "peer_speed": median(peer, "tokens_per_second"),
        "tfm_speed": median(tfm, "tokens_per_second"),
        "ratio": statistics.median(ratios), "ratio_min": ratios[0], "ratio_max": ratios[-1],
        "peer_mib": median(peer, "peak_memory_mib"), "tfm_mib": median(tfm, "peak_memory_mib")
    }


def add_shares(rows, options, side, int8_rate):
    """Adds to each row the share of the processor's int8 rate that tfm's matrix multiplications
    need: their multiply-adds per second of the whole run. Attention is not counted.
    """
    for row in rows:
        source, target = weights_per_token(SIZES[row["model"]], options.vocab_size)
        tokens = len(side.lines) * options.length
        products = side.source_tokens * source + tokens * row["beam"] * target
        row["share"] = products / (tokens / row["tfm_speed"]) / int8_rate


def print_tables(result):
    for baseline in dict.fromkeys(row["baseline"] for row in result["rows"]):
        print_speeds(baseline, [row for row in result["rows"] if row["baseline"] == baseline])
    if result["latency"]:
        print("| one sentence at a time, beam 1 | p50 ms | p99 ms |\n|---|---|---|")
        for name, figures in result["latency"].items():
            print(f"| {name} | {figures['latency_p50_ms']:.1f} | {figures['latency_p99_ms']:.1f} |")
        print()
    if result["growth"]:
        print_growth(result["growth"])
    if result["shortlist"]:
        print_shortlists(result["shortlist"])
    for text in result["comparison"]:
        print(text)


def print_speeds(baseline, rows):
    print(f"| model | beam | {baseline} tokens/s | tfm tokens/s | ratio (min..max) "
          f"| {baseline} MiB | tfm MiB | tfm's share of the int8 rate |\n"
          "|---|---|---|---|---|---|---|---|")
    for row in rows:
        share = f"{100 * row['share']:.0f}%" if "share" in row else "–"
        print(f"| {row['model']} | {row['beam']} | {row['peer_speed']:,.0f} ({row['peer']}) | "
              f"{row['tfm_speed']:,.0f} ({row['tfm']}) | {spread(row)} | "
              f"{row['peer_mib']:,.0f} | {row['tfm_mib']:,.0f} | {share} |")
    print()


def print_growth(rows):
    print("| model | batch | beam | threads | CTranslate2 tokens/s | tfm tokens/s | ratio |\n"
          "|---|---|---|---|---|---|---|")
    for row in rows:
        print(f"| {row['model']} | {row['batch_size']} | {row['beam']} | {row['threads']} | "
              f"{row['peer_speed']:,.0f} | {row['tfm_speed']:,.0f} | "
              f"{row['tfm_speed'] / row['peer_speed']:.2f} |")
    print()


def print_shortlists(rows):
    print("| model | beam | tfm tokens/s | with a shortlist | ratio (min..max) |\n"
          "|---|---|---|---|---|")
    for row in rows:
        print(f"| {row['model']} | {row['beam']} | {row['plain']:,.0f} | "
              f"{row['shortlist']:,.0f} | {spread(row)} |")
    print()


def spread(row):
    return f"{row['ratio']:.2f} ({row['ratio_min']:.2f}..{row['ratio_max']:.2f})"
