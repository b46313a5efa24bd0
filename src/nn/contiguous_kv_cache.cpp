#include "tfm/nn/contiguous_kv_cache.h"

#include <utility>

#include "tfm/nn/attention.h"
#include "tfm/tensor/index_tensor.h"

namespace tfm {

ContiguousKvCache::ContiguousKvCache(torch::Tensor source_mask, const Options& options)
    : options_(options), memory_(std::move(source_mask), options.layers, options.heads) {}

/// Returns the keys and values of all positions so far, [positions, layers, 2, R, H * Dh].
torch::Tensor ContiguousKvCache::filled() const { return past_.slice(0, 0, positions_); }

void ContiguousKvCache::reorder(std::span<const std::int32_t> parents) {
  memory_.reorder(parents);
  if (!past_.defined()) return;
  auto shape = past_.sizes().vec();
  shape[3] = std::ssize(parents);
  const auto reordered = torch::empty(shape, past_.options());
  auto kept = reordered.slice(0, 0, positions_);
  at::index_select_out(kept, filled(), 3, index_tensor(parents, past_.device()));
  past_ = reordered;
}

void ContiguousKvCache::begin_step() {
  weights_.clear();
  ++positions_;
}

/// Adds the keys and values of the newest position, [2, R, H * Dh].
void ContiguousKvCache::append(int64_t layer, const torch::Tensor& key_values) {
  constexpr int64_t first_capacity = 16;
  const int64_t newest = positions_ - 1;
  if (!past_.defined() || newest == past_.size(0)) {
    const int64_t capacity = past_.defined() ? 2 * newest : first_capacity;
    const auto larger =
        torch::empty({capacity, options_.layers, 2, key_values.size(1), key_values.size(2)},
                     key_values.options());
    if (past_.defined()) larger.slice(0, 0, newest).copy_(past_);
    past_ = larger;
  }
  past_.select(0, newest).select(0, layer).copy_(key_values);
}

torch::Tensor ContiguousKvCache::self_attention(std::size_t layer, const torch::Tensor& qkv) {
  const auto index = static_cast<int64_t>(layer);
  // [R, 3, H * Dh]
  const auto projected = to_attention_type(qkv).unflatten(1, {3, -1});
  append(index, projected.slice(1, 1).transpose(0, 1));
  const auto all = filled().select(1, index);  // [positions, 2, R, H * Dh]
  const auto split = [&](int64_t part) {       // [R, H, positions, Dh]
    return all.select(1, part).unflatten(-1, {options_.heads, -1}).permute({1, 2, 0, 3});
  };
  const auto queries = split_heads(projected.slice(1, 0, 1), options_.heads);
  return join_heads(at::scaled_dot_product_attention(queries, split(0), split(1))).squeeze(1);
}

torch::Tensor ContiguousKvCache::cross_attention(std::size_t layer, const torch::Tensor& queries) {
  return memory_.attend(layer, queries,
                        options_.keeps_attention ? &weights_.emplace_back() : nullptr);
}

torch::Tensor ContiguousKvCache::mean_attention() const {
  // [layers, R, H, S] -> [R, S]
  return weights_.empty() ? torch::Tensor() : torch::stack(weights_).mean(c10::IntArrayRef{0, 2});
}

}  // namespace tfm
