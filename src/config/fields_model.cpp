#include "section.h"

namespace tfm {
namespace {

constexpr Section<ModelConfig> model("model", &Config::model);
constexpr Range probability{0, 0.95};

std::vector<Field> size_fields() {
  return {
      model.choice("preset", &ModelConfig::preset, {},
                   "Named size that sets encoder_layers, decoder_layers, hidden_size, heads, "
                   "transformer_ff, dropout and tied_embeddings; keys that are given as well "
                   "override it. tiny: for small data (Wu et al. 2021). base, big: Vaswani et al. "
                   "2017, table 3. none: no preset."),
      model.integer("encoder_layers", &ModelConfig::encoder_layers, {1, 128}, shape,
                    "Number of encoder layers (N in Vaswani et al. 2017, section 3.1)."),
      model.integer("decoder_layers", &ModelConfig::decoder_layers, {1, 128}, shape,
                    "Number of decoder layers (N in Vaswani et al. 2017, section 3.1)."),
      model.integer("hidden_size", &ModelConfig::hidden_size, {1, 65536}, shape,
                    "Size of embeddings and of every layer's input and output (d_model in Vaswani "
                    "et al. 2017, section 3.1). It must be even with sinusoidal positions."),
      model.integer("heads", &ModelConfig::heads, {1, 1024}, shape,
                    "Number of attention heads (h in Vaswani et al. 2017, section 3.2.2). It must "
                    "divide hidden_size unless head_size is set."),
      model.integer("head_size", &ModelConfig::head_size, {0, 65536}, shape,
                    "Size of the queries, keys and values of one attention head (d_k = d_v in "
                    "Vaswani et al. 2017). 0: hidden_size / heads."),
      model.integer("transformer_ff", &ModelConfig::transformer_ff, {1, 1048576}, shape,
                    "Size of the hidden layer of the feed-forward blocks (d_ff in Vaswani et al. "
                    "2017, section 3.3)."),
  };
}

std::vector<Field> dropout_fields() {
  return {
      model.real("dropout", &ModelConfig::dropout, probability, {},
                 "Dropout probability of the output of each block, before it is added to the "
                 "residual (Vaswani et al. 2017, section 5.4)."),
      model.real("embedding_dropout", &ModelConfig::embedding_dropout, {-1, 0.95}, {},
                 "Dropout probability of the sum of embeddings and positions. Negative: the value "
                 "of dropout."),
      model.real("attention_dropout", &ModelConfig::attention_dropout, probability, {},
                 "Dropout probability of the attention weights, after the softmax (Tensor2Tensor, "
                 "Vaswani et al. 2018)."),
      model.real("activation_dropout", &ModelConfig::activation_dropout, probability, {},
                 "Dropout probability inside the feed-forward blocks, after the activation "
                 "(relu_dropout in Tensor2Tensor, Vaswani et al. 2018)."),
      model.real(
          "layer_dropout", &ModelConfig::layer_dropout, probability, {},
          "Probability that an update skips a whole layer of the encoder or decoder and passes its "
          "input on (LayerDrop, Fan et al. 2020). Translation uses all layers. 0: off."),
      model.boolean(
          "dropout_after_sum", &ModelConfig::dropout_after_sum, {},
          "If true, dropout is applied to the sum of residual and block output, so that the "
          "residual is dropped too. If false, it is applied to the block output alone."),
  };
}

std::vector<Field> layer_fields() {
  return {
      model.boolean("bias", &ModelConfig::bias, shape,
                    "If true, linear layers have bias vectors, and so have norms if norm_affine is "
                    "true (except rms_norm)."),
      model.choice("norm_order", &ModelConfig::norm_order, shape,
                   "Position of the norm of each block. post: norm(x + block(x)), as in Vaswani et "
                   "al. 2017. pre: x + block(norm(x)), which makes the training of deep models "
                   "more stable (Xiong et al. 2020)."),
      model.choice(
          "norm", &ModelConfig::norm, shape,
          "Kind of normalisation. layer_norm: subtract the mean and divide by the standard "
          "deviation (Ba et al. 2016). rms_norm: divide by the root mean square (Zhang and "
          "Sennrich 2019). deviation_norm: subtract the mean and divide by the sample standard "
          "deviation (n - 1) plus norm_epsilon, which is not under the root."),
      model.boolean("norm_affine", &ModelConfig::norm_affine, shape,
                    "If true, norms learn a gain for each element and, except for rms_norm, a bias "
                    "if bias is true. If false, they only normalise."),
      model.real("norm_epsilon", &ModelConfig::norm_epsilon, {1e-12, 0.1}, shape,
                 "Constant that keeps norms from dividing by zero. It is added to the variance or "
                 "mean square under the root; deviation_norm adds it to the deviation."),
      model.choice("final_norm", &ModelConfig::final_norm, shape,
                   "Adds one more norm after the last layer of encoder and decoder. automatic: "
                   "only if norm_order is pre, because nothing else normalises the last residual "
                   "sum. always, never: whatever norm_order is."),
      model.choice("activation", &ModelConfig::activation, shape,
                   "Activation function of the feed-forward blocks: relu (Vaswani et al. 2017), "
                   "gelu (Hendrycks and Gimpel 2016), silu, or swiglu, a silu gate with a third "
                   "matrix (Shazeer 2020)."),
  };
}

std::vector<Field> embedding_fields() {
  return {
      model.choice(
          "positions", &ModelConfig::positions, shape,
          "Positional encoding. sinusoidal: fixed sines and cosines (Vaswani et al. 2017, section "
          "3.5). learned: one trained vector per position. rotary: rotates queries and keys of "
          "self-attention by an angle proportional to the position (Su et al. 2021). by_token: the "
          "sinusoidal table read at the token's id instead of its position, a mistake kept for "
          "comparison. none: no positions. sinusoidal_halves: all sines, then all cosines, of "
          "frequencies from 1 to 1/10000 inclusive, as in Marian's models."),
      model.integer(
          "max_positions", &ModelConfig::max_positions, {1, 1048576}, shape,
          "Number of position vectors if positions is learned, and thus the longest sequence in "
          "tokens, with the begin- or end-of-sentence token. Longer translations are truncated."),
      model.integer(
          "first_position", &ModelConfig::first_position, {0, 1024}, shape,
          "Row of the table that the first token of a sequence gets if positions is sinusoidal or "
          "sinusoidal_halves. 2 in models of fairseq, such as M2M-100 and NLLB-200."),
      model.boolean("embedding_scale", &ModelConfig::embedding_scale, shape,
                    "If true, embeddings are multiplied by sqrt(hidden_size) before positions are "
                    "added (Vaswani et al. 2017, section 3.4)."),
      model.boolean("zero_start", &ModelConfig::zero_start, shape,
                    "If true, the decoder begins with zeros instead of the embedding of the "
                    "start token, as in Marian's models. tfm export --format marian needs it."),
      model.choice("cross_attention", &ModelConfig::cross_attention, shape,
                   "Encoder output that decoder layer i attends to. top: the output of the last "
                   "encoder layer (Vaswani et al. 2017). layerwise: the output of encoder layer i "
                   "(He et al. 2018), which needs equal numbers of layers."),
      model.choice("tied_embeddings", &ModelConfig::tied_embeddings, shape,
                   "Matrices that are shared. none: no sharing. decoder: target embeddings and "
                   "output projection (Press and Wolf 2017). all: source embeddings too (Vaswani "
                   "et al. 2017, section 3.4), which needs tokenizer.joint."),
      model.boolean(
          "tied_output_bias", &ModelConfig::tied_output_bias, shape,
          "If true, the output projection has a bias although its matrix is shared with the "
          "embeddings, as in Marian's models. If the matrix is not shared, model.bias decides."),
      model.choice("init", &ModelConfig::init, {},
                   "Initialisation of the weights. xavier_uniform: uniform by fan-in and fan-out "
                   "(Glorot and Bengio 2010), with queries, keys and values as one matrix, as in "
                   "torch.nn.Transformer and fairseq. pytorch: as torch.nn.Linear and "
                   "torch.nn.Embedding. Embeddings are normal with standard deviation 1 / "
                   "sqrt(hidden_size), or 1 with pytorch and untied embeddings."),
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
