#include "tfm/serve/served_models.h"

#include <algorithm>

#include "tfm/translate/html_lines.h"

namespace tfm {
namespace {

/// A translator, with what is called after each batch.
struct CountedTranslator {
  std::shared_ptr<const Translator> translator;
  std::function<void(const TokenCount&)> on_tokens;
};

TokenCount count_tokens(const std::vector<Translation>& translations) {
  TokenCount count;
  for (const auto& translation : translations) {
    for (const auto& part : translation.candidates.front().parts) {
      count.source += std::ssize(part.source.ids);
      count.target += std::ssize(part.target);
    }
  }
  return count;
}

/// Translates plain text or HTML: Translator::translate or translate_html_lines.
std::vector<LineCandidates> translate(const CountedTranslator& counted,
                                      const std::vector<LaneLine>& lines, bool is_html) {
  TranslationRequest request;
  std::vector<std::string> texts;
  for (const auto& line : lines) {
    texts.push_back(line.text);
    request.source_tags.push_back(line.tag);
  }
  const auto translations = is_html ? translate_html_lines(*counted.translator, texts, request)
                                    : counted.translator->translate(texts, request);
  if (counted.on_tokens) counted.on_tokens(count_tokens(translations));
  std::vector<LineCandidates> results;
  for (const auto& translation : translations) {
    auto& candidates = results.emplace_back();
    for (const auto& candidate : translation.candidates) candidates.push_back(candidate.text);
  }
  return results;
}

/// Returns a lane that translates with one lane and then with another, whose lines have the tag.
LanePointer compose(const LanePointer& first, const LanePointer& second, const std::string& tag) {
  return std::make_shared<Lane>([first, second, tag](const std::vector<LaneLine>& lines) {
    std::vector<LaneLine> between;
    for (auto& candidates : (*first)(lines))
      between.push_back({std::move(candidates.front()), tag});
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
      all.push_back({languages, compose(first.text, second.text, second.tag),
                     compose(first.html, second.html, second.tag), first.languages.target,
                     first.tag});
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

ModelLanes make_lanes(std::shared_ptr<const Translator> translator,
                      std::function<void(const TokenCount&)> on_tokens) {
  const CountedTranslator counted{std::move(translator), std::move(on_tokens)};
  const auto text = [counted](const std::vector<LaneLine>& lines) {
    return translate(counted, lines, false);
  };
  const auto html = [counted](const std::vector<LaneLine>& lines) {
    return translate(counted, lines, true);
  };
  return {std::make_shared<Lane>(text), std::make_shared<Lane>(html)};
}

std::vector<ServedModel> make_served_models(const std::vector<TaggedPair>& pairs,
                                            const ModelLanes& lanes) {
  std::vector<ServedModel> models;
  for (const auto& [languages, tag] : pairs)
    models.push_back({languages, lanes.text, lanes.html, "", tag});
  return models;
}

ServedModels::ServedModels(std::vector<ServedModel> models)
    : models_(with_pivots(std::move(models))), router_(make_router(models_)) {}

}  // namespace tfm
