"""The model sizes of the training baselines, as in bench/train_{tiny,small,base}.yaml."""
from dataclasses import dataclass


@dataclass(frozen=True)
class Size:
    layers: int
    width: int
    feed_forward: int
    heads: int
    dropout: float


SIZES = {
    "tiny": Size(layers=4, width=128, feed_forward=256, heads=4, dropout=0.3),
    "small": Size(layers=3, width=256, feed_forward=1024, heads=8, dropout=0.1),
    "base": Size(layers=6, width=512, feed_forward=2048, heads=8, dropout=0.1),
}


def weights_per_token(size, vocab):
    """Returns how many weights of matrix multiplications each source and each target token uses.

    d is the width, f the feed-forward size, L the number of layers in either stack.
      source tokens: L (4 d^2 + 2 d f) in the encoder, and L 2 d^2 for the keys and values of
        cross-attention
      target tokens: L (4 d^2 + 2 d^2 + 2 d f) for self-attention, queries and output of
        cross-attention, and feed-forward; V d for the output layer
    """
    d, f = size.width, size.feed_forward
    return (size.layers * (6 * d * d + 2 * d * f),
            size.layers * (6 * d * d + 2 * d * f) + vocab * d)
