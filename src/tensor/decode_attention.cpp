#include "tfm/tensor/decode_attention.h"

#include <ATen/Parallel.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "kernels/decode_attention_kernel.h"
#include "kernels/quantization.h"
#include "kernels/simd.h"

namespace tfm {
namespace {

/// The keys of one row, and their number before padding.
struct RowKeys {
  std::vector<const void*> addresses;
  int64_t count = 0;

  void list(const KeyLookup& list_keys, int64_t row) {
    addresses.clear();
    list_keys(row, addresses);
    count = std::ssize(addresses);
    pad(static_cast<std::size_t>(round_up_to_lanes(count)));
  }

  /// Repeats the last address until there are at least `size`, unless there are none.
  void pad(std::size_t size) {
    if (count > 0) addresses.resize(std::max(size, addresses.size()), addresses.back());
  }
};

template <class Query, class Key>
void run(const torch::Tensor& queries, const DecodeHeads& heads, const KeyLookup& list_keys,
         const torch::Tensor& context) {
  const auto* query = static_cast<const Query*>(queries.const_data_ptr());
  auto* out = static_cast<Query*>(context.mutable_data_ptr());
  const int64_t inner = heads.count * heads.width;
  at::parallel_for(0, queries.size(0), 1, [&](int64_t begin, int64_t end) {
    RowKeys keys;
    RowKeys next;
    std::vector<float> scratch;
    next.list(list_keys, begin);
    for (int64_t row = begin; row < end; ++row) {
      std::swap(keys, next);
      if (row + 1 < end) {
        next.list(list_keys, row + 1);
        next.pad(keys.addresses.size());
      }
      const bool last = row + 1 == end || next.count == 0;
      scratch.resize(
          std::max(scratch.size(), static_cast<std::size_t>(decode_attention_scratch_size(
                                       heads.count, heads.width, keys.count))));
      single_query_attention(
          SingleQueryAttention<Query, Key>{
              heads.count, heads.width, query + row * queries.stride(0), keys.count,
              keys.addresses.data(), (last ? keys : next).addresses.data(), out + row * inner},
          scratch.data());
    }
  });
}

}  // namespace

torch::Tensor quantize_key_values(const torch::Tensor& key_values) {
  constexpr int64_t scale_bytes = sizeof(float);
  const int64_t inner = key_values.size(1) / 2;
  const int64_t row_bytes = 2 * (inner + scale_bytes);
  auto result =
      torch::empty({key_values.size(0), row_bytes}, key_values.options().dtype(torch::kInt8));
  const auto* from = key_values.const_data_ptr<float>();
  auto* to = result.mutable_data_ptr<int8_t>();
  const int64_t grain = std::max<int64_t>(1, 8192 / std::max<int64_t>(1, inner));
  at::parallel_for(0, key_values.size(0), grain, [&](int64_t begin, int64_t end) {
    std::vector<float> scales(static_cast<std::size_t>(end - begin));
    std::vector<int32_t> unused_sums(scales.size());
    for (const int64_t part : {0, 1}) {  // keys, values
      quantize_rows(
          {from + begin * key_values.stride(0) + part * inner, key_values.stride(0)}, end - begin,
          inner,
          {{to + begin * row_bytes + part * inner, row_bytes}, scales.data(), unused_sums.data()});
      for (int64_t row = begin; row < end; ++row)
        std::memcpy(to + row * row_bytes + 2 * inner + part * scale_bytes,
                    &scales[static_cast<std::size_t>(row - begin)], scale_bytes);
    }
  });
  return result;
}

torch::Tensor decode_attention(const torch::Tensor& queries, const DecodeHeads& heads,
                               const KeyLookup& list_keys) {
  const auto context =
      torch::empty({queries.size(0), heads.count * heads.width}, queries.options());
  if (heads.key_type == torch::kInt8) {
    run<float, int8_t>(queries, heads, list_keys, context);
  } else if (heads.key_type == torch::kFloat32) {
    run<float, float>(queries, heads, list_keys, context);
  } else {
    run<Bf16, Bf16>(queries, heads, list_keys, context);
  }
  return context;
}

}  // namespace tfm
