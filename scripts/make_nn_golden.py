#!/usr/bin/env python3
"""Writes tests/nn/golden/*.safetensors: values computed by PyTorch, which tests compare with the
C++ model's.

Each file holds a small Transformer built from torch.nn.Transformer or, if that cannot express the
architecture, from its layers. It contains weights under tfm's names ("weights/..."), a padded
batch, logits, the loss, every gradient ("gradients/..."), and the losses of ten Adam steps. Made
with torch 2.13.0, numpy and safetensors on a CPU; another version may differ in the last bits.

Usage: scripts/make_nn_golden.py
(from the repository's root; pip install torch==2.13.0 safetensors numpy)
"""
import math
from pathlib import Path

import torch
from safetensors.torch import save_file
from torch import nn

PAD, BOS, EOS, VOCAB = 0, 1, 2, 11
WIDTH, FEED_FORWARD, HEADS, LAYERS = 8, 12, 2, 2
VARIANTS = {
    "post_norm": dict(),
    "pre_norm": dict(pre_norm=True),
    "no_bias": dict(bias=False),
    "tied": dict(pre_norm=True, tied=True),
    "layerwise": dict(layerwise=True),
    "deviation_norm": dict(pre_norm=True, deviation_norm=True),
}
LAYER_NAMES = {
    "self_attn.in_proj_weight": "self_attention.in_weight",
    "self_attn.in_proj_bias": "self_attention.in_bias",
    "self_attn.out_proj": "self_attention.output",
    "multihead_attn.in_proj_weight": "cross_attention.in_weight",
    "multihead_attn.in_proj_bias": "cross_attention.in_bias",
    "multihead_attn.out_proj": "cross_attention.output",
    "linear1": "feed_forward.input",
    "linear2": "feed_forward.output",
}
NORMS = {
    "encoder": {"norm1": "self_attention_residual", "norm2": "feed_forward_residual"},
    "decoder": {
        "norm1": "self_attention_residual", "norm2": "cross_attention_residual",
        "norm3": "feed_forward_residual"
    },
}


class DeviationNorm(nn.Module):
    """Computes alpha * (x - mean) / (sample standard deviation + epsilon) + bias."""

    def __init__(self):
        super().__init__()
        self.weight, self.bias = nn.Parameter(torch.ones(WIDTH)), nn.Parameter(torch.zeros(WIDTH))

    def forward(self, x):
        centred = x - x.mean(-1, keepdim=True)
        return self.weight * centred / (x.std(-1, keepdim=True) + 1e-6) + self.bias


def replace_norms(module):
    for name, child in module.named_children():
        if isinstance(child, nn.LayerNorm):
            setattr(module, name, DeviationNorm())
        else:
            replace_norms(child)


class Model(nn.Module):
    def __init__(self, pre_norm=False, bias=True, tied=False, layerwise=False,
                 deviation_norm=False):
        super().__init__()
        self.layerwise = layerwise
        self.source_embedding = nn.Embedding(VOCAB, WIDTH)
        self.target_embedding = self.source_embedding if tied else nn.Embedding(VOCAB, WIDTH)
        self.body = nn.Transformer(WIDTH, HEADS, LAYERS, LAYERS, FEED_FORWARD, dropout=0.0,
                                   batch_first=True, norm_first=pre_norm, bias=bias)
        if deviation_norm:
            replace_norms(self.body)
        self.output = None if tied else nn.Linear(WIDTH, VOCAB, bias=bias)
        # Biases and norms get random values. With their usual initial values of 0 and 1, confusing
        # two of them would not change the result.
        for name, parameter in self.named_parameters():
            if parameter.dim() == 1:
                nn.init.normal_(parameter,
                                1.0 if "norm" in name and name.endswith("weight") else 0.0, 0.2)

    def embed(self, embedding, ids):
        position = torch.arange(ids.size(1), dtype=torch.float64)[:, None]
        angle = position / 10000 ** (torch.arange(0, WIDTH, 2, dtype=torch.float64) / WIDTH)
        table = torch.zeros(ids.size(1), WIDTH, dtype=torch.float64)
        table[:, 0::2], table[:, 1::2] = angle.sin(), angle.cos()
        return embedding(ids) * math.sqrt(WIDTH) + table.float()

    def forward(self, source, target):
        hidden_source = source == PAD
        future = torch.ones(target.size(1), target.size(1)).triu(1).bool()
        x, y = self.embed(self.source_embedding, source), self.embed(self.target_embedding, target)
        target_masks = dict(tgt_mask=future, tgt_key_padding_mask=target == PAD,
                            memory_key_padding_mask=hidden_source)
        if self.layerwise:
            memory = []
            for layer in self.body.encoder.layers:
                x = layer(x, src_key_padding_mask=hidden_source)
                memory.append(x)
            memory[-1] = self.body.encoder.norm(x)
            for layer, seen in zip(self.body.decoder.layers, memory):
                y = layer(y, seen, **target_masks)
            x = self.body.decoder.norm(y)
        else:
            x = self.body(x, y, src_key_padding_mask=hidden_source, **target_masks)
        return x @ self.target_embedding.weight.t() if self.output is None else self.output(x)


def tfm_name(name):
    if not name.startswith("body."):
        return name
    parts = name.split(".")
    stack = parts[1]
    if parts[2] == "norm":
        return f"{stack}.final_norm.{'scale' if parts[3] == 'weight' else 'shift'}"
    rest = ".".join(parts[4:])
    layer = f"{stack}.layer{parts[3]}."
    if parts[4] in NORMS[stack]:
        field = ".norm.scale" if parts[5] == "weight" else ".norm.shift"
        return layer + NORMS[stack][parts[4]] + field
    for theirs, ours in LAYER_NAMES.items():
        if rest.startswith(theirs):
            return layer + ours + rest[len(theirs):]
    raise ValueError(name)


def main():
    folder = Path(__file__).resolve().parent.parent / "tests/nn/golden"
    for name, settings in VARIANTS.items():
        torch.manual_seed(7)
        model = Model(**settings)
        source = torch.tensor([[4, 5, 6, 7, EOS], [8, 9, EOS, PAD, PAD], [10, EOS, PAD, PAD, PAD]])
        target_input = torch.tensor([[BOS, 5, 4, 3], [BOS, 9, PAD, PAD], [BOS, 7, 6, PAD]])
        target_output = torch.tensor([[5, 4, 3, EOS], [9, EOS, PAD, PAD], [7, 6, EOS, PAD]])
        tensors = {
            f"weights/{tfm_name(n)}": p.detach().clone() for n, p in model.named_parameters()
        }
        criterion = nn.CrossEntropyLoss(ignore_index=PAD, label_smoothing=0.1)
        optimizer = torch.optim.Adam(model.parameters(), lr=0.01, betas=(0.9, 0.98), eps=1e-9)
        losses = []
        for step in range(10):
            optimizer.zero_grad()
            logits = model(source, target_input)
            loss = criterion(logits.flatten(0, 1), target_output.flatten())
            loss.backward()
            if step == 0:
                tensors["logits"] = logits.detach().clone()
                tensors |= {
                    f"gradients/{tfm_name(n)}": p.grad.clone() for n, p in model.named_parameters()
                }
            losses.append(loss.item())
            optimizer.step()
        tensors |= {
            "source": source, "target_input": target_input, "target_output": target_output,
            "losses": torch.tensor(losses, dtype=torch.float64)
        }
        save_file({k: v.contiguous() for k, v in tensors.items()}, folder / f"{name}.safetensors",
                  {"torch": torch.__version__})


if __name__ == "__main__":
    main()
