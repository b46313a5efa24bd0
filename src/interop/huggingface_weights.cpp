#include "huggingface_weights.h"

#include <algorithm>

#include "huggingface_names.h"
#include "imported_embeddings.h"
#include "layer_parts.h"

namespace tfm {
namespace {

/// Converts the parameters one by one. In each function, `to` is a name of Transformers and `from`
/// one of tfm.
class HuggingFaceWriter {
 public:
  explicit HuggingFaceWriter(const TranslationModel& model)
      : config_(model.config.model),
        positions_(huggingface_position_count(model.config)),
        target_size_(model.tokenizers.target->size()),
        start_token_(model.tokenizers.target->special().bos),
        parameters_(state_dict(*model.network)) {
    permute_hidden(parameters_, halves_order(config_.hidden_size));
  }

  StateDict write() {
    embeddings();
    for (const auto& part : list_layer_parts(config_)) layer_part(part);
    for (const std::string stack : {"encoder", "decoder"}) {
      if (!config_.has_final_norm()) break;
      norm(huggingface_final_norm(stack), own_norm(parameters_, config_, stack));
      // Transformers computes the positions of MarianMT models, but warns if those of Pegasus
      // models are missing.
      tensors_[huggingface_positions(stack)] =
          huggingface_position_table(positions_, config_.hidden_size);
    }
    return std::move(tensors_);
  }

 private:
  void embeddings() {
    const bool tied = config_.tied_embeddings != TiedEmbeddings::none;
    if (config_.tied_embeddings == TiedEmbeddings::all) {
      tensors_[huggingface_shared] = parameters_.at("source_embedding.weight");
    } else {
      tensors_[huggingface_embedding("encoder")] = parameters_.at("source_embedding.weight");
      tensors_[huggingface_embedding("decoder")] = parameters_.at("target_embedding.weight");
    }
    if (!tied) tensors_[huggingface_output] = parameters_.at("output.weight");
    tensors_[huggingface_bias] = own_output_bias(parameters_, config_, target_size_).unsqueeze(0);
    if (config_.zero_start) start_with_zeros();
  }

  /// Replaces the embedding of the start token by zeros. If it is a row of the output projection,
  /// too, the bias makes up for it: no translation contains the start token.
  void start_with_zeros() {
    const bool shared = config_.tied_embeddings == TiedEmbeddings::all;
    auto& embedding = tensors_.at(shared ? huggingface_shared : huggingface_embedding("decoder"));
    embedding = embedding.clone();
    embedding[start_token_] = 0;
    if (config_.tied_embeddings == TiedEmbeddings::none) return;
    auto& bias = tensors_.at(huggingface_bias);
    bias = bias.clone();
    bias[0][start_token_] = impossible_logit;
  }

  void linear(const std::string& to, const LinearWeights& from) {
    tensors_[to + ".weight"] = from.weight;
    tensors_[to + ".bias"] = from.bias;
  }

  void norm(const std::string& to, const NormWeights& from) {
    tensors_[to + ".weight"] = from.scale;
    tensors_[to + ".bias"] = from.shift;
  }

  void layer_part(const LayerPart& part) {
    norm(huggingface_norm(part), own_norm(parameters_, config_, part));
    for (const auto& which : linear_names(part))
      linear(huggingface_linear(part, which), own_linear(parameters_, part, which));
  }

  const ModelConfig& config_;
  int64_t positions_;
  int64_t target_size_;
  int64_t start_token_;
  StateDict parameters_;
  StateDict tensors_;
};

}  // namespace

int64_t huggingface_position_count(const Config& config) {
  constexpr int64_t least = 1024;
  return std::max({least, config.data.resolved_max_length() + 1, config.decoding.max_length + 2});
}

StateDict huggingface_weights(const TranslationModel& model) {
  return HuggingFaceWriter(model).write();
}

}  // namespace tfm
