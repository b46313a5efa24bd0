#include "tfm/config/other_names.h"

#include <algorithm>
#include <array>
#include <sstream>

#include "nearest.h"

namespace tfm {
namespace {

constexpr std::string_view marian = "Marian";
constexpr std::string_view eole = "Eole and OpenNMT-py";
constexpr std::string_view fairseq = "fairseq";
constexpr std::string_view sockeye = "Sockeye";
constexpr std::string_view joey = "Joey NMT";

/// Names that have the same note, in one toolkit or in several ("Eole and OpenNMT-py").
struct Group {
  std::string_view toolkit;
  std::string_view note;
  std::string_view names;  // pairs "name=key", separated by spaces
};

constexpr std::array groups = std::to_array<Group>({
    {marian, "",
     "enc_depth=model.encoder_layers dec_depth=model.decoder_layers dim_emb=model.hidden_size "
     "transformer_heads=model.heads transformer_dim_ffn=model.transformer_ff "
     "transformer_dropout=model.dropout transformer_dropout_ffn=model.activation_dropout "
     "cpu_threads=training.threads learn_rate=training.learning_rate "
     "lr_warmup=training.warmup_steps after_batches=training.max_steps "
     "after_epochs=training.max_epochs disp_freq=training.log_every "
     "valid_freq=training.valid_steps save_freq=training.save_steps "
     "normalize=decoding.length_penalty output_sampling=decoding.sampling"},
    {marian, "swish is silu", "transformer_ffn_activation=model.activation"},
    {marian, "true is learned", "transformer_train_position_embeddings=model.positions"},
    {marian, "true is all, which needs tokenizer.joint",
     "tied_embeddings_all=model.tied_embeddings"},
    {marian, "one number counts for each vocabulary", "dim_vocabs=tokenizer.vocab_size"},
    {marian, "it lists two files: the second is target_vocab", "vocabs=tokenizer.source_vocab"},
    {marian, "it lists two files: the second is train_target", "train_sets=data.train_source"},
    {marian, "it lists two files: the second is valid_target", "valid_sets=data.valid_source"},
    {marian, "true is truncate", "max_length_crop=data.long_lines"},
    {marian, "for a BPE vocabulary it is data.bpe_dropout",
     "sentencepiece_alphas=data.unigram_alpha"},
    {marian, "it takes a model folder of tfm", "pretrained_model=training.init_from"},
    {marian, "a run on several devices starts with tfm launch",
     "devices=training.device num_devices=training.device"},
    {marian, "it counts sentences: set training.batch_type to sentences",
     "mini_batch=training.batch_size"},
    {marian,
     "it counts source tokens without padding, batch_size counts the longer side with padding",
     "mini_batch_words=training.batch_size"},
    {marian, "true is auto", "mini_batch_fit=training.batch_size"},
    {marian, "auto finds the largest batch that fits into memory", "workspace=training.batch_size"},
    {marian, "it takes a whole number", "optimizer_delay=training.accum_count"},
    {marian, "its numbers are beta1, beta2 and epsilon, which are three fields",
     "optimizer_params=training.beta1"},
    {marian, "one probability applies to both sides",
     "dropout_src=training.token_dropout dropout_trg=training.token_dropout"},
    {marian, "its value is 1 - ema_decay: 0.0001 is 0.9999",
     "exponential_smoothing=training.ema_decay"},
    {marian, "its number is warmup_steps", "lr_decay_inv_sqrt=training.schedule"},
    {marian, "max_epochs limits the epochs", "after=training.max_steps"},
    {marian, "only the metric that selects the best model is set; all are computed",
     "valid_metrics=training.best_by early_stopping_on=training.best_by"},
    {"Marian and Sockeye", "", "transformer_dropout_attention=model.attention_dropout"},
    {"Marian and Sockeye", "postprocess dan or drn is post, preprocess n is pre",
     "transformer_preprocess=model.norm_order transformer_postprocess=model.norm_order"},
    {"Marian, fairseq and Joey NMT", "the choices are auto, fp32, bf16 and fp16",
     "fp16=training.precision"},
    {eole, "",
     "enc_layers=model.encoder_layers dec_layers=model.decoder_layers rnn_size=model.hidden_size "
     "head_dim=model.head_size norm_eps=model.norm_epsilon param_init_glorot=model.init "
     "param_init_method=model.init share_vocab=tokenizer.joint "
     "src_words_min_frequency=tokenizer.min_count tgt_words_min_frequency=tokenizer.min_count "
     "words_min_frequency=tokenizer.min_count src_vocab=tokenizer.source_vocab "
     "tgt_vocab=tokenizer.target_vocab valid_src=data.valid_source valid_tgt=data.valid_target "
     "optim=training.optimizer max_grad_norm=training.clip_norm adam_beta1=training.beta1 "
     "adam_beta2=training.beta2 "
     "train_steps=training.max_steps report_every=training.log_every "
     "early_stopping_criteria=training.best_by save_checkpoint_steps=training.save_steps "
     "keep_checkpoint=training.keep_checkpoints beta=decoding.coverage_penalty "
     "max_length_ratio=decoding.max_length_factor "
     "block_ngram_repeat=decoding.no_repeat_ngram_size "
     "random_sampling_topk=decoding.sampling_topk random_sampling_topp=decoding.sampling_topp "
     "random_sampling_temp=decoding.temperature"},
    {eole, "decoder_layers is set apart from it", "layers=model.encoder_layers"},
    {eole, "embeddings and layers have the same size",
     "word_vec_size=model.hidden_size src_word_vec_size=model.hidden_size "
     "tgt_word_vec_size=model.hidden_size"},
    {eole, "one field covers all linear layers", "add_qkvbias=model.bias add_ffnbias=model.bias"},
    {eole, "standard is layer_norm, rms is rms_norm", "layer_norm=model.norm"},
    {eole, "gated-silu is swiglu",
     "pos_ffn_activation_fn=model.activation mlp_activation_fn=model.activation"},
    {eole, "SinusoidalInterleaved is sinusoidal, Learned is learned, Rotary is rotary",
     "position_encoding=model.positions position_encoding_type=model.positions"},
    {eole, "true is decoder", "share_decoder_embeddings=model.tied_embeddings"},
    {eole, "true is all, which needs tokenizer.joint", "share_embeddings=model.tied_embeddings"},
    {eole, "one number counts for each vocabulary",
     "src_vocab_size=tokenizer.vocab_size tgt_vocab_size=tokenizer.vocab_size"},
    {eole, "it takes the .model file of SentencePiece",
     "src_subword_model=tokenizer.source_vocab tgt_subword_model=tokenizer.target_vocab"},
    {eole, "that of the corpus 'valid' is valid_source",
     "path_src=data.train_source train_src=data.train_source"},
    {eole, "", "src=data.train_source tgt=data.train_target"},
    {eole, "several texts are named in data.sets", "corpus_1=data.train_source"},
    {eole, "that of the corpus 'valid' is valid_target",
     "path_tgt=data.train_target train_tgt=data.train_target"},
    {eole, "one number limits both sides",
     "src_seq_length=data.max_length tgt_seq_length=data.max_length"},
    {eole, "for a BPE vocabulary it is data.bpe_dropout",
     "src_subword_alpha=data.unigram_alpha tgt_subword_alpha=data.unigram_alpha"},
    {eole, "it is a folder", "save_model=training.run_folder model_path=training.run_folder"},
    {eole, "tfm train --resume continues a run that was interrupted",
     "train_from=training.init_from"},
    {eole, "a run on several devices starts with tfm launch",
     "gpu_ranks=training.device world_size=training.device"},
    {eole, "the choices are auto, fp32, bf16 and fp16",
     "model_dtype=training.precision compute_dtype=training.precision"},
    {eole, "its value is 1 - ema_decay: 0.0001 is 0.9999", "average_decay=training.ema_decay"},
    {eole,
     "noam is inverse_sqrt, and its highest rate is learning_rate / sqrt(hidden_size x "
     "warmup_steps)",
     "decay_method=training.schedule"},
    {eole, "with length_penalty wu, its formula differs", "alpha=decoding.length_penalty"},
    {eole, "a tab separates the two words of a line", "phrase_table=decoding.unknown_dictionary"},
    {eole, "one text for all lines; tfm translate --target-prefix-file takes one per line",
     "tgt_prefix=decoding.target_prefix"},
    {"Eole, OpenNMT-py and fairseq", "",
     "adam_eps=training.epsilon replace_unk=decoding.replace_unknown"},
    {"Eole", "", "top_k=decoding.sampling_topk top_p=decoding.sampling_topp"},
    {fairseq, "",
     "relu_dropout=model.activation_dropout activation_fn=model.activation "
     "joined_dictionary=tokenizer.joint thresholdsrc=tokenizer.min_count "
     "thresholdtgt=tokenizer.min_count srcdict=tokenizer.source_vocab "
     "tgtdict=tokenizer.target_vocab save_dir=training.run_folder max_tokens=training.batch_size "
     "update_freq=training.accum_count lr=training.learning_rate lr_scheduler=training.schedule "
     "warmup_updates=training.warmup_steps min_lr=training.min_learning_rate "
     "max_update=training.max_steps max_epoch=training.max_epochs log_interval=training.log_every "
     "validate_interval_updates=training.valid_steps best_checkpoint_metric=training.best_by "
     "patience=training.early_stopping save_interval_updates=training.save_steps "
     "keep_interval_updates=training.keep_checkpoints beam=decoding.beam_size "
     "lenpen=decoding.length_penalty nbest=decoding.n_best "
     "diverse_beam_groups=decoding.beam_groups diverse_beam_strength=decoding.diversity_strength "
     "max_len_a=decoding.max_length_factor min_len=decoding.min_length"},
    {fairseq, "encoder and decoder have the same size",
     "encoder_embed_dim=model.hidden_size decoder_embed_dim=model.hidden_size "
     "encoder_ffn_embed_dim=model.transformer_ff decoder_ffn_embed_dim=model.transformer_ff"},
    {fairseq, "true is pre, false is post",
     "encoder_normalize_before=model.norm_order decoder_normalize_before=model.norm_order"},
    {fairseq, "true is learned",
     "encoder_learned_pos=model.positions decoder_learned_pos=model.positions"},
    {fairseq, "true means none", "no_token_positional_embeddings=model.positions"},
    {fairseq, "true is false here", "no_scale_embedding=model.embedding_scale"},
    {fairseq, "true is decoder", "share_decoder_input_output_embed=model.tied_embeddings"},
    {fairseq, "true is all, which needs tokenizer.joint",
     "share_all_embeddings=model.tied_embeddings"},
    {fairseq, "one number counts for each vocabulary",
     "nwordssrc=tokenizer.vocab_size nwordstgt=tokenizer.vocab_size"},
    {fairseq, "it is the start of two names: train_source and train_target take whole names",
     "trainpref=data.train_source"},
    {fairseq, "it is the start of two names: valid_source and valid_target take whole names",
     "validpref=data.valid_source"},
    {fairseq, "with learned positions, set model.max_positions as well",
     "max_source_positions=data.max_length max_target_positions=data.max_length"},
    {fairseq, "tfm train --resume continues a run that was interrupted",
     "restore_file=training.init_from finetune_from_model=training.init_from"},
    {fairseq, "it counts sentences: set training.batch_type to sentences",
     "max_sentences=training.batch_size"},
    {fairseq, "it counts hours, max_minutes minutes", "stop_time_hours=training.max_minutes"},
    {fairseq, "it counts epochs, valid_steps updates", "validate_interval=training.valid_steps"},
    {fairseq, "it counts epochs, save_steps updates", "save_interval=training.save_steps"},
    {fairseq, "it counts epochs, keep_checkpoints counts checkpoints",
     "keep_last_epochs=training.keep_checkpoints"},
    {fairseq, "10 is added to max_length_factor x source length instead",
     "max_len_b=decoding.max_length"},
    {"fairseq and Sockeye", "true is cpu", "cpu=training.device use_cpu=training.device"},
    {"fairseq and Joey NMT", "beta2 is a field of its own", "adam_betas=training.beta1"},
    {fairseq, "encoder and decoder have the same number",
     "encoder_attention_heads=model.heads decoder_attention_heads=model.heads"},
    {fairseq, "encoder and decoder have the same probability",
     "encoder_layerdrop=model.layer_dropout decoder_layerdrop=model.layer_dropout"},
    {fairseq, "true is bf16", "bf16=training.precision"},
    {sockeye, "",
     "transformer_model_size=model.hidden_size transformer_attention_heads=model.heads "
     "transformer_feed_forward_num_hidden=model.transformer_ff "
     "transformer_dropout_prepost=model.dropout embed_dropout=model.embedding_dropout "
     "transformer_dropout_act=model.activation_dropout shared_vocab=tokenizer.joint "
     "num_words=tokenizer.vocab_size word_min_count=tokenizer.min_count source=data.train_source "
     "target=data.train_target validation_source=data.valid_source "
     "validation_target=data.valid_target update_interval=training.accum_count "
     "initial_learning_rate=training.learning_rate optimizer_epsilon=training.epsilon "
     "gradient_clipping_threshold=training.clip_norm max_updates=training.max_steps "
     "max_num_epochs=training.max_epochs checkpoint_interval=training.valid_steps "
     "decode_and_evaluate=training.valid_sentences optimized_metric=training.best_by "
     "max_num_checkpoint_not_improved=training.early_stopping "
     "keep_last_params=training.keep_checkpoints nbest_size=decoding.n_best "
     "sample=decoding.sampling"},
    {sockeye, "embeddings and layers have the same size", "num_embed=model.hidden_size"},
    {sockeye, "swish1 is silu", "transformer_activation_type=model.activation"},
    {sockeye, "fixed is sinusoidal", "transformer_positional_embedding_type=model.positions"},
    {sockeye, "trg_softmax is decoder, src_trg_softmax is all",
     "weight_tying_type=model.tied_embeddings"},
    {sockeye, "one number limits both sides", "max_seq_len=data.max_length"},
    {sockeye, "it takes a model folder of tfm", "params=training.init_from"},
    {sockeye, "GPU number 0 is cuda:0", "device_id=training.device"},
    {sockeye, "beta2 is a field of its own", "optimizer_betas=training.beta1"},
    {sockeye, "inv-sqrt-decay is inverse_sqrt", "learning_rate_scheduler_type=training.schedule"},
    {sockeye, "it counts seconds, max_minutes minutes", "max_seconds=training.max_minutes"},
    {sockeye, "its formula differs",
     "beam_search_length_penalty_alpha=decoding.length_penalty "
     "length_penalty_alpha=decoding.length_penalty"},
    {"Sockeye and Joey NMT", "",
     "learning_rate_warmup=training.warmup_steps max_output_length=decoding.max_length"},
    {"Sockeye and Joey NMT", "decoder_layers is set apart from it",
     "num_layers=model.encoder_layers"},
    {joey, "",
     "num_heads=model.heads ff_size=model.transformer_ff initializer=model.init "
     "voc_min_freq=tokenizer.min_count "
     "max_sent_length=data.max_length model_dir=training.run_folder random_seed=training.seed "
     "batch_multiplier=training.accum_count clip_grad_norm=training.clip_norm "
     "learning_rate_min=training.min_learning_rate updates=training.max_steps "
     "epochs=training.max_epochs logging_freq=training.log_every "
     "validation_freq=training.valid_steps early_stopping_metric=training.best_by "
     "min_output_length=decoding.min_length"},
    {joey, "embeddings and layers have the same size", "embedding_dim=model.hidden_size"},
    {joey, "its values are the same: pre and post", "layer_norm=model.norm_order"},
    {joey, "true is decoder", "tied_softmax=model.tied_embeddings"},
    {joey, "one number counts for each vocabulary", "voc_limit=tokenizer.vocab_size"},
    {joey, "the other side is tokenizer.target_vocab", "voc_file=tokenizer.source_vocab"},
    {joey, "tfm train --resume continues a run that was interrupted",
     "load_model=training.init_from"},
    {joey, "true is cuda", "use_cuda=training.device"},
    {joey, "warmupinversesquareroot is inverse_sqrt", "scheduling=training.schedule"},
    {joey, "it takes the number of lines", "print_valid_sents=training.valid_samples"},
    {joey, "the newest checkpoints are kept, and the best model always",
     "keep_best_ckpts=training.keep_checkpoints"},
    {joey, "its formula differs", "beam_alpha=decoding.length_penalty"},
});

std::vector<OtherName> expand_groups() {
  std::vector<OtherName> table;
  for (const Group& group : groups) {
    std::istringstream names{std::string(group.names)};
    for (std::string entry; names >> entry;) {
      const auto equals = entry.find('=');
      table.push_back(
          {entry.substr(0, equals), group.toolkit, entry.substr(equals + 1), group.note});
    }
  }
  return table;
}

std::string_view last_part(std::string_view key) { return key.substr(key.rfind('.') + 1); }

}  // namespace

const std::vector<OtherName>& other_names() {
  static const std::vector<OtherName> table = expand_groups();
  return table;
}

std::vector<OtherName> find_other_name(std::string_view name) {
  const std::string normal = normal_key(last_part(name));
  std::vector<OtherName> found;
  std::ranges::copy_if(other_names(), std::back_inserter(found),
                       [&](const OtherName& entry) { return entry.name == normal; });
  return found;
}

std::string describe_other_name(std::string_view name) {
  std::string text;
  for (const OtherName& entry : find_other_name(name)) {
    const std::string toolkit(entry.toolkit);
    text += text.empty() ? "'" + std::string(last_part(name)) + "' of " + toolkit + " is " +
                               entry.key + " in tfm"
                         : "; of " + toolkit + " it is " + entry.key;
    if (!entry.note.empty()) text += " (" + std::string(entry.note) + ")";
  }
  return text;
}

}  // namespace tfm
