#include "ctranslate2_variables.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "imported_embeddings.h"
#include "tfm/core/error.h"
#include "tfm/nn/positional_encoding.h"

namespace tfm {
namespace {

constexpr const char* output_bias = "decoder/projection/bias";

/// Returns the number that CTranslate2 gives to an activation.
std::int8_t activation_number(Activation activation) {
  switch (activation) {
    case Activation::relu:
      return 0;
    case Activation::gelu:
      return 3;
    case Activation::silu:
    case Activation::swiglu:  // SiLU, applied to the gate
      return 2;
  }
  throw std::logic_error("activation without a number of CTranslate2");
}

void check_expressible(const TranslationModel& model, const std::filesystem::path& origin) {
  const auto& config = model.config;
  std::string problems;
  if (config.model.norm == Norm::deviation_norm) problems += "\n  model.norm: deviation_norm";
  if (config.model.cross_attention == CrossAttention::layerwise)
    problems += "\n  model.cross_attention: layerwise";
  for (const auto& [side, tokenizer] : {std::pair{"source", model.tokenizers.source.get()},
                                        {"target", model.tokenizers.target.get()}}) {
    if (tokenizer->special().unk < 0)
      problems +=
          std::string("\n  tokenizer.unk_token: the ") + side + " vocabulary has no unknown token";
  }
  if (config.data.source_eos && model.tokenizers.source->special().eos < 0) {
    problems += "\n  data.source_eos: the source vocabulary has no end-of-sentence token";
  }
  if (config.data.language_tags == LanguageTags::after_eos)
    problems += "\n  data.language_tags: after_eos, but CTranslate2 ends sources with EOS";
  if (!problems.empty())
    throw ModelError(origin.string(), "CTranslate2 can't express this model:" + problems,
                     "Train a model without these features, or translate with tfm.");
}

/// Converts the model part by part. In each function, `to` is a name in CTranslate2 and `from` a
/// name in tfm.
class VariableWriter {
 public:
  explicit VariableWriter(const TranslationModel& model)
      : config_(model.config.model),
        source_pieces_(model.tokenizers.source->size()),
        target_pieces_(model.tokenizers.target->size()),
        parameters_(state_dict(*model.network)),
        positions_(position_count(model.config)) {
    if (config_.positions != Positions::learned && config_.positions != Positions::rotary)
      table_ = fixed_positions();
  }

  CTranslate2Variables write() {
    stack("encoder", config_.encoder_layers);
    stack("decoder", config_.decoder_layers);
    const bool all = config_.tied_embeddings == TiedEmbeddings::all;
    const std::string target = all ? "source_embedding.weight" : "target_embedding.weight";
    put("encoder/embeddings_0/weight", embedding("source_embedding.weight", source_pieces_));
    put("decoder/embeddings/weight", embedding(target, target_pieces_));
    put("decoder/projection/weight",
        parameters_.at(config_.tied_embeddings == TiedEmbeddings::none ? "output.weight" : target));
    put_if_there(output_bias, "output.bias");
    put_if_there(output_bias, "output_bias");
    attribute<std::int8_t>("encoder/embeddings_merge", 0);
    decoder_attributes();
    return std::move(variables_);
  }

 private:
  /// Returns a number of positions that is enough for every sentence that the config allows, and at
  /// least 2048, because CTranslate2 does not split long lines.
  static int64_t position_count(const Config& config) {
    constexpr int64_t least = 2048;
    return std::max({least, config.data.resolved_max_length() + 1, config.decoding.max_length + 1});
  }

  /// Returns the position table that is added to the embeddings, [positions, D]. If positions are
  /// not sinusoidal, the table is zero, because CTranslate2 adds its own sinusoids to a model
  /// without a table.
  torch::Tensor fixed_positions() const {
    const int64_t first = config_.first_position;
    if (config_.positions == Positions::sinusoidal)
      return sinusoidal_table(first + positions_, config_.hidden_size).slice(0, first);
    if (config_.positions == Positions::sinusoidal_halves)
      return sinusoidal_concat_table(first + positions_, config_.hidden_size).slice(0, first);
    return torch::zeros({positions_, config_.hidden_size});
  }

  /// Returns an embedding matrix. With Positions::by_token, its rows include the positions, which
  /// depend only on the token.
  torch::Tensor embedding(const std::string& name, int64_t pieces) const {
    const auto& weight = parameters_.at(name);
    if (config_.positions != Positions::by_token) return weight;
    const double scale =
        config_.embedding_scale ? std::sqrt(static_cast<double>(config_.hidden_size)) : 1.0;
    return weight.cpu() * scale + sinusoidal_table(pieces, config_.hidden_size);
  }

  /// Adds a variable, or an alias if the same tensor was already added under another name.
  void put(const std::string& name, const torch::Tensor& value) {
    for (const auto& [other, known] : variables_.values) {
      if (value.dim() == 0 || known.dim() == 0 || known.data_ptr() != value.data_ptr() ||
          known.sizes() != value.sizes())
        continue;
      variables_.aliases[name] = other;
      return;
    }
    variables_.values[name] = value;
  }

  void put_if_there(const std::string& name, const std::string& parameter) {
    if (const auto found = parameters_.find(parameter); found != parameters_.end())
      put(name, found->second);
  }

  template <class Number>
  void attribute(const std::string& name, Number value) {
    put(name, torch::scalar_tensor(value, c10::CppTypeToScalarType<Number>::value));
  }

  void linear(const std::string& to, const std::string& from) {
    put(to + "/weight", parameters_.at(from + ".weight"));
    put_if_there(to + "/bias", from + ".bias");
  }

  /// Writes `blocks` of the three stacked projections, starting with first_block. Block 0 is the
  /// query projection, block 1 the key projection and block 2 the value projection.
  void projection(const std::string& to, const std::string& from, int64_t first_block,
                  int64_t blocks) {
    const int64_t block = config_.heads * config_.resolved_head_size();
    const auto rows = [&](const torch::Tensor& stacked) {
      return stacked.slice(0, first_block * block, (first_block + blocks) * block);
    };
    put(to + "/weight", rows(parameters_.at(from + ".in_weight")));
    if (config_.bias) put(to + "/bias", rows(parameters_.at(from + ".in_bias")));
  }

  /// Writes a norm. In CTranslate2, every norm has a gain. A norm with a bias is a LayerNorm; a
  /// norm without a bias is an RMSNorm.
  void norm(const std::string& to, const std::string& from) {
    const auto parameter = [&](const std::string& name, double neutral) {
      const auto found = parameters_.find(from + name);
      return found != parameters_.end() ? found->second
                                        : torch::full({config_.hidden_size}, neutral);
    };
    put(to + "/gamma", parameter(".scale", 1));
    if (config_.norm == Norm::layer_norm) put(to + "/beta", parameter(".shift", 0));
  }

  void attention(const std::string& to, const std::string& from, bool of_self) {
    const int64_t head_size = config_.resolved_head_size();
    if (of_self) {
      projection(to + "/linear_0", from, 0, 3);
    } else {
      projection(to + "/linear_0", from, 0, 1);
      projection(to + "/linear_1", from, 1, 2);
    }
    linear(to + (of_self ? "/linear_1" : "/linear_2"), from + ".output");
    norm(to + "/layer_norm", from + "_residual.norm");
    if (head_size * config_.heads != config_.hidden_size)
      attribute(to + "/head_dim", static_cast<std::int32_t>(head_size));
    if (!of_self || config_.positions != Positions::rotary) return;
    attribute(to + "/rotary_dim", static_cast<std::int32_t>(head_size));
    attribute<std::int8_t>(to + "/rotary_interleave", 1);
    attribute(to + "/rotary_base", 10000.0F);
  }

  void feed_forward(const std::string& to, const std::string& from) {
    const bool gated = config_.activation == Activation::swiglu;
    // The gate is the projection that the activation is applied to.
    linear(to + "/linear_0", from + (gated ? ".gate" : ".input"));
    if (gated) linear(to + "/linear_0_noact", from + ".input");
    linear(to + "/linear_1", from + ".output");
    norm(to + "/layer_norm", from + "_residual.norm");
  }

  void stack(const std::string& side, int64_t layers) {
    for (int64_t i = 0; i < layers; ++i) {
      const std::string to = side + "/layer_" + std::to_string(i);
      const std::string from = side + ".layer" + std::to_string(i);
      attention(to + "/self_attention", from + ".self_attention", /*of_self=*/true);
      if (side == "decoder")
        attention(to + "/attention", from + ".cross_attention", /*of_self=*/false);
      feed_forward(to + "/ffn", from + ".feed_forward");
    }
    if (config_.has_final_norm()) norm(side + "/layer_norm", side + ".final_norm");
    if (table_.defined()) put(side + "/position_encodings/encodings", table_);
    put_if_there(
        side + "/position_encodings/encodings",
        (side == "encoder" ? "source" : "target") + std::string("_positions.learned.weight"));
    const bool scaled = config_.embedding_scale && config_.positions != Positions::by_token;
    attribute<std::int8_t>(side + "/scale_embeddings", scaled ? 1 : 0);
    attribute(side + "/num_heads", static_cast<std::int16_t>(config_.heads));
    attribute<std::int8_t>(side + "/pre_norm", config_.norm_order == NormOrder::pre ? 1 : 0);
    attribute(side + "/activation", activation_number(config_.activation));
  }

  void decoder_attributes() {
    for (const char* off : {"alibi", "alibi_use_positive_positions", "scale_alibi"})
      attribute<std::int8_t>(std::string("decoder/") + off, 0);
    attribute<std::int8_t>("decoder/start_from_zero_embedding", config_.zero_start ? 1 : 0);
    attribute<std::int16_t>("decoder/alignment_layer", -1);
    attribute<std::int16_t>("decoder/alignment_heads", 1);
  }

  const ModelConfig& config_;
  int64_t source_pieces_;
  int64_t target_pieces_;
  StateDict parameters_;
  int64_t positions_;
  torch::Tensor table_;  // result of fixed_positions(); undefined for learned or rotary positions
  CTranslate2Variables variables_;
};

}  // namespace

CTranslate2Variables ctranslate2_variables(const TranslationModel& model,
                                           const std::filesystem::path& origin) {
  check_expressible(model, origin);
  return VariableWriter(model).write();
}

void exclude_special_tokens(CTranslate2Variables& variables, const Tokenizer& target) {
  auto& bias = variables.values[output_bias];
  bias = bias.defined() ? bias.detach().cpu().clone() : torch::zeros({target.size()});
  for (const TokenId id : {target.special().pad, target.special().bos, target.special().unk}) {
    if (id >= 0) bias[id] = impossible_logit;
  }
}

}  // namespace tfm
