#include "tfm/serve/served_models.h"

#include <map>
#include <set>
#include <utility>

#include "tfm/core/error.h"
#include "tfm/core/spelling.h"
#include "tfm/serve/http_message.h"
#include "tfm/text/language_codes.h"
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
  request.scores = false;
  request.words = line.details.words;
  request.next_words = line.details.next_words;
  request.tags = {line.tags};
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

/// Returns a lane that translates with one lane and then with another, whose lines have the tags.
/// The prefix and the next words of a line are those of the second. A line with an error of the
/// first keeps it.
LanePointer compose(const LanePointer& first, const LanePointer& second, const SentenceTags& tags) {
  return std::make_shared<Lane>([first, second, tags](const LaneLine& line) {
    const auto between = (*first)({line.text, line.tags, {.words = line.details.words}, line.stop});
    if (between.error) return between;
    auto result = (*second)({between.text(), tags, line.details, line.stop});
    align_with_source(result, between);
    return result;
  });
}

/// The pairs that are translated, without variants of languages, and the models of each source.
class TranslatedPairs {
 public:
  explicit TranslatedPairs(const std::vector<ServedModel>& models) {
    for (const auto& model : models) {
      from_[base(model.languages.source)].push_back(&model);
      targets_.insert(base(model.languages.target));
      add(model.languages);
    }
  }

  static std::string base(const std::string& language) {
    return to_lower(std::string(base_language(language)));
  }

  /// Returns false if the pair is known or is of one language.
  bool add(const LanguagePair& pair) {
    const auto source = base(pair.source);
    const auto target = base(pair.target);
    return source != target && known_[source].insert(target).second;
  }
  /// Returns true if the source is translated into all other languages.
  bool is_complete(const std::string& source) {
    const auto others = targets_.size() - targets_.count(base(source));
    return known_[base(source)].size() == others;
  }
  const std::vector<const ServedModel*>& from(const std::string& source) {
    return from_[base(source)];
  }

 private:
  std::map<std::string, std::vector<const ServedModel*>> from_;
  std::map<std::string, std::set<std::string>> known_;  // targets by source
  std::set<std::string> targets_;
};

std::vector<ServedModel> with_pivots(const std::vector<ServedModel>& models) {
  auto all = models;
  TranslatedPairs pairs(models);
  for (const auto& first : models) {
    const auto& source = first.languages.source;
    if (pairs.is_complete(source)) continue;
    for (const auto* second : pairs.from(first.languages.target)) {
      const LanguagePair languages{source, second->languages.target};
      if (!pairs.add(languages)) continue;
      all.push_back({languages, compose(first.text, second->text, second->tags),
                     compose(first.html, second->html, second->tags), first.languages.target,
                     first.tags});
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
  for (const auto& [languages, tags] : pairs)
    models.push_back({languages, lanes.text, lanes.html, "", tags});
  return models;
}

ServedModels::ServedModels(std::vector<ServedModel> models, LanguageIdentifier known)
    : models_(with_pivots(models)), router_(make_router(models_)), known_(std::move(known)) {}

}  // namespace tfm
