#include "tfm/metrics/chrf.h"

#include <fmt/format.h>

#include <span>

#include "line_pairs.h"
#include "ngrams.h"
#include "unicode.h"

namespace tfm {
namespace {

constexpr std::size_t character_order = 6;
constexpr double beta_squared = 4;  // recall counts twice as much as precision

bool is_ascii_punctuation(char c) {
  return std::string_view("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~").find(c) != std::string_view::npos;
}

/// Returns the words of a line. If a word of several characters ends with ASCII punctuation, the
/// last character becomes a separate word; otherwise, the same is done at the start of the word. As
/// in sacreBLEU, "(a)" becomes "(a" and ")".
std::vector<std::string_view> words_and_punctuation(std::string_view line) {
  std::vector<std::string_view> words;
  for (const std::string_view word : split_at_unicode_space(line)) {
    const bool is_one_character = decode_code_point(word, 0).bytes.size() == word.size();
    if (!is_one_character && is_ascii_punctuation(word.back())) {
      words.insert(words.end(), {word.substr(0, word.size() - 1), word.substr(word.size() - 1)});
    } else if (!is_one_character && is_ascii_punctuation(word.front())) {
      words.insert(words.end(), {word.substr(0, 1), word.substr(1)});
    } else {
      words.push_back(word);
    }
  }
  return words;
}

/// The characters and the words of a line. The n-grams of both are counted.
struct ChrfSymbols {
  std::u32string characters;
  std::u32string words;
};

ChrfSymbols chrf_symbols(std::string_view line, const ChrfOptions& options, WordNumbers& numbers) {
  ChrfSymbols symbols{code_points_without_spaces(line), {}};
  if (options.word_order > 0) symbols.words = numbers.number(words_and_punctuation(line));
  return symbols;
}

ChrfCounts count_symbols(const ChrfSymbols& hypothesis, const ChrfSymbols& reference,
                         const ChrfOptions& options) {
  std::array<NgramCounts, ChrfCounts::orders> counts;
  const std::span all(counts);
  count_ngrams(hypothesis.characters, reference.characters, all.first(character_order));
  count_ngrams(hypothesis.words, reference.words,
               all.subspan(character_order, static_cast<std::size_t>(options.word_order)));
  ChrfCounts line;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    // As in sacreBLEU, an order is not counted if the reference is too short for it.
    if (counts[i].reference > 0) line.hypothesis[i] = counts[i].hypothesis;
    line.reference[i] = counts[i].reference;
    line.matches[i] = counts[i].matches;
  }
  return line;
}

}  // namespace

ChrfCounts& ChrfCounts::operator+=(const ChrfCounts& line) {
  for (std::size_t i = 0; i < orders; ++i) {
    hypothesis[i] += line.hypothesis[i];
    reference[i] += line.reference[i];
    matches[i] += line.matches[i];
  }
  return *this;
}

ChrfCounts chrf_counts(std::string_view hypothesis, const std::vector<std::string_view>& references,
                       const ChrfOptions& options) {
  WordNumbers numbers;
  const auto symbols = chrf_symbols(hypothesis, options, numbers);
  ChrfCounts best;
  double best_score = -1;
  for (const std::string_view reference : references) {
    const auto line = count_symbols(symbols, chrf_symbols(reference, options, numbers), options);
    const double score = chrf_score(line);
    if (score <= best_score) continue;
    best = line;
    best_score = score;
  }
  return best;
}

// Precision and recall are averaged over the orders before the F-score is computed. Only orders for
// which both sides have n-grams are counted ("effective order").
double chrf_score(const ChrfCounts& counts) {
  double precision = 0;
  double recall = 0;
  int orders = 0;
  for (std::size_t i = 0; i < ChrfCounts::orders; ++i) {
    if (counts.hypothesis[i] == 0 || counts.reference[i] == 0) continue;
    precision += static_cast<double>(counts.matches[i]) / static_cast<double>(counts.hypothesis[i]);
    recall += static_cast<double>(counts.matches[i]) / static_cast<double>(counts.reference[i]);
    ++orders;
  }
  if (precision + recall == 0) return 0;
  precision /= orders;
  recall /= orders;
  // The order of operations is that of sacreBLEU, so that rounding cannot change which of several
  // references scores highest.
  const double product = (1 + beta_squared) * precision * recall;
  return 100 * (product / (beta_squared * precision + recall));
}

double corpus_chrf(const std::vector<std::string>& hypotheses,
                   const std::vector<std::string>& references) {
  require_pairs("chrF", hypotheses, references);
  ChrfCounts corpus;
  for (std::size_t i = 0; i < hypotheses.size(); ++i)
    corpus += chrf_counts(hypotheses[i], {references[i]});
  return chrf_score(corpus);
}

std::string chrf_name(const ChrfOptions& options) {
  return "chrF2" + std::string(static_cast<std::size_t>(options.word_order), '+');
}

std::string chrf_signature(const ChrfOptions& options, std::size_t references) {
  return fmt::format("nrefs:{}|case:mixed|eff:yes|nc:6|nw:{}|space:no|version:tfm-{}", references,
                     options.word_order, TFM_VERSION);
}

}  // namespace tfm
