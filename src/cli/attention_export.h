// Collects the attention weights of translated sentences and writes them to a file as an HTML page,
// an SVG figure or JSON, depending on the file extension.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "output.h"
#include "tfm/model/model.h"
#include "tfm/pages/attention.h"
#include "tfm/translate/translation.h"

namespace tfm {

/// Returns the attention of a model that reads the pair. The texts are not set.
SentenceAttention sentence_attention(Model& model, const EncodedPair& pair);

/// Returns the layer and head that are shown first: those of decoding.alignment_head. Throws
/// ConfigError if the head does not exist.
AttentionSelection first_shown_attention(const Model& model);

class AttentionExport {
 public:
  /// Opens the file. Throws ConfigError if its name does not end in .html, .svg or .json, or if the
  /// alignment head of the config does not exist. Throws ModelError if the file can't be written.
  /// The model must outlive the export.
  AttentionExport(Model& model, const std::filesystem::path& file);

  /// Adds the best translation of a line. If the line was translated in several parts, each part
  /// is added as a separate sentence. Sentences after the first 100 are skipped, and finish() warns
  /// about them.
  void add(const std::string& source, const Translation& translation);
  /// Writes the file. An SVG figure shows only the first sentence. Throws DataError if no sentence
  /// was added.
  void finish();

 private:
  std::string render() const;

  Model& model_;
  std::string ending_;
  Output output_;
  std::vector<SentenceAttention> sentences_;
  std::int64_t skipped_ = 0;
};

}  // namespace tfm
