#include "tfm/tensor/decode_attention.h"

#include <ATen/Parallel.h>

#include <algorithm>

#include "kernels/decode_attention_kernel.h"

namespace tfm {
namespace {

template <class T>
void run(const torch::Tensor& queries, int64_t heads, int64_t width, const KeyLookup& list_keys,
         const torch::Tensor& context) {
  const auto* query = static_cast<const T*>(queries.const_data_ptr());
  auto* out = static_cast<T*>(context.mutable_data_ptr());
  at::parallel_for(0, queries.size(0), 1, [&](int64_t begin, int64_t end) {
    std::vector<const void*> keys;
    std::vector<float> scratch;
    for (int64_t row = begin; row < end; ++row) {
      keys.clear();
      list_keys(row, keys);
      scratch.resize(std::max(
          scratch.size(),
          static_cast<std::size_t>(decode_attention_scratch_size(heads, width, std::ssize(keys)))));
      single_query_attention(SingleQueryAttention<T>{heads, width, query + row * queries.stride(0),
                                                     keys, out + row * heads * width},
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
