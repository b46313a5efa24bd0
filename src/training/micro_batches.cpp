#include "tfm/training/micro_batches.h"

#include <utility>

#include "tfm/core/error.h"
#include "tfm/core/log.h"
#include "tfm/core/out_of_memory.h"

namespace tfm {
namespace {

/// Returns the number of source and target positions, padding included. Memory use is roughly
/// proportional to this number.
std::int64_t area(const Batch& batch) { return batch.source.numel() + batch.target_input.numel(); }

/// Halves the parts with more than half the area of the part that did not fit, except single pairs.
std::vector<Batch> halve_large_parts(const std::vector<Batch>& parts, const Batch& too_large,
                                     const SliceBatch& cut) {
  std::vector<Batch> smaller;
  for (const auto& part : parts) {
    const auto size = part.indices.size();
    if (size < 2 || 2 * area(part) <= area(too_large)) {
      smaller.push_back(part);
      continue;
    }
    const auto half = (size + 1) / 2;
    smaller.push_back(cut(part, 0, half));
    smaller.push_back(cut(part, half, size));
  }
  return smaller;
}

}  // namespace

void retry_in_micro_batches(std::vector<Batch> batches, const SliceBatch& cut,
                            const BackwardPass& attempt) {
  std::size_t at = 0;
  while (!fits_into_memory([&] { attempt(batches, at); })) {
    const Batch& part = batches.at(at);
    const auto size =
        fmt::format("{} sentence pairs of {} source and {} target positions", part.indices.size(),
                    part.source.size(1), part.target_input.size(1));
    if (part.indices.size() < 2) {
      throw ModelError(
          "",
          fmt::format("out of memory: the pair of {} does not fit by itself ({})",
                      describe_lines(part), size),
          "Lower data.max_length, choose a smaller model, or use a machine with more memory.");
    }
    log_warn(
        "out of memory in a batch of {}: retrying with its halves. Lower training.batch_size to "
        "avoid "
        "such retries.",
        size);
    batches = halve_large_parts(batches, part, cut);
    at = 0;
  }
}

}  // namespace tfm
