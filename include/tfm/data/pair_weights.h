// How much the pairs of a text count in the training loss (data.weights; Marian calls this data
// weighting): one number for all of them, or a file with a number for each line.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "tfm/config/config.h"

namespace tfm {

class PairWeights {
 public:
  /// Every pair has this weight.
  explicit PairWeights(float weight) : weight_(weight) {}

  /// Reads a file, plain or compressed, with one number on each line. Throws DataError if a line is
  /// not a number of at least 0, or if the file can't be read or is empty.
  explicit PairWeights(const std::filesystem::path& file);

  /// Returns the weight of the pair on this line of its text, from 1.
  float of_line(std::int64_t line) const {
    return by_line_ ? (*by_line_)[static_cast<std::size_t>(line - 1)] : weight_;
  }
  /// Throws DataError unless the file has a number for each line of a text whose last usable line
  /// is `last`, and of which `skipped` lines are not usable.
  void require_lines(std::int64_t last, std::int64_t skipped) const;
  /// Returns a checksum of the numbers in the file; 0 for one number, which the config holds.
  std::uint32_t checksum() const;

 private:
  std::filesystem::path file_;
  std::shared_ptr<const std::vector<float>> by_line_;
  float weight_ = 1;
};

/// Returns the weights that data.weights gives to a set, if any. The empty name is that of the only
/// text, which data.weights calls train. Throws as PairWeights does.
std::optional<PairWeights> weights_of(const DataConfig& config, std::string_view set);

}  // namespace tfm
