#include "tfm/data/mixture.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace tfm {
namespace {

/// Returns a stage that draws from all sets, in proportion to their sizes to the power of
/// 1 / temperature.
DataStage stage_of_all(const std::vector<CorpusSet>& sets, double temperature) {
  const auto& largest = *std::ranges::max_element(sets, {}, &CorpusSet::size);
  DataStage stage{.shares = {}, .until = largest.name, .epochs = 0};
  for (const CorpusSet& set : sets)
    stage.shares.push_back({set.name, std::pow(static_cast<double>(set.size()), 1 / temperature)});
  return stage;
}

double weight_of(const DataStage& stage, const std::string& set) {
  double weight = 0;
  for (const StageShare& share : stage.shares) weight += share.set == set ? share.weight : 0;
  return weight;
}

}  // namespace

const CorpusSet* find_set(std::span<const CorpusSet> sets, std::int64_t index) {
  const auto found = std::ranges::find_if(
      sets, [index](const CorpusSet& set) { return set.begin <= index && index < set.end; });
  return found == sets.end() ? nullptr : &*found;
}

Mixture::Mixture(std::vector<CorpusSet> sets, std::vector<DataStage> stages, double temperature)
    : sets_(std::move(sets)), stages_(std::move(stages)) {
  if (stages_.empty()) stages_.push_back(stage_of_all(sets_, temperature));
  stages_.back().epochs = 0;
}

/// Returns the number of draws from a set in the first `epoch` epochs of a stage. Rounding down
/// gives each epoch its share to within one pair, however many epochs there are.
std::int64_t Mixture::drawn_before(const DataStage& stage, std::size_t set,
                                   std::int64_t epoch) const {
  const auto& until = *std::ranges::find(sets_, stage.until, &CorpusSet::name);
  if (sets_[set].name == stage.until) return epoch * until.size();
  const double ratio = weight_of(stage, sets_[set].name) / weight_of(stage, stage.until);
  return static_cast<std::int64_t>(
      std::floor(static_cast<double>(epoch) * static_cast<double>(until.size()) * ratio + 1e-6));
}

std::vector<SetDraws> Mixture::draws(std::int64_t epoch) const {
  std::vector<SetDraws> result(sets_.size());
  for (const DataStage& stage : stages_) {
    const bool is_here = stage.epochs == 0 || epoch < stage.epochs;
    for (std::size_t set = 0; set < sets_.size(); ++set) {
      const auto before = drawn_before(stage, set, is_here ? epoch : stage.epochs);
      result[set].first += before;
      if (is_here) result[set].count = drawn_before(stage, set, epoch + 1) - before;
    }
    if (is_here) break;
    epoch -= stage.epochs;
  }
  return result;
}

std::int64_t Mixture::size_of_epochs(std::int64_t epochs) const {
  std::int64_t size = 0;
  for (const SetDraws& set : draws(epochs)) size += set.first;
  return size;
}

std::int64_t Mixture::size(std::int64_t epoch) const {
  std::int64_t size = 0;
  for (const SetDraws& set : draws(epoch)) size += set.count;
  return size;
}

}  // namespace tfm
