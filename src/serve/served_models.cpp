#include "tfm/serve/served_models.h"

#include <algorithm>

#include "tfm/translate/html_lines.h"

namespace tfm {
namespace {

std::vector<LineCandidates> candidate_texts(const std::vector<Translation>& translations) {
  std::vector<LineCandidates> results;
  for (const auto& translation : translations) {
    auto& candidates = results.emplace_back();
    for (const auto& candidate : translation.candidates) candidates.push_back(candidate.text);
  }
  return results;
}

/// Returns a lane that translates with one lane and then with another.
LanePointer compose(const LanePointer& first, const LanePointer& second) {
  return std::make_shared<Lane>([first, second](const std::vector<std::string>& lines) {
    std::vector<std::string> between;
    for (auto& candidates : (*first)(lines)) between.push_back(std::move(candidates.front()));
    return (*second)(between);
  });
}

bool is_same_language(const std::string& a, const std::string& b) {
  return language_distance(a, b).has_value();
}

std::vector<ServedModel> with_pivots(std::vector<ServedModel> models) {
  std::vector<ServedModel> all = models;
  const auto is_translated = [&all](const LanguagePair& languages) {
    return std::ranges::any_of(all, [&](const ServedModel& model) {
      return is_same_language(model.languages.source, languages.source) &&
             is_same_language(model.languages.target, languages.target);
    });
  };
  for (const auto& first : models) {
    for (const auto& second : models) {
      const LanguagePair languages{first.languages.source, second.languages.target};
      if (!is_same_language(first.languages.target, second.languages.source) ||
          is_same_language(languages.source, languages.target) || is_translated(languages))
        continue;
      all.push_back({languages, compose(first.text, second.text), compose(first.html, second.html),
                     first.languages.target});
    }
  }
  return all;
}

LanguageRouter make_router(const std::vector<ServedModel>& models) {
  std::vector<LanguagePair> pairs;
  for (const auto& model : models) pairs.push_back(model.languages);
  return LanguageRouter(std::move(pairs));
}

}  // namespace

ServedModel make_served_model(const LanguagePair& languages,
                              std::shared_ptr<const Translator> translator) {
  const auto text = [translator](const std::vector<std::string>& lines) {
    return candidate_texts(translator->translate(lines));
  };
  const auto html = [translator](const std::vector<std::string>& lines) {
    return candidate_texts(translate_html_lines(*translator, lines));
  };
  return {languages, std::make_shared<Lane>(text), std::make_shared<Lane>(html), ""};
}

ServedModels::ServedModels(std::vector<ServedModel> models)
    : models_(with_pivots(std::move(models))), router_(make_router(models_)) {}

}  // namespace tfm
