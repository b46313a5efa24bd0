#include <fmt/format.h>

#include <algorithm>

#include "export_fields.h"
#include "huggingface_config.h"
#include "huggingface_weights.h"
#include "json_file.h"
#include "sentencepiece_bytes.h"
#include "tfm/config/config_diff.h"
#include "tfm/core/error.h"
#include "tfm/data/language_pair.h"
#include "tfm/interop/huggingface.h"
#include "tfm/model/new_folder.h"

namespace tfm {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

/// Returns the default config with the values of `own` in all fields that Transformers can express
/// or that only training uses.
Config expressible_in_transformers(const Config& own) {
  Config part = common_part(own);
  const bool is_pre_norm = own.model.norm_order == NormOrder::pre;
  if (own.model.has_final_norm() == is_pre_norm) part.model.final_norm = own.model.final_norm;
  if (own.model.activation != Activation::swiglu) part.model.activation = own.model.activation;
  part.model.embedding_scale = own.model.embedding_scale;
  part.model.zero_start = own.model.zero_start;
  // The encoder and the decoder of Pegasus models share one matrix.
  if (is_pre_norm) part.model.tied_embeddings = TiedEmbeddings::all;
  if (own.tokenizer.kind == TokenizerKind::word) part.tokenizer.kind = Config().tokenizer.kind;
  return part;
}

std::string transformers_token_problems(const TokenizerPair& tokenizers) {
  const auto& source = tokenizers.source->special();
  const auto& target = tokenizers.target->special();
  std::string problems;
  for (const auto& [name, token] : {std::pair{"pad", &SpecialTokens::pad},
                                    {"bos", &SpecialTokens::bos},
                                    {"eos", &SpecialTokens::eos},
                                    {"unk", &SpecialTokens::unk}}) {
    if (target.*token < 0)
      problems += fmt::format("\n  tokenizer.{}_token: the vocabulary has no such token", name);
    else if (source.*token != target.*token)
      problems += fmt::format(
          "\n  tokenizer.{}_token: its id is {} in the source vocabulary and "
          "{} in the target vocabulary",
          name, source.*token, target.*token);
  }
  return problems;
}

void check_expressible_in_transformers(const TranslationModel& model, const fs::path& origin) {
  std::string problems;
  for (const auto& field :
       diff_configs(expressible_in_transformers(model.config), model.config, concerns_export)) {
    problems += fmt::format("\n  {}: {}", field.key, field.after);
    if (field.key == "model.tied_embeddings")
      problems += ", but only all is possible for pre-norm models";
  }
  problems += transformers_token_problems(model.tokenizers);
  if (!problems.empty())
    throw ModelError(origin.string(), "Transformers can't express this model:" + problems,
                     "Train a model without these features, or translate with tfm.");
}

std::string activation_name(Activation activation) {
  const auto& names = huggingface_activations();
  return std::ranges::find(names, activation, &std::pair<const std::string, Activation>::second)
      ->first;
}

json model_json(const TranslationModel& model) {
  const auto& config = model.config.model;
  const auto& special = model.tokenizers.target->special();
  const bool is_pegasus = config.norm_order == NormOrder::pre;
  json document{
      {"architectures", {is_pegasus ? "PegasusForConditionalGeneration" : "MarianMTModel"}},
      {"model_type", is_pegasus ? "pegasus" : "marian"},
      {"dtype", "float32"},
      {"is_encoder_decoder", true},
      {"vocab_size", model.tokenizers.source->size()},
      {"tie_word_embeddings", config.tied_embeddings != TiedEmbeddings::none},
      {"d_model", config.hidden_size},
      {"encoder_layers", config.encoder_layers},
      {"decoder_layers", config.decoder_layers},
      {"encoder_attention_heads", config.heads},
      {"decoder_attention_heads", config.heads},
      {"encoder_ffn_dim", config.transformer_ff},
      {"decoder_ffn_dim", config.transformer_ff},
      {"activation_function", activation_name(config.activation)},
      {"scale_embedding", config.embedding_scale},
      {"dropout", config.dropout},
      {"attention_dropout", config.attention_dropout},
      {"activation_dropout", config.activation_dropout},
      {"max_position_embeddings", huggingface_position_count(model.config)},
      {"pad_token_id", special.pad},
      {"bos_token_id", special.bos},
      {"eos_token_id", special.eos},
      {"forced_eos_token_id", special.eos},
      {"decoder_start_token_id", special.bos}};
  if (is_pegasus) return document;
  document["decoder_vocab_size"] = model.tokenizers.target->size();
  document["share_encoder_decoder_embeddings"] = config.tied_embeddings == TiedEmbeddings::all;
  return document;
}

/// Returns the settings of generate(). Its lengths include the start token and, if it is a maximum,
/// the end-of-sentence token.
json generation_json(const TranslationModel& model) {
  const auto& special = model.tokenizers.target->special();
  const auto& decoding = model.config.decoding;
  return {{"pad_token_id", special.pad},
          {"bos_token_id", special.bos},
          {"eos_token_id", special.eos},
          {"forced_eos_token_id", special.eos},
          {"decoder_start_token_id", special.bos},
          {"bad_words_ids", {{special.pad}, {special.bos}, {special.unk}}},
          {"num_beams", decoding.beam_size},
          {"length_penalty", decoding.length_penalty},
          {"no_repeat_ngram_size", decoding.no_repeat_ngram_size},
          {"min_length", decoding.min_length + 1},
          {"max_length", decoding.max_length + 2}};
}

/// Returns the spellings of the special tokens, which the vocabularies of both sides share.
json special_tokens_json(const Tokenizer& target) {
  const auto& special = target.special();
  return {{"pad_token", target.piece(special.pad)},
          {"bos_token", target.piece(special.bos)},
          {"eos_token", target.piece(special.eos)},
          {"unk_token", target.piece(special.unk)}};
}

bool has_two_vocabularies(const TranslationModel& model) {
  return model.config.model.tied_embeddings != TiedEmbeddings::all;
}

json tokenizer_json(const TranslationModel& model) {
  auto document = special_tokens_json(*model.tokenizers.target);
  document["tokenizer_class"] = "MarianTokenizer";
  document["model_max_length"] = model.config.data.resolved_max_length();
  document["separate_vocabs"] = has_two_vocabularies(model);
  document["clean_up_tokenization_spaces"] = false;
  const auto languages = resolve_languages(model.config.data);
  if (!languages.source.empty()) document["source_lang"] = languages.source;
  if (!languages.target.empty()) document["target_lang"] = languages.target;
  return document;
}

json vocabulary_json(const Tokenizer& tokenizer) {
  json ids = json::object();
  for (TokenId id = 0; id < tokenizer.size(); ++id) ids[tokenizer.piece(id)] = id;
  return ids;
}

}  // namespace

void export_huggingface(const TranslationModel& model, const fs::path& folder,
                        const fs::path& origin, const std::string& card) {
  check_expressible_in_transformers(model, origin);
  const NewFolder unfinished(folder);
  const auto& path = unfinished.path();
  write_file(path / "README.md", card);
  write_json(path / "config.json", model_json(model));
  write_json(path / "generation_config.json", generation_json(model));
  write_json(path / "tokenizer_config.json", tokenizer_json(model));
  write_json(path / "special_tokens_map.json", special_tokens_json(*model.tokenizers.target));
  write_json(path / "vocab.json", vocabulary_json(*model.tokenizers.source));
  if (has_two_vocabularies(model))
    write_json(path / "target_vocab.json", vocabulary_json(*model.tokenizers.target));
  for (const auto& [stem, tokenizer] : {std::pair("source", model.tokenizers.source.get()),
                                        {"target", model.tokenizers.target.get()}}) {
    const auto file = path / fmt::format("{}.spm", stem);
    write_file(file, sentencepiece_bytes(*tokenizer, file));
  }
  write_safetensors(path / weights_file, huggingface_weights(model), {{"format", "pt"}});
  unfinished.commit();
}

}  // namespace tfm
