#include "tfm/tensor/exceptions.h"

#include <c10/util/Exception.h>

#include <string>

#include "tfm/core/error.h"
#include "tfm/core/out_of_memory.h"

namespace tfm {

void rethrow_as_tfm_error() {
  try {
    throw;
  } catch (const c10::Error& error) {
    if (is_out_of_memory(error)) throw ModelError("", out_of_memory_message);
    throw ModelError("", std::string("unexpected: ") + error.what_without_backtrace());
  }
}

}  // namespace tfm
