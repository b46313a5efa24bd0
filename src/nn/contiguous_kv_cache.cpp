#include "tfm/nn/contiguous_kv_cache.h"

#include <algorithm>

namespace tfm {
namespace {

torch::Tensor enlarged(const torch::Tensor& storage, int64_t capacity) {
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
    storage_ = {enlarged(storage_.keys, 2 * length_), enlarged(storage_.values, 2 * length_)};
  }
  storage_.keys.select(2, length_).copy_(step.keys.select(2, 0));
  storage_.values.select(2, length_).copy_(step.values.select(2, 0));
  ++length_;
  return {storage_.keys.slice(2, 0, length_), storage_.values.slice(2, 0, length_)};
}

void GrowableKeyValues::select(const torch::Tensor& rows) {
  if (!storage_.keys.defined()) return;
  storage_ = {storage_.keys.index_select(0, rows), storage_.values.index_select(0, rows)};
}

void ContiguousKvCache::select(const torch::Tensor& rows) {
  for (auto& layer : layers) {
    layer.self_attention.select(rows);
    layer.cross_attention = {layer.cross_attention.keys.index_select(0, rows),
                             layer.cross_attention.values.index_select(0, rows)};
  }
  source_mask = source_mask.index_select(0, rows);
}

}  // namespace tfm
