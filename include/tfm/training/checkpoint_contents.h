// Reads and writes the tensors of a checkpoint: weights, optimizer state and the states of the
// random generators.
// run/checkpoint_store.h handles the checkpoint folders and the other files in them.
#pragma once

#include <filesystem>
#include <vector>

#include "tfm/nn/transformer.h"
#include "tfm/optim/optimizer.h"
#include "tfm/tensor/safetensors.h"

namespace tfm {

/// Writes the weights to weights_file, and the optimizer state and the states of the random
/// generators to optimizer_file. Throws ModelError if a file can't be written.
void write_tensors(const std::filesystem::path& checkpoint, const Transformer& network,
                   const Optimizer& optimizer);

/// Restores weights, optimizer and random generators from the files of write_tensors. If the files
/// lack the generator of this device, logs a warning instead of restoring the generators. Throws
/// ModelError, with the file name, if a file does not match the network or the optimizer.
void read_tensors(const std::filesystem::path& checkpoint, Transformer& network,
                  Optimizer& optimizer);

/// Returns the mean of the weights of several checkpoints or model folders, in fp32. Throws
/// ModelError, with the file name, if a checkpoint's file is corrupt.
StateDict average_weights(const std::vector<std::filesystem::path>& checkpoints);

}  // namespace tfm
