// What becomes of a translation's text when the search is done and its words are aligned: unknown
// words are replaced (unknown_word_replacer.h), markup of the source is put back (markup/markup.h).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tfm/config/config.h"
#include "tfm/markup/markup.h"
#include "tfm/translate/unknown_word_replacer.h"

namespace tfm {

class Postprocessor {
 public:
  /// Throws ConfigError where the target vocabulary has no unknown token to be replaced, DataError
  /// where the dictionary can't be read.
  Postprocessor(const DecodingConfig& decoding, const Tokenizer& target);

  /// The lines as the model shall see them, of which finish keeps the markup.
  std::vector<std::string> plain(const std::vector<std::string>& lines);

  /// lines: what was translated; the lines that plain was given last. Texts of candidates change,
  /// and alignments of those that had to be aligned are filled.
  void finish(TranslationModel& model, const std::vector<std::string>& lines,
              std::vector<Translation>& translations) const;

 private:
  bool has_marks(std::size_t line) const { return line < marked_.size() && marked_[line].any(); }
  void finish(const TokenizerPair& tokenizers, const std::string& line, const MarkedText* marks,
              Candidate& candidate) const;

  bool keep_markup_;
  std::optional<UnknownWordReplacer> unknown_;
  std::vector<MarkedText> marked_;
};

}  // namespace tfm
