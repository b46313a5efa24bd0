#include "section.h"

namespace tfm {
namespace {

constexpr Section<ModelConfig> model("model", &Config::model);
constexpr Range probability{0, 0.95};

std::vector<Field> size_fields() {
  return {
      model.choice("preset", &ModelConfig::preset, {},
                   "A named size that sets encoder_layers, decoder_layers, hidden_size, heads, "
                   "transformer_ff, dropout and tied_embeddings before "
                   "any other key is read; keys that are given win over it. tiny: Wu et al. 2021 "
                   "for small data; base and big: Vaswani et al. 2017, "
                   "table 3."),
      model.integer("encoder_layers", &ModelConfig::encoder_layers, {1, 128}, shape,
                    "Layers of the encoder (N in Vaswani et al. 2017, section 3.1)."),
      model.integer("decoder_layers", &ModelConfig::decoder_layers, {1, 128}, shape,
                    "Layers of the decoder (N in Vaswani et al. 2017, section 3.1)."),
      model.integer("hidden_size", &ModelConfig::hidden_size, {1, 65536}, shape,
                    "Width of embeddings and of every layer's input and output: d_model in Vaswani "
                    "et al. 2017, section 3.1. Must be even with "
                    "sinusoidal positions."),
      model.integer("heads", &ModelConfig::heads, {1, 1024}, shape,
                    "Attention heads of every attention (h in Vaswani et al. 2017, section 3.2.2). "
                    "Must divide hidden_size unless head_size is set."),
      model.integer("head_size", &ModelConfig::head_size, {0, 65536}, shape,
                    "Width of one attention head's queries, keys and values (d_k = d_v in Vaswani "
                    "et al. 2017). 0: hidden_size / heads."),
      model.integer(
          "transformer_ff", &ModelConfig::transformer_ff, {1, 1048576}, shape,
          "Inner width of the feed-forward blocks: d_ff in Vaswani et al. 2017, section 3.3."),
  };
}

std::vector<Field> dropout_fields() {
  return {
      model.real("dropout", &ModelConfig::dropout, probability, {},
                 "Probability that an element of a block's output is zeroed in training, before it "
                 "is added to the residual (Vaswani et al. 2017, "
                 "section 5.4)."),
      model.real("embedding_dropout", &ModelConfig::embedding_dropout, {-1, 0.95}, {},
                 "Dropout probability on the sum of embeddings and positions. Negative: the same "
                 "as dropout."),
      model.real("attention_dropout", &ModelConfig::attention_dropout, probability, {},
                 "Dropout probability on the attention weights, after the softmax (Vaswani et al. "
                 "2018, Tensor2Tensor)."),
      model.real("activation_dropout", &ModelConfig::activation_dropout, probability, {},
                 "Dropout probability inside the feed-forward blocks, after the activation "
                 "(Vaswani et al. 2018, Tensor2Tensor: relu_dropout)."),
      model.real("layer_dropout", &ModelConfig::layer_dropout, probability, {},
                 "Probability that a whole layer of the encoder or decoder is left out of an "
                 "update: its input is its output (LayerDrop, Fan et al. "
                 "2020). Translation uses all layers. 0: off."),
      model.boolean("dropout_after_sum", &ModelConfig::dropout_after_sum, {},
                    "Whether dropout falls on the sum of residual and block output instead of on "
                    "the block output alone: the residual is not spared."),
  };
}

std::vector<Field> layer_fields() {
  return {
      model.boolean("bias", &ModelConfig::bias, shape,
                    "Whether linear maps have bias vectors and LayerNorm its shift."),
      model.choice("norm_order", &ModelConfig::norm_order, shape,
                   "Where a block is normalised. post: norm(x + block(x)), as in Vaswani et al. "
                   "2017. pre: x + block(norm(x)), which trains deep "
                   "models more stably (Xiong et al. 2020)."),
      model.choice("norm", &ModelConfig::norm, shape,
                   "The normalisation. layer_norm: subtract the mean, divide by the standard "
                   "deviation (Ba et al. 2016). rms_norm: divide by the root "
                   "mean square (Zhang and Sennrich 2019). deviation_norm: divide by the sample "
                   "deviation (n - 1) with norm_epsilon added to it, not under "
                   "a root."),
      model.boolean("norm_affine", &ModelConfig::norm_affine, shape,
                    "Whether norms learn a gain (and, for layer_norm, a bias) for each element. "
                    "false: they only normalise."),
      model.real("norm_epsilon", &ModelConfig::norm_epsilon, {1e-12, 0.1}, shape,
                 "Added to the variance (or mean square) under the root of a norm, so that it "
                 "never divides by zero."),
      model.choice("final_norm", &ModelConfig::final_norm, shape,
                   "Whether encoder and decoder each end with one more norm. automatic: with "
                   "norm_order pre, whose last sum nothing else normalises. "
                   "always, never: whatever norm_order is."),
      model.choice("activation", &ModelConfig::activation, shape,
                   "The nonlinearity of the feed-forward blocks: relu (Vaswani et al. 2017), gelu "
                   "(Hendrycks and Gimpel 2016), silu, or swiglu, a silu "
                   "gate with a third matrix (Shazeer 2020)."),
  };
}

std::vector<Field> embedding_fields() {
  return {
      model.choice("positions", &ModelConfig::positions, shape,
                   "How the model knows the order of tokens. sinusoidal: fixed sines and cosines "
                   "(Vaswani et al. 2017, section 3.5). learned: one "
                   "trained vector a position. rotary: queries and keys of self-attention are "
                   "turned by an angle that grows with the position (Su et al. "
                   "2021). by_token: the sinusoidal table read at each token's id instead of its "
                   "position, a mistake kept for comparison. none: the order is "
                   "not told. sinusoidal_halves: all sines, then all cosines, of frequencies from "
                   "1 to 1/10000 inclusive, as Marian's models have them."),
      model.integer("max_positions", &ModelConfig::max_positions, {1, 1048576}, shape,
                    "Number of position vectors where positions is learned, and so the longest "
                    "sequence in tokens, begin or end mark included: "
                    "longer translations are cut."),
      model.boolean("embedding_scale", &ModelConfig::embedding_scale, shape,
                    "Whether embeddings are multiplied by sqrt(hidden_size) before positions are "
                    "added (Vaswani et al. 2017, section 3.4)."),
      model.choice("cross_attention", &ModelConfig::cross_attention, shape,
                   "What decoder layer i attends to. top: the encoder's last layer (Vaswani et al. "
                   "2017). layerwise: encoder layer i (He et al. 2018), "
                   "which needs as many layers in both."),
      model.choice("tied_embeddings", &ModelConfig::tied_embeddings, shape,
                   "Which matrices are one. decoder: target embeddings and output projection "
                   "(Press and Wolf 2017). all: source embeddings too "
                   "(Vaswani et al. 2017, section 3.4), which needs tokenizer.joint."),
      model.boolean("tied_output_bias", &ModelConfig::tied_output_bias, shape,
                    "Whether the output projection has a bias where its matrix is tied to the "
                    "embeddings, as in Marian's models. Where it is not tied, "
                    "bias decides."),
      model.choice("init", &ModelConfig::init, {},
                   "How weights start. xavier_uniform: matrices uniformly by their fan-in and "
                   "fan-out (Glorot and Bengio 2010), those of "
                   "queries, keys and values as one, as torch.nn.Transformer and fairseq do. "
                   "pytorch: as torch.nn.Linear and torch.nn.Embedding "
                   "start them. Embeddings are drawn from a normal distribution of deviation 1 / "
                   "sqrt(hidden_size), or of 1 with "
                   "pytorch where they are not tied."),
  };
}

}  // namespace

std::vector<Field> model_fields() {
  std::vector<Field> table;
  for (const auto& part : {size_fields(), dropout_fields(), layer_fields(), embedding_fields()})
    table.insert(table.end(), part.begin(), part.end());
  return table;
}

}  // namespace tfm
