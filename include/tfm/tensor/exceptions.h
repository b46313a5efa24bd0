// LibTorch's exceptions as tfm's own, so that code without LibTorch can report them.
#pragma once

namespace tfm {

/// Call it in a catch block. Rethrows the exception that is being handled: one of LibTorch's as a
/// ModelError whose message is for the user (out_of_memory.h, or "unexpected: ..." without the
/// backtrace), any other as it is.
[[noreturn]] void rethrow_as_tfm_error();

}  // namespace tfm
