// Which errors mean that memory ran out. LibTorch has a type for GPUs only (c10::OutOfMemoryError),
// and its text says so as that of the others does.
#pragma once

#include <exception>

namespace tfm {

/// What a user is told to do about it.
inline constexpr const char* out_of_memory_message =
    "out of memory: use smaller batches (training.batch_size, decoding.batch_size) or a smaller "
    "model";

/// std::bad_alloc, and what LibTorch's CPU and GPU allocators, cuBLAS and oneDNN throw.
bool is_out_of_memory(const std::exception& error);

}  // namespace tfm
