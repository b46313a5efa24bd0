#include "version.h"

#include <fmt/format.h>
#include <zlib.h>

#include "tfm/distributed/support.h"
#include "tfm/tensor/capabilities.h"
#include "tfm/tensor/runtime.h"

namespace tfm {

std::string describe_version() {
  const auto row = [](const char* name, const std::string& text) {
    return fmt::format("\n{:<15}{}", name, text);
  };
  return "tfm " TFM_VERSION + row("LibTorch", libtorch_version() + ", " + describe_cuda()) +
         row("processor", describe_processor()) + row("kernels", describe_kernels()) +
         row("distributed", has_c10d() ? "c10d" : "not built in") +
         row("SentencePiece", "built in") +
         row("compression", fmt::format("gzip (zlib {})", zlibVersion()));
}

}  // namespace tfm
