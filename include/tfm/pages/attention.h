// The attention of translations as pages: one self-contained HTML file to explore, one SVG figure
// for a paper, JSON for other programs. A page is made of plain numbers and tokens; whoever has a
// model computes them. Everywhere a layer or head is shown to a reader it counts from 1, in the
// code from 0. Tokens may hold anything: markup is escaped and bytes that are not UTF-8 become
// U+FFFD. An attention weight says where a layer read from, not why the model decided (Jain and
// Wallace 2019; Wiegreffe and Pinter 2019), and the HTML page says so.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tfm {

enum class AttentionMapKind { encoder, decoder, cross };

/// Probabilities of one kind of attention: [L, H, T, S] row-major. Each row sums to 1 over S, or is
/// zero where the query may look at nothing.
struct AttentionWeights {
  std::int64_t layers = 0;
  std::int64_t heads = 0;
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  std::vector<float> values;

  /// All four indices from 0 and within the shape.
  float at(std::int64_t layer, std::int64_t head, std::int64_t row, std::int64_t column) const {
    return values[static_cast<std::size_t>(((layer * heads + head) * rows + row) * columns +
                                           column)];
  }
};

/// One translated sentence of S source and T target tokens. The three kinds may differ in layers
/// and heads.
struct SentenceAttention {
  std::string source_text;
  std::string target_text;
  /// S tokens as the model sees them, end mark included ("▁Haus", "</s>")
  std::vector<std::string> source;
  /// T tokens, bos y1 .. yn: what the decoder read at each row
  std::vector<std::string> target_input;
  std::vector<std::string> target_output;  ///< T tokens, y1 .. yn eos: what each row predicted
  AttentionWeights encoder;                ///< [L, H, S, S]
  /// [L, H, T, T] over target_input, causal: zero above the diagonal
  AttentionWeights decoder;
  AttentionWeights cross;  ///< [L, H, T, S]: rows are target_output, columns source

  const AttentionWeights& weights(AttentionMapKind kind) const;
};

/// A layer and a head, from 0; nullopt: the mean over them.
struct AttentionSelection {
  std::optional<std::int64_t> layer;
  std::optional<std::int64_t> head;
};

// All three throw std::invalid_argument where tokens and shapes disagree (a bug of the caller), and
// ModelError where a weight is not a finite number.

/// A page of every sentence, kind, layer and head that loads nothing from anywhere; it opens on the
/// cross-attention of first_shown. Its numbers are rounded to 4 decimals. Throws ConfigError where
/// no kind of attention has the layer or the head.
std::string attention_html(const std::vector<SentenceAttention>& sentences,
                           const AttentionSelection& first_shown);

/// The three kinds side by side, on one colour scale from 0 to their largest weight. A kind without
/// the chosen layer or head is left out; throws ConfigError where none has it.
std::string attention_svg(const SentenceAttention& sentence, const AttentionSelection& choice);

/// docs/file-formats.md describes it. Each number reads back as the same float.
std::string attention_json(const std::vector<SentenceAttention>& sentences);

}  // namespace tfm
