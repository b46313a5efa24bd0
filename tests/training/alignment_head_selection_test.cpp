#include "tfm/training/alignment_head_selection.h"

#include <gtest/gtest.h>

#include <map>
#include <string_view>
#include <utility>

#include "tfm/text/words.h"
#include "translate/tiny_model.h"

namespace tfm {
namespace {

/// Returns sentence pairs in which every word is one token, so that links between words equal links
/// between tokens.
ParallelText word_pairs() {
  ParallelText text;
  text.source = {"a b c", "b c d e", "a e", "f g a h", "c d", "h i j a b"};
  text.target = {"j i h", "i h g f", "j f", "e d j c", "h g", "c b a j i"};
  for (std::size_t i = 0; i < text.source.size(); ++i)
    text.line.push_back(static_cast<std::int64_t>(i) + 1);
  return text;
}

std::vector<WordAlignment> aligned_by(TranslationModel& model, const ParallelText& text,
                                      const AlignmentHead& head) {
  std::vector<EncodedPair> pairs;
  for (std::size_t i = 0; i < text.source.size(); ++i)
    pairs.push_back(encode_pair(model, text.source[i], text.target[i]).value());
  return align(model, pairs, head, model.config.decoding);
}

/// Returns every head, the mean of each layer's heads, and the mean of all heads, each both
/// unshifted and shifted, for a model of 2 layers and 2 heads.
std::vector<AlignmentHead> all_choices() {
  std::vector<AlignmentHead> choices;
  for (const bool shifted : {false, true}) {
    for (std::int64_t layer : {0, 1}) {
      for (std::int64_t head : {0, 1}) choices.push_back({layer, head, shifted});
      choices.push_back({layer, std::nullopt, shifted});
    }
    choices.push_back({std::nullopt, std::nullopt, shifted});
  }
  return choices;
}

/// Computes the mean Dice coefficient word by word, as alignment_head_selection.h defines it.
double mean_dice(const ParallelText& text, const std::vector<WordAlignment>& alignments) {
  std::map<std::string_view, double> source, target;
  std::map<std::pair<std::string_view, std::string_view>, double> both;
  for (std::size_t i = 0; i < text.source.size(); ++i) {
    for (const auto& s : split_words(text.source[i])) {
      ++source[s];
      for (const auto& t : split_words(text.target[i])) ++both[{s, t}];
    }
    for (const auto& t : split_words(text.target[i])) ++target[t];
  }
  double sum = 0, links = 0;
  for (std::size_t i = 0; i < alignments.size(); ++i) {
    for (const auto& link : alignments[i]) {
      const auto s = split_words(text.source[i]).at(static_cast<std::size_t>(link.source));
      const auto t = split_words(text.target[i]).at(static_cast<std::size_t>(link.target));
      sum += 2 * both[{s, t}] / (source[s] + target[t]);
      ++links;
    }
  }
  return sum / links;
}

TEST(AlignmentHeadSelection, SelectsTheHeadWithTheLowestErrorRateOnGoldAlignments) {
  auto model = tiny_model(3);
  const auto text = word_pairs();
  for (const auto& truth : {AlignmentHead{0, 1, false}, AlignmentHead{1, 0, true}}) {
    const auto links = aligned_by(model, text, truth);
    std::vector<GoldAlignment> gold;
    for (const auto& alignment : links) gold.push_back({.sure = alignment, .possible = {}});
    const auto selection = select_alignment_head(model, text, gold).value();
    EXPECT_EQ(selection.error_rate, 0) << to_string(truth);
    EXPECT_EQ(aligned_by(model, text, selection.head), links) << to_string(selection.head);
  }
}

TEST(AlignmentHeadSelection, SelectsTheHeadWithTheHighestDiceWithoutGoldAlignments) {
  auto model = tiny_model(3);
  const auto text = word_pairs();
  const auto selection = select_alignment_head(model, text, {}).value();
  double best = 0, worst = 1;
  for (const auto& choice : all_choices()) {
    const double dice = mean_dice(text, aligned_by(model, text, choice));
    best = std::max(best, dice);
    worst = std::min(worst, dice);
  }
  ASSERT_LT(worst, best);  // otherwise any head would pass
  EXPECT_DOUBLE_EQ(selection.dice, best);
  EXPECT_DOUBLE_EQ(mean_dice(text, aligned_by(model, text, selection.head)), best);
  EXPECT_FALSE(selection.error_rate.has_value());
}

TEST(AlignmentHeadSelection, FindsGoldAlignmentsByLineNumber) {
  auto model = tiny_model(3);
  const auto text = word_pairs();
  const auto links = aligned_by(model, text, {0, 1, false});
  // Simulates a text whose reader skipped line 1, so the alignment of line 1 belongs to no pair.
  auto later = text;
  for (auto& line : later.line) ++line;
  std::vector<GoldAlignment> gold{{.sure = {{9, 9}}, .possible = {}}};
  for (const auto& alignment : links) gold.push_back({.sure = alignment, .possible = {}});
  EXPECT_EQ(select_alignment_head(model, later, gold).value().error_rate, 0);
}

TEST(AlignmentHeadSelection, ReturnsNulloptIfTheModelAcceptsNoPair) {
  auto model = tiny_model(3);
  auto text = word_pairs();
  for (auto& line : text.source)
    line = "a b c d e f g h i j a b c d e f g h i j";  // more tokens than data.max_length
  EXPECT_FALSE(select_alignment_head(model, text, {}).has_value());
  EXPECT_FALSE(select_alignment_head(model, word_pairs(), {}, /*max_pairs=*/0).has_value());
}

}  // namespace
}  // namespace tfm
