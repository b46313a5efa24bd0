#include "tfm/translate/postprocessor.h"

#include <algorithm>

#include "tfm/core/error.h"
#include "tfm/model/model_folder.h"
#include "tfm/text/utf8.h"
#include "tfm/text/words.h"
#include "tfm/translate/alignment.h"

namespace tfm {

Postprocessor::Postprocessor(const DecodingConfig& decoding, const Tokenizer& target)
    : decoding_(decoding) {
  if (!decoding.replace_unknown) return;
  if (target.special().unk < 0) {
    throw ConfigError("decoding.replace_unknown",
                      "the target vocabulary has no unknown token, so there is nothing to replace",
                      "Set decoding.replace_unknown to false.");
  }
  unknown_.emplace(decoding.unknown_dictionary);
}

PlainLines Postprocessor::separate_markup(const std::vector<std::string>& lines,
                                          bool keep_markup) const {
  if (!keep_markup && !decoding_.keep_markup) return {lines, {}};
  PlainLines result;
  result.texts.reserve(lines.size());
  for (const auto& line : lines) result.texts.push_back(result.markup.emplace_back(line).plain());
  return result;
}

bool Postprocessor::replaces_unknown(const TokenizerPair& tokenizers,
                                     const Candidate& candidate) const {
  return unknown_ && has_unknown(tokenizers, candidate);
}

bool Postprocessor::needs_alignment(const TokenizerPair& tokenizers,
                                    const Translation& translation) const {
  return std::ranges::any_of(translation.candidates, [&](const auto& candidate) {
    return replaces_unknown(tokenizers, candidate);
  });
}

/// A line that is aligned.
struct Postprocessor::Line {
  const std::string& text;
  const MarkedText* markup = nullptr;  // null if the line has none
  const TranslationRequest& request;
};

void Postprocessor::finish(TranslationModel& model, const PlainLines& lines,
                           const TranslationRequest& request,
                           std::vector<Translation>& translations) const {
  const bool align_all = request.alignment || request.words;
  const auto& tokenizers = model.tokenizers;
  std::vector<std::size_t> chosen;
  std::vector<Translation> aligned;
  for (std::size_t i = 0; i < translations.size(); ++i) {
    if (!align_all && !lines.has_markup(i) && !needs_alignment(tokenizers, translations[i]))
      continue;
    chosen.push_back(i);
    aligned.push_back(std::move(translations[i]));
  }
  if (chosen.empty()) return;
  align(model, aligned, resolve_alignment_head(model, decoding_), decoding_);
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    const std::size_t line = chosen[i];
    const MarkedText* markup = lines.has_markup(line) ? &lines.markup[line] : nullptr;
    for (auto& candidate : aligned[i].candidates)
      finish(tokenizers, {lines.texts[line], markup, request}, candidate);
    translations[line] = std::move(aligned[i]);
  }
}

void Postprocessor::finish(const TokenizerPair& tokenizers, const Line& line,
                           Candidate& candidate) const {
  const bool replace = replaces_unknown(tokenizers, candidate);
  const bool needs_words = line.request.alignment || line.request.words;
  if (!replace && line.markup == nullptr && !needs_words) return;
  const std::string source = repair_utf8(line.text);  // the text that SegmentEncoder has encoded
  auto words = target_words(tokenizers, source, candidate);
  if (replace) {
    unknown_.value().replace(words, source);
    candidate.text = join_words(words);
  }
  if (line.markup != nullptr)
    candidate.text = line.markup->restore(candidate.text, source_word_ids(words));
  candidate.alignment = text_links(words);
  if (!line.request.words) return;
  candidate.words = aligned_words(words);
  if (!std::ranges::equal(split_words(candidate.text), candidate.words, {}, {}, &AlignedWord::text))
    candidate.words.clear();
}

}  // namespace tfm
