#include "tfm/nn/contiguous_kv_cache.h"

#include <utility>

#include "tfm/tensor/index_tensor.h"

namespace tfm {
namespace {

torch::Tensor enlarge(const torch::Tensor& storage, int64_t capacity) {
  auto larger = torch::empty({storage.size(0), storage.size(1), capacity, storage.size(3)},
                             storage.options());
  larger.slice(2, 0, storage.size(2)).copy_(storage);
  return larger;
}

}  // namespace

KeyValues GrowableKeyValues::append(const KeyValues& step) {
  constexpr int64_t first_capacity = 16;
  if (!storage_.keys.defined()) {
    const auto shape = std::vector<int64_t>{step.keys.size(0), step.keys.size(1), first_capacity,
                                            step.keys.size(3)};
    storage_ = {torch::empty(shape, step.keys.options()),
                torch::empty(shape, step.values.options())};
  } else if (length_ == storage_.keys.size(2)) {
    storage_ = {enlarge(storage_.keys, 2 * length_), enlarge(storage_.values, 2 * length_)};
  }
  storage_.keys.select(2, length_).copy_(step.keys.select(2, 0));
  storage_.values.select(2, length_).copy_(step.values.select(2, 0));
  ++length_;
  return {storage_.keys.slice(2, 0, length_), storage_.values.slice(2, 0, length_)};
}

void GrowableKeyValues::reorder(const torch::Tensor& parents) {
  if (!storage_.keys.defined()) return;
  storage_ = {storage_.keys.index_select(0, parents), storage_.values.index_select(0, parents)};
}

ContiguousKvCache::ContiguousKvCache(torch::Tensor source_mask, const Options& options)
    : options_(options), source_mask_(std::move(source_mask)) {}

void ContiguousKvCache::add_layer(const torch::Tensor& memory) {
  const auto split = split_key_values(memory, options_.heads);
  layers_.push_back({{}, {split.keys.contiguous(), split.values.contiguous()}});
}

void ContiguousKvCache::reorder(std::span<const std::int32_t> parents) {
  const auto rows = index_tensor(parents, source_mask_.device());
  for (auto& layer : layers_) {
    layer.past.reorder(rows);
    layer.memory = {layer.memory.keys.index_select(0, rows),
                    layer.memory.values.index_select(0, rows)};
  }
  source_mask_ = source_mask_.index_select(0, rows);
}

void ContiguousKvCache::begin_step() {
  weights_.clear();
  ++positions_;
}

torch::Tensor ContiguousKvCache::self_attention(std::size_t layer, const torch::Tensor& qkv) {
  auto& past = layers_[layer].past;
  const auto heads = split_query_key_values(qkv.unsqueeze(1), options_.heads);
  const auto all = past.append(heads.memory);
  return join_heads(at::scaled_dot_product_attention(heads.queries, all.keys, all.values))
      .squeeze(1);
}

torch::Tensor ContiguousKvCache::cross_attention(std::size_t layer, const torch::Tensor& queries) {
  const auto& memory = layers_[layer].memory;
  const auto heads = split_heads(queries.unsqueeze(1), options_.heads);
  if (options_.keeps_attention) {
    return join_heads(scaled_dot_product_attention(heads, memory, {.mask = source_mask_}, 0,
                                                   &weights_.emplace_back()))
        .squeeze(1);
  }
  return join_heads(
             at::scaled_dot_product_attention(heads, memory.keys, memory.values, source_mask_))
      .squeeze(1);
}

torch::Tensor ContiguousKvCache::mean_attention() const {
  // [layers, R, H, 1, S] -> [R, S]
  return weights_.empty() ? torch::Tensor()
                          : torch::stack(weights_).mean(c10::IntArrayRef{0, 2}).squeeze(1);
}

}  // namespace tfm
