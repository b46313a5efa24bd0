#include "tfm/tensor/varlen_attention.h"

#include <ATen/Parallel.h>
#include <torch/autograd.h>

#include <algorithm>
#include <vector>

#include "kernels/attention_kernel.h"

namespace tfm {
namespace {

using torch::Tensor;
using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

/// The rows of each sentence in queries and memory, and the number and width of the heads.
struct Layout {
  int64_t heads;
  int64_t width;  // Dh
  bool causal;
  std::vector<int64_t> query_begins;
  std::vector<int64_t> memory_begins;

  int64_t sentences() const { return std::ssize(query_begins) - 1; }
  AttentionShape shape(std::size_t sentence) const {
    return {.queries = query_begins[sentence + 1] - query_begins[sentence],
            .keys = memory_begins[sentence + 1] - memory_begins[sentence],
            .width = width,
            .causal = causal};
  }
};

/// The queries, keys or values of all heads (or their gradients), which are adjacent columns of a
/// matrix [rows, stride].
template <class Number>
struct Columns {
  Number* first;
  int64_t stride;
  RowView<Number> view(int64_t row, int64_t column) const {
    return {first + row * stride + column, stride};
  }
};

template <class T>
Columns<const T> columns(const Tensor& matrix, int64_t first) {
  return {static_cast<const T*>(matrix.const_data_ptr()) + first, matrix.size(1)};
}
template <class T>
Columns<T> mutable_columns(const Tensor& matrix, int64_t first) {
  return {static_cast<T*>(matrix.mutable_data_ptr()) + first, matrix.size(1)};
}

/// Calls work(shape, first row of the queries, first row of the memory, first column of the head,
/// scratch) for each sentence and head, in parallel.
template <class Work>
void for_each_head(const Layout& layout, const Work& work) {
  at::parallel_for(0, layout.sentences() * layout.heads, 1, [&](int64_t begin, int64_t end) {
    std::vector<float> scratch;
    for (int64_t task = begin; task < end; ++task) {
      const auto sentence = static_cast<std::size_t>(task / layout.heads);
      const auto shape = layout.shape(sentence);
      scratch.resize(
          std::max(scratch.size(), static_cast<std::size_t>(attention_scratch_size(shape))));
      work(shape, layout.query_begins[sentence], layout.memory_begins[sentence],
           task % layout.heads * layout.width, scratch.data());
    }
  });
}

/// Reads the queries from the first H * Dh columns of `queries`, and keys and values, in this
/// order, from the last 2 * H * Dh columns of `memory`. Both may be the same matrix.
template <class T>
void run_forward(const Layout& layout, const Tensor& queries, const Tensor& memory,
                 const Tensor& context) {
  const int64_t inner = layout.heads * layout.width;
  const auto q = columns<T>(queries, 0);
  const auto k = columns<T>(memory, memory.size(1) - 2 * inner);
  const auto v = columns<T>(memory, memory.size(1) - inner);
  const auto out = mutable_columns<T>(context, 0);
  for_each_head(layout, [&](const AttentionShape& shape, int64_t row, int64_t key_row,
                            int64_t column, float* scratch) {
    attend(AttentionForward<T>{shape, q.view(row, column), k.view(key_row, column),
                               v.view(key_row, column), out.view(row, column)},
           scratch);
  });
}

struct Matrices {
  const Tensor& queries;
  const Tensor& memory;
  const Tensor& context_gradient;
  const Tensor& query_gradient;
  const Tensor& memory_gradient;
};

template <class T>
void run_backward(const Layout& layout, const Matrices& m) {
  const int64_t inner = layout.heads * layout.width;
  const int64_t keys = m.memory.size(1) - 2 * inner;
  const auto q = columns<T>(m.queries, 0);
  const auto k = columns<T>(m.memory, keys);
  const auto v = columns<T>(m.memory, keys + inner);
  const auto g = columns<T>(m.context_gradient, 0);
  const auto dq = mutable_columns<T>(m.query_gradient, 0);
  const auto dk = mutable_columns<T>(m.memory_gradient, keys);
  const auto dv = mutable_columns<T>(m.memory_gradient, keys + inner);
  for_each_head(layout, [&](const AttentionShape& shape, int64_t row, int64_t key_row,
                            int64_t column, float* scratch) {
    attend_backward(
        AttentionBackward<T>{shape, q.view(row, column), k.view(key_row, column),
                             v.view(key_row, column), g.view(row, column), dq.view(row, column),
                             dk.view(key_row, column), dv.view(key_row, column)},
        scratch);
  });
}

bool is_fp32(const Tensor& x) { return x.scalar_type() == torch::kFloat32; }

/// Returns a matrix that is uninitialised, except that the rows beyond the last sentence are zero.
Tensor empty_rows(const Tensor& like, int64_t columns, const std::vector<int64_t>& begins) {
  auto rows = torch::empty({like.size(0), columns}, like.options());
  rows.slice(0, begins.back()).zero_();
  return rows;
}

Tensor attention(const Layout& layout, const Tensor& queries, const Tensor& memory) {
  auto context = empty_rows(queries, layout.heads * layout.width, layout.query_begins);
  is_fp32(queries) ? run_forward<float>(layout, queries, memory, context)
                   : run_forward<Bf16>(layout, queries, memory, context);
  return context;
}

void attention_backward(const Layout& layout, const Matrices& matrices) {
  is_fp32(matrices.queries) ? run_backward<float>(layout, matrices)
                            : run_backward<Bf16>(layout, matrices);
}

void save_layout(AutogradContext* context, const Layout& layout) {
  context->saved_data["heads"] = layout.heads;
  context->saved_data["width"] = layout.width;
  context->saved_data["causal"] = layout.causal;
  context->saved_data["query_begins"] = layout.query_begins;
  context->saved_data["memory_begins"] = layout.memory_begins;
}

Layout restore_layout(AutogradContext* context) {
  return {.heads = context->saved_data["heads"].toInt(),
          .width = context->saved_data["width"].toInt(),
          .causal = context->saved_data["causal"].toBool(),
          .query_begins = context->saved_data["query_begins"].toIntVector(),
          .memory_begins = context->saved_data["memory_begins"].toIntVector()};
}

class SelfAttention : public torch::autograd::Function<SelfAttention> {
 public:
  static Tensor forward(AutogradContext* context, const Tensor& qkv, const Layout& layout) {
    save_layout(context, layout);
    context->save_for_backward({qkv});
    return attention(layout, qkv, qkv);
  }
  static variable_list backward(AutogradContext* context, variable_list gradients) {
    const auto layout = restore_layout(context);
    const auto qkv = context->get_saved_variables()[0];
    const auto gradient = empty_rows(qkv, qkv.size(1), layout.query_begins);
    attention_backward(layout, {qkv, qkv, gradients[0].contiguous(), gradient, gradient});
    return {gradient, {}};
  }
};

class CrossAttention : public torch::autograd::Function<CrossAttention> {
 public:
  static Tensor forward(AutogradContext* context, const Tensor& queries, const Tensor& memory,
                        const Layout& layout) {
    save_layout(context, layout);
    context->save_for_backward({queries, memory});
    return attention(layout, queries, memory);
  }
  static variable_list backward(AutogradContext* context, variable_list gradients) {
    const auto layout = restore_layout(context);
    const auto saved = context->get_saved_variables();
    const auto queries = empty_rows(saved[0], saved[0].size(1), layout.query_begins);
    const auto memory = empty_rows(saved[1], saved[1].size(1), layout.memory_begins);
    attention_backward(layout, {saved[0], saved[1], gradients[0].contiguous(), queries, memory});
    return {queries, memory, {}};
  }
};

}  // namespace

Tensor varlen_self_attention(const Tensor& qkv, int64_t heads, const UnpaddedLayout& layout,
                             bool causal) {
  return SelfAttention::apply(qkv.contiguous(), Layout{heads, qkv.size(1) / (3 * heads), causal,
                                                       layout.row_offsets(), layout.row_offsets()});
}

Tensor varlen_cross_attention(const Tensor& queries, const Tensor& memory, int64_t heads,
                              const UnpaddedLayout& query_layout,
                              const UnpaddedLayout& memory_layout) {
  return CrossAttention::apply(queries.contiguous(), memory.contiguous(),
                               Layout{heads, queries.size(1) / heads, false,
                                      query_layout.row_offsets(), memory_layout.row_offsets()});
}

}  // namespace tfm
