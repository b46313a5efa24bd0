// Checks that any bytes, read as a file of PyTorch, give a ModelError or tensors whose values can
// all be read.
#include "interop/pytorch_file.h"
#include "memory_file.h"
#include "tfm/core/error.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const tfm::MemoryFile file(data, size);
  try {
    std::size_t values = 0;
    for (const auto& [name, tensor] : tfm::read_pytorch_file(file.path())) {
      // Copies the elements in the order of the strides.
      const auto plain = tensor.contiguous();
      const auto* bytes = static_cast<const volatile std::uint8_t*>(plain.const_data_ptr());
      for (std::size_t i = 0; i < plain.nbytes(); ++i) values += bytes[i];
    }
    static volatile std::size_t sink;
    sink = values;
  } catch (const tfm::ModelError&) {
  }
  return 0;
}
