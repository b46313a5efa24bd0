// Checks that any bytes, read as a safetensors file, give a ModelError or tensors whose values can
// all be read.
#include "memory_file.h"
#include "tfm/core/error.h"
#include "tfm/tensor/safetensors.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const tfm::MemoryFile file(data, size);
  try {
    std::size_t values = 0;
    for (const auto& [name, tensor] : tfm::read_safetensors(file.path()).tensors) {
      const auto* bytes = static_cast<const volatile std::uint8_t*>(tensor.const_data_ptr());
      for (std::size_t i = 0; i < tensor.nbytes(); ++i) values += bytes[i];
    }
    static volatile std::size_t sink;
    sink = values;
  } catch (const tfm::ModelError&) {
  }
  return 0;
}
