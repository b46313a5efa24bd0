#include "tfm/interop/huggingface.h"

#include "assemble_model.h"
#include "huggingface_config.h"
#include "imported_layers.h"
#include "imported_vocabulary.h"
#include "imported_weights.h"
#include "tfm/core/error.h"
#include "tfm/nn/positional_encoding.h"

namespace tfm {
namespace {

namespace fs = std::filesystem;

constexpr const char* safetensors_name = "model.safetensors";

void require_files(const fs::path& folder) {
  if (!fs::is_directory(folder))
    throw ModelError(folder.string(), "is not a folder",
                     "Give the folder that save_pretrained wrote.");
  if (!fs::exists(folder / safetensors_name) && fs::exists(folder / "pytorch_model.bin")) {
    throw ModelError(
        folder.string(),
        "holds only pytorch_model.bin, a pickle, which tfm does not read because it can run code",
        "Convert it: python -c \"from transformers import MarianMTModel as M; "
        "M.from_pretrained('IN').save_pretrained('OUT')\", and copy "
        "the other files to OUT.");
  }
  for (const char* name :
       {"config.json", safetensors_name, "vocab.json", "source.spm", "target.spm"}) {
    if (!fs::exists(folder / name))
      throw ModelError(folder.string(), std::string("holds no ") + name,
                       "Give the folder of a MarianMT model.");
  }
}

std::string huggingface_name(const LayerPart& part) {
  return "model." + part.stack + ".layers." + std::to_string(part.layer) +
         (part.sublayer == "self_attention"    ? ".self_attn"
          : part.sublayer == "cross_attention" ? ".encoder_attn"
                                               : "");
}

std::string linear_name(const LayerPart& part, const std::string& which) {
  if (part.sublayer == "feed_forward")
    return huggingface_name(part) + (which == "input" ? ".fc1" : ".fc2");
  return huggingface_name(part) + (which == "output"  ? ".out_proj"
                                   : which == "query" ? ".q_proj"
                                   : which == "key"   ? ".k_proj"
                                                      : ".v_proj");
}

LayerSource layer_source(ImportedWeights& weights, const ModelConfig& config) {
  const int64_t width = config.hidden_size;
  const int64_t inner = config.transformer_ff;
  return {.linear =
              [&weights, width, inner](const LayerPart& part, const std::string& which) {
                const int64_t out = which == "input" ? inner : width;
                const int64_t in =
                    part.sublayer == "feed_forward" && which == "output" ? inner : width;
                const auto name = linear_name(part, which);
                return LinearWeights{weights.consume(name + ".weight", {out, in}),
                                     weights.consume(name + ".bias", {out})};
              },
          .norm =
              [&weights, width](const LayerPart& part) {
                const auto name =
                    huggingface_name(part) +
                    (part.sublayer == "feed_forward" ? ".final_layer_norm" : "_layer_norm");
                return NormWeights{weights.consume(name + ".weight", {width}),
                                   weights.consume(name + ".bias", {width})};
              }};
}

/// Returns the first of `names` that exists in the file, because a tied matrix may be stored under
/// any of its names.
std::string find_first_name(const ImportedWeights& weights, const std::vector<std::string>& names) {
  for (const auto& name : names) {
    if (weights.has(name)) return name;
  }
  return names.front();  // consume() then reports this tensor as missing
}

ImportedEmbeddings read_embeddings(ImportedWeights& weights, const HuggingFaceConfig& config,
                                   const fs::path& folder) {
  const std::string shared = "model.shared.weight";
  const std::string encoder = "model.encoder.embed_tokens.weight";
  const std::string decoder = "model.decoder.embed_tokens.weight";
  const std::string output = "lm_head.weight";
  const int64_t width = config.config.model.hidden_size;
  ImportedEmbeddings result;
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
  result.bias = weights.has("final_logits_bias")
                    ? weights.consume("final_logits_bias", {config.target_size})
                    : torch::zeros({config.target_size});
  const auto target_file = folder / (config.shared ? "vocab.json" : "target_vocab.json");
  result.source_tokens = pad_to_size(read_json_vocabulary(folder / "vocab.json"),
                                     config.source_size, folder / "vocab.json");
  result.target_tokens =
      pad_to_size(read_json_vocabulary(target_file), config.target_size, target_file);
  return result;
}

/// Names the special tokens and adds a start token. The start token gets the embedding of the token
/// with which the decoder of the original model starts, usually the padding token.
void name_special_tokens(ImportedEmbeddings& embeddings, const HuggingFaceConfig& config,
                         TokenizerConfig& names) {
  const auto& tokens = embeddings.target_tokens;
  names.pad_token = tokens[static_cast<std::size_t>(config.pad)];
  names.eos_token = tokens[static_cast<std::size_t>(config.eos)];
  names.unk_token = "<unk>";
  names.bos_token = unused_name("<s>", embeddings.source_tokens, tokens);
  embeddings.append(names.bos_token, embeddings.target_or_source()[config.start].clone());
}

/// Throws ModelError if position tables in the file differ from those of Transformers, which have
/// sines in the first half and cosines in the second.
void check_positions(ImportedWeights& weights, const ModelConfig& config) {
  for (const char* stack : {"encoder", "decoder"}) {
    const std::string name = std::string("model.") + stack + ".embed_positions.weight";
    if (!weights.has(name)) continue;
    const auto table = weights.consume(name, {-1, config.hidden_size});
    // [positions, D / 2, 2]: a sine and a cosine for each frequency
    const auto alternating =
        sinusoidal_table(table.size(0), config.hidden_size).unflatten(1, {-1, 2});
    const auto expected = torch::cat({alternating.select(-1, 0), alternating.select(-1, 1)}, 1);
    constexpr double tolerance = 1e-3;
    if (!torch::allclose(table, expected, 0, tolerance))
      throw ModelError(weights.origin().string(),
                       "tensor '" + name + "' does not contain sinusoids",
                       "Only models with sinusoidal positions can be imported.");
  }
}

/// Returns the order that interleaves the two halves of the hidden vector: new dimension 2i is old
/// dimension i, and new dimension 2i + 1 is old dimension D/2 + i.
torch::Tensor alternating_order(int64_t width) {
  return torch::arange(width, torch::kInt64).view({2, width / 2}).t().reshape({width});
}

}  // namespace

Model import_huggingface(const fs::path& folder) {
  require_files(folder);
  const auto config = read_huggingface_config(folder);
  check_config_limits(config.config, folder / "config.json");
  ImportedWeights weights(read_safetensors(folder / safetensors_name).tensors,
                          folder / safetensors_name);
  ImportedModelParts parts{.origin = folder, .config = config.config};
  parts.config.tokenizer.kind = TokenizerKind::pieces;
  parts.sentencepiece = {folder / "source.spm", folder / "target.spm"};
  parts.embeddings = read_embeddings(weights, config, folder);
  name_special_tokens(parts.embeddings, config, parts.config.tokenizer);
  parts.weights = layer_weights(parts.config.model, layer_source(weights, parts.config.model));
  check_positions(weights, parts.config.model);
  weights.check_all_consumed();
  const auto order = alternating_order(parts.config.model.hidden_size);
  permute_hidden(parts.weights, order);
  for (auto* matrix :
       {&parts.embeddings.source, &parts.embeddings.target, &parts.embeddings.output}) {
    if (matrix->defined()) *matrix = matrix->index_select(1, order);
  }
  return Model(assemble_model(parts));
}

}  // namespace tfm
