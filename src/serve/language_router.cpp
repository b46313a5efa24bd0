#include "tfm/serve/language_router.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <span>

#include "tfm/core/error.h"
#include "tfm/core/spelling.h"
#include "tfm/text/language_codes.h"

namespace tfm {
namespace {

/// Returns one language of each pair, without repetition.
std::vector<std::string> distinct(const std::vector<LanguagePair>& pairs,
                                  std::string LanguagePair::* language) {
  std::set<std::string> seen;
  std::vector<std::string> all;
  for (const auto& pair : pairs) {
    if (seen.insert(pair.*language).second) all.push_back(pair.*language);
  }
  return all;
}

std::pair<std::string, std::string> key_of(const std::string& source, const std::string& target) {
  return {to_lower(source), to_lower(target)};
}

/// A language that a model offers for a requested one.
struct Fit {
  std::string language;
  int distance = 0;
};

std::vector<Fit> fitting(std::string_view requested, const std::vector<std::string>& offered) {
  std::vector<Fit> fits;
  for (const auto& language : offered) {
    if (const auto distance = language_distance(requested, language))
      fits.push_back({language, *distance});
  }
  return fits;
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

LanguageRouter::LanguageRouter(std::vector<LanguagePair> models)
    : models_(std::move(models)),
      sources_(distinct(models_, &LanguagePair::source)),
      targets_(distinct(models_, &LanguagePair::target)) {
  if (models_.empty()) throw ConfigError("--model", "no model is given");
  for (std::size_t i = 0; i < models_.size(); ++i) {
    const auto& [source, target] = models_[i];
    if (source.empty() || target.empty())
      throw ConfigError("data.source_language, data.target_language",
                        "the languages of a model are not known",
                        "Set both in the config.yaml of its folder.");
    if (!places_.emplace(key_of(source, target), i).second)
      throw ConfigError("--model", fmt::format("two models translate {} to {}", source, target),
                        "Give one model per pair of languages.");
    targets_of_source_[source].push_back(target);
  }
}

std::optional<std::size_t> LanguageRouter::find(std::string_view source,
                                                std::string_view target) const {
  const auto exact = places_.find(key_of(std::string(source), std::string(target)));
  if (exact != places_.end()) return exact->second;
  std::optional<std::pair<int, std::size_t>> best;  // the distance, then the place
  const auto target_fits = fitting(target, targets_);
  for (const auto& [from, from_distance] : fitting(source, sources_)) {
    for (const auto& [to, to_distance] : target_fits) {
      const auto found = places_.find(key_of(from, to));
      if (found == places_.end()) continue;
      const std::pair fit{from_distance + to_distance, found->second};
      if (!best || fit < *best) best = fit;
    }
  }
  return best ? std::optional(best->second) : std::nullopt;
}

std::vector<std::string> LanguageRouter::languages() const {
  auto all = sources_;
  for (const auto& target : targets_) {
    if (std::ranges::find(all, target) == all.end()) all.push_back(target);
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
  const auto found = targets_of_source_.find(source);
  return found == targets_of_source_.end() ? std::vector<std::string>() : found->second;
}

std::string LanguageRouter::describe() const {
  constexpr std::size_t most = 10;
  std::string text;
  for (const auto& [source, target] : std::span(models_).first(std::min(most, models_.size())))
    text += fmt::format("{}{} to {}", text.empty() ? "" : ", ", source, target);
  return models_.size() <= most ? text : fmt::format("{} and {} more", text, models_.size() - most);
}

}  // namespace tfm
