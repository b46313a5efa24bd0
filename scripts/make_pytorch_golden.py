#!/usr/bin/env python3
"""Writes tests/interop/golden/pytorch_*: one state dict in both containers of torch.save, and the
same tensors as safetensors.

pytorch_zip.bin: the container since PyTorch 1.6. pytorch_legacy.bin: the one before.
pytorch_protocol4.bin: pickle protocol 4 and no checksums.
The state dict has all data types, tied weights, two tensors in one storage, transposed and
offset views, an empty tensor, a scalar, a parameter and _metadata. Made with torch 2.13.0; another
version may write other bytes for the same tensors.

Usage: scripts/make_pytorch_golden.py
(from the repository's root; pip install torch safetensors numpy)
"""
from pathlib import Path

import torch
from safetensors.torch import save_file

FOLDER = Path("tests/interop/golden")
TYPES = {
    "float": torch.float32, "half": torch.float16, "bfloat": torch.bfloat16,
    "double": torch.float64, "long": torch.int64, "int": torch.int32, "short": torch.int16,
    "char": torch.int8, "byte": torch.uint8, "bool": torch.bool
}


def state_dict():
    state = torch.nn.Linear(2, 3).state_dict()  # an OrderedDict with _metadata
    state["weight"], state["bias"] = torch.arange(6.0).view(3, 2) / 4, torch.ones(3)
    for name, dtype in TYPES.items():
        # An odd size, so that the next storage of the older container is not aligned.
        state[name] = torch.tensor([0, 1, 2, 3, 100]).to(dtype)
    storage = torch.arange(12.0) - 5
    state["tied"] = state["weight"]
    state["transposed"] = storage.view(3, 4).t()
    state["offset"] = storage[5:9]
    state["strided"] = storage.view(3, 4)[1:, ::2]
    state["last"] = storage[11:]
    state["empty"] = torch.zeros(0, 3)
    state["scalar"] = torch.tensor(-2.5)
    state["parameter"] = torch.nn.Parameter(torch.tensor([[1.5, -1.5]]))
    return state


torch.manual_seed(1)
tensors = state_dict()
torch.save(tensors, FOLDER / "pytorch_zip.bin")
torch.save(tensors, FOLDER / "pytorch_legacy.bin", _use_new_zipfile_serialization=False)
torch.serialization.set_crc32_options(False)
torch.save(tensors, FOLDER / "pytorch_protocol4.bin", pickle_protocol=4)
save_file({name: tensor.detach().clone().contiguous() for name, tensor in tensors.items()},
          FOLDER / "pytorch.safetensors")
