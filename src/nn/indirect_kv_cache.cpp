#include "tfm/nn/indirect_kv_cache.h"

#include <numeric>
#include <utility>

#include "tfm/tensor/decode_attention.h"

namespace tfm {
namespace {

/// The addresses of the rows of a matrix, from a column on. Asking a tensor for each address again
/// would take as long as small attention itself.
struct RowAddresses {
  const char* first;
  int64_t bytes;  // from row to row

  RowAddresses(const torch::Tensor& matrix, int64_t column)
      : first(static_cast<const char*>(matrix.const_data_ptr()) + column * matrix.element_size()),
        bytes(matrix.stride(0) * matrix.element_size()) {}

  const char* operator[](int64_t row) const { return first + row * bytes; }
};

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
  std::vector<RowAddresses> rows;  // by position
  rows.reserve(steps.size());
  for (const auto& step : steps) rows.emplace_back(step, inner);
  return decode_attention(steps.back(), options_.heads, inner / options_.heads,
                          [&](int64_t row, std::vector<const void*>& keys) {
                            const auto& ancestors = ancestors_[static_cast<std::size_t>(row)];
                            for (std::size_t position = 0; position < rows.size(); ++position)
                              keys.push_back(rows[position][ancestors[position]]);
                          });
}

torch::Tensor IndirectKvCache::cross_attention(std::size_t layer, const torch::Tensor& queries) {
  const auto& memory = layers_[layer].memory;
  const RowAddresses tokens(memory, 0);
  return decode_attention(
      queries.to(memory.scalar_type()).contiguous(), options_.heads,
      queries.size(1) / options_.heads, [&](int64_t row, std::vector<const void*>& keys) {
        const auto sentence = sentences_[static_cast<std::size_t>(row)];
        for (auto token = row_offsets_[sentence]; token < row_offsets_[sentence + 1]; ++token)
          keys.push_back(tokens[token]);
      });
}

}  // namespace tfm
