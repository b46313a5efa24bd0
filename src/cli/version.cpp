#include "version.h"

#include <fmt/format.h>

#include "tfm/core/decoded_file.h"
#include "tfm/corpus/languages.h"
#include "tfm/distributed/support.h"
#include "tfm/tensor/capabilities.h"
#include "tfm/tensor/cuda_state.h"
#include "tfm/tensor/runtime.h"

namespace tfm {

/// "1f3a5c7e9+, 2026-11-25", written by cmake/Revision.cmake: the commit, "+" if files differ from
/// it, and its date. Empty if the sources are not in a git repository.
extern const char* const commit;

std::string describe_version() {
  const auto row = [](const char* name, const std::string& text) {
    return fmt::format("\n{:<15}{}", name, text);
  };
  const std::string revision = *commit == '\0' ? "" : fmt::format(" ({})", commit);
  return "tfm " TFM_VERSION + revision +
         row("LibTorch", libtorch_version() + ", " + describe_cuda(find_cuda_state())) +
         row("processor", describe(instruction_sets())) + row("kernels", describe_kernels()) +
         row("memory", allocator_name()) + row("distributed", describe_distributed()) +
         row("SentencePiece", "built in") + row("compression", describe_compressions()) +
         row("languages",
             can_identify_languages() ? "n-grams of the text, CLD2" : "n-grams of the text");
}

}  // namespace tfm
