#include "tfm/translate/postprocessor.h"

#include <algorithm>

#include "tfm/core/error.h"
#include "tfm/text/utf8.h"
#include "tfm/translate/alignment.h"

namespace tfm {

Postprocessor::Postprocessor(const DecodingConfig& decoding, const Tokenizer& target)
    : keep_markup_(decoding.keep_markup) {
  if (!decoding.replace_unknown) return;
  if (target.special().unk < 0) {
    throw ConfigError("decoding.replace_unknown",
                      "the target vocabulary has no unknown token, so there is nothing to replace",
                      "Set it to false.");
  }
  unknown_.emplace(decoding.unknown_dictionary);
}

std::vector<std::string> Postprocessor::plain(const std::vector<std::string>& lines) {
  marked_.clear();
  if (!keep_markup_) return lines;
  std::vector<std::string> result;
  result.reserve(lines.size());
  for (const auto& line : lines) result.push_back(marked_.emplace_back(line).plain());
  return result;
}

void Postprocessor::finish(TranslationModel& model, const std::vector<std::string>& lines,
                           std::vector<Translation>& translations) const {
  const auto& tokenizers = model.tokenizers;
  // aligning is as dear as a step of training: only what needs it
  std::vector<std::size_t> touched;
  std::vector<Translation> aligned;
  for (std::size_t i = 0; i < translations.size(); ++i) {
    const auto& candidates = translations[i].candidates;
    const bool unknown = unknown_ && std::ranges::any_of(candidates, [&](const auto& candidate) {
                           return has_unknown(tokenizers, candidate);
                         });
    if (!unknown && !has_marks(i)) continue;
    touched.push_back(i);
    aligned.push_back(std::move(translations[i]));
  }
  if (touched.empty()) return;
  align(model, aligned, resolve_alignment_head(model));
  for (std::size_t i = 0; i < touched.size(); ++i) {
    const std::size_t line = touched[i];
    for (auto& candidate : aligned[i].candidates)
      finish(tokenizers, lines[line], has_marks(line) ? &marked_[line] : nullptr, candidate);
    translations[line] = std::move(aligned[i]);
  }
}

void Postprocessor::finish(const TokenizerPair& tokenizers, const std::string& line,
                           const MarkedText* marks, Candidate& candidate) const {
  const std::string source = repair_utf8(line);  // as it was tokenised
  auto words = target_words(tokenizers, source, candidate);
  if (unknown_ && has_unknown(tokenizers, candidate)) {
    unknown_->replace(words, source);
    candidate.text = joined_text(words);
  }
  if (marks != nullptr) candidate.text = marks->restore(candidate.text, sources_of_text(words));
}

}  // namespace tfm
