#!/usr/bin/env python3
"""Writes tests/interop/golden: small models of other toolkits, with the logits that an imported
model must give. make_m2m100_golden.py writes those of M2M-100.

huggingface.safetensors: a MarianMT model of transformers ("weights/..." under its own names, its
config.json as metadata) and its logits.
marian_post.npz, marian_pre.npz: the same architecture as Marian saves it. The first is post-norm
with swish and one matrix for all embeddings, deflated. The second is pre-norm with relu, learned
positions and untied matrices in fp16, stored.
marian_*.safetensors: their logits, from the forward pass below, which follows Marian's description
of its graph. Marian and transformers compute the same except for positions and a norm's epsilon, so
the script compares the forward pass with transformers. Made with torch 2.13.0, transformers 5.23.0
and numpy 2.4.6 on a CPU; another version may differ in the last bits.

Usage: scripts/make_interop_golden.py
(from the repository's root; pip install torch transformers safetensors numpy)
"""
import json
import math
from pathlib import Path

import numpy
import torch
from safetensors.torch import save_file
from transformers import MarianConfig, MarianMTModel

FOLDER = Path("tests/interop/golden")
WIDTH, FEED_FORWARD, HEADS, VOCAB = 8, 12, 2, 24
SOURCE = torch.tensor([[5, 9, 3, 7, 11, 0], [4, 6, 0, 23, 23, 23]])
SOURCE_LENGTHS = [6, 3]
TARGET = torch.tensor([[8, 2, 12, 3], [10, 7, 5, 6]])


def randomise(model):
    torch.manual_seed(3)
    for name, parameter in model.named_parameters():
        parameter.data.normal_(1.0 if "norm.weight" in name else 0.0, 0.3)


def transformers_model():
    config = MarianConfig(vocab_size=VOCAB, d_model=WIDTH, encoder_layers=2, decoder_layers=2,
                          encoder_attention_heads=HEADS, decoder_attention_heads=HEADS,
                          encoder_ffn_dim=FEED_FORWARD, decoder_ffn_dim=FEED_FORWARD,
                          activation_function="swish", scale_embedding=True,
                          max_position_embeddings=64, pad_token_id=VOCAB - 1, eos_token_id=0,
                          decoder_start_token_id=VOCAB - 1, forced_eos_token_id=0)
    model = MarianMTModel(config).eval()
    positions = model.model.encoder.embed_positions.weight.clone()
    randomise(model)
    for stack in (model.model.encoder, model.model.decoder):
        stack.embed_positions.weight.data.copy_(positions)
    model.model.shared.weight.data[VOCAB - 1] = 0
    model.final_logits_bias = torch.randn(1, VOCAB) * 0.3
    return model


def transformers_logits(model):
    start = torch.full((2, 1), VOCAB - 1)
    with torch.no_grad():
        return model(input_ids=SOURCE, attention_mask=(SOURCE != VOCAB - 1).long(),
                     decoder_input_ids=torch.cat([start, TARGET], 1)).logits


def write_transformers():
    model = transformers_model()
    tensors = {
        "weights/" + name: tensor.clone().contiguous()
        for name, tensor in model.state_dict().items()
        if name not in ("lm_head.weight", "model.encoder.embed_tokens.weight",
                        "model.decoder.embed_tokens.weight")
    }
    tensors |= {"source": SOURCE, "target": TARGET, "logits": transformers_logits(model)}
    save_file(tensors, FOLDER / "huggingface.safetensors",
              {"config": json.dumps(model.config.to_dict())})
    return model


def marian_sinusoids(length):
    half = WIDTH // 2
    angle = torch.arange(length, dtype=torch.float64)[:, None] * torch.exp(
        torch.arange(half) * (-math.log(10000.0) / (half - 1)))
    return torch.cat([angle.sin(), angle.cos()], 1).float()


class MarianGraph:
    """Computes the logits of one sentence from the arrays that Marian saves."""

    def __init__(self, arrays, pre, positions=None):
        self.w = {
            name: torch.from_numpy(numpy.asarray(array, dtype=numpy.float32))
            for name, array in arrays.items()
        }
        self.pre, self.positions = pre, positions

    def affine(self, x, name, letter):
        return x @ self.w[f"{name}_W{letter}"] + self.w[f"{name}_b{letter}"]

    def norm(self, x, name, suffix=""):
        scale, shift = self.w[f"{name}_ln_scale{suffix}"], self.w[f"{name}_ln_bias{suffix}"]
        deviation = torch.sqrt(x.var(-1, unbiased=False, keepdim=True) + 1e-6)
        return (x - x.mean(-1, keepdim=True)) / deviation * scale + shift

    def sublayer(self, x, name, block):
        return x + block(self.norm(x, name, "_pre")) if self.pre else self.norm(x + block(x), name)

    def attention(self, x, memory, name, causal):
        def heads(y):
            return y.view(len(y), HEADS, -1).transpose(0, 1)
        q = heads(self.affine(x, name, "q"))
        k, v = (heads(self.affine(memory, name, letter)) for letter in "kv")
        scores = q @ k.transpose(1, 2) / math.sqrt(WIDTH / HEADS)
        if causal:
            scores = scores.masked_fill(torch.ones(len(x), len(x)).triu(1).bool(), float("-inf"))
        return self.affine((scores.softmax(-1) @ v).transpose(0, 1).reshape(len(x), -1), name, "o")

    def feed_forward(self, x, name):
        hidden = self.affine(x, name, "1")
        activated = hidden.relu() if self.pre else torch.nn.functional.silu(hidden)
        return self.affine(activated, name, "2")

    def embed(self, rows):
        if "Wpos" in self.w:
            return rows + self.w["Wpos"][: len(rows)]
        positions = (marian_sinusoids(len(rows)) if self.positions is None
                     else self.positions[: len(rows)])
        return rows * math.sqrt(WIDTH) + positions

    def stack(self, x, name, memory=None):
        layer = 1
        while f"{name}_l{layer}_self_Wq" in self.w:
            part = f"{name}_l{layer}"
            x = self.sublayer(x, part + "_self_Wo",
                              lambda y: self.attention(y, y, part + "_self", memory is not None))
            if memory is not None:
                x = self.sublayer(x, part + "_context_Wo",
                                  lambda y: self.attention(y, memory, part + "_context", False))
            x = self.sublayer(x, part + "_ffn_ffn", lambda y: self.feed_forward(y, part + "_ffn"))
            layer += 1
        return self.norm(x, name + "_top") if f"{name}_top_ln_scale" in self.w else x

    def logits(self, source, target):
        source_table = self.w.get("Wemb", self.w.get("encoder_Wemb"))
        target_table = self.w.get("Wemb", self.w.get("decoder_Wemb"))
        memory = self.stack(self.embed(source_table[source]), "encoder")
        # The decoder starts from a zero embedding.
        rows = torch.cat([torch.zeros(1, WIDTH), target_table[target]])
        hidden = self.stack(self.embed(rows), "decoder", memory)
        untied = "decoder_ff_logit_out_W" in self.w
        out = self.w["decoder_ff_logit_out_W"] if untied else target_table.T
        return hidden @ out + self.w["decoder_ff_logit_out_b"]


def marian_arrays(model):
    """Returns the transformers model's weights under Marian's names, without the padding token."""
    state = {name: tensor.detach().numpy() for name, tensor in model.state_dict().items()}
    arrays = {
        "Wemb": state["model.shared.weight"][:-1],
        "decoder_ff_logit_out_b": state["final_logits_bias"][:, :-1]
    }
    for stack in ("encoder", "decoder"):
        for layer in range(2):
            here, there = f"model.{stack}.layers.{layer}", f"{stack}_l{layer + 1}"
            attentions = {"self_attn": "self"}
            if stack == "decoder":
                attentions["encoder_attn"] = "context"
            for ours, theirs in attentions.items():
                for letter, name in zip("qkvo", ("q_proj", "k_proj", "v_proj", "out_proj")):
                    arrays[f"{there}_{theirs}_W{letter}"] = state[f"{here}.{ours}.{name}.weight"].T
                    bias = state[f"{here}.{ours}.{name}.bias"]
                    arrays[f"{there}_{theirs}_b{letter}"] = bias[None]
                scale = state[f"{here}.{ours}_layer_norm.weight"]
                shift = state[f"{here}.{ours}_layer_norm.bias"]
                arrays[f"{there}_{theirs}_Wo_ln_scale"] = scale[None]
                arrays[f"{there}_{theirs}_Wo_ln_bias"] = shift[None]
            for number in "12":
                arrays[f"{there}_ffn_W{number}"] = state[f"{here}.fc{number}.weight"].T
                arrays[f"{there}_ffn_b{number}"] = state[f"{here}.fc{number}.bias"][None]
            arrays[f"{there}_ffn_ffn_ln_scale"] = state[f"{here}.final_layer_norm.weight"][None]
            arrays[f"{there}_ffn_ffn_ln_bias"] = state[f"{here}.final_layer_norm.bias"][None]
    return {name: numpy.ascontiguousarray(array) for name, array in arrays.items()}


def options(**changes):
    values = {
        "type": "transformer", "dim-emb": WIDTH, "dim-vocabs": [VOCAB - 1, VOCAB - 1],
        "enc-depth": 2, "dec-depth": 2,
        "transformer-heads": HEADS, "transformer-dim-ffn": FEED_FORWARD, "transformer-ffn-depth": 2,
        "transformer-ffn-activation": "swish", "transformer-preprocess": "",
        "transformer-postprocess": "dan", "transformer-postprocess-emb": "d",
        "transformer-decoder-autoreg": "self-attention", "transformer-no-projection": False,
        "transformer-tied-layers": [], "tied-embeddings-all": True, "tied-embeddings": False,
        "tied-embeddings-src": False
    } | changes
    text = "".join(f"{key}: {json.dumps(value)}\n" for key, value in values.items())
    return numpy.frombuffer(text.encode() + b"\0", dtype=numpy.int8)


def graph_logits(graph):
    with torch.no_grad():
        logits = [graph.logits(SOURCE[i][: SOURCE_LENGTHS[i]], TARGET[i]) for i in range(2)]
        return torch.stack(logits).contiguous()


def write_marian_post(model):
    arrays = marian_arrays(model)
    for module in model.modules():
        if isinstance(module, torch.nn.LayerNorm):
            module.eps = 1e-6
    positions = model.model.encoder.embed_positions.weight.detach()
    torch.testing.assert_close(graph_logits(MarianGraph(arrays, pre=False, positions=positions)),
                               transformers_logits(model)[..., :-1])
    numpy.savez_compressed(FOLDER / "marian_post.npz", **arrays, **{"special:model.yml": options()})
    logits = graph_logits(MarianGraph(arrays, pre=False))
    save_file({"source": SOURCE, "target": TARGET, "logits": logits},
              FOLDER / "marian_post.safetensors")


def write_marian_pre():
    rng = numpy.random.default_rng(5)
    source_size, target_size = VOCAB - 1, VOCAB - 4

    def draw(*shape, mean=0.0):
        return rng.normal(mean, 0.3, shape).astype(numpy.float16)

    arrays = {
        "encoder_Wemb": draw(source_size, WIDTH), "decoder_Wemb": draw(target_size, WIDTH),
        "Wpos": draw(16, WIDTH), "decoder_ff_logit_out_W": draw(WIDTH, target_size),
        "decoder_ff_logit_out_b": draw(1, target_size)
    }
    for stack, layers, parts in (("encoder", 1, ("self",)), ("decoder", 2, ("self", "context"))):
        for layer in range(1, layers + 1):
            for part in parts:
                for letter in "qkvo":
                    arrays[f"{stack}_l{layer}_{part}_W{letter}"] = draw(WIDTH, WIDTH)
                    arrays[f"{stack}_l{layer}_{part}_b{letter}"] = draw(1, WIDTH)
                arrays[f"{stack}_l{layer}_{part}_Wo_ln_scale_pre"] = draw(1, WIDTH, mean=1.0)
                arrays[f"{stack}_l{layer}_{part}_Wo_ln_bias_pre"] = draw(1, WIDTH)
            for number, shape in (("1", (WIDTH, FEED_FORWARD)), ("2", (FEED_FORWARD, WIDTH))):
                arrays[f"{stack}_l{layer}_ffn_W{number}"] = draw(*shape)
                arrays[f"{stack}_l{layer}_ffn_b{number}"] = draw(1, shape[1])
            arrays[f"{stack}_l{layer}_ffn_ffn_ln_scale_pre"] = draw(1, WIDTH, mean=1.0)
            arrays[f"{stack}_l{layer}_ffn_ffn_ln_bias_pre"] = draw(1, WIDTH)
        arrays[f"{stack}_top_ln_scale"] = draw(1, WIDTH, mean=1.0)
        arrays[f"{stack}_top_ln_bias"] = draw(1, WIDTH)
    arrays["decoder_l1_ffn_W1"] = numpy.asfortranarray(arrays["decoder_l1_ffn_W1"])
    changes = {
        "dim-vocabs": [source_size, target_size], "enc-depth": 1, "transformer-preprocess": "n",
        "transformer-postprocess": "da", "transformer-postprocess-top": "n",
        "transformer-ffn-activation": "relu", "tied-embeddings-all": False,
        "transformer-train-positions": True
    }
    numpy.savez(FOLDER / "marian_pre.npz", **arrays, **{"special:model.yml": options(**changes)})
    logits = graph_logits(MarianGraph(arrays, pre=True))
    save_file({"source": SOURCE, "target": TARGET, "logits": logits},
              FOLDER / "marian_pre.safetensors")


FOLDER.mkdir(parents=True, exist_ok=True)
write_marian_post(write_transformers())
write_marian_pre()
