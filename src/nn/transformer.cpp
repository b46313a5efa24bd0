#include "tfm/nn/transformer.h"

#include <torch/nn/init.h>

#include <cmath>
#include <memory>

#include "tfm/nn/layers.h"
#include "tfm/tensor/autocast.h"
#include "tfm/tensor/dropout.h"
#include "tfm/tensor/linear.h"
#include "tfm/tensor/packed_weights.h"
#include "tfm/tensor/varlen_attention.h"

namespace tfm {
namespace {

/// Of in_weight's three matrices as one, as torch.nn.MultiheadAttention and fairseq start them: by
/// sqrt(2) smaller than each by itself would be. With each by itself, post-norm models learn much
/// more slowly (docs/results.md).
void xavier_uniform(torch::Tensor& weight) { torch::nn::init::xavier_uniform_(weight); }

/// torch.nn.Linear's default: uniform within 1/sqrt(fan in).
void pytorch_linear(torch::Tensor& weight) {
  const double bound = 1.0 / std::sqrt(static_cast<double>(weight.size(1)));
  torch::nn::init::uniform_(weight, -bound, bound);
}

}  // namespace

VocabularySubset::VocabularySubset(const ForwardContext& context, const LinearPart& output,
                                   const torch::Tensor& tokens) {
  if (context.packed != nullptr) {
    packed_ = context.packed->select_rows(output, tokens);
    return;
  }
  const auto select = [&tokens](const torch::Tensor& factor) {
    return factor.defined() ? factor.detach().index_select(0, tokens) : factor;
  };
  const auto factors = cached_cast(context.casts, output);
  weight_ = select(factors.weight);
  bias_ = select(factors.bias);
}

torch::Tensor VocabularySubset::project(const torch::Tensor& hidden) const {
  return packed_ ? multiply(hidden, *packed_)
                 : torch::linear(hidden.to(weight_.scalar_type()), weight_, bias_);
}

TransformerImpl::TransformerImpl(const ModelConfig& config, const VocabSizes& vocab)
    : config_(config), vocab_(vocab) {
  const int64_t width = config.hidden_size;
  source_embedding_ = register_module("source_embedding", make_embedding(vocab.source, width));
  target_embedding_ =
      config.tied_embeddings == TiedEmbeddings::all
          ? source_embedding_
          : register_module("target_embedding", make_embedding(vocab.target, width));
  source_positions_ = register_module("source_positions", PositionalEncoding(config, vocab.source));
  target_positions_ = register_module("target_positions", PositionalEncoding(config, vocab.target));
  encoder_ = register_module("encoder", Encoder(config, parts_));
  decoder_ = register_module("decoder", Decoder(config, parts_));
  if (config.tied_embeddings == TiedEmbeddings::none) {
    projection_ = add_linear(
        parts_, register_module("output", make_linear(width, vocab.target, config.bias)));
  } else {
    torch::Tensor bias;
    if (config.tied_output_bias)
      bias = register_parameter("output_bias", torch::zeros({vocab.target}));
    projection_ = parts_.add(target_embedding_->weight, bias);
  }
  if (!EmptyWeightsGuard::wanted()) initialise();
}

void TransformerImpl::initialise() {
  const torch::NoGradGuard no_grad;
  // Embeddings that are multiplied by sqrt(D), and those that serve as output projection, start
  // small enough for unit variance after it.
  const bool small =
      config_.init == Init::xavier_uniform || config_.tied_embeddings != TiedEmbeddings::none;
  const double embedding_deviation =
      small ? 1.0 / std::sqrt(static_cast<double>(config_.hidden_size)) : 1.0;
  for (auto& item : named_parameters()) {
    auto& parameter = item.value();
    const auto& name = item.key();
    if (name.find("embedding") != std::string::npos ||
        name.find("positions") != std::string::npos) {
      torch::nn::init::normal_(parameter, 0, embedding_deviation);
    } else if (parameter.dim() > 1) {
      config_.init == Init::xavier_uniform ? xavier_uniform(parameter) : pytorch_linear(parameter);
    } else if (config_.init == Init::xavier_uniform && name.ends_with("bias")) {
      torch::nn::init::zeros_(parameter);
    }
  }
}

/// embedded [..., D], each token's times its factor [...], where there are any, and times sqrt(D),
/// where the config says so.
torch::Tensor TransformerImpl::apply_token_dropout(torch::Tensor embedded,
                                                   const torch::Tensor& factors) const {
  if (factors.defined()) embedded = embedded * factors.unsqueeze(-1);
  return config_.embedding_scale ? embedded * std::sqrt(static_cast<double>(config_.hidden_size))
                                 : embedded;
}

torch::Tensor TransformerImpl::embed(torch::nn::Embedding& embedding, PositionalEncoding& positions,
                                     const torch::Tensor& ids, int64_t first,
                                     const torch::Tensor& factors) {
  const auto x = positions(apply_token_dropout(embedding(ids), factors), ids, first);  // [B, T, D]
  return stateless_dropout(x, config_.resolved_embedding_dropout(), is_training());
}

torch::Tensor TransformerImpl::embed_unpadded(torch::nn::Embedding& embedding,
                                              PositionalEncoding& positions,
                                              const torch::Tensor& ids,
                                              const UnpaddedBatch& packing,
                                              const torch::Tensor& factors) {
  const auto packed = packing.unpad(ids);
  const auto embedded =
      apply_token_dropout(embedding(packed), factors.defined() ? packing.unpad(factors) : factors);
  const auto x = positions->forward_unpadded(embedded, packed, packing.positions());  // [N, D]
  return stateless_dropout(x, config_.resolved_embedding_dropout(), is_training());
}

/// Whether the kernel for packed sentences can do all that this model's attention does.
bool TransformerImpl::can_unpad(const torch::Tensor& ids) const {
  const auto& weight = source_embedding_->weight;
  const bool plain =
      config_.positions != Positions::rotary && (config_.attention_dropout <= 0 || !is_training());
  return plain && ids.is_cpu() && supports_varlen_attention(weight);
}

torch::Tensor TransformerImpl::hidden_unpadded(const ForwardContext& context,
                                               const torch::Tensor& source,
                                               const torch::Tensor& target_input,
                                               const TokenDropoutMasks& factors) {
  // oneDNN compiles a bf16 product anew for each number of rows: there should be few.
  const int64_t row_multiple = context.casts != nullptr ? 256 : 1;
  const auto source_packing =
      std::make_shared<const UnpaddedBatch>(source, vocab_.source_pad, row_multiple);
  const auto target_packing =
      std::make_shared<const UnpaddedBatch>(target_input, vocab_.target_pad, row_multiple);
  const AttentionMask among_source{
      .mask = {}, .causal = false, .queries = source_packing, .memory = source_packing};
  const AttentionMask from_target{
      .mask = {}, .causal = false, .queries = target_packing, .memory = source_packing};
  const auto embedded =
      embed_unpadded(source_embedding_, source_positions_, source, *source_packing, factors.source);
  const auto memory = encoder_(context, embedded, among_source, nullptr);
  const auto target = embed_unpadded(target_embedding_, target_positions_, target_input,
                                     *target_packing, factors.target);
  return target_packing->pad(decoder_(context, target, memory, from_target, nullptr));
}

torch::Tensor TransformerImpl::hidden(const torch::Tensor& source,
                                      const torch::Tensor& target_input, AttentionMaps* attention,
                                      const TokenDropoutMasks& factors,
                                      const ForwardContext& context) {
  if (attention == nullptr && can_unpad(source))
    return hidden_unpadded(context, source, target_input, factors);
  const AttentionMask visible{.mask = padding_mask(source, vocab_.source_pad)};
  const auto memory =
      encoder_(context, embed(source_embedding_, source_positions_, source, 0, factors.source),
               visible, attention != nullptr ? &attention->encoder : nullptr);
  const auto target = embed(target_embedding_, target_positions_, target_input, 0, factors.target);
  return decoder_(context, target, memory, visible,
                  attention != nullptr ? &attention->decoder : nullptr);
}

torch::Tensor TransformerImpl::project(const torch::Tensor& hidden, const ForwardContext& context) {
  return linear(context, hidden, projection_);
}

void TransformerImpl::set_gradient_checkpointing(bool on) {
  encoder_->set_gradient_checkpointing(on);
  decoder_->set_gradient_checkpointing(on);
}

torch::Tensor TransformerImpl::forward(const torch::Tensor& source,
                                       const torch::Tensor& target_input, AttentionMaps* attention,
                                       const ForwardContext& context) {
  return project(hidden(source, target_input, attention, {}, context), context);
}

std::unique_ptr<KvCache> TransformerImpl::start(const torch::Tensor& source,
                                                const CacheOptions& options,
                                                const ForwardContext& context) {
  AttentionMask visible;
  torch::Tensor embedded;
  if (!options.keeps_attention && !options.contiguous && can_unpad(source)) {
    const auto batch = std::make_shared<const UnpaddedBatch>(source, vocab_.source_pad);
    visible.queries = visible.memory = batch;
    embedded = embed_unpadded(source_embedding_, source_positions_, source, *batch, {});
  } else {
    visible.mask = padding_mask(source, vocab_.source_pad);
    embedded = embed(source_embedding_, source_positions_, source);
  }
  return decoder_->make_kv_cache(context, encoder_(context, embedded, visible, nullptr), visible,
                                 options.keeps_attention);
}

torch::Tensor TransformerImpl::step(const torch::Tensor& tokens, KvCache& cache,
                                    const VocabularySubset* subset, const ForwardContext& context) {
  // [R, 1, D]
  const auto x =
      embed(target_embedding_, target_positions_, tokens.unsqueeze(1), cache.positions());
  const auto hidden = decoder_->step(context, x.squeeze(1), cache);
  return subset != nullptr ? subset->project(hidden) : project(hidden, context);
}

int64_t TransformerImpl::parameter_count() const {
  int64_t count = 0;
  for (const auto& parameter : parameters()) count += parameter.numel();
  return count;
}

}  // namespace tfm
