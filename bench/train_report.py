"""Summarises training runs: medians, paired ratios, and the share of the machine's matmul rate."""
from statistics import median

from peers.sizes import Size, weights_per_token

LOSS_WINDOW = 10  # updates, because the loss of a single batch varies with its content


def flops_per_token(details):
    """Returns the model FLOPs of training per source or target token. `details` is the baseline's
    report, with the sizes of the model and the lengths of the sentences.

    A weight of a matmul costs 2 FLOPs forward and 4 backward for each token.
    Attention multiplies queries by keys and weights by values: 2 x 2 d FLOPs forward in a layer for
    each pair of positions, where d is the width, 12 d in training. All pairs of real tokens count,
    including those that causal attention hides. Embeddings, norms, softmax, dropout and Adam are
    not counted.
    """
    tokens, sizes = details["tokens"], dict(details["size"])
    vocab = sizes.pop("vocab")
    size = Size(**sizes)
    source_weights, target_weights = weights_per_token(size, vocab)
    pairs = tokens["source_source"] + tokens["target_target"] + tokens["target_source"]
    products = source_weights * tokens["source"] + target_weights * tokens["target"]
    total = 6 * products + 12 * size.width * size.layers * pairs
    return total / (tokens["source"] + tokens["target"])


def of_variant(rounds, side, variant):
    """Returns the runs of this variant, in the order of the rounds."""
    return [
        next(run for run in runs if (run.side, run.variant) == (side, variant)) for runs in rounds
    ]


def variants(rounds, side):
    return list(dict.fromkeys(run.variant for run in rounds[0] if run.side == side))


def speed(runs):
    return median(run.tokens_per_second for run in runs)


def loss_after(runs, updates):
    window = [loss for run in runs for loss in run.losses[max(0, updates - LOSS_WINDOW) : updates]]
    return sum(window) / len(window)


def summarise(model, rounds, rates):
    """Returns a row for each variant of tfm, compared with the baseline's fastest variant."""
    peer_variant = max(variants(rounds, "peer"),
                       key=lambda variant: speed(of_variant(rounds, "peer", variant)))
    peer = of_variant(rounds, "peer", peer_variant)
    flops = flops_per_token(peer[0].details)
    rows = []
    for row in compare(model, rounds, peer):
        rows.append(row | {
            "flops_per_token": flops,
            "tfm_share_of_matmul_rate": share(row["tfm_tokens_per_second"], flops, rates,
                                              row["tfm_variant"]),
            "peer_share_of_matmul_rate": share(speed(peer), flops, rates, peer_variant),
        })
    return rows


def summarise_marian(model, rounds):
    """Returns a row for each variant of tfm, compared with Marian."""
    return compare(model, rounds, of_variant(rounds, "marian", "fp32"))


def compare(model, rounds, peer):
    """Returns a row for each variant of tfm, compared with the runs `peer` of the same rounds."""
    rows = []
    for variant in variants(rounds, "tfm"):
        ours = of_variant(rounds, "tfm", variant)
        ratios = [a.tokens_per_second / b.tokens_per_second for a, b in zip(ours, peer)]
        updates = min(len(run.losses) for run in ours + peer)
        rows.append({
            "model": model,
            "peer_variant": peer[0].variant,
            "peer_tokens_per_second": speed(peer),
            "tfm_variant": variant,
            "tfm_tokens_per_second": speed(ours),
            "ratio": median(ratios),
            "ratio_min": min(ratios),
            "ratio_max": max(ratios),
            "peer_peak_memory_mib": max(run.peak_memory_mib for run in peer),
            "tfm_peak_memory_mib": max(run.peak_memory_mib for run in ours),
            "updates_of_loss": updates,
            "peer_loss": loss_after(peer, updates),
            "tfm_loss": loss_after(ours, updates),
        })
    return rows


def share(tokens_per_second, flops, rates, variant):
    return tokens_per_second * flops / (rates[variant.split("+")[0]] * 1e9)


def table(rows, baseline):
    lines = [
        f"| model | {baseline} tokens/s | tfm tokens/s | ratio (min..max) | {baseline} MiB "
        f"| tfm MiB | loss: {baseline} | loss: tfm | after updates |",
        "|---|---|---|---|---|---|---|---|---|"
    ]
    for row in rows:
        lines.append(
            "| {model} | {peer_tokens_per_second:,.0f} ({peer_variant}) "
            "| {tfm_tokens_per_second:,.0f} ({tfm_variant}) "
            "| {ratio:.2f} ({ratio_min:.2f}..{ratio_max:.2f}) "
            "| {peer_peak_memory_mib:,.0f} | {tfm_peak_memory_mib:,.0f} "
            "| {peer_loss:.3f} | {tfm_loss:.3f} | {updates_of_loss} |".format(**row))
    return "\n".join(lines)


def machine_share(rows, rates):
    lines = [
        "Matmul rate of the machine, 2048^3: " +
        ", ".join(f"{name} {rate:,.0f} GFLOPS" for name, rate in rates.items())
    ]
    for row in rows:
        lines.append(
            "{model}: {0:.1f} MFLOP per token; share of the matmul rate: "
            "tfm ({tfm_variant}) {tfm_share_of_matmul_rate:.0%}, "
            "PyTorch ({peer_variant}) {peer_share_of_matmul_rate:.0%}".format(
                row["flops_per_token"] / 1e6, **row))
    return "\n".join(lines)
