// Edit distances between word sequences, as TER needs them (translation_edits.h). Words are
// numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tfm {

/// A step that turns a hypothesis into a reference. It keeps, replaces or deletes a word of the
/// hypothesis, or inserts a word of the reference.
enum class Edit : std::uint8_t { keep, substitute, remove, insert };

/// The matrix of edit distances (Levenshtein 1966) between a reference and hypotheses of one
/// length. As in sacreBLEU's TER, only a beam around the diagonal is computed, so the distance of
/// long texts may be too large. The diagonal leads from the beginnings to the ends of both texts.
class EditMatrix {
 public:
  /// `words` is the number of words of each hypothesis. The reference must outlive the matrix.
  EditMatrix(std::u32string_view reference, std::size_t words);

  /// Returns the number of edits, other than `keep`, that turn the hypothesis into the reference.
  /// Rows for the first words are reused if the previous hypothesis begins with the same words.
  std::int64_t distance(std::u32string_view hypothesis);

  /// Returns the edits of the hypothesis that distance() got last, from first to last. If there are
  /// several ways, it prefers at each step from the end `keep` and `substitute`, then `remove`.
  std::vector<Edit> edits() const;

 private:
  struct Cell {
    std::int32_t distance;
    Edit edit;  ///< the last edit
  };
  /// A row has the distances between the first words of the hypothesis and each beginning of the
  /// reference in the beam. The first of them has `begin` words.
  struct Row {
    std::size_t begin;
    std::vector<Cell> cells;

    Cell at(std::size_t words) const;
  };

  void fill_row(std::size_t row, char32_t word);

  std::u32string_view reference_;
  std::u32string hypothesis_;  // the hypothesis that distance() got last
  std::vector<Row> rows_;
};

}  // namespace tfm
