#include "tfm/nn/transformer.h"

#include <torch/nn/init.h>

#include <cmath>
#include <memory>
#include <utility>
#include <variant>

#include "tfm/tensor/autocast.h"
#include "tfm/tensor/device.h"
#include "tfm/tensor/dropout.h"
#include "tfm/tensor/linear.h"
#include "tfm/tensor/packed_weights.h"

namespace tfm {
namespace {

/// Initialises a matrix with Xavier's uniform distribution (Glorot & Bengio 2010). The three
/// matrices of an in_weight are initialised as one, as in torch.nn.MultiheadAttention and fairseq.
/// If they were initialised separately, their values would be larger by a factor of sqrt(2), and
/// post-norm models would learn much more slowly (docs/results.md).
void xavier_uniform(torch::Tensor& weight) { torch::nn::init::xavier_uniform_(weight); }

/// Initialises a matrix like torch.nn.Linear: uniformly between -1 / sqrt(in) and 1 / sqrt(in).
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

NormalizedLogits VocabularySubset::project_maxima(const torch::Tensor& hidden,
                                                  std::int64_t block_size) const {
  return packed_ ? multiply_maxima(hidden, *packed_, block_size)
                 : block_maxima_rows(project(hidden), block_size);
}

TransformerImpl::TransformerImpl(const ModelConfig& config, const VocabSizes& vocab,
                                 InitialWeights initial)
    : config_(config), vocab_(vocab) {
  LayerFactory layers(initial);
  const int64_t width = config.hidden_size;
  source_embedding_ = register_module("source_embedding", layers.embedding(vocab.source, width));
  target_embedding_ =
      config.tied_embeddings == TiedEmbeddings::all
          ? source_embedding_
          : register_module("target_embedding", layers.embedding(vocab.target, width));
  source_positions_ =
      register_module("source_positions", PositionalEncoding(config, vocab.source, layers));
  target_positions_ =
      register_module("target_positions", PositionalEncoding(config, vocab.target, layers));
  encoder_ = register_module("encoder", Encoder(config, layers));
  decoder_ = register_module("decoder", Decoder(config, layers));
  if (config.tied_embeddings == TiedEmbeddings::none) {
    projection_ =
        layers.add(register_module("output", layers.linear(width, vocab.target, config.bias)));
  } else {
    torch::Tensor bias;
    if (config.tied_output_bias)
      bias = register_parameter("output_bias", torch::zeros({vocab.target}));
    projection_ = layers.parts().add(target_embedding_->weight, bias);
  }
  parts_ = std::move(layers.parts());
  if (initial == InitialWeights::drawn) initialize_weights();
}

void TransformerImpl::initialize_weights() {
  const torch::NoGradGuard no_grad;
  // The standard deviation 1 / sqrt(D) gives unit variance to embeddings that are then multiplied
  // by sqrt(D), and to the logits if the embeddings are also the output projection.
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

/// Multiplies embedded [..., D] by the factor [...] of each token, if any.
torch::Tensor TransformerImpl::apply_token_dropout(const torch::Tensor& embedded,
                                                   const torch::Tensor& factors) {
  return factors.defined() ? embedded * factors.unsqueeze(-1) : embedded;
}

/// Returns what embeddings are multiplied by before positions are added.
double TransformerImpl::embedding_scale() const {
  return config_.embedding_scale ? std::sqrt(static_cast<double>(config_.hidden_size)) : 1;
}

/// Returns the factors of target tokens: those given, if any, and 0 for the start token if the
/// config requires it. ids and factors have the same shape.
torch::Tensor TransformerImpl::target_factors(const torch::Tensor& ids,
                                              const torch::Tensor& factors) const {
  if (!config_.zero_start) return factors;
  const auto is_other = ids.ne(vocab_.target_bos).to(target_embedding_->weight.scalar_type());
  return factors.defined() ? factors * is_other : is_other;
}

/// Embeds ids [B, T]. Returns [B, T, D], or [N, D] if the layout has no padding. For factors, see
/// TokenDropoutMasks. `first`, the position of the first token of each row, is used only with
/// padding.
torch::Tensor TransformerImpl::embed(torch::nn::Embedding& embedding, PositionalEncoding& positions,
                                     const torch::Tensor& ids, const TokenLayout& layout,
                                     const torch::Tensor& factors, int64_t first) {
  torch::Tensor x;
  if (const auto* unpadded = std::get_if<UnpaddedLayout>(&layout)) {
    const auto tokens = unpadded->unpad(ids);
    const auto embedded = apply_token_dropout(
        embedding(tokens), factors.defined() ? unpadded->unpad(factors) : factors);
    x = positions->forward_unpadded(embedded, tokens, unpadded->positions(), embedding_scale());
  } else {
    x = positions(apply_token_dropout(embedding(ids), factors), ids, first, embedding_scale());
  }
  return stateless_dropout(x, config_.resolved_embedding_dropout(), is_training());
}

/// Returns true if the attention kernel for sentences without padding supports everything that this
/// model needs.
bool TransformerImpl::can_unpad() const {
  const bool drops_attention = config_.attention_dropout > 0 && is_training();
  return !drops_attention && has_tfm_kernels(source_embedding_->weight);
}

/// Returns the layout of the source. `unpadded` may be true only if can_unpad() is true. For
/// row_multiple, see UnpaddedLayout.
TokenLayout TransformerImpl::make_source_layout(const torch::Tensor& source, bool unpadded,
                                                int64_t row_multiple) const {
  if (!unpadded) return PaddedLayout{padding_mask(source, vocab_.source_pad)};
  return UnpaddedLayout(sentence_lengths(source, vocab_.source_pad), source.size(1), row_multiple);
}

TokenLayout TransformerImpl::make_target_layout(const torch::Tensor& target_input, bool unpadded,
                                                int64_t row_multiple) const {
  // Target padding needs no mask: it is at the end, where the causal mask hides it from every real
  // token.
  if (!unpadded) return PaddedLayout{};
  return UnpaddedLayout(sentence_lengths(target_input, vocab_.target_pad), target_input.size(1),
                        row_multiple);
}

torch::Tensor TransformerImpl::hidden(const torch::Tensor& source,
                                      const torch::Tensor& target_input, AttentionMaps* attention,
                                      const TokenDropoutMasks& factors,
                                      const ForwardContext& context) {
  const bool unpadded = attention == nullptr && can_unpad();
  // oneDNN compiles a bf16 GEMM for each distinct number of rows, so that number is rounded up to a
  // multiple of 256.
  const int64_t row_multiple = context.casts != nullptr ? 256 : 1;
  const auto source_layout = make_source_layout(source, unpadded, row_multiple);
  const auto target_layout = make_target_layout(target_input, unpadded, row_multiple);
  const auto memory = encode(source, source_layout, context, factors.source, attention);
  const auto target = embed(target_embedding_, target_positions_, target_input, target_layout,
                            target_factors(target_input, factors.target));
  const auto states = decoder_(context, target, target_layout, memory, source_layout,
                               attention != nullptr ? &attention->decoder : nullptr);
  return unpadded ? std::get<UnpaddedLayout>(target_layout).pad(states) : states;
}

/// Embeds the source [B, S] and returns the outputs of the encoder.
std::vector<torch::Tensor> TransformerImpl::encode(const torch::Tensor& source,
                                                   const TokenLayout& layout,
                                                   const ForwardContext& context,
                                                   const torch::Tensor& factors,
                                                   AttentionMaps* attention) {
  const auto embedded = embed(source_embedding_, source_positions_, source, layout, factors);
  return encoder_(context, embedded, layout, attention != nullptr ? &attention->encoder : nullptr);
}

torch::Tensor TransformerImpl::project(const torch::Tensor& hidden, const ForwardContext& context) {
  return linear(context, hidden, projection_);
}

NormalizedLogits TransformerImpl::project_maxima(const torch::Tensor& hidden,
                                                 std::int64_t block_size,
                                                 const ForwardContext& context) {
  return linear_maxima(context, hidden, projection_, block_size);
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

std::unique_ptr<KvCache> TransformerImpl::begin_decoding(const torch::Tensor& source,
                                                         const KvCacheOptions& options,
                                                         const ForwardContext& context) {
  const bool unpadded = !options.keeps_attention && !options.contiguous && can_unpad();
  const int64_t sentences = source.size(0);
  const int64_t first = unpadded ? sentences_to_encode(source) : sentences;
  const auto begin = source.slice(0, 0, first);
  const auto layout = make_source_layout(begin, unpadded, /*row_multiple=*/1);
  auto cache = decoder_->make_kv_cache(context, encode(begin, layout, context), layout,
                                       options.keeps_attention);
  if (first < sentences) join(source.slice(0, first), *cache, context);
  return cache;
}

/// Returns how many of the first sentences [B, S] the encoder reads at once: at least one, and at
/// most those with 384 tokens together. The results of its layers then fit into the processor's
/// cache, and take little memory.
int64_t TransformerImpl::sentences_to_encode(const torch::Tensor& source) const {
  constexpr int64_t most = 384;
  int64_t tokens = 0;
  int64_t sentences = 0;
  for (const int64_t length : sentence_lengths(source, vocab_.source_pad)) {
    tokens += length;
    if (sentences > 0 && tokens > most) break;
    ++sentences;
  }
  return sentences;
}

void TransformerImpl::join(const torch::Tensor& source, KvCache& cache,
                           const ForwardContext& context) {
  for (auto rest = source; rest.size(0) > 0;) {
    const int64_t count = sentences_to_encode(rest);
    const auto part = rest.slice(0, 0, count);
    const auto layout = make_source_layout(part, /*unpadded=*/true, /*row_multiple=*/1);
    decoder_->join(context, encode(part, layout, context), std::get<UnpaddedLayout>(layout), cache);
    rest = rest.slice(0, count);
  }
}

/// Embeds the newest token of each row of the cache: tokens [R] -> [R, D].
torch::Tensor TransformerImpl::embed_step(const torch::Tensor& tokens, const KvCache& cache) {
  const auto positions = cache.row_positions();
  if (positions.defined())
    return target_positions_->forward_unpadded(
        apply_token_dropout(target_embedding_(tokens), target_factors(tokens)), tokens, positions,
        embedding_scale());
  const auto ids = tokens.unsqueeze(1);
  return embed(target_embedding_, target_positions_, ids, PaddedLayout{}, target_factors(ids),
               cache.positions())
      .squeeze(1);
}

torch::Tensor TransformerImpl::step_states(const torch::Tensor& tokens, KvCache& cache,
                                           const ForwardContext& context) {
  return decoder_->step(context, embed_step(tokens, cache), cache);
}

torch::Tensor TransformerImpl::step(const torch::Tensor& tokens, KvCache& cache,
                                    const ForwardContext& context) {
  return project(step_states(tokens, cache, context), context);
}

int64_t TransformerImpl::parameter_count() const {
  int64_t count = 0;
  for (const auto& parameter : parameters()) count += parameter.numel();
  return count;
}

}  // namespace tfm
