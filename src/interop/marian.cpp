#include "tfm/interop/marian.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>

#include "assemble_model.h"
#include "imported_vocabulary.h"
#include "marian_weights.h"
#include "tfm/core/error.h"
#include "tfm/core/log.h"
#include "tfm/interop/npz.h"

namespace tfm {
namespace {

namespace fs = std::filesystem;

constexpr const char* options_name = "special:model.yml";

/// Returns the .npz file that a folder or file name refers to.
fs::path model_file(const fs::path& named) {
  if (!fs::is_directory(named)) return named;
  std::vector<fs::path> found;
  for (const auto& entry : fs::directory_iterator(named)) {
    if (entry.path().extension() == ".npz") found.push_back(entry.path());
  }
  if (found.size() == 1) return found.front();
  if (fs::exists(named / "model.npz")) return named / "model.npz";
  throw ModelError(named.string(),
                   "holds " + std::to_string(found.size()) + " .npz files and no model.npz",
                   "Name the .npz file.");
}

bool is_sentencepiece(const fs::path& file) {
  return file.extension() == ".spm" || file.extension() == ".model";
}

void check_vocabularies(const MarianFiles& files) {
  const auto one_or_two = [](const std::vector<fs::path>& named) {
    return named.size() == 1 || named.size() == 2;
  };
  if (!one_or_two(files.vocabularies))
    throw ConfigError("--vocab", "one or two vocabularies are needed",
                      "Name the source vocabulary, then the target vocabulary.");
  const auto of_pieces = std::ranges::count_if(files.vocabularies, is_sentencepiece);
  if (of_pieces != 0 && of_pieces != std::ssize(files.vocabularies)) {
    throw ConfigError("--vocab", "one file is a SentencePiece model and the other is a list",
                      "Name two of one kind.");
  }
  if (files.sentencepiece.empty()) return;
  if (of_pieces != 0)
    throw ConfigError("--sentencepiece", "the vocabularies are SentencePiece models already",
                      "Remove --sentencepiece.");
  if (!one_or_two(files.sentencepiece))
    throw ConfigError("--sentencepiece", "one or two models are needed",
                      "Name the source model, then the target model.");
}

/// Returns the options of Marian's decoder that the path names, if it names any.
std::optional<fs::path> decoder_file(const fs::path& named) {
  if (named.extension() == ".yml") return named;
  const auto file = named / marian_decoder_file;
  return fs::exists(file) ? std::optional(file) : std::nullopt;
}

/// Returns the SentencePiece models beside lists, if they exist: NAME.spm for NAME.yml, or
/// source.spm and target.spm, as in the folders of OPUS-MT.
std::vector<fs::path> pieces_beside(const std::vector<fs::path>& lists) {
  const auto all_exist = [](const std::vector<fs::path>& files) {
    return std::ranges::all_of(files, [](const fs::path& file) { return fs::exists(file); });
  };
  std::vector<fs::path> same_names = lists;
  for (auto& file : same_names) file.replace_extension(".spm");
  if (all_exist(same_names)) return same_names;
  const auto folder = lists.front().parent_path();
  const std::vector<fs::path> sides{folder / "source.spm", folder / "target.spm"};
  return all_exist(sides) ? sides : std::vector<fs::path>{};
}

/// Names the files that the decoder's options name, unless the vocabularies are given, and returns
/// the search that they describe.
DecodingConfig complete(MarianFiles& files) {
  const auto file = decoder_file(files.model);
  if (!file) return {};
  auto config = read_decoder_config(*file);
  if (config.models.size() > 1)
    throw ModelError(file->string(), fmt::format("names {} models", config.models.size()),
                     "Import each by itself: name its .npz file and, with --vocab, its "
                     "vocabularies.");
  Config limited;
  limited.decoding = config.decoding;
  check_config_limits(limited, *file);
  if (!config.unused.empty())
    log_warn("{}: tfm has no counterpart of {}; its translations can differ from Marian's",
             file->string(), fmt::join(config.unused, ", "));
  files.model = config.models.empty() ? file->parent_path() : config.models.front();
  if (!files.vocabularies.empty() || config.vocabularies.empty()) return config.decoding;
  const auto [repeated, end] = std::ranges::unique(config.vocabularies);
  config.vocabularies.erase(repeated, end);
  files.vocabularies = std::move(config.vocabularies);
  if (files.sentencepiece.empty() && std::ranges::none_of(files.vocabularies, is_sentencepiece))
    files.sentencepiece = pieces_beside(files.vocabularies);
  return config.decoding;
}

std::vector<std::string> read_tokens(const fs::path& file, std::int64_t size) {
  auto tokens = is_sentencepiece(file)        ? read_sentencepiece_vocabulary(file)
                : file.extension() == ".json" ? read_json_vocabulary(file)
                                              : read_yaml_vocabulary(file);
  if (!is_sentencepiece(file)) truncate_to_size(tokens, size, file);
  for (const char* token : {"</s>", "<unk>"}) require_token(tokens, token, file);
  return pad_to_size(std::move(tokens), size, file);
}

MarianConfig take_config(StateDict& tensors, const fs::path& file) {
  const auto found = tensors.find(options_name);
  if (found == tensors.end() || found->second.element_size() != 1) {
    throw ModelError(file.string(), std::string("holds no ") + options_name,
                     "Give a model file that Marian saved.");
  }
  const auto bytes = found->second.contiguous();
  std::string yaml(static_cast<const char*>(bytes.data_ptr()),
                   static_cast<std::size_t>(bytes.numel()));
  yaml.resize(std::min(yaml.find('\0'), yaml.size()));  // Marian saves the terminating zero too
  tensors.erase(options_name);
  return parse_marian_config(yaml, file);
}

/// Sets the kind of positions and the fields that depend on it. Marian scales embeddings only if
/// positions are sinusoidal.
void read_positions(const StateDict& tensors, const fs::path& file, ModelConfig& model,
                    DataConfig& data) {
  const auto learned = tensors.find(marian_positions);
  if (learned == tensors.end()) {
    model.positions = Positions::sinusoidal_halves;
    return;
  }
  if (learned->second.dim() < 2)
    throw ModelError(file.string(),
                     std::string("tensor '") + marian_positions + "' is not a matrix");
  model.positions = Positions::learned;
  model.embedding_scale = false;
  model.max_positions = learned->second.size(-2);
  data.max_length = std::min(data.max_length, model.max_positions);
}

void name_special_tokens(ImportedEmbeddings& embeddings, TokenizerConfig& names) {
  names.eos_token = "</s>";
  names.unk_token = "<unk>";
  names.pad_token = unused_name("<pad>", embeddings.source_tokens, embeddings.target_tokens);
  names.bos_token = unused_name("<s>", embeddings.source_tokens, embeddings.target_tokens);
  const auto zero = torch::zeros({embeddings.source.size(1)});
  embeddings.append(names.pad_token, zero);
  embeddings.append(names.bos_token, zero);
}

}  // namespace

Model import_marian(const MarianFiles& named) {
  auto files = named;
  const auto decoding = complete(files);
  check_vocabularies(files);
  const auto file = model_file(files.model);
  auto tensors = read_npz(file);
  auto config = take_config(tensors, file);
  ImportedModelParts parts{.origin = file};
  parts.config.decoding = decoding;
  read_positions(tensors, file, config.model, parts.config.data);
  config.model.zero_start = true;
  parts.config.model = config.model;
  check_config_limits(parts.config, file);
  ImportedWeights weights(std::move(tensors), file);
  parts.weights = marian_layers(weights, config.model);
  parts.embeddings = marian_embeddings(weights, config);
  weights.check_all_consumed();
  parts.embeddings.source_tokens = read_tokens(files.vocabularies.front(), config.source_size);
  const bool one_list = files.vocabularies.size() == 1 && config.source_size == config.target_size;
  parts.embeddings.target_tokens = one_list
                                       ? parts.embeddings.source_tokens
                                       : read_tokens(files.vocabularies.back(), config.target_size);
  name_special_tokens(parts.embeddings, parts.config.tokenizer);
  parts.sentencepiece =
      is_sentencepiece(files.vocabularies.front()) ? files.vocabularies : files.sentencepiece;
  parts.config.tokenizer.kind =
      parts.sentencepiece.empty() ? TokenizerKind::word : TokenizerKind::pieces;
  return Model(assemble_model(parts));
}

}  // namespace tfm
