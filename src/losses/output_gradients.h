// Code shared by the losses that include the output layer. Logits exist for one chunk of tokens at
// a time. The gradient of the logits replaces them in place, and is used immediately to compute the
// gradients of the input, weight and bias of the layer.
#pragma once

#include <torch/autograd.h>
#include <torch/types.h>

#include <optional>

#include "tfm/losses/linear_cross_entropy.h"

namespace tfm {

/// Returns the number of tokens to project at once: on the CPU, few enough for their logits to stay
/// in the caches, and enough for the GEMMs to run at full speed; on other devices, enough that
/// starting operations takes little of the time.
int64_t chunk_rows(int64_t vocab_size, torch::Device device);

/// Returns the positions of the targets that are not padding, in ascending order, on their device.
torch::Tensor token_positions(const Targets& targets);

/// Appends zero rows to x [N, ...] if the GEMM is in bf16, so that few different numbers of rows
/// occur.
torch::Tensor pad_rows(const torch::Tensor& x, torch::ScalarType gemm_type);

/// The targets that are counted, and zeros up to the number of rows that are projected.
struct TargetRows {
  /// Takes targets [N] and their weights [N], if they have any, the positions that are counted, and
  /// the number of rows.
  TargetRows(const torch::Tensor& targets, const std::optional<torch::Tensor>& weights,
             const torch::Tensor& counted, int64_t rows);

  /// Returns the weights of rows begin to end - 1 with these options; undefined without weights.
  torch::Tensor weights_of(int64_t begin, int64_t end, const torch::TensorOptions& options) const;

  torch::Tensor ids;      ///< [rows] int64
  torch::Tensor weights;  ///< [rows] fp32, or undefined
};

/// The gradients of the input, weight and bias of the output layer.
struct ProjectionGradients {
  /// Takes hidden [N, D] and the weight and bias that project it, all in the data type of the GEMM.
  ProjectionGradients(const torch::Tensor& hidden, const OutputProjection& factors);

  /// Takes the rows `chunk` [R, D] of the layer's input, which begin at row `begin`, and the
  /// gradient of their logits [R, V]. Sets these rows of the input's gradient, and adds to the
  /// gradients of the weight and bias.
  void add(const torch::Tensor& chunk, const torch::Tensor& logit_gradient,
           const OutputProjection& factors, int64_t begin);

  /// data type and device of the losses and gradients, which are summed over chunks: fp64 if hidden
  /// is fp64, otherwise fp32
  torch::TensorOptions sums;
  torch::Tensor hidden;  ///< gradient of the input, [N, D]
  torch::Tensor weight;  ///< gradient of the weight, [V, D]
  torch::Tensor bias;    ///< gradient of the bias, [V]; undefined if there is no bias
};

/// Implements the backward pass of an operation with nine inputs, of which the first three are the
/// input, weight and bias of the output layer. Returns the gradients that the forward pass has
/// saved for these three, multiplied by `scale`.
torch::autograd::variable_list scale_saved_gradients(torch::autograd::AutogradContext& context,
                                                     const torch::Tensor& scale);

}  // namespace tfm
