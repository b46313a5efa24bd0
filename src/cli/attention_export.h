// Collects what the model attended to, sentence by sentence, and writes it as a page, a figure or
// numbers, by the file's ending.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "output.h"
#include "tfm/model/model.h"
#include "tfm/pages/attention.h"
#include "tfm/translate/translation.h"

namespace tfm {

class AttentionExport {
 public:
  /// file: .html, .svg or .json; opened at once. Throws ConfigError for another ending. The model
  /// must outlive it.
  AttentionExport(Model& model, const std::filesystem::path& file);

  /// The best translation of a line; each part of a long one is a sentence of its own. What comes
  /// after the first 100 sentences is left out and said.
  void add(const std::string& source, const Translation& translation);
  /// Writes the file. A figure shows the first sentence.
  void finish();

 private:
  SentenceAttention attention_of_part(const EncodedPair& part) const;
  std::string render() const;

  Model& model_;
  std::string ending_;
  Output output_;
  std::vector<SentenceAttention> sentences_;
  std::int64_t left_out_ = 0;
};

}  // namespace tfm
