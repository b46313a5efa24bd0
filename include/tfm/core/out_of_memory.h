// Detects exceptions that mean that memory ran out. LibTorch has a type only for GPUs
// (c10::OutOfMemoryError), so the message text is searched.
#pragma once

#include <exception>

namespace tfm {

/// The message for the user.
inline constexpr const char* out_of_memory_message =
    "out of memory: use smaller batches (training.batch_size, decoding.batch_size) or a smaller "
    "model";

/// True for std::bad_alloc and for the out-of-memory exceptions of LibTorch's CPU and GPU
/// allocators, cuBLAS and oneDNN.
bool is_out_of_memory(const std::exception& error);

}  // namespace tfm
