#include "tfm/data/pair_weights.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include "line_counts.h"
#include "tfm/config/data_sets.h"
#include "tfm/core/checksum.h"
#include "tfm/core/error.h"
#include "tfm/core/line_reader.h"
#include "tfm/text/words.h"

namespace tfm {
namespace {

/// Returns the number on a line, without white space around it; nullopt if the line has no number
/// of at least 0.
std::optional<float> parse_weight(std::string_view line) {
  line = trim(line, " \t\r");
  float number = 0;
  const auto [end, failure] = std::from_chars(line.data(), line.data() + line.size(), number);
  const bool is_number = failure == std::errc() && end == line.data() + line.size();
  return is_number && std::isfinite(number) && number >= 0 ? std::optional(number) : std::nullopt;
}

}  // namespace

PairWeights::PairWeights(const std::filesystem::path& file) : file_(file) {
  std::vector<float> weights;
  LineReader lines(file);
  for (std::string line; lines.next(line);) {
    const auto weight = parse_weight(line);
    if (!weight)
      throw DataError(
          fmt::format("{}:{}", file.string(), lines.line_number()),
          fmt::format("'{}' is not a weight", line),
          "Write one number of at least 0 on each line; weights of single words are not "
          "supported.");
    weights.push_back(*weight);
  }
  if (weights.empty()) throw DataError(file.string(), "the file is empty", "Check data.weights.");
  by_line_ = std::make_shared<const std::vector<float>>(std::move(weights));
}

void PairWeights::require_lines(std::int64_t last, std::int64_t skipped) const {
  if (!by_line_) return;
  tfm::require_lines({.file = file_, .lines = std::ssize(*by_line_), .content = "weights"}, last,
                     skipped);
}

std::uint32_t PairWeights::checksum() const {
  Crc32 sum;
  if (by_line_) sum.add(by_line_->data(), by_line_->size() * sizeof(float));
  return by_line_ ? sum.value() : 0;
}

std::optional<PairWeights> weights_of(const DataConfig& config, std::string_view set) {
  for (const std::string& text : config.weights) {
    const auto named =
        parse_named_weight(text).value();  // the config's rules have checked its form
    if (named.set != (set.empty() ? only_text_name : set)) continue;
    return named.number ? PairWeights(static_cast<float>(*named.number))
                        : PairWeights(std::filesystem::path(named.file));
  }
  return std::nullopt;
}

}  // namespace tfm
