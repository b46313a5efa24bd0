#include "tfm/model/model_folder.h"

#include <algorithm>

#include "tfm/config/config_file.h"
#include "tfm/core/atomic_file.h"
#include "tfm/core/error.h"
#include "tfm/core/log.h"
#include "tfm/model/model_record.h"
#include "tfm/tensor/packed_file.h"

namespace tfm {

namespace fs = std::filesystem;

VocabSizes vocab_sizes(const TokenizerPair& tokenizers) {
  return {.source = tokenizers.source->size(),
          .target = tokenizers.target->size(),
          .source_pad = tokenizers.source->special().pad,
          .target_pad = tokenizers.target->special().pad,
          .target_bos = tokenizers.target->special().bos};
}

namespace {

/// Returns the alignment head in the record of the model, or nullopt if the record has none or the
/// model does not have that head.
std::optional<AlignmentHead> recorded_alignment_head(const fs::path& folder,
                                                     const ModelConfig& config) {
  const auto record = read_record(folder);
  if (!record || !record->alignment) return std::nullopt;
  try {
    auto head = parse_alignment_head(record->alignment->head, config);
    head.shifted = record->alignment->shifted;
    return head;
  } catch (const ConfigError&) {
    return std::nullopt;
  }
}

/// Throws ModelError if source lines must end with eos but the source vocabulary has no eos.
/// Training makes the same check, but a model folder can also come from an import or be assembled
/// by hand.
void check_source_eos(const TranslationModel& model, const fs::path& folder) {
  if (!model.config.data.source_eos || model.tokenizers.source->special().eos >= 0) return;
  throw ModelError(folder.string(),
                   "its source vocabulary has no token '" + model.config.tokenizer.eos_token +
                       "', which ends every source sentence (data.source_eos)",
                   "Use the vocabulary that the model was trained with, or set data.source_eos to "
                   "false if it was trained without it.");
}

/// Logs a warning if weights contain infinities or NaN. The pages of a mapped weight are released
/// before those of the next are read, so that the whole file is never in memory.
void warn_of_non_finite(const StateDict& weights, const fs::path& file, bool mapped) {
  const auto release =
      mapped ? std::function(release_pages) : std::function<void(const torch::Tensor&)>();
  const auto names = non_finite_weights(weights, release);
  if (names.empty()) return;
  log_warn("{}: {} contain infinities or NaN. Training diverged, or the file is corrupt.",
           file.string(), fmt::join(names, ", "));
}

}  // namespace

TranslationModel load_model(const fs::path& folder, torch::Device device) {
  require_model_folder(folder);
  const auto description = description_folder(folder);
  TranslationModel model;
  model.folder = folder;
  model.device = device;
  model.config = load_config(description / config_file);
  model.tokenizers = load_tokenizers(model.config.tokenizer, description);
  check_source_eos(model, description);
  model.network =
      Transformer(model.config.model, vocab_sizes(model.tokenizers), InitialWeights::none);
  const auto weights = read_safetensors(folder / weights_file).tensors;
  assign_parameters(*model.network, weights, folder / weights_file);
  // Weights stored in another type were converted to fp32 and are no longer mapped.
  model.mapped = uses_host_memory(device) && std::ranges::all_of(weights, [](const auto& named) {
                   return named.second.scalar_type() == torch::kFloat32;
                 });
  if (model.mapped)
    model.packed_int8 = read_packed_file(folder / packed_file, model.network->linear_parts());
  // The weights of a packed file have been checked, and need not be read at all.
  if (!model.packed_int8) warn_of_non_finite(weights, folder / weights_file, model.mapped);
  model.network->to(device);
  model.network->eval();
  model.best_alignment_head = recorded_alignment_head(description, model.config.model);
  return model;
}

}  // namespace tfm
