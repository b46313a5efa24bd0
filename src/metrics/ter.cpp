#include "tfm/metrics/ter.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <limits>

#include "line_pairs.h"
#include "ngrams.h"
#include "tokenizers.h"
#include "translation_edits.h"
#include "unicode.h"

namespace tfm {
namespace {

std::u32string number_tercom_words(std::string_view line, const TerOptions& options,
                                   WordNumbers& numbers) {
  const auto tokens = tokenize_tercom(line, options);
  return numbers.number(split_at_unicode_space(tokens));
}

}  // namespace

TerCounts& TerCounts::operator+=(const TerCounts& line) {
  edits += line.edits;
  reference_length += line.reference_length;
  return *this;
}

TerCounts ter_counts(std::string_view hypothesis, const std::vector<std::string_view>& references,
                     const TerOptions& options) {
  WordNumbers numbers;
  const auto words = number_tercom_words(hypothesis, options, numbers);
  std::int64_t edits = std::numeric_limits<std::int64_t>::max();
  std::int64_t reference_words = 0;
  for (const std::string_view reference : references) {
    // As in sacreBLEU, references are tokenized twice, which changes a few rare ones: if
    // `normalized` is true, ",.8" becomes ", .8" and then ", . 8".
    const auto tokens = tokenize_tercom(reference, options);
    const auto wanted = number_tercom_words(tokens, options, numbers);
    edits = std::min(edits, count_translation_edits(words, wanted));
    reference_words += std::ssize(wanted);
  }
  return {.edits = edits,
          .reference_length =
              static_cast<double>(reference_words) / static_cast<double>(references.size())};
}

double ter_score(const TerCounts& counts) {
  if (counts.reference_length > 0)
    return 100 * (static_cast<double>(counts.edits) / counts.reference_length);
  return counts.edits > 0 ? 100 : 0;
}

double corpus_ter(const std::vector<std::string>& hypotheses,
                  const std::vector<std::string>& references, const TerOptions& options) {
  require_pairs("TER", hypotheses, references);
  TerCounts corpus;
  for (std::size_t i = 0; i < hypotheses.size(); ++i)
    corpus += ter_counts(hypotheses[i], {references[i]}, options);
  return ter_score(corpus);
}

std::string ter_signature(const TerOptions& options, std::size_t references) {
  const auto answer = [](bool value) { return value ? "yes" : "no"; };
  return fmt::format("nrefs:{}|case:{}|tok:tercom|norm:{}|punct:{}|asian:{}|version:tfm-{}",
                     references, options.case_sensitive ? "mixed" : "lc",
                     answer(options.normalized), answer(!options.no_punct),
                     answer(options.asian_support), TFM_VERSION);
}

}  // namespace tfm
