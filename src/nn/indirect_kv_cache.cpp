#include "tfm/nn/indirect_kv_cache.h"

#include <numeric>
#include <utility>

#include "tfm/tensor/decode_attention.h"

namespace tfm {
namespace {

/// Returns the address of an element of the matrix.
const char* element_address(const torch::Tensor& matrix, int64_t row, int64_t column) {
  return static_cast<const char*>(matrix.const_data_ptr()) +
         (row * matrix.stride(0) + column) * matrix.element_size();
}

}  // namespace

IndirectKvCache::IndirectKvCache(const UnpaddedLayout& source, const Options& options)
    : options_(options),
      row_offsets_(source.row_offsets()),
      sentences_(row_offsets_.size() - 1),
      ancestors_(sentences_.size()) {
  std::iota(sentences_.begin(), sentences_.end(), std::size_t{0});
}

void IndirectKvCache::add_layer(const torch::Tensor& memory) {
  layers_.push_back({to_storage_type(memory), {}});
}

void IndirectKvCache::reorder(std::span<const std::int32_t> parents) {
  std::vector<std::size_t> sentences;
  std::vector<std::vector<std::int32_t>> ancestors;
  for (const auto parent : parents) {
    sentences.push_back(sentences_[static_cast<std::size_t>(parent)]);
    ancestors.push_back(ancestors_[static_cast<std::size_t>(parent)]);
  }
  sentences_ = std::move(sentences);
  ancestors_ = std::move(ancestors);
}

void IndirectKvCache::begin_step() {
  for (std::size_t row = 0; row < ancestors_.size(); ++row)
    ancestors_[row].push_back(static_cast<std::int32_t>(row));
  ++positions_;
}

torch::Tensor IndirectKvCache::self_attention(std::size_t layer, const torch::Tensor& qkv) {
  auto& steps = layers_[layer].steps;
  steps.push_back(to_storage_type(qkv));
  const int64_t inner = qkv.size(1) / 3;
  return decode_attention(
      steps.back(), options_.heads, inner / options_.heads,
      [&](int64_t row, std::vector<const void*>& keys) {
        const auto& ancestors = ancestors_[static_cast<std::size_t>(row)];
        for (std::size_t position = 0; position < steps.size(); ++position)
          keys.push_back(element_address(steps[position], ancestors[position], inner));
      });
}

torch::Tensor IndirectKvCache::cross_attention(std::size_t layer, const torch::Tensor& queries) {
  const auto& memory = layers_[layer].memory;
  return decode_attention(
      queries.to(memory.scalar_type()).contiguous(), options_.heads,
      queries.size(1) / options_.heads, [&](int64_t row, std::vector<const void*>& keys) {
        const auto sentence = sentences_[static_cast<std::size_t>(row)];
        for (auto token = row_offsets_[sentence]; token < row_offsets_[sentence + 1]; ++token)
          keys.push_back(element_address(memory, token, 0));
      });
}

}  // namespace tfm
