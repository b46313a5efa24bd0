// The weights of a model that only translates, each laid out once for the processor's product
// kernels. While one is in use on a thread (Use), linear (linear.h) multiplies through it:
//   fp32  as the weights are, laid out anew where products are our own
//   bf16  x and W rounded to bf16, sums in fp32, the result rounded to bf16
//   int8  x and W rounded to 8 bits (W to 7 where the processor has no exact sums of 8), symmetric
//   around 0, with one scale for each row of x and
//         each row of W; sums are exact, the result is fp32
// Small matrices are multiplied by kernels of our own: in int8 where that is wanted and the
// processor can (int8_gemm.h), else in fp32 (batch_invariant_gemm.h); without AVX-512 all are that
// are multiplied in fp32. Batch-invariant: a row's product, bit for bit, is the same whichever rows
// are multiplied with it. fp32 goes through batch_invariant_gemm.h; int8 is exact as it is; bf16 is
// not offered. Weights must not change while they are here. Several threads may multiply at a time.
// On the CPU only.
#pragma once

#include <torch/types.h>

#include <functional>
#include <map>
#include <mutex>
#include <tuple>
#include <utility>

#include "tfm/tensor/int8_gemm.h"

namespace tfm {

enum class WeightFormat { fp32, bf16, int8 };

/// A matrix in 8 bits: row i is scales[i] * values[i].
struct QuantizedMatrix {
  torch::Tensor values;  ///< [N, K] int8
  torch::Tensor scales;  ///< [N] fp32
};

/// x [N, K] fp32 or bf16, on the CPU. A row's largest number becomes `largest`; a row of zeros has
/// scale 0, one with a number that is not finite NaN.
QuantizedMatrix quantize_rows(const torch::Tensor& x, int largest = 127);

/// Whether this processor can multiply in bf16.
bool cpu_supports_bf16();

class PackedWeights {
 public:
  /// batch_invariant: not with bf16. on_packed: told of each weight, whole or part, that a copy
  /// has taken the place of.
  explicit PackedWeights(WeightFormat format, bool batch_invariant = false,
                         std::function<void(const torch::Tensor&)> on_packed = {})
      : format_(format), batch_invariant_(batch_invariant), on_packed_(std::move(on_packed)) {}

  bool batch_invariant() const { return batch_invariant_; }
  /// Whether keys and values that a decoder keeps are rounded to bf16: with int8, whose own
  /// rounding is the coarser one.
  bool uses_bf16_kv_cache() const { return format_ == WeightFormat::int8; }

  /// x [..., in]; weight, bias, begin, end: as linear has them -> [..., out].
  torch::Tensor multiply(const torch::Tensor& x, const torch::Tensor& weight,
                         const torch::Tensor& bias, int64_t begin, int64_t end);

  /// Some rows of a weight, laid out as the whole would be; of no use after these weights are gone.
  class PackedRows;
  /// weight [out, in]; bias [out] or undefined; rows [N] int64.
  PackedRows select_rows(const torch::Tensor& weight, const torch::Tensor& bias,
                         const torch::Tensor& rows);

  /// In use on this thread for as long as this lives.
  class Use {
   public:
    explicit Use(PackedWeights& weights) : before_(current_) { current_ = &weights; }
    ~Use() { current_ = before_; }
    Use(const Use&) = delete;
    Use& operator=(const Use&) = delete;

   private:
    PackedWeights* before_;
  };

  /// Those in use on this thread, or nullptr.
  static PackedWeights* current() { return current_; }

 private:
  struct Product {
    torch::Tensor weight;  // in the layout of its kernel
    torch::Tensor bias;
    torch::Tensor scales;  // int8: of the rows
    torch::Tensor zeros;
    torch::Tensor panels;  // batch_invariant_gemm.h
    PackedInt8Matrix int8;
  };
  using Key = std::tuple<const c10::TensorImpl*, int64_t, int64_t>;

  const Product& product(const torch::Tensor& weight, const torch::Tensor& bias, int64_t begin,
                         int64_t end);
  const QuantizedMatrix& rounded(const torch::Tensor& weight);
  WeightFormat format_for(const torch::Tensor& weight) const;
  Product pack(const torch::Tensor& weight, const torch::Tensor& bias, WeightFormat format) const;
  static Product pack(const QuantizedMatrix& weight, const torch::Tensor& bias);
  static torch::Tensor multiply(const torch::Tensor& x, const Product& product);
  static torch::Tensor multiply_rows(const torch::Tensor& rows, const Product& product);

  static inline thread_local PackedWeights* current_ = nullptr;
  WeightFormat format_;
  bool batch_invariant_;
  std::function<void(const torch::Tensor&)> on_packed_;
  std::mutex laying_out_;
  std::map<Key, Product> products_;
  std::map<const c10::TensorImpl*, QuantizedMatrix> rounded_;  // what rows were chosen of
};

class PackedWeights::PackedRows {
 public:
  /// x [..., in] -> [..., N]
  torch::Tensor multiply(const torch::Tensor& x) const {
    return PackedWeights::multiply(x, product_);
  }

 private:
  friend class PackedWeights;
  explicit PackedRows(Product product) : product_(std::move(product)) {}

  Product product_;
};

}  // namespace tfm
