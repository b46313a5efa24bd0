#include "tfm/translate/pair_quality.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "tfm/model/model_folder.h"
#include "tfm/translate/alignment.h"
#include "tfm/translate/encoded_pair.h"
#include "tfm/translate/sentence_frame.h"

namespace tfm {
namespace {

/// Measures of a pair by one model. NaN: the model cannot measure it.
struct DirectionMeasures {
  double cross_entropy = std::numeric_limits<double>::quiet_NaN();
  double attention = std::numeric_limits<double>::quiet_NaN();
  double unaligned = std::numeric_limits<double>::quiet_NaN();
};

std::vector<SentencePair> swap_sides(const std::vector<SentencePair>& pairs) {
  std::vector<SentencePair> result;
  for (const SentencePair& pair : pairs) result.push_back({pair.target, pair.source});
  return result;
}

/// Combines the measures of both models. A NaN makes the result NaN.
PairQuality combine(const DirectionMeasures& a, const DirectionMeasures& b) {
  return {.score = dual_score(a.cross_entropy, b.cross_entropy),
          .attention = (a.attention + b.attention) / 2,
          .unaligned = std::isnan(a.unaligned) || std::isnan(b.unaligned)
                           ? std::numeric_limits<double>::quiet_NaN()
                           : std::max(a.unaligned, b.unaligned)};
}

}  // namespace

double inverse_perplexity(double cross_entropy) { return std::exp(-cross_entropy); }

double dual_score(double a, double b) { return std::exp(-(std::abs(a - b) + (a + b) / 2)); }

/// One model with what it measures.
class PairQualityScorer::Direction {
 public:
  Direction(TranslationModel& model, Measures measures, bool is_reverse)
      : model_(model),
        decoding_(model.config.decoding),
        measures_(measures),
        is_reverse_(is_reverse),
        head_(resolve_alignment_head(model, decoding_)),
        frame_(model, decoding_),
        scorer_({&model}, decoding_) {}

  std::vector<DirectionMeasures> measure(const std::vector<SentencePair>& given,
                                         const std::function<void(double)>& on_batch) const {
    const auto pairs = is_reverse_ ? swap_sides(given) : given;
    std::vector<DirectionMeasures> sides(pairs.size());
    const double scoring = measures_.alignment ? 0.5 : 1;  // its share of the work
    if (measures_.score)
      add_cross_entropies(pairs, sides, [&](double share) { on_batch(scoring * share); });
    if (measures_.alignment) add_alignments(pairs, sides, on_batch, measures_.score ? scoring : 0);
    return sides;
  }

 private:
  void add_cross_entropies(const std::vector<SentencePair>& pairs,
                           std::vector<DirectionMeasures>& sides,
                           const std::function<void(double)>& on_batch) const {
    const auto scores = scorer_.score(pairs, on_batch);
    for (std::size_t i = 0; i < scores.size(); ++i)  // NaN if the pair is too long
      sides[i].cross_entropy = -scores[i].log_prob / static_cast<double>(scores[i].tokens.size());
  }

  /// `first` is the share of the work that is done before.
  void add_alignments(const std::vector<SentencePair>& pairs, std::vector<DirectionMeasures>& sides,
                      const std::function<void(double)>& on_batch, double first) const {
    // A signal is answered between two blocks, which take a fraction of a second each.
    constexpr std::size_t pairs_at_once = 64;
    for (std::size_t begin = 0; begin < pairs.size(); begin += pairs_at_once) {
      std::vector<EncodedPair> encoded;
      std::vector<std::size_t> places;
      for (std::size_t i = begin; i < std::min(begin + pairs_at_once, pairs.size()); ++i) {
        auto pair = encode_pair(model_, pairs[i].source, pairs[i].target, frame_);
        if (!pair) continue;
        encoded.push_back(std::move(*pair));
        places.push_back(i);
      }
      const auto found = measure_alignments(model_, encoded, head_, decoding_);
      for (std::size_t i = 0; i < found.size(); ++i) {
        if (found[i].links.empty()) continue;
        sides[places[i]].attention = found[i].attention;
        sides[places[i]].unaligned = found[i].unaligned;
      }
      const auto done = static_cast<double>(std::min(begin + pairs_at_once, pairs.size()));
      on_batch(first + (1 - first) * done / static_cast<double>(pairs.size()));
    }
  }

  TranslationModel& model_;
  DecodingConfig decoding_;
  Measures measures_;
  bool is_reverse_;
  AlignmentHead head_;
  SentenceFrame frame_;
  Scorer scorer_;
};

PairQualityScorer::PairQualityScorer(TranslationModel& model, TranslationModel* reverse,
                                     Measures measures) {
  directions_.push_back(std::make_unique<const Direction>(model, measures, false));
  if (reverse != nullptr)
    directions_.push_back(std::make_unique<const Direction>(*reverse, measures, true));
}

PairQualityScorer::~PairQualityScorer() = default;

std::vector<PairQuality> PairQualityScorer::measure(
    const std::vector<SentencePair>& pairs, const std::function<void(double)>& on_batch) const {
  std::vector<std::vector<DirectionMeasures>> by_direction;
  for (const auto& direction : directions_)
    by_direction.push_back(direction->measure(pairs, [&](double share) {
      on_batch((static_cast<double>(by_direction.size()) + share) /
               static_cast<double>(directions_.size()));
    }));
  std::vector<PairQuality> measures;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const DirectionMeasures& first = by_direction.front()[i];
    measures.push_back(by_direction.size() > 1
                           ? combine(first, by_direction.back()[i])
                           : PairQuality{.score = inverse_perplexity(first.cross_entropy),
                                         .attention = first.attention,
                                         .unaligned = first.unaligned});
  }
  return measures;
}

}  // namespace tfm
