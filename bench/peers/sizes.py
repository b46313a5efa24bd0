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
