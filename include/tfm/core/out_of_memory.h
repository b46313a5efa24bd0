// Detects exceptions that mean that memory ran out, and retries work in smaller parts. LibTorch has
// an exception type for this only on GPUs (c10::OutOfMemoryError), so the message is searched.
#pragma once

#include <cstddef>
#include <exception>
#include <functional>

namespace tfm {

/// The message that the user sees when memory runs out.
inline constexpr const char* out_of_memory_message =
    "out of memory: use smaller batches (training.batch_size, decoding.batch_size) or a smaller "
    "model";

/// Returns true for std::bad_alloc and for the out-of-memory exceptions of LibTorch's CPU and GPU
/// allocators, cuBLAS and oneDNN.
bool is_out_of_memory(const std::exception& error);

/// Calls work() and returns true, or false if memory ran out. When this function returns,
/// everything that work() held has been released, and so has the exception.
bool fits_into_memory(const std::function<void()>& work);

/// Calls work(begin, end) for ranges that cover the indices 0 to count - 1 in ascending order:
/// first for all indices, then for the halves of each range for which memory runs out. Logs the
/// first halving. Throws ModelError if memory runs out for a single index.
void halve_until_memory_suffices(std::size_t count,
                                 const std::function<void(std::size_t, std::size_t)>& work);

}  // namespace tfm
