#include "huggingface_weights.h"

#include <algorithm>

#include "huggingface_names.h"

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
        parameters_(state_dict(*model.network)) {
    permute_hidden(parameters_, halves_order(config_.hidden_size));
  }

  StateDict write() {
    embeddings();
    for (const auto& part : list_layer_parts(config_)) layer_part(part);
    for (const std::string stack : {"encoder", "decoder"}) {
      if (!config_.has_final_norm()) break;
      norm(huggingface_final_norm(stack), stack + ".final_norm");
      // Transformers computes the positions of MarianMT models, but warns if those of Pegasus
      // models are missing.
      tensors_[huggingface_positions(stack)] =
          huggingface_position_table(positions_, config_.hidden_size);
    }
    return std::move(tensors_);
  }

 private:
  /// Returns the parameter, or a vector of `neutral` if the model lacks it.
  torch::Tensor vector(const std::string& name, int64_t size, double neutral) const {
    const auto found = parameters_.find(name);
    return found != parameters_.end() ? found->second : torch::full({size}, neutral);
  }

  void embeddings() {
    const bool tied = config_.tied_embeddings != TiedEmbeddings::none;
    if (config_.tied_embeddings == TiedEmbeddings::all) {
      tensors_[huggingface_shared] = parameters_.at("source_embedding.weight");
    } else {
      tensors_[huggingface_embedding("encoder")] = parameters_.at("source_embedding.weight");
      tensors_[huggingface_embedding("decoder")] = parameters_.at("target_embedding.weight");
    }
    if (!tied) tensors_[huggingface_output] = parameters_.at("output.weight");
    tensors_[huggingface_bias] =
        vector(tied ? "output_bias" : "output.bias", target_size_, 0).unsqueeze(0);
  }

  void linear(const std::string& to, const std::string& from) {
    const auto& weight = parameters_.at(from + ".weight");
    tensors_[to + ".weight"] = weight;
    tensors_[to + ".bias"] = vector(from + ".bias", weight.size(0), 0);
  }

  void norm(const std::string& to, const std::string& from) {
    tensors_[to + ".weight"] = vector(from + ".scale", config_.hidden_size, 1);
    tensors_[to + ".bias"] = vector(from + ".shift", config_.hidden_size, 0);
  }

  void layer_part(const LayerPart& part) {
    const auto from = own_name(part);
    norm(huggingface_norm(part), from + "_residual.norm");
    if (part.sublayer == "feed_forward") {
      for (const std::string which : {"input", "output"})
        linear(huggingface_linear(part, which), from + "." + which);
      return;
    }
    linear(huggingface_linear(part, "output"), from + ".output");
    const auto weights = parameters_.at(from + ".in_weight").chunk(3);
    const auto biases = vector(from + ".in_bias", 3 * config_.hidden_size, 0).chunk(3);
    for (std::size_t i = 0; const std::string which : {"query", "key", "value"}) {
      const auto to = huggingface_linear(part, which);
      tensors_[to + ".weight"] = weights[i];
      tensors_[to + ".bias"] = biases[i++];
    }
  }

  const ModelConfig& config_;
  int64_t positions_;
  int64_t target_size_;
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
