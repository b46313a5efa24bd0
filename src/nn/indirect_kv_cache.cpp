#include "tfm/nn/indirect_kv_cache.h"

#include <algorithm>
#include <utility>

namespace tfm {
namespace {

/// The addresses of the rows of a matrix. Asking a tensor for each address again would take as long
/// as small attention itself.
struct RowAddresses {
  const char* first;
  int64_t bytes;  // from row to row

  explicit RowAddresses(const torch::Tensor& matrix)
      : first(static_cast<const char*>(matrix.const_data_ptr())),
        bytes(matrix.stride(0) * matrix.element_size()) {}

  const char* operator[](int64_t row) const { return first + row * bytes; }
};

}  // namespace

IndirectKvCache::IndirectKvCache(const UnpaddedLayout& source, const Options& options)
    : options_(options) {
  IndirectKvCache::join(source);
}

void IndirectKvCache::join(const UnpaddedLayout& source) {
  newest_ = std::make_shared<Memory>();
  const auto& offsets = source.row_offsets();
  for (std::size_t sentence = 0; sentence + 1 < offsets.size(); ++sentence)
    rows_.push_back({newest_, offsets[sentence], offsets[sentence + 1], taken_, {}});
}

void IndirectKvCache::add_layer(const torch::Tensor& memory) {
  newest_->push_back(options_.int8 ? quantize_key_values(memory) : memory.contiguous());
  if (steps_.size() < newest_->size()) steps_.emplace_back();
}

int64_t IndirectKvCache::positions() const {
  std::size_t most = 0;
  for (const auto& row : rows_) most = std::max(most, row.ancestors.size());
  return static_cast<int64_t>(most);
}

torch::Tensor IndirectKvCache::row_positions() const {
  const auto is_later = [this](const Row& row) {
    return row.first_step != rows_.front().first_step;
  };
  if (std::ranges::none_of(rows_, is_later)) return {};
  auto result = torch::empty({rows()}, torch::kInt64);
  auto* positions = result.mutable_data_ptr<int64_t>();
  for (const auto& row : rows_) *positions++ = std::ssize(row.ancestors);
  return result;
}

void IndirectKvCache::reorder(std::span<const std::int32_t> parents) {
  std::vector<Row> rows;
  rows.reserve(parents.size());
  for (const auto parent : parents) rows.push_back(rows_[static_cast<std::size_t>(parent)]);
  rows_ = std::move(rows);
  drop_unneeded_steps();
}

void IndirectKvCache::drop_unneeded_steps() {
  int64_t needed = taken_;
  for (const auto& row : rows_) needed = std::min(needed, row.first_step);
  for (auto& steps : steps_)
    steps.erase(steps.begin(), steps.begin() + static_cast<std::ptrdiff_t>(needed - dropped_));
  dropped_ = needed;
}

void IndirectKvCache::begin_step() {
  for (std::size_t row = 0; row < rows_.size(); ++row)
    rows_[row].ancestors.push_back(static_cast<std::int32_t>(row));
  ++taken_;
}

torch::Tensor IndirectKvCache::self_attention(std::size_t layer, const torch::Tensor& qkv) {
  auto& steps = steps_[layer];
  const int64_t inner = qkv.size(1) / 3;
  const auto key_values = qkv.slice(1, inner);
  steps.push_back(options_.int8 ? quantize_key_values(key_values) : key_values);
  std::vector<RowAddresses> addresses;  // by step
  addresses.reserve(steps.size());
  for (const auto& step : steps) addresses.emplace_back(step);
  return attend(qkv.slice(1, 0, inner), steps.back().scalar_type(),
                [&](int64_t index, std::vector<const void*>& keys) {
                  const auto& row = rows_[static_cast<std::size_t>(index)];
                  auto step = static_cast<std::size_t>(row.first_step - dropped_);
                  for (const auto ancestor : row.ancestors)
                    keys.push_back(addresses[step++][ancestor]);
                });
}

torch::Tensor IndirectKvCache::cross_attention(std::size_t layer, const torch::Tensor& queries) {
  const auto type = newest_->at(layer).scalar_type();
  return attend(options_.int8 ? queries : queries.to(type), type,
                [&](int64_t index, std::vector<const void*>& keys) {
                  const auto& row = rows_[static_cast<std::size_t>(index)];
                  const RowAddresses tokens((*row.memory)[layer]);
                  for (auto token = row.memory_begin; token < row.memory_end; ++token)
                    keys.push_back(tokens[token]);
                });
}

torch::Tensor IndirectKvCache::attend(const torch::Tensor& queries, torch::ScalarType key_type,
                                      const KeyLookup& list_keys) const {
  return decode_attention(queries, {options_.heads, queries.size(1) / options_.heads, key_type},
                          list_keys);
}

}  // namespace tfm
