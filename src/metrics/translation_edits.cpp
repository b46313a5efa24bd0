#include "translation_edits.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <tuple>
#include <utility>
#include <vector>

#include "edit_matrix.h"

// The limits and the order of preference are those of sacreBLEU 2.6's TER, which follows tercom.
namespace tfm {
namespace {

constexpr std::size_t max_block_words = 10;
constexpr std::size_t max_block_distance = 50;  // between the block's positions in both texts
constexpr int max_tried_shifts = 1000;          // of one hypothesis

/// A block of words that is at these positions of the hypothesis and of the reference.
struct CommonBlock {
  std::size_t hypothesis;
  std::size_t reference;
  std::size_t length;
};

/// A move of a block of words of the hypothesis.
struct Shift {
  std::int64_t gain;  ///< by how much the edit distance decreases
  std::size_t begin;
  std::size_t length;
  std::size_t target;  ///< number of words before the place to which the block is moved

  bool is_better_than(const Shift& other) const {
    return std::tuple(gain, length, other.begin, other.target) >
           std::tuple(other.gain, other.length, begin, target);
  }
};

/// How edits align the words of a hypothesis with those of a reference.
struct EditAlignment {
  /// For each number of words at the beginning of the reference, the number of words of the
  /// hypothesis up to the one that is aligned with the last of them.
  std::vector<std::size_t> positions{0};
  // Words that are not kept.
  std::vector<bool> hypothesis_errors;
  std::vector<bool> reference_errors;
};

EditAlignment align_by(const std::vector<Edit>& edits) {
  EditAlignment alignment;
  std::size_t position = 0;
  for (const Edit edit : edits) {
    const bool is_error = edit != Edit::keep;
    if (edit != Edit::insert) {
      ++position;
      alignment.hypothesis_errors.push_back(is_error);
    }
    if (edit != Edit::remove) {
      alignment.positions.push_back(position);
      alignment.reference_errors.push_back(is_error);
    }
  }
  return alignment;
}

bool has_error(const std::vector<bool>& errors, std::size_t begin, std::size_t length) {
  const auto first = errors.begin() + static_cast<std::ptrdiff_t>(begin);
  const auto end = first + static_cast<std::ptrdiff_t>(length);
  return std::find(first, end, true) != end;
}

/// Returns true if a move of the block may help: the block has errors at both positions, and its
/// first word in the reference is not aligned with a word of the block.
bool may_move(const CommonBlock& block, const EditAlignment& alignment) {
  const std::size_t aligned = alignment.positions[block.reference + 1];
  return has_error(alignment.hypothesis_errors, block.hypothesis, block.length) &&
         has_error(alignment.reference_errors, block.reference, block.length) &&
         (aligned <= block.hypothesis || aligned > block.hypothesis + block.length);
}

/// Calls visit(block) for each block, until it returns false. Blocks are ordered by their positions
/// in the hypothesis, then in the reference, then by length.
template <class Visit>
void visit_common_blocks(std::u32string_view hypothesis, std::u32string_view reference,
                         const Visit& visit) {
  for (std::size_t i = 0; i < hypothesis.size(); ++i) {
    const std::size_t first = i - std::min(i, max_block_distance);
    const std::size_t end = std::min(reference.size(), i + max_block_distance + 1);
    for (std::size_t j = first; j < end; ++j) {
      const std::size_t longest =
          std::min({hypothesis.size() - i, reference.size() - j, max_block_words});
      for (std::size_t k = 0; k < longest && hypothesis[i + k] == reference[j + k]; ++k)
        if (!visit(CommonBlock{i, j, k + 1})) return;
    }
  }
}

/// Returns the hypothesis with words begin, begin + 1, ... moved to the target. A target within the
/// block means that the block moves to the right by as many words as precede the target in it.
std::u32string move_block(std::u32string words, std::size_t begin, std::size_t length,
                          std::size_t target) {
  const auto at = [&words](std::size_t index) {
    return words.begin() + static_cast<std::ptrdiff_t>(std::min(index, words.size()));
  };
  const std::size_t end = begin + length;
  if (target < begin) {
    std::rotate(at(target), at(begin), at(end));
  } else {
    std::rotate(at(begin), at(end), at(target > end ? target : target + length));
  }
  return words;
}

/// Returns the best move of a block, whose gain may be negative. Adds the number of moves that were
/// tried to `tried`, and stops soon after it reaches max_tried_shifts.
Shift find_best_shift(const std::u32string& hypothesis, std::u32string_view reference,
                      EditMatrix& matrix, int& tried) {
  const std::int64_t distance = matrix.distance(hypothesis);
  const EditAlignment alignment = align_by(matrix.edits());
  Shift best{
      .gain = std::numeric_limits<std::int64_t>::min(), .begin = 0, .length = 0, .target = 0};
  visit_common_blocks(hypothesis, reference, [&](const CommonBlock& block) {
    if (!may_move(block, alignment)) return true;
    for (std::size_t i = 0; i <= block.length; ++i) {
      const std::size_t target = alignment.positions[block.reference + i];
      if (i > 0 && target == alignment.positions[block.reference + i - 1]) continue;
      const auto moved = move_block(hypothesis, block.hypothesis, block.length, target);
      const Shift shift{distance - matrix.distance(moved), block.hypothesis, block.length, target};
      if (shift.is_better_than(best)) best = shift;
      ++tried;
    }
    return tried < max_tried_shifts;
  });
  return best;
}

}  // namespace

std::int64_t count_translation_edits(std::u32string hypothesis, std::u32string_view reference) {
  if (reference.empty()) return std::ssize(hypothesis);
  EditMatrix matrix(reference, hypothesis.size());
  std::int64_t shifts = 0;
  for (int tried = 0;; ++shifts) {
    const Shift shift = find_best_shift(hypothesis, reference, matrix, tried);
    // As in sacreBLEU, the last shift is not used if its search was cut short.
    if (shift.gain <= 0 || tried >= max_tried_shifts) break;
    hypothesis = move_block(std::move(hypothesis), shift.begin, shift.length, shift.target);
  }
  return shifts + matrix.distance(hypothesis);
}

}  // namespace tfm
