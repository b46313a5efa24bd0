// Checks that any bytes, read as an .npz file, give a ModelError or contiguous arrays.
#include <cstdlib>

#include "memory_file.h"
#include "tfm/core/error.h"
#include "tfm/interop/npz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const tfm::MemoryFile file(data, size);
  try {
    for (const auto& [name, tensor] : tfm::read_npz(file.path())) {
      if (!tensor.is_contiguous()) std::abort();
    }
  } catch (const tfm::ModelError&) {
  }
  return 0;
}
