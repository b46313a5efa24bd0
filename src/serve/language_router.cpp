#include "tfm/serve/language_router.h"

#include <fmt/format.h>

#include <algorithm>

#include "tfm/core/error.h"
#include "tfm/core/spelling.h"
#include "tfm/text/language_codes.h"

namespace tfm {
namespace {

bool is_same_pair(const LanguagePair& a, const LanguagePair& b) {
  return language_distance(a.source, b.source) == 0 && language_distance(a.target, b.target) == 0;
}

/// Returns one language of each pair, without repetition.
std::vector<std::string> distinct(const std::vector<LanguagePair>& pairs,
                                  std::string LanguagePair::* language) {
  std::vector<std::string> all;
  for (const auto& pair : pairs) {
    if (std::ranges::find(all, pair.*language) == all.end()) all.push_back(pair.*language);
  }
  return all;
}

}  // namespace

std::optional<int> language_distance(std::string_view requested, std::string_view offered) {
  const auto wanted = to_lower(std::string(requested));
  const auto has = to_lower(std::string(offered));
  if (wanted == has) return 0;
  if (base_language(wanted) == has) return 1;
  if (wanted == base_language(has)) return 2;
  return base_language(wanted) == base_language(has) ? std::optional(3) : std::nullopt;
}

LanguageRouter::LanguageRouter(std::vector<LanguagePair> models) : models_(std::move(models)) {
  if (models_.empty()) throw ConfigError("--model", "no model is given");
  for (auto model = models_.begin(); model != models_.end(); ++model) {
    if (model->source.empty() || model->target.empty())
      throw ConfigError("data.source_language, data.target_language",
                        "the languages of a model are not known",
                        "Set both in the config.yaml of its folder.");
    const bool is_repeated = std::any_of(
        models_.begin(), model, [&](const auto& other) { return is_same_pair(*model, other); });
    if (is_repeated)
      throw ConfigError("--model",
                        fmt::format("two models translate {} to {}", model->source, model->target),
                        "Give one model per pair of languages.");
  }
}

std::optional<std::size_t> LanguageRouter::find(std::string_view source,
                                                std::string_view target) const {
  std::optional<std::size_t> best;
  int best_distance = 0;
  for (std::size_t i = 0; i < models_.size(); ++i) {
    const auto at_source = language_distance(source, models_[i].source);
    const auto at_target = language_distance(target, models_[i].target);
    if (!at_source || !at_target) continue;
    if (best && *at_source + *at_target >= best_distance) continue;
    best = i;
    best_distance = *at_source + *at_target;
  }
  return best;
}

std::vector<std::string> LanguageRouter::sources() const {
  return distinct(models_, &LanguagePair::source);
}

std::vector<std::string> LanguageRouter::targets() const {
  return distinct(models_, &LanguagePair::target);
}

std::vector<std::string> LanguageRouter::languages() const {
  auto all = sources();
  for (auto& target : targets()) {
    if (std::ranges::find(all, target) == all.end()) all.push_back(std::move(target));
  }
  return all;
}

bool LanguageRouter::needs_no_model(std::string_view source, std::string_view target) const {
  return language_distance(source, target) && !find(source, target) &&
         std::ranges::any_of(languages(), [&](const std::string& language) {
           return language_distance(source, language).has_value();
         });
}

std::vector<std::string> LanguageRouter::targets(std::string_view source) const {
  std::vector<std::string> all;
  for (const auto& model : models_) {
    if (model.source == source) all.push_back(model.target);
  }
  return all;
}

std::string LanguageRouter::describe() const {
  std::string text;
  for (const auto& model : models_)
    text += (text.empty() ? "" : ", ") + model.source + " to " + model.target;
  return text;
}

}  // namespace tfm
