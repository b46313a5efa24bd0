#include "tfm/interop/huggingface.h"

#include <algorithm>

#include "assemble_model.h"
#include "fairseq_vocabulary.h"
#include "huggingface_config.h"
#include "huggingface_names.h"
#include "huggingface_weight_files.h"
#include "imported_vocabulary.h"
#include "imported_weights.h"
#include "tfm/core/error.h"
#include "tfm/tokenizer/language_tags.h"

namespace tfm {
namespace {

namespace fs = std::filesystem;

constexpr const char* folder_hint = "Give the folder that save_pretrained wrote.";

void require_files(const fs::path& folder, const std::vector<std::string>& names) {
  if (!fs::is_directory(folder)) throw ModelError(folder.string(), "is not a folder", folder_hint);
  for (const auto& name : names) {
    if (!fs::exists(folder / name))
      throw ModelError(folder.string(), "holds no " + name, folder_hint);
  }
}

NormWeights consume_norm(ImportedWeights& weights, const std::string& name, int64_t width) {
  return {weights.consume(name + ".weight", {width}), weights.consume(name + ".bias", {width})};
}

LayerSource layer_source(ImportedWeights& weights, const ModelConfig& config) {
  const int64_t width = config.hidden_size;
  const int64_t inner = config.transformer_ff;
  return {.linear =
              [&weights, width, inner](const LayerPart& part, const std::string& which) {
                const int64_t out = which == "input" ? inner : width;
                const int64_t in =
                    part.sublayer == "feed_forward" && which == "output" ? inner : width;
                const auto name = huggingface_linear(part, which);
                return LinearWeights{weights.consume(name + ".weight", {out, in}),
                                     weights.consume(name + ".bias", {out})};
              },
          .norm =
              [&weights, width](const LayerPart& part) {
                return consume_norm(weights, huggingface_norm(part), width);
              }};
}

StateDict read_layers(ImportedWeights& weights, const ModelConfig& config) {
  auto layers = layer_weights(config, layer_source(weights, config));
  if (!config.has_final_norm()) return layers;
  for (const std::string stack : {"encoder", "decoder"}) {
    const auto norm = consume_norm(weights, huggingface_final_norm(stack), config.hidden_size);
    layers[stack + ".final_norm.scale"] = norm.scale;
    layers[stack + ".final_norm.shift"] = norm.shift;
  }
  return layers;
}

/// Returns the first of `names` that exists in the file, because a tied matrix may be stored under
/// any of its names.
std::string find_first_name(const ImportedWeights& weights, const std::vector<std::string>& names) {
  for (const auto& name : names) {
    if (weights.has(name)) return name;
  }
  return names.front();  // consume() then reports this tensor as missing
}

/// Reads the matrices that have one row per token.
void read_matrices(ImportedWeights& weights, const HuggingFaceConfig& config,
                   ImportedEmbeddings& result) {
  const std::string shared = huggingface_shared;
  const std::string encoder = huggingface_embedding("encoder");
  const std::string decoder = huggingface_embedding("decoder");
  const std::string output = huggingface_output;
  const int64_t width = config.config.model.hidden_size;
  std::vector<std::string> source_names{encoder};
  if (config.shared)
    source_names = config.tied ? std::vector{shared, encoder, decoder, output}
                               : std::vector{shared, encoder, decoder};
  result.source =
      weights.consume(find_first_name(weights, source_names), {config.source_size, width});
  if (!config.shared)
    result.target = weights.consume(
        find_first_name(weights, config.tied ? std::vector{decoder, output} : std::vector{decoder}),
        {config.target_size, width});
  if (!config.tied) result.output = weights.consume(output, {config.target_size, width});
  for (const auto& copy : {shared, encoder, decoder, output}) weights.ignore(copy);
  result.bias = weights.has(huggingface_bias)
                    ? weights.consume(huggingface_bias, {config.target_size})
                    : torch::zeros({config.target_size});
}

/// Returns whether a model translates into several languages, whose tags its sources begin with:
/// >>fra<< in models of OPUS-MT, <2fr> in those of tfm.
bool has_several_targets(const std::vector<std::string>& source_tokens) {
  return std::ranges::count_if(source_tokens, [](const std::string& token) {
           return (token.starts_with(">>") && token.ends_with("<<")) ||
                  is_language_tag(token, TagKind::target_in_source);
         }) > 1;
}

/// Reads the vocabularies of a MarianMT model.
void read_vocabularies(ImportedModelParts& parts, const HuggingFaceConfig& config) {
  const auto& folder = parts.origin;
  auto& result = parts.embeddings;
  require_files(folder, {"vocab.json", "source.spm", "target.spm"});
  parts.sentencepiece = {folder / "source.spm", folder / "target.spm"};
  const auto target_file = folder / (config.shared ? "vocab.json" : "target_vocab.json");
  result.source_tokens = pad_to_size(read_json_vocabulary(folder / "vocab.json"),
                                     config.source_size, folder / "vocab.json");
  result.target_tokens =
      pad_to_size(read_json_vocabulary(target_file), config.target_size, target_file);
  // Such a model names a group of languages as its target: zle, East Slavic.
  if (has_several_targets(result.source_tokens)) parts.config.data.target_language.clear();
}

/// Reads the vocabulary of an M2M-100 or NLLB-200 model, and the languages that it usually
/// translates.
void read_multilingual(ImportedModelParts& parts, const HuggingFaceConfig& config) {
  require_files(parts.origin, {fairseq_sentencepiece});
  parts.sentencepiece = {parts.origin / fairseq_sentencepiece};
  auto vocabulary = read_fairseq_vocabulary(parts.origin);
  auto& tokens = parts.embeddings.source_tokens;
  tokens = pad_to_size(std::move(vocabulary.tokens), config.source_size, parts.origin);
  parts.embeddings.target_tokens = tokens;
  parts.config.data.language_tags = vocabulary.language_tags;
  parts.config.decoding.source_language = vocabulary.source_language;
  parts.config.decoding.target_language = vocabulary.target_language;
  if (config.forced_target >= 0 && config.forced_target < std::ssize(tokens))
    parts.config.decoding.target_language = tokens[static_cast<std::size_t>(config.forced_target)];
}

/// Permutes the hidden dimensions from the order of Transformers' positions to that of tfm's
/// sinusoidal ones.
void alternate_hidden(ImportedModelParts& parts) {
  const auto order = alternating_order(parts.config.model.hidden_size);
  permute_hidden(parts.weights, order);
  for (auto* matrix :
       {&parts.embeddings.source, &parts.embeddings.target, &parts.embeddings.output}) {
    if (matrix->defined()) *matrix = matrix->index_select(1, order);
  }
}

/// Names the special tokens. A model whose decoder starts with the padding or the end-of-sentence
/// token gets a start token, with the embedding of that token.
void name_special_tokens(ImportedEmbeddings& embeddings, const HuggingFaceConfig& config,
                         TokenizerConfig& names) {
  const auto& tokens = embeddings.target_tokens;
  names.pad_token = tokens[static_cast<std::size_t>(config.pad)];
  names.eos_token = tokens[static_cast<std::size_t>(config.eos)];
  names.unk_token = "<unk>";
  names.bos_token = tokens[static_cast<std::size_t>(config.start)];
  if (config.start != config.pad && config.start != config.eos) return;
  names.bos_token = unused_name("<s>", embeddings.source_tokens, tokens);
  embeddings.append(names.bos_token, embeddings.target_or_source()[config.start].clone());
}

/// Throws ModelError if position tables in the file differ from those of Transformers, which have
/// sines in the first half and cosines in the second.
void check_positions(ImportedWeights& weights, const ModelConfig& config) {
  for (const char* stack : {"encoder", "decoder"})  // of M2M-100; Transformers ignores them, too
    weights.ignore(std::string("model.") + stack + ".embed_positions.weights");
  for (const char* stack : {"encoder", "decoder"}) {
    const std::string name = huggingface_positions(stack);
    if (!weights.has(name)) continue;
    const auto table = weights.consume(name, {-1, config.hidden_size});
    const auto expected = huggingface_position_table(table.size(0), config.hidden_size);
    constexpr double tolerance = 1e-3;
    if (!torch::allclose(table, expected, 0, tolerance))
      throw ModelError(weights.origin().string(),
                       "tensor '" + name + "' does not contain sinusoids",
                       "Only models with sinusoidal positions can be imported.");
  }
}

}  // namespace

Model import_huggingface(const fs::path& folder) {
  require_files(folder, {"config.json"});
  const auto config = read_huggingface_config(folder);
  check_config_limits(config.config, folder / "config.json");
  ImportedModelParts parts{.origin = folder, .config = config.config};
  parts.config.tokenizer.kind = TokenizerKind::pieces;
  config.multilingual ? read_multilingual(parts, config) : read_vocabularies(parts, config);
  auto weights = read_huggingface_weights(folder);
  read_matrices(weights, config, parts.embeddings);
  name_special_tokens(parts.embeddings, config, parts.config.tokenizer);
  parts.weights = read_layers(weights, parts.config.model);
  check_positions(weights, parts.config.model);
  weights.check_all_consumed();
  if (parts.config.model.positions == Positions::sinusoidal) alternate_hidden(parts);
  return Model(assemble_model(parts));
}

}  // namespace tfm
