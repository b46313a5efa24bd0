#include "tfm/model/model_packing.h"

#include <c10/core/InferenceMode.h>

#include "tfm/model/model_folder.h"
#include "tfm/tensor/packed_file.h"

namespace tfm {

std::filesystem::path pack_model(const std::filesystem::path& folder) {
  const c10::InferenceMode no_gradients;
  const auto model = load_model(folder, torch::kCPU);
  const auto file = folder / packed_file;
  write_packed_file(file, model.network->linear_parts());
  return file;
}

}  // namespace tfm
