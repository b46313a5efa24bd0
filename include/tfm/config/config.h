// All settings of a run as plain structs. The member names are the keys of the YAML file, and the
// initialisers are the defaults. One table, src/config/fields_*.cpp, describes each field: its
// meaning, unit and range. The file format, the command line, `tfm config explain` and the JSON
// Schema are derived from the table. Rules that need more than the range of a field are in
// validate.h.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tfm {

enum class Preset { none, tiny, base, big };
enum class NormOrder { post, pre };
enum class Norm { layer_norm, rms_norm, deviation_norm };
enum class FinalNorm { automatic, always, never };
enum class Activation { relu, gelu, silu, swiglu };
enum class Positions { sinusoidal, learned, rotary, by_token, none, sinusoidal_halves };
enum class CrossAttention { top, layerwise };
enum class TiedEmbeddings { none, decoder, all };
enum class Init { xavier_uniform, pytorch };

struct ModelConfig {
  Preset preset = Preset::none;
  int64_t encoder_layers = 6;
  int64_t decoder_layers = 6;
  int64_t hidden_size = 512;
  int64_t heads = 8;
  int64_t head_size = 0;
  int64_t transformer_ff = 2048;
  double dropout = 0.1;
  double embedding_dropout = -1;
  double attention_dropout = 0;
  double activation_dropout = 0;
  double layer_dropout = 0;
  bool dropout_after_sum = false;
  bool bias = true;
  NormOrder norm_order = NormOrder::post;
  Norm norm = Norm::layer_norm;
  bool norm_affine = true;
  double norm_epsilon = 1e-5;
  FinalNorm final_norm = FinalNorm::automatic;
  Activation activation = Activation::relu;
  Positions positions = Positions::sinusoidal;
  CrossAttention cross_attention = CrossAttention::top;
  int64_t max_positions = 1024;
  int64_t first_position = 0;
  bool embedding_scale = true;
  bool zero_start = false;
  TiedEmbeddings tied_embeddings = TiedEmbeddings::none;
  bool tied_output_bias = false;
  Init init = Init::xavier_uniform;

  /// Returns the size of an attention head: head_size, or hidden_size / heads if head_size is 0.
  int64_t resolved_head_size() const { return head_size > 0 ? head_size : hidden_size / heads; }
  /// Returns true if the encoder and the decoder end with a norm. With `automatic`, only pre-norm
  /// models have this norm, because otherwise their last residual sum would not be normalised.
  bool has_final_norm() const {
    return final_norm == FinalNorm::always ||
           (final_norm == FinalNorm::automatic && norm_order == NormOrder::pre);
  }
  /// Returns embedding_dropout, or dropout if embedding_dropout is negative.
  double resolved_embedding_dropout() const {
    return embedding_dropout < 0 ? dropout : embedding_dropout;
  }

  bool operator==(const ModelConfig&) const = default;
};

enum class TokenizerKind { sentencepiece, word, pieces };
enum class SubwordAlgorithm { bpe, unigram };

struct TokenizerConfig {
  TokenizerKind kind = TokenizerKind::sentencepiece;
  SubwordAlgorithm algorithm = SubwordAlgorithm::bpe;
  bool joint = true;
  /// The value of vocab_size that stands for "auto": a size that suits the amount of text.
  static constexpr int64_t automatic_size = 0;
  int64_t vocab_size = 10000;
  int64_t min_count = 1;
  double character_coverage = 1.0;
  bool byte_fallback = false;
  bool split_digits = false;
  std::string normalization = "nmt_nfkc";
  std::vector<std::string> symbols;
  std::vector<std::string> control_symbols;
  int64_t sample_pairs = 1000000;
  std::string source_vocab;
  std::string target_vocab;
  std::string pad_token = "<pad>";
  std::string bos_token = "<s>";
  std::string eos_token = "</s>";
  std::string unk_token = "<unk>";

  /// Returns true if `normalization` is a file of rules instead of the name of built-in ones.
  bool has_normalization_file() const { return normalization.ends_with(".tsv"); }

  bool operator==(const TokenizerConfig&) const = default;
};

enum class LanguageTags { none, first, after_eos };
enum class LongLines { skip, truncate, error };
enum class BadLines { skip, error };

struct DataConfig {
  std::string train_source;
  std::string train_target;
  std::string train_tsv;
  std::vector<std::string> sets;
  std::vector<std::string> stages;
  std::vector<std::string> tags;
  std::vector<std::string> weights;
  std::vector<std::string> alignments;
  double temperature = 1;
  std::string valid_source;
  std::string valid_target;
  std::string valid_tsv;
  std::string valid_alignment;
  std::vector<std::string> valid_sets;
  std::string source_language;
  std::string target_language;
  bool bidirectional = false;
  double bpe_dropout = 0;
  double unigram_alpha = 0;
  std::vector<std::string> modifiers;
  std::string term_template = "__source__ {src} __target__ {trg} __done__";
  bool source_eos = true;
  LanguageTags language_tags = LanguageTags::none;
  int64_t max_length = 256;
  int64_t fixed_length = 0;
  LongLines long_lines = LongLines::skip;
  BadLines bad_lines = BadLines::skip;
  std::string cache = "auto";

  /// Returns the maximum length of a source or target in tokens: fixed_length, or max_length if
  /// fixed_length is 0.
  int64_t resolved_max_length() const { return fixed_length > 0 ? fixed_length : max_length; }

  /// Returns the strength of subword sampling: bpe_dropout or unigram_alpha, of which at most one
  /// is set. 0 means that sampling is off.
  double subword_sampling_strength() const { return bpe_dropout > 0 ? bpe_dropout : unigram_alpha; }

  /// Returns true if every epoch has tokens of its own, because its subwords are sampled or
  /// modifiers change its text. The training text then stays in memory.
  bool encodes_every_epoch() const { return subword_sampling_strength() > 0 || !modifiers.empty(); }

  bool operator==(const DataConfig&) const = default;
};

enum class OptimizerKind { adam, adamw, sgd };
enum class ScheduleKind { constant, inverse_sqrt, cosine, sgdr };
enum class BatchType { tokens, sentences };
enum class BestBy { bleu, chrf, loss };
enum class BleuTokenizer { automatic, mteval_13a, zh, character, intl, none };
enum class LogUnit { steps, epochs };
enum class Precision { automatic, fp32, bf16, fp16 };
enum class OnDivergence { rollback, stop, skip };

struct TrainingConfig {
  std::string run_folder;
  std::string init_from;
  int64_t seed = 1;
  std::string device = "auto";
  int64_t threads = 0;
  Precision precision = Precision::automatic;

  BatchType batch_type = BatchType::tokens;
  int64_t batch_size = 4096;
  int64_t accum_count = 1;
  bool shuffle = true;
  bool gradient_checkpointing = false;

  OptimizerKind optimizer = OptimizerKind::adam;
  double learning_rate = 1e-3;
  double beta1 = 0.9;
  double beta2 = 0.98;
  double epsilon = 1e-9;
  double momentum = 0.9;
  double weight_decay = 0;
  double clip_norm = 0;
  double label_smoothing = 0.1;

  double r_drop = 0;
  double simcut = 0;
  double simcut_probability = 0.05;
  double token_dropout = 0;
  double ema_decay = 0;
  double embedding_rate_factor = 1;

  ScheduleKind schedule = ScheduleKind::inverse_sqrt;
  int64_t warmup_steps = 4000;
  int64_t decay_steps = 0;
  double min_learning_rate = 0;
  int64_t sgdr_period = 1000;
  double sgdr_factor = 2;

  /// The value of max_steps that stands for "auto": as many steps as fit into max_minutes.
  static constexpr int64_t automatic_steps = -1;
  int64_t max_steps = 100000;
  int64_t max_epochs = 0;
  double max_minutes = 0;

  LogUnit log_unit = LogUnit::steps;
  int64_t log_every = 50;
  int64_t valid_steps = 1000;
  int64_t valid_sentences = 0;
  int64_t valid_samples = 3;
  bool valid_at_start = false;
  BestBy best_by = BestBy::bleu;
  BleuTokenizer bleu_tokenizer = BleuTokenizer::automatic;
  int64_t early_stopping = 0;
  int64_t save_steps = 0;
  double save_minutes = 0;
  int64_t keep_checkpoints = 2;
  int64_t average_checkpoints = 0;

  int64_t divergence_patience = 5;
  OnDivergence on_divergence = OnDivergence::rollback;
  double rollback_factor = 0.5;

  bool operator==(const TrainingConfig&) const = default;
};

enum class DecodingPrecision { automatic, fp32, bf16, fp16, int8 };
enum class EnsembleMean { probabilities, log_probabilities };
enum class SplitSentences { automatic, always, never };

struct DecodingConfig {
  int64_t beam_size = 4;
  double length_penalty = 1.0;
  double coverage_penalty = 0;
  int64_t n_best = 1;
  int64_t beam_groups = 1;
  double diversity_strength = 0.5;
  int64_t max_length = 256;
  double max_length_factor = 3.0;
  int64_t min_length = 1;
  int64_t no_repeat_ngram_size = 0;
  double repetition_penalty = 1;
  bool sampling = false;
  int64_t sampling_topk = 0;
  double sampling_topp = 1;
  double temperature = 1;
  int64_t seed = 1;
  std::string source_tag;
  std::string source_language;
  std::string target_language;
  std::string target_prefix;
  std::vector<std::string> forced_phrases;
  std::vector<std::string> forbidden_phrases;
  EnsembleMean ensemble_mean = EnsembleMean::probabilities;
  std::string stop_token;
  bool keep_markup = false;
  bool replace_unknown = false;
  std::string unknown_dictionary;
  std::string alignment_head = "auto";
  BatchType batch_type = BatchType::tokens;
  static constexpr int64_t automatic_batch_size = 0;
  int64_t batch_size = automatic_batch_size;
  SplitSentences split_sentences = SplitSentences::automatic;
  std::string shortlist = "none";
  bool reproducible = false;
  DecodingPrecision precision = DecodingPrecision::automatic;

  bool operator==(const DecodingConfig&) const = default;
};

struct Config {
  ModelConfig model;
  TokenizerConfig tokenizer;
  DataConfig data;
  TrainingConfig training;
  DecodingConfig decoding;

  bool operator==(const Config&) const = default;
};

}  // namespace tfm
