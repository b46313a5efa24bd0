// Reads the weights in a file that torch.save wrote (torch/serialization.py), such as
// pytorch_model.bin, without running its pickle. There are two containers. Since PyTorch 1.6, it is
// a zip archive: NAME/data.pkl is the pickle of the state dict, and NAME/data/KEY has the bytes of
// each storage. Before, it was a sequence of pickles (a magic number, the version, facts about the
// system, the state dict, the keys of the storages) and then, for each key, the number of elements
// and the bytes.
//
// LibTorch's own reader (torch::jit::Unpickler) is not used, because it is not safe for files from
// strangers: it takes the size of a storage from the pickle and does not compare it with the bytes
// that the archive has, so a false size lets a tensor read foreign memory. It does not read the
// older container either.
#pragma once

#include <filesystem>

#include "tfm/tensor/state_dict.h"

namespace tfm {

/// Returns the tensors of the state dict by name, with their own data types and strides. The file
/// is mapped: a storage is copied only if it is not aligned, which is common in the older
/// container. Tensors that shared a storage still do. Throws ModelError, with the file name, if the
/// file is missing or malformed, or contains anything but tensors.
StateDict read_pytorch_file(const std::filesystem::path& file);

}  // namespace tfm
