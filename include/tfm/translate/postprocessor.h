// The last stage of a translation: aligns words if requested or needed, replaces unknown words
// (unknown_word_replacer.h) and restores the source's markup (markup/markup.h). The same class
// separates the markup from the lines before the first stage.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tfm/config/config.h"
#include "tfm/markup/markup.h"
#include "tfm/translate/unknown_word_replacer.h"

namespace tfm {

/// The lines of one call of Translator::translate. If markup is kept, it is stored separately.
struct PlainLines {
  std::vector<std::string> texts;
  std::vector<MarkedText> markup;  ///< one entry per line; empty if markup is not kept

  bool has_markup(std::size_t line) const {
    return line < markup.size() && markup[line].has_markup();
  }
};

class Postprocessor {
 public:
  /// Throws ConfigError if unknown words are to be replaced but the target vocabulary has no
  /// unknown token, and DataError if the dictionary cannot be read or is malformed.
  Postprocessor(const DecodingConfig& decoding, const Tokenizer& target);

  /// Removes the markup from the lines if keep_markup or decoding.keep_markup is set.
  PlainLines separate_markup(const std::vector<std::string>& lines, bool keep_markup) const;

  /// Replaces unknown words and restores the markup in the texts of all candidates, if the config
  /// asks for it, and sets the words of all candidates if the request does. `lines` are the lines
  /// that were translated. Aligns all lines if the request asks for alignments or words. Otherwise
  /// aligns only lines with markup or with unknown words to replace, because an alignment costs
  /// another forward pass.
  void finish(TranslationModel& model, const PlainLines& lines, const TranslationRequest& request,
              std::vector<Translation>& translations) const;

 private:
  bool replaces_unknown(const TokenizerPair& tokenizers, const Candidate& candidate) const;
  bool needs_alignment(const TokenizerPair& tokenizers, const Translation& translation) const;
  struct Line;
  void finish(const TokenizerPair& tokenizers, const Line& line, Candidate& candidate) const;

  DecodingConfig decoding_;
  std::optional<UnknownWordReplacer> unknown_;
};

}  // namespace tfm
