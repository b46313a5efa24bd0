#include "transformer_step_model.h"

#include <ATen/ops/log_softmax.h>

#include "tfm/tensor/device.h"
#include "tfm/tensor/index_tensor.h"
#include "tfm/tensor/int8_gemm.h"
#include "tfm/tensor/log_sum_exp.h"

namespace tfm {
namespace {

bool is_identity(std::span<const std::int32_t> parents, int64_t rows) {
  if (static_cast<int64_t>(parents.size()) != rows) return false;
  for (std::size_t i = 0; i < parents.size(); ++i) {
    if (parents[i] != static_cast<std::int32_t>(i)) return false;
  }
  return true;
}

std::span<const float> values(const torch::Tensor& x) {
  return {x.const_data_ptr<float>(), static_cast<std::size_t>(x.numel())};
}

}  // namespace

TransformerStepModel::TransformerStepModel(Transformer& network, const torch::Tensor& source,
                                           const StepOptions& options)
    : network_(network),
      options_(options),
      device_(source.device()),
      cache_(network->begin_decoding(source, {.keeps_attention = options.wants_attention},
                                     options.context)) {
  if (!options.tokens.empty())
    output_rows_.emplace(options.context, network->output_part(),
                         index_tensor(options.tokens, device_));
}

std::int64_t TransformerStepModel::vocab_size() const {
  return options_.tokens.empty() ? network_->output_weight().size(0) : std::ssize(options_.tokens);
}

/// Converts tokens of the search to ids of the whole vocabulary.
torch::Tensor TransformerStepModel::full_ids(std::span<const std::int32_t> tokens) const {
  if (options_.tokens.empty()) return index_tensor(tokens, device_);
  TokenIds ids;
  ids.reserve(tokens.size());
  for (const auto token : tokens) ids.push_back(options_.tokens[static_cast<std::size_t>(token)]);
  return index_tensor(ids, device_);
}

StepOutput TransformerStepModel::advance(std::span<const std::int32_t> parents,
                                         std::span<const std::int32_t> tokens) {
  if (!is_identity(parents, cache_->rows())) cache_->reorder(parents);
  const bool sends_top =
      options_.top_tokens > 0 && options_.top_tokens < vocab_size() && !uses_host_memory(device_);
  auto output = sends_top ? step_to_top_tokens(tokens) : step_to_rows(tokens);
  if (options_.wants_attention) {
    attention_ = cache_->mean_attention().to(torch::kCPU, torch::kFloat32).contiguous();
    output.attention = values(attention_);
  }
  return output;
}

torch::Tensor TransformerStepModel::decode(std::span<const std::int32_t> tokens) {
  return network_->step_states(full_ids(tokens), *cache_, options_.context);
}

torch::Tensor TransformerStepModel::project(const torch::Tensor& states) {
  return output_rows_ ? output_rows_->project(states) : network_->project(states, options_.context);
}

NormalizedLogits TransformerStepModel::project_maxima(const torch::Tensor& states,
                                                      std::int64_t block) {
  return output_rows_ ? output_rows_->project_maxima(states, block)
                      : network_->project_maxima(states, block, options_.context);
}

StepOutput TransformerStepModel::step_to_rows(std::span<const std::int32_t> tokens) {
  constexpr auto block = static_cast<std::int64_t>(NextTokens::block_size);
  static_assert(block == int8_maxima_block, "the kernels find the maxima of these blocks");
  const auto states = decode(tokens);
  next_ = {};  // its memory serves for the next logits
  next_ =
      options_.log_probs ? log_sum_exp_rows(project(states), block) : project_maxima(states, block);
  return {.rows = next_.log_sums.size(),
          .logits = values(next_.logits),
          .log_sums = next_.log_sums,
          .block_maxima = next_.block_maxima};
}

StepOutput TransformerStepModel::step_to_top_tokens(std::span<const std::int32_t> tokens) {
  const auto logits = project(decode(tokens));
  sent_rows_.clear();
  log_probs_ = options_.log_probs ? at::log_softmax(logits, -1, torch::kFloat32)
                                  : logits.to(torch::kFloat32);
  const auto top = top_tokens(log_probs_, options_.top_tokens);
  top_.clear();
  for (std::size_t i = 0; i < top.tokens.size(); ++i)
    top_.push_back({top.tokens[i], top.log_probs[i]});
  return {.rows = static_cast<std::size_t>(logits.size(0)),
          .top = top_,
          .rest = this,
          .vocab_size = static_cast<std::int32_t>(logits.size(1))};
}

std::span<const float> TransformerStepModel::row(std::size_t index) {
  auto& sent = sent_rows_[index];
  if (!sent.defined()) sent = log_probs_[static_cast<int64_t>(index)].cpu();
  return values(sent);
}

}  // namespace tfm
