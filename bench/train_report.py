"""Summarises training runs: medians, paired ratios, and the share of the machine's matmul rate."""
from statistics import median

LOSS_WINDOW = 10  # updates, because the loss of a single batch varies with its content


def flops_per_token(details):
    """Returns the model FLOPs of training per source or target token. `details` is the baseline's
    report, with the sizes of the model and the lengths of the sentences.

    A weight of a matmul costs 2 FLOPs forward and 4 backward for each token. d is the hidden size,
    f the feed-forward size, L the number of layers in either stack.
      source tokens: L (4 d^2 + 2 d f) in the encoder, and L 2 d^2 for the keys and values of
        cross-attention
      target tokens: L (4 d^2 + 2 d^2 + 2 d f) for self-attention, queries and output of
        cross-attention, and feed-forward; V d for the output layer
    Attention multiplies queries by keys and weights by values: 2 x 2 d FLOPs forward for each pair
    of positions, 12 d in training. All pairs of real tokens count, including those that causal
    attention hides. Embeddings, norms, softmax, dropout and Adam are not counted.
    """
    size, tokens = details["size"], details["tokens"]
    d, f, layers, vocab = size["width"], size["feed_forward"], size["layers"], size["vocab"]
    source_weights = layers * (4 * d * d + 2 * d * f + 2 * d * d)
    target_weights = layers * (6 * d * d + 2 * d * f) + vocab * d
    pairs = tokens["source_source"] + tokens["target_target"] + tokens["target_source"]
    products = source_weights * tokens["source"] + target_weights * tokens["target"]
    total = 6 * products + 12 * d * layers * pairs
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
