#include "tfm/training/advice.h"

#include <fmt/format.h>

#include "tfm/config/choices.h"
#include "tfm/data/corpus.h"
#include "tfm/data/starting_config.h"
#include "tfm/model/model_folder.h"
#include "tfm/tensor/state_dict.h"

namespace tfm {
namespace {

/// Returns whether the model has more than 5 million parameters and more than 2000 per sentence
/// pair. For comparison, the models of docs/results.md have up to 300 per sentence pair.
bool is_too_large(const RunSize& size) {
  constexpr std::int64_t parameters_per_pair = 2000;
  constexpr std::int64_t always_fine = 5'000'000;
  return size.parameters > always_fine && size.parameters / parameters_per_pair > size.pairs;
}

std::string size_advice(const Config& config, const RunSize& size) {
  std::string advice;
  const auto add = [&](const std::string& text) { advice += (advice.empty() ? "" : ", ") + text; };
  if (const auto preset = choose_preset(size.pairs); choice_name(config.model.preset) != preset)
    add("model.preset: " + preset);
  if (2 * size.vocabulary_parameters > size.parameters &&
      config.tokenizer.kind != TokenizerKind::pieces)
    add("tokenizer.vocab_size: auto");
  if (config.training.max_minutes == 0) add("training.max_steps: auto with training.max_minutes");
  return advice;
}

}  // namespace

RunSize measure_size(const TranslationModel& model, const Corpus& corpus,
                     const ValidationOverlap& overlap) {
  RunSize size{.parameters = model.network->parameter_count(),
               .vocabulary_parameters = 0,
               .pairs = static_cast<std::int64_t>(corpus.examples.size()),
               .overlap = overlap};
  for (const auto& group : summarize_parameters(state_dict(*model.network))) {
    if (group.name.find("embedding") != std::string::npos || group.name.starts_with("output"))
      size.vocabulary_parameters += group.count;
  }
  return size;
}

std::vector<std::string> advise(const Config& config, const RunSize& size) {
  std::vector<std::string> advice;
  if (is_too_large(size)) {
    auto text = fmt::format("the model ({:.1f} million parameters) is too large for {} pairs",
                            static_cast<double>(size.parameters) / 1e6, size.pairs);
    const auto remedy = size_advice(config, size);
    advice.push_back(text + (remedy.empty() ? "\n  Use a smaller model, or more text."
                                            : "\n  Use " + remedy + "."));
  }
  if (valid_files(config.data).empty()) {
    advice.emplace_back(
        "no validation text: no BLEU, no best model (the last weights are kept) and no early "
        "stopping\n  Name some hundred pairs that are not in the training text in "
        "data.valid_source and data.valid_target.");
  }
  // Short sentences such as "Yes." are in many texts, so a few shared pairs are normal.
  const auto& [valid_pairs, shared_pairs] = size.overlap;
  if (shared_pairs > 0 && 10 * shared_pairs >= valid_pairs) {
    advice.push_back(fmt::format(
        "{} of {} validation pairs are also in the training text: scores on them do not show how "
        "well the model translates new text\n  Remove them from the training text, or name other "
        "pairs in data.valid_source and data.valid_target.",
        shared_pairs, valid_pairs));
  }
  return advice;
}

}  // namespace tfm
