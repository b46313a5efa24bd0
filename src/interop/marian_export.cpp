#include <fmt/format.h>
#include <sentencepiece_processor.h>
#include <yaml-cpp/yaml.h>

#include "export_fields.h"
#include "marian_config.h"
#include "marian_weights.h"
#include "sentencepiece_bytes.h"
#include "tfm/config/config_diff.h"
#include "tfm/core/error.h"
#include "tfm/core/log.h"
#include "tfm/interop/marian.h"
#include "tfm/interop/npz.h"
#include "tfm/model/model_folder.h"
#include "tfm/model/new_folder.h"
#include "tfm/tokenizer/sentencepiece_tokenizer.h"

namespace tfm {
namespace {

namespace fs = std::filesystem;

/// Returns the default config with the values of `own` in all fields that Marian can express or
/// that only training uses.
Config expressible_in_marian(const Config& own) {
  Config part = common_part(own);
  part.model.norm_epsilon = 1e-6;
  part.model.final_norm = own.model.final_norm;
  part.model.zero_start = true;
  const bool has_learned_positions = own.model.positions == Positions::learned;
  part.model.positions = has_learned_positions ? Positions::learned : Positions::sinusoidal_halves;
  part.model.embedding_scale = !has_learned_positions;
  const auto activation = own.model.activation;
  if (activation == Activation::relu || activation == Activation::silu)
    part.model.activation = activation;
  return part;
}

/// Returns a line if source and target have tables of positions that differ.
std::string position_problem(const StateDict& weights, const ModelConfig& config) {
  if (config.positions != Positions::learned) return "";
  const bool is_shared = torch::equal(weights.at("source_positions.learned.weight"),
                                      weights.at("target_positions.learned.weight"));
  return is_shared ? "" : "\n  model.positions: learned, but Marian has one table for both sides";
}

/// Returns a line for each special token that a list of words lacks under Marian's name.
std::string marian_token_problems(const TokenizerPair& tokenizers) {
  std::string problems;
  for (const auto& [side, tokenizer] :
       {std::pair{"source", tokenizers.source.get()}, {"target", tokenizers.target.get()}}) {
    const auto& special = tokenizer->special();
    for (const auto& [name, id, wanted] :
         {std::tuple{"eos", special.eos, "</s>"}, {"unk", special.unk, "<unk>"}}) {
      if (id < 0 || tokenizer->piece(id) != wanted)
        problems +=
            fmt::format("\n  tokenizer.{}_token: the {} vocabulary has no {}", name, side, wanted);
    }
  }
  return problems;
}

void check_expressible_in_marian(const TranslationModel& model, const StateDict& weights,
                                 const fs::path& origin) {
  std::string problems;
  const auto part = expressible_in_marian(model.config);
  for (const auto& [key, wanted, own] : diff_configs(part, model.config, concerns_export))
    problems += fmt::format("\n  {}: {}, but only {} is possible", key, own,
                            wanted.empty() ? "an empty value" : wanted);
  problems += position_problem(weights, model.config.model);
  problems += marian_token_problems(model.tokenizers);
  if (!problems.empty())
    throw ModelError(origin.string(), "Marian can't express this model:" + problems,
                     "Train a model with these values, or export this one to another toolkit.");
}

/// A vocabulary as a file of Marian: a SentencePiece model, or a list of words in YAML.
struct VocabularyFile {
  std::string ending;
  std::string content;
  std::int64_t rows = 0;  ///< number of tokens
  std::string pieces{};   ///< the SentencePiece model that segments text for a list
};

std::string word_list(const Tokenizer& tokenizer) {
  YAML::Emitter yaml;
  yaml << YAML::BeginMap;
  for (TokenId id = 0; id < tokenizer.size(); ++id)
    yaml << YAML::Key << YAML::DoubleQuoted << tokenizer.piece(id) << YAML::Value << id;
  yaml << YAML::EndMap;
  return yaml.c_str() + std::string("\n");
}

/// Returns the number of pieces of a SentencePiece model if the vocabulary consists of them, in
/// this order, and of special tokens that an import added; otherwise 0.
std::int64_t count_leading_pieces(const Tokenizer& tokenizer, const std::string& pieces) {
  sentencepiece::SentencePieceProcessor processor;
  if (!load_sentencepiece(pieces, processor)) return 0;
  const std::int64_t size = processor.GetPieceSize();
  if (size > tokenizer.size()) return 0;
  for (TokenId id = 0; id < size; ++id) {
    if (processor.IdToPiece(id) != tokenizer.piece(id)) return 0;
  }
  for (auto id = static_cast<TokenId>(size); id < tokenizer.size(); ++id) {
    if (!tokenizer.special().contains(id)) return 0;
  }
  return size;
}

VocabularyFile vocabulary_file(const Tokenizer& tokenizer, TokenizerKind kind,
                               const fs::path& near) {
  std::string pieces;
  if (kind != TokenizerKind::word) {
    pieces = sentencepiece_bytes(tokenizer, near);
    if (const auto rows = count_leading_pieces(tokenizer, pieces); rows > 0)
      return {.ending = ".spm", .content = std::move(pieces), .rows = rows};
  }
  return {".yml", word_list(tokenizer), tokenizer.size(), std::move(pieces)};
}

/// Writes the file, and the SentencePiece model beside a list. Returns the name of the file.
std::string write_vocabulary(const VocabularyFile& file, const fs::path& folder,
                             const std::string& stem) {
  write_file(folder / (stem + file.ending), file.content);
  if (!file.pieces.empty()) write_file(folder / (stem + ".spm"), file.pieces);
  return stem + file.ending;
}

torch::Tensor bytes_of(const std::string& text) {
  std::vector<std::int8_t> bytes(text.begin(), text.end());
  bytes.push_back(0);  // as Marian saves texts
  return torch::tensor(bytes, torch::kInt8);
}

}  // namespace

void export_marian(const TranslationModel& model, const fs::path& folder, const fs::path& origin,
                   const std::string& card) {
  const auto weights = state_dict(*model.network);
  check_expressible_in_marian(model, weights, origin);
  if (model.config.model.norm_order == NormOrder::pre)
    log_warn(
        "Marian translates with pre-norm models in another way than it trains and scores with "
        "them (docs/interop.md): its translations will differ from those of tfm");
  const NewFolder unfinished(folder);
  const auto& path = unfinished.path();
  const auto& config = model.config;
  const auto source = vocabulary_file(*model.tokenizers.source, config.tokenizer.kind, path);
  const auto target = vocabulary_file(*model.tokenizers.target, config.tokenizer.kind, path);
  const bool is_joint = source.content == target.content && source.pieces == target.pieces;
  std::vector<std::string> names{write_vocabulary(source, path, is_joint ? "vocab" : "source")};
  names.push_back(is_joint ? names.front() : write_vocabulary(target, path, "target"));
  auto arrays = marian_arrays(weights, config.model, {source.rows, target.rows});
  arrays["special:model.yml"] =
      bytes_of(write_marian_config({config.model, source.rows, target.rows}));
  write_npz(path / "model.npz", arrays);
  write_file(path / marian_decoder_file, write_decoder_config(config.decoding, names));
  write_file(path / "README.md", card);
  unfinished.commit();
}

}  // namespace tfm
