#include "tfm/serve/served_models.h"

#include <algorithm>
#include <utility>

#include "tfm/core/error.h"
#include "tfm/serve/http_message.h"
#include "tfm/text/utf8.h"
#include "tfm/translate/html_lines.h"

namespace tfm {
namespace {

struct LaneParts {
  std::shared_ptr<const Translator> translator;
  LaneFunctions functions;
};

TokenCount count_tokens(const Translation& translation) {
  TokenCount count;
  for (const auto& segment : translation.candidates.front().parts) {
    count.source += std::ssize(segment.source.ids);
    count.target += std::ssize(segment.target);
  }
  return count;
}

LineTranslation to_line(Translation& translation) {
  LineTranslation line;
  line.segments = translation.parts;
  for (auto& candidate : translation.candidates) {
    line.candidates.push_back(std::move(candidate.text));
    line.words.push_back(std::move(candidate.words));
  }
  return line;
}

/// Translates a line as plain text or HTML: Translator::translate or translate_html_lines.
LineTranslation translate_line(const LaneParts& parts, const LaneLine& line, bool is_html) {
  TranslationRequest request;
  request.words = line.details.words;
  request.next_words = line.details.next_words;
  request.source_tags = {line.tag};
  request.stop = line.stop;
  if (request.next_words > 0) request.constraints.push_back({line.details.prefix, {}});
  auto translation = is_html ? translate_html_lines(*parts.translator, {line.text}, request).front()
                             : parts.translator->translate({line.text}, request).front();
  if (parts.functions.on_tokens) parts.functions.on_tokens(count_tokens(translation));
  auto result = to_line(translation);
  if (!request.words) result.words.clear();
  return result;
}

/// Returns a line with the attention of its translation.
LineTranslation with_attention(const LaneParts& parts, const LaneLine& line) {
  if (!parts.functions.attention) throw HttpError(400, "the model shows no attention");
  LineTranslation result{{line.details.attention_target}};
  result.attention = parts.functions.attention(line);
  return result;
}

/// Gives a line its translation, next words or attention. An error in the last two is the client's.
LineTranslation answer_line(const LaneParts& parts, const LaneLine& line, bool is_html) {
  const bool wants_attention = !line.details.attention_target.empty();
  if (!wants_attention && line.details.next_words == 0) return translate_line(parts, line, is_html);
  LineTranslation failed;
  try {
    return wants_attention ? with_attention(parts, line) : translate_line(parts, line, is_html);
  } catch (const HttpError& error) {
    failed.error = error;
  } catch (const DataError& error) {
    failed.error.emplace(400, repair_utf8(error.problem()));
  }
  return failed;
}

/// Replaces the aligned words of the text between, in the words of a pivot's translation, by those
/// of the source.
void align_with_source(LineTranslation& line, const LineTranslation& between) {
  if (between.words.empty()) return;
  const auto& inner = between.words.front();
  for (auto& words : line.words) {
    for (auto& word : words) {
      const bool is_aligned = word.source >= 0 && word.source < std::ssize(inner);
      word.source = is_aligned ? inner[static_cast<std::size_t>(word.source)].source : -1;
    }
  }
}

/// Returns a lane that translates with one lane and then with another, whose lines have the tag.
/// The prefix and the next words of a line are those of the second. A line with an error of the
/// first keeps it.
LanePointer compose(const LanePointer& first, const LanePointer& second, const std::string& tag) {
  return std::make_shared<Lane>([first, second, tag](const LaneLine& line) {
    const auto between = (*first)({line.text, line.tag, {.words = line.details.words}, line.stop});
    if (between.error) return between;
    auto result = (*second)({between.text(), tag, line.details, line.stop});
    align_with_source(result, between);
    return result;
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

ModelLanes make_lanes(std::shared_ptr<const Translator> translator, LaneFunctions functions) {
  const LaneParts parts{std::move(translator), std::move(functions)};
  const auto text = [parts](const LaneLine& line) { return answer_line(parts, line, false); };
  const auto html = [parts](const LaneLine& line) { return answer_line(parts, line, true); };
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
