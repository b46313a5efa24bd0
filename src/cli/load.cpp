#include "load.h"

#include <algorithm>

#include "field_options.h"
#include "tfm/core/log.h"
#include "tfm/model/model_files.h"
#include "tfm/run/run_status.h"
#include "tfm/run/scores_by_step.h"
#include "tfm/tensor/runtime.h"

namespace tfm {

std::string configure_translation(const RuntimeOptions& runtime) {
  set_threads(runtime.threads);
  configure_allocator(Workload::translation);
  return resolve_device(runtime.device);
}

std::vector<Model> load_models(const std::vector<std::filesystem::path>& folders,
                               const RuntimeOptions& runtime,
                               const std::vector<std::string>& decoding) {
  return load_models(folders, configure_translation(runtime), decoding);
}

std::vector<Model> load_models(const std::vector<std::filesystem::path>& folders,
                               const std::string& device,
                               const std::vector<std::string>& decoding) {
  const auto chosen = folders.empty() ? std::vector{default_model()} : folders;
  std::vector<Model> models;
  for (const auto& folder : chosen) {
    models.push_back(Model::load(folder, device));
    warn_if_training(folder);
  }
  auto& config = models.front().config();
  apply_options(config, decoding);
  if (config.decoding.replace_unknown && config.tokenizer.kind != TokenizerKind::word) {
    log_warn(
        "--replace-unknown (decoding.replace_unknown) does next to nothing for this model: its "
        "vocabulary consists of subwords, which spell unknown words");
  }
  for (const auto& folder : chosen)
    log_debug("model {} on {}", folder.string(), describe_runtime(device));
  if (folders.empty()) log_info("model: {}", chosen.front().string());
  return models;
}

void warn_if_training(const std::filesystem::path& folder) {
  const auto status = read_status(folder);
  if (!status || status->state != "running") return;
  const auto scores = scores_by_step(folder);
  const auto best =
      std::ranges::max_element(scores, {}, &std::map<std::int64_t, double>::value_type::second);
  log_warn(
      "{} is still training (step {}); using {}. For the final one, repeat the command when "
      "training has ended",
      folder.string(), status->step,
      best == scores.end() ? "the model that it saved last"
                           : fmt::format("its best model so far, of step {}", best->first));
}

}  // namespace tfm
