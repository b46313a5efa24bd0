#include "tfm/nn/sentence_memory.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "tfm/nn/attention.h"
#include "tfm/tensor/index_tensor.h"

namespace tfm {

SentenceMemory::SentenceMemory(torch::Tensor source_mask, int64_t layers, int64_t heads)
    : layers_(layers), heads_(heads), source_mask_(std::move(source_mask)) {
  sentences_.resize(static_cast<std::size_t>(stored_sentences()));
  std::iota(sentences_.begin(), sentences_.end(), 0);
}

void SentenceMemory::add_layer(const torch::Tensor& memory) {
  const auto split = split_key_values(memory, heads_);
  if (!memory_.defined()) {
    std::vector<int64_t> shape{layers_, 2};
    for (const int64_t size : split.keys.sizes()) shape.push_back(size);
    memory_ = torch::empty(shape, split.keys.options());
  }
  const auto layer = memory_.select(0, added_++);
  layer.select(0, 0).copy_(split.keys);
  layer.select(0, 1).copy_(split.values);
}

void SentenceMemory::reorder(std::span<const std::int32_t> parents) {
  std::vector<std::int32_t> sentences;
  sentences.reserve(parents.size());
  for (const auto parent : parents)
    sentences.push_back(sentences_[static_cast<std::size_t>(parent)]);
  if (sentences == sentences_) return;
  sentences_ = std::move(sentences);
  free_unneeded();
  group_rows();
}

/// Copies the sentences that have rows to a smaller tensor if they are at most half of all.
void SentenceMemory::free_unneeded() {
  constexpr std::int32_t unneeded = -1;
  std::vector<std::int32_t> renumbered(static_cast<std::size_t>(stored_sentences()), unneeded);
  for (const auto sentence : sentences_) renumbered[static_cast<std::size_t>(sentence)] = 0;
  std::vector<std::int32_t> needed;
  for (std::size_t sentence = 0; sentence < renumbered.size(); ++sentence) {
    if (renumbered[sentence] == unneeded) continue;
    renumbered[sentence] = static_cast<std::int32_t>(needed.size());
    needed.push_back(static_cast<std::int32_t>(sentence));
  }
  if (needed.empty() || 2 * std::ssize(needed) > stored_sentences()) return;
  const auto kept = index_tensor(needed, source_mask_.device());
  memory_ = memory_.index_select(2, kept);
  source_mask_ = source_mask_.index_select(0, kept);
  additive_mask_.reset();
  for (auto& sentence : sentences_) sentence = renumbered[static_cast<std::size_t>(sentence)];
}

/// Finds the place of each row in the group of its sentence.
void SentenceMemory::group_rows() {
  std::vector<std::int32_t> counts(static_cast<std::size_t>(stored_sentences()));
  std::vector<std::int32_t> places;  // within the group
  places.reserve(sentences_.size());
  for (const auto sentence : sentences_)
    places.push_back(counts[static_cast<std::size_t>(sentence)]++);
  const auto group_size = std::max(1, *std::ranges::max_element(counts));
  bool in_order = std::ssize(sentences_) == group_size * stored_sentences();
  for (std::size_t row = 0; row < places.size(); ++row) {
    places[row] += sentences_[row] * group_size;
    in_order &= places[row] == static_cast<std::int32_t>(row);
  }
  grouped_rows_.reset();
  places_.reset();
  if (in_order) return;
  // both in one tensor, which is copied to the device at once
  std::vector<std::int32_t> indices(counts.size() * static_cast<std::size_t>(group_size));
  const auto free_places = std::ssize(indices);
  for (std::size_t row = 0; row < places.size(); ++row)
    indices[static_cast<std::size_t>(places[row])] = static_cast<std::int32_t>(row);
  indices.insert(indices.end(), places.begin(), places.end());
  const auto both = index_tensor(indices, source_mask_.device());
  grouped_rows_ = both.slice(0, 0, free_places);
  places_ = both.slice(0, free_places);
}

/// Converts results [B * K, ...] of groups to rows [R, ...].
torch::Tensor SentenceMemory::ungroup(const torch::Tensor& grouped) const {
  return places_.defined() ? grouped.index_select(0, places_) : grouped;
}

/// Returns the mask in the form that attention kernels add to the scores, so that they need not
/// convert it in each step. CUDA's kernel takes a mask as it is only if its rows are aligned.
const torch::Tensor& SentenceMemory::additive_mask(const torch::Tensor& queries) {
  if (additive_mask_.defined() && additive_mask_.scalar_type() == queries.scalar_type())
    return additive_mask_;
  constexpr int64_t alignment = 16;
  const int64_t length = source_mask_.size(3);
  const int64_t row = (length + alignment - 1) / alignment * alignment;
  additive_mask_ = torch::full({stored_sentences(), 1, 1, row},
                               -std::numeric_limits<double>::infinity(), queries.options())
                       .slice(3, 0, length)
                       .masked_fill_(source_mask_, 0);
  return additive_mask_;
}

torch::Tensor SentenceMemory::attend(std::size_t layer, const torch::Tensor& queries,
                                     torch::Tensor* weights) {
  const auto stored = memory_.select(0, static_cast<int64_t>(layer));
  const KeyValues memory{stored.select(0, 0), stored.select(0, 1)};
  const auto grouped = grouped_rows_.defined() ? queries.index_select(0, grouped_rows_) : queries;
  // [B, H, K, Dh]
  const auto heads = split_heads(grouped.unflatten(0, {stored_sentences(), -1}), heads_);
  torch::Tensor attended;
  if (weights != nullptr) {
    attended = scaled_dot_product_attention(heads, memory, {.mask = source_mask_}, 0, weights);
    *weights = ungroup(weights->transpose(1, 2).flatten(0, 1));
  } else {
    attended =
        at::scaled_dot_product_attention(heads, memory.keys, memory.values, additive_mask(heads));
  }
  return ungroup(join_heads(attended).flatten(0, 1));
}

}  // namespace tfm
