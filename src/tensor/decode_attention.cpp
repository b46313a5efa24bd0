#include "tfm/tensor/decode_attention.h"

#include <ATen/Parallel.h>

#include <algorithm>
#include <utility>

#include "kernels/decode_attention_kernel.h"
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

template <class T>
void run(const torch::Tensor& queries, int64_t heads, int64_t width, const KeyLookup& list_keys,
         const torch::Tensor& context) {
  const auto* query = static_cast<const T*>(queries.const_data_ptr());
  auto* out = static_cast<T*>(context.mutable_data_ptr());
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
      scratch.resize(std::max(
          scratch.size(),
          static_cast<std::size_t>(decode_attention_scratch_size(heads, width, keys.count))));
      single_query_attention(
          SingleQueryAttention<T>{heads, width, query + row * queries.stride(0), keys.count,
                                  keys.addresses.data(), (last ? keys : next).addresses.data(),
                                  out + row * heads * width},
          scratch.data());
    }
  });
}

}  // namespace

torch::Tensor decode_attention(const torch::Tensor& queries, int64_t heads, int64_t width,
                               const KeyLookup& list_keys) {
  const auto context = torch::empty({queries.size(0), heads * width}, queries.options());
  queries.scalar_type() == torch::kFloat32 ? run<float>(queries, heads, width, list_keys, context)
                                           : run<Bf16>(queries, heads, width, list_keys, context);
  return context;
}

}  // namespace tfm
