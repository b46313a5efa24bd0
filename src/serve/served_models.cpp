#include "tfm/serve/served_models.h"

#include <algorithm>
#include <numeric>
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

TokenCount count_tokens(const std::vector<Translation>& translations) {
  TokenCount count;
  for (const auto& translation : translations) {
    for (const auto& segment : translation.candidates.front().parts) {
      count.source += std::ssize(segment.source.ids);
      count.target += std::ssize(segment.target);
    }
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

/// Translates lines with the same kind of details, as plain text or HTML: Translator::translate or
/// translate_html_lines.
std::vector<LineTranslation> translate_alike(const LaneParts& parts,
                                             const std::vector<LaneLine>& lines, bool is_html) {
  const auto& details = lines.front().details;
  TranslationRequest request;
  request.words = details.words;
  request.next_words = details.next_words;
  std::vector<std::string> texts;
  for (const auto& line : lines) {
    texts.push_back(line.text);
    request.source_tags.push_back(line.tag);
    if (details.next_words > 0) request.constraints.push_back({line.details.prefix, {}});
  }
  auto translations = is_html ? translate_html_lines(*parts.translator, texts, request)
                              : parts.translator->translate(texts, request);
  if (parts.functions.on_tokens) parts.functions.on_tokens(count_tokens(translations));
  std::vector<LineTranslation> results;
  for (auto& translation : translations) results.push_back(to_line(translation));
  if (!details.words)
    for (auto& line : results) line.words.clear();
  return results;
}

/// Returns a line with the attention of its translation.
LineTranslation with_attention(const LaneParts& parts, const LaneLine& line) {
  if (!parts.functions.attention) throw HttpError(400, "the model shows no attention");
  LineTranslation result{{line.details.attention_target}};
  result.attention = parts.functions.attention(line);
  return result;
}

/// Gives a line its attention or next words. An error in these is the client's.
LineTranslation answer_line(const LaneParts& parts, const LaneLine& line, bool is_html) {
  LineTranslation failed;
  try {
    return line.details.attention_target.empty() ? translate_alike(parts, {line}, is_html).front()
                                                 : with_attention(parts, line);
  } catch (const HttpError& error) {
    failed.error = error;
  } catch (const DataError& error) {
    failed.error.emplace(400, repair_utf8(error.problem()));
  }
  return failed;
}

/// Returns true if lines with these details can be answered together: their prefixes may differ.
bool is_same_kind(const LineDetails& a, const LineDetails& b) {
  return a.words == b.words && a.next_words == b.next_words &&
         a.attention_target.empty() == b.attention_target.empty();
}

/// Gives each line its details, which are of the same kind.
std::vector<LineTranslation> answer_alike(const LaneParts& parts,
                                          const std::vector<LaneLine>& lines, bool is_html) {
  const auto& details = lines.front().details;
  const bool may_fail = details.next_words > 0 || !details.attention_target.empty();
  if (!may_fail) return translate_alike(parts, lines, is_html);
  if (details.attention_target.empty() && lines.size() > 1) {
    try {
      return translate_alike(parts, lines, is_html);
    } catch (const DataError&) {
      // The search has not begun. The lines with an error are found one by one.
    }
  }
  std::vector<LineTranslation> results;
  for (const auto& line : lines) results.push_back(answer_line(parts, line, is_html));
  return results;
}

/// Translates lines. Those with the same kind of details are translated together.
std::vector<LineTranslation> translate(const LaneParts& parts, const std::vector<LaneLine>& lines,
                                       bool is_html) {
  std::vector<LineTranslation> results(lines.size());
  std::vector<std::size_t> waiting(lines.size());
  std::iota(waiting.begin(), waiting.end(), std::size_t{0});
  while (!waiting.empty()) {
    const auto& details = lines[waiting.front()].details;
    const auto others = std::ranges::stable_partition(
        waiting, [&](std::size_t i) { return is_same_kind(lines[i].details, details); });
    const std::vector<std::size_t> alike(waiting.begin(), others.begin());
    std::vector<LaneLine> chosen;
    for (const auto i : alike) chosen.push_back(lines[i]);
    auto translated = answer_alike(parts, chosen, is_html);
    for (std::size_t i = 0; i < alike.size(); ++i) results[alike[i]] = std::move(translated[i]);
    waiting.erase(waiting.begin(), others.begin());
  }
  return results;
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
/// The prefix and the next words of a line are those of the second. Lines with an error of the
/// first keep it.
LanePointer compose(const LanePointer& first, const LanePointer& second, const std::string& tag) {
  return std::make_shared<Lane>([first, second, tag](const std::vector<LaneLine>& lines) {
    std::vector<LaneLine> source = lines;
    for (auto& line : source) line.details = {.words = line.details.words};
    auto results = (*first)(source);
    std::vector<LaneLine> inner;
    std::vector<std::size_t> places;  // of the inner lines
    for (std::size_t i = 0; i < lines.size(); ++i) {
      if (results[i].error) continue;
      inner.push_back({results[i].candidates.front(), tag, lines[i].details});
      places.push_back(i);
    }
    if (inner.empty()) return results;
    auto translations = (*second)(inner);
    for (std::size_t i = 0; i < inner.size(); ++i) {
      align_with_source(translations[i], results[places[i]]);
      results[places[i]] = std::move(translations[i]);
    }
    return results;
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
  const auto text = [parts](const std::vector<LaneLine>& lines) {
    return translate(parts, lines, false);
  };
  const auto html = [parts](const std::vector<LaneLine>& lines) {
    return translate(parts, lines, true);
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
