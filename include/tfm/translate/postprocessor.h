// The last stage of a translation: words are aligned if that is asked for or needed, unknown words
// are replaced (unknown_word_replacer.h), and markup of the source is put back (markup/markup.h).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tfm/config/config.h"
#include "tfm/markup/markup.h"
#include "tfm/translate/unknown_word_replacer.h"

namespace tfm {

/// The lines of one call, as the model shall see them.
struct PlainLines {
  std::vector<std::string> texts;
  std::vector<MarkedText> markup;  ///< of each line; empty unless decoding.keep_markup is set

  bool has_markup(std::size_t line) const { return line < markup.size() && markup[line].any(); }
};

class Postprocessor {
 public:
  /// Throws ConfigError if unknown words are to be replaced and the target vocabulary has no
  /// unknown token, DataError if the dictionary can't be read.
  Postprocessor(const DecodingConfig& decoding, const Tokenizer& target);

  /// Takes the markup out of the lines, if it is to be kept.
  PlainLines separate_markup(const std::vector<std::string>& lines) const;

  /// Changes the texts of candidates. Fills their alignments for all lines if align_all is set,
  /// else for the lines whose markup or unknown words need them: aligning costs as much as a step
  /// of training. lines: what was translated.
  void finish(TranslationModel& model, const PlainLines& lines, bool align_all,
              std::vector<Translation>& translations) const;

 private:
  bool replaces_unknown(const TokenizerPair& tokenizers, const Candidate& candidate) const;
  bool needs_alignment(const TokenizerPair& tokenizers, const Translation& translation) const;
  void finish(const TokenizerPair& tokenizers, const std::string& line, const MarkedText* markup,
              Candidate& candidate) const;

  DecodingConfig decoding_;
  std::optional<UnknownWordReplacer> unknown_;
};

}  // namespace tfm
