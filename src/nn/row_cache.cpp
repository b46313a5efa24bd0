#include "tfm/nn/row_cache.h"

#include <numeric>
#include <utility>

#include "tfm/nn/ops/step_attention.h"

namespace tfm {
namespace {

/// A number of the matrix, as an address.
const char* place(const torch::Tensor& matrix, int64_t row, int64_t column) {
  return static_cast<const char*>(matrix.const_data_ptr()) +
         (row * matrix.stride(0) + column) * static_cast<int64_t>(matrix.element_size());
}

}  // namespace

RowCache::RowCache(std::vector<torch::Tensor> memory, const Packing& source, bool rounded)
    : rounded_(rounded),
      begins_(source.begins()),
      sentences_(begins_.size() - 1),
      origins_(sentences_.size()) {
  std::iota(sentences_.begin(), sentences_.end(), std::size_t{0});
  for (auto& each : memory) layers_.push_back({kept(std::exchange(each, {})), {}});
}

void RowCache::select(std::span<const std::int32_t> parents) {
  std::vector<std::size_t> sentences;
  std::vector<std::vector<std::int32_t>> origins;
  for (const auto parent : parents) {
    sentences.push_back(sentences_[static_cast<std::size_t>(parent)]);
    origins.push_back(origins_[static_cast<std::size_t>(parent)]);
  }
  sentences_ = std::move(sentences);
  origins_ = std::move(origins);
}

void RowCache::begin_step() {
  for (std::size_t row = 0; row < origins_.size(); ++row)
    origins_[row].push_back(static_cast<std::int32_t>(row));
  ++length_;
}

torch::Tensor RowCache::self_attention(std::size_t layer, const torch::Tensor& projected,
                                       int64_t heads) {
  auto& steps = layers_[layer].steps;
  steps.push_back(kept(projected));
  const int64_t inner = projected.size(1) / 3;
  return step_attention(steps.back(), heads, inner / heads,
                        [&](int64_t row, std::vector<const void*>& keys) {
                          const auto& origins = origins_[static_cast<std::size_t>(row)];
                          for (std::size_t position = 0; position < steps.size(); ++position)
                            keys.push_back(place(steps[position], origins[position], inner));
                        });
}

torch::Tensor RowCache::cross_attention(std::size_t layer, const torch::Tensor& queries,
                                        int64_t heads) const {
  const auto& memory = layers_[layer].memory;
  return step_attention(queries.to(memory.scalar_type()).contiguous(), heads,
                        queries.size(1) / heads, [&](int64_t row, std::vector<const void*>& keys) {
                          const auto sentence = sentences_[static_cast<std::size_t>(row)];
                          for (auto token = begins_[sentence]; token < begins_[sentence + 1];
                               ++token)
                            keys.push_back(place(memory, token, 0));
                        });
}

}  // namespace tfm
