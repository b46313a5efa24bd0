// Reads and writes NumPy's .npz files without NumPy. An .npz file is a zip archive whose entries,
// stored or deflated, are .npy arrays. Sizes, ranges and checksums are checked before data is used,
// and no code from the file is executed.
#pragma once

#include <filesystem>

#include "tfm/tensor/safetensors.h"

namespace tfm {

/// Returns the arrays by name (without ".npy") in their own data type: fp16, fp32, fp64, int8 to
/// int64 or uint8, little-endian. Throws ModelError with the file name if the file is missing,
/// truncated, corrupt or of an unsupported kind (other compression, other data types).
StateDict read_npz(const std::filesystem::path& file);

/// Writes the arrays, which are in fp32 or int8, uncompressed, as Marian reads them. Throws
/// ModelError if the file can't be written.
void write_npz(const std::filesystem::path& file, const StateDict& arrays);

}  // namespace tfm
