#include "tfm/training/advice.h"

#include <fmt/format.h>

#include "tfm/config/choices.h"
#include "tfm/data/corpus.h"
#include "tfm/data/starting_config.h"

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
  return advice;
}

}  // namespace tfm
