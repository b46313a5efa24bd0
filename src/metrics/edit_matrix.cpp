#include "edit_matrix.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tfm {
namespace {

constexpr double beam_width = 25;  // columns on either side of the diagonal, as in tercom

/// The distance of a cell outside the beam. One more edit does not overflow.
constexpr std::int32_t unreachable = std::numeric_limits<std::int32_t>::max() / 2;

/// A range of columns, without `end`.
struct Columns {
  std::size_t begin;
  std::size_t end;
};

/// Returns the columns of the row that are in the beam. `words` is the number of words of the
/// hypothesis, which is not 0. If the reference is much longer than the hypothesis, the beam is
/// wider, so that the beams of neighbouring rows overlap.
Columns find_beam(std::size_t row, std::size_t words, std::size_t reference_words) {
  const double ratio = static_cast<double>(reference_words) / static_cast<double>(words);
  const double width = beam_width < ratio / 2 ? std::ceil(ratio / 2 + beam_width) : beam_width;
  const double diagonal = std::floor(static_cast<double>(row) * ratio);
  const double end = std::min(static_cast<double>(reference_words + 1), diagonal + width);
  return {static_cast<std::size_t>(std::max(0.0, diagonal - width)), static_cast<std::size_t>(end)};
}

}  // namespace

EditMatrix::EditMatrix(std::u32string_view reference, std::size_t words) : reference_(reference) {
  rows_.push_back({0, {}});
  for (std::size_t column = 0; column <= reference.size(); ++column)
    rows_.front().cells.push_back({static_cast<std::int32_t>(column), Edit::insert});
  for (std::size_t row = 1; row <= words; ++row) {
    const Columns beam = find_beam(row, words, reference.size());
    rows_.push_back({beam.begin, std::vector<Cell>(beam.end - beam.begin)});
  }
}

EditMatrix::Cell EditMatrix::Row::at(std::size_t words) const {
  const std::size_t index = words - begin;  // large if `words` is less than `begin`
  return index < cells.size() ? cells[index] : Cell{unreachable, Edit::keep};
}

void EditMatrix::fill_row(std::size_t row, char32_t word) {
  const Row& above = rows_[row - 1];
  auto& [begin, cells] = rows_[row];
  Cell diagonal = above.at(begin - 1);
  Cell left{unreachable, Edit::keep};
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const std::size_t column = begin + i;
    const Cell up = above.at(column);
    Cell best{unreachable, Edit::keep};
    const auto offer = [&best](std::int32_t distance, Edit edit) {
      if (distance < best.distance) best = {distance, edit};
    };
    const bool is_equal = column > 0 && reference_[column - 1] == word;
    offer(diagonal.distance + (is_equal ? 0 : 1), is_equal ? Edit::keep : Edit::substitute);
    offer(up.distance + 1, Edit::remove);
    offer(left.distance + 1, Edit::insert);
    diagonal = up;
    cells[i] = left = best;
  }
}

std::int64_t EditMatrix::distance(std::u32string_view hypothesis) {
  const auto [changed, previous] = std::ranges::mismatch(hypothesis, hypothesis_);
  const auto first = static_cast<std::size_t>(changed - hypothesis.begin());
  for (std::size_t i = first; i < hypothesis.size(); ++i) fill_row(i + 1, hypothesis[i]);
  hypothesis_ = hypothesis;
  return rows_.back().cells.back().distance;
}

std::vector<Edit> EditMatrix::edits() const {
  std::vector<Edit> edits;
  std::size_t row = hypothesis_.size();
  std::size_t column = reference_.size();
  while (row > 0 || column > 0) {
    const Edit edit = rows_[row].at(column).edit;
    edits.push_back(edit);
    if (edit != Edit::insert) --row;
    if (edit != Edit::remove) --column;
  }
  std::ranges::reverse(edits);
  return edits;
}

}  // namespace tfm
