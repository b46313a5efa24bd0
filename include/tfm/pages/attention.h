// Writes the attention of translations in three formats: a self-contained HTML page to explore, an
// SVG figure for a paper, and JSON for other programs. The input is plain numbers and tokens; the
// caller computes them with a model. Layers and heads are counted from 0 everywhere: in the code,
// in the output and in --alignment-head. Tokens may contain any bytes: markup is escaped, and bytes
// that are not UTF-8 become U+FFFD. Labels show "·" for SentencePiece's word-start symbol "▁",
// because a low line would look like a tick of the axis.
//
// Attention weights show from which positions a layer reads, not why the model chose a word (Jain
// and Wallace 2019; Wiegreffe and Pinter 2019). The HTML page contains a note about this.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tfm {

enum class AttentionMapKind { encoder, decoder, cross };

/// The weights of one kind of attention: [layers, heads, rows, columns], row-major. A row
/// holds the weights of one query over the keys. It sums to 1, or is zero if the query may not
/// attend to any key.
struct AttentionWeights {
  std::int64_t layers = 0;
  std::int64_t heads = 0;
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  std::vector<float> values;

  /// Returns one weight. The four indices count from 0 and must be within the shape.
  float at(std::int64_t layer, std::int64_t head, std::int64_t row, std::int64_t column) const {
    return values[static_cast<std::size_t>(((layer * heads + head) * rows + row) * columns +
                                           column)];
  }
};

/// The attention of a translated sentence with S source and T target tokens. The three kinds of
/// attention may have different numbers of layers L and heads H.
struct SentenceAttention {
  std::string source_text;
  std::string target_text;
  /// the S source tokens as the vocabulary spells them, including EOS ("▁Haus", "</s>")
  std::vector<std::string> source;
  /// T tokens, bos y1 .. yn: the decoder's input at each target position
  std::vector<std::string> target_input;
  std::vector<std::string> target_output;  ///< T tokens, y1 .. yn eos, one prediction per row
  AttentionWeights encoder;                ///< [L, H, S, S]
  /// [L, H, T, T] over target_input, causal: zero above the diagonal
  AttentionWeights decoder;
  AttentionWeights cross;  ///< [L, H, T, S]: rows are target_output, columns source

  const AttentionWeights& weights(AttentionMapKind kind) const;
};

/// A layer and a head, counted from 0. nullopt selects the mean over all layers or heads.
struct AttentionSelection {
  std::optional<std::int64_t> layer;
  std::optional<std::int64_t> head;
};

// The three functions below throw std::invalid_argument if tokens and shapes disagree, which is a
// bug in the caller, and ModelError if a weight is not a finite number.

/// Returns an HTML page with all sentences, kinds of attention, layers and heads. The page loads no
/// other files. It shows `model` as the name of the model, and opens with the cross-attention of
/// the layer and head that first_shown selects. The weights in the page are rounded to 4 decimals.
/// Throws ConfigError if no kind of attention of the first sentence has the selected layer and
/// head.
std::string attention_html(const std::vector<SentenceAttention>& sentences,
                           const AttentionSelection& first_shown, const std::string& model);

// The same page in files, for a service: it asks POST attention for its data (attention_page_data),
// with the parameters in its address. Its Content-Security-Policy may be that of translate_page.h.

/// Returns attention.html, which loads attention.css and attention.js.
std::string attention_page_html();
std::string attention_page_style();
/// Returns attention.js, which asks for the data and then loads attention_view.js.
std::string attention_page_request_script();
/// Returns attention_view.js.
std::string attention_page_script();
/// Returns the data of a sentence as JSON. Throws as attention_html does.
std::string attention_page_data(const SentenceAttention& sentence,
                                const AttentionSelection& first_shown);

/// Returns an SVG figure of the three kinds of attention side by side, with one colour scale from 0
/// to the largest weight, rounded up. A kind without the selected layer or head is omitted. Throws
/// ConfigError if no kind has both.
std::string attention_svg(const SentenceAttention& sentence, const AttentionSelection& selection);

/// Returns the JSON document that docs/file-formats.md describes. Each number reads back as the
/// same float.
std::string attention_json(const std::vector<SentenceAttention>& sentences);

}  // namespace tfm
