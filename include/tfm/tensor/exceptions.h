// Converts LibTorch's exceptions to tfm's own, so that code without LibTorch can report them.
#pragma once

namespace tfm {

/// Rethrows the exception that is being handled; call it in a catch block. An exception of LibTorch
/// becomes a ModelError with a message for the user: out_of_memory_message (out_of_memory.h), or
/// "unexpected: ..." without the backtrace. Other exceptions are rethrown unchanged.
[[noreturn]] void rethrow_as_tfm_error();

}  // namespace tfm
