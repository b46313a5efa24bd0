// NumPy's .npz files, read without NumPy: a zip archive whose entries, stored or deflated, are .npy
// arrays. Sizes, ranges and checksums are checked before any data is used; nothing of the file is
// run.
#pragma once

#include <filesystem>

#include "tfm/tensor/safetensors.h"

namespace tfm {

/// The arrays by name (without ".npy"), in the type that they have there: fp16, fp32, fp64, 8- to
/// 64-bit integers, little-endian. Throws ModelError naming the file where it is cut short,
/// damaged, or of a kind that is not read (zip64, other compression, other types).
StateDict read_npz(const std::filesystem::path& file);

}  // namespace tfm
