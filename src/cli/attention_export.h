// Collects the attention weights of translated sentences and writes them as a page, a figure or
// numbers. The ending of the file decides which.
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
  /// Opens the file, which must end in .html, .svg or .json: throws ConfigError otherwise. The
  /// model must outlive the export.
  AttentionExport(Model& model, const std::filesystem::path& file);

  /// Adds the best translation of a line; each part of a long line is a separate sentence.
  /// Sentences after the first 100 are skipped; finish() warns about them.
  void add(const std::string& source, const Translation& translation);
  /// Writes the file. A figure shows only the first sentence.
  void finish();

 private:
  SentenceAttention attention_of_part(const EncodedPair& part) const;
  std::string render() const;

  Model& model_;
  std::string ending_;
  Output output_;
  std::vector<SentenceAttention> sentences_;
  std::int64_t skipped_ = 0;
};

}  // namespace tfm
