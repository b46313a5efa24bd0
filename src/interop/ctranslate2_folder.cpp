#include "ctranslate2_folder.h"

#include "ctranslate2_file.h"
#include "json_file.h"
#include "tfm/core/error.h"
#include "tfm/interop/ctranslate2.h"
#include "tfm/model/model_folder.h"
#include "tfm/model/new_folder.h"

namespace tfm {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr const char* binary_file = "model.bin";

json list_pieces(const Tokenizer& tokenizer) {
  json pieces = json::array();
  for (TokenId id = 0; id < tokenizer.size(); ++id) pieces.push_back(tokenizer.piece(id));
  return pieces;
}

void write_vocabularies(const TokenizerPair& tokenizers, const fs::path& folder) {
  const auto source = list_pieces(*tokenizers.source);
  const auto target = list_pieces(*tokenizers.target);
  if (source == target) return write_json(folder / "shared_vocabulary.json", source);
  write_json(folder / "source_vocabulary.json", source);
  write_json(folder / "target_vocabulary.json", target);
}

/// Returns the spelling of a special token of the target vocabulary. Throws ModelError if the
/// source vocabulary spells that token differently, because CTranslate2 has one name for both.
std::string common_piece(const TokenizerPair& tokenizers, TokenId SpecialTokens::* which,
                         const char* field) {
  const auto& [source, target] = tokenizers;
  const std::string piece = target->piece(target->special().*which);
  const TokenId in_source = source->special().*which;
  if (in_source >= 0 && source->piece(in_source) != piece) {
    throw ModelError(field,
                     "is '" + source->piece(in_source) + "' in the source vocabulary and '" +
                         piece + "' in the target vocabulary",
                     "CTranslate2 has one name for both; train with vocabularies that agree.");
  }
  return piece;
}

json make_config_json(const TranslationModel& model) {
  const auto bos = common_piece(model.tokenizers, &SpecialTokens::bos, "tokenizer.bos_token");
  return {{"add_source_bos", false},
          {"add_source_eos", model.config.data.source_eos},
          {"bos_token", bos},
          {"decoder_start_token", bos},
          {"eos_token", common_piece(model.tokenizers, &SpecialTokens::eos, "tokenizer.eos_token")},
          {"unk_token", common_piece(model.tokenizers, &SpecialTokens::unk, "tokenizer.unk_token")},
          {"layer_norm_epsilon", model.config.model.norm_epsilon},
          {"multi_query_attention", false}};
}

}  // namespace

CTranslate2Parts ctranslate2_parts(const TranslationModel& model, const fs::path& origin) {
  return {ctranslate2_variables(model, origin), make_config_json(model)};
}

void write_ctranslate2_folder(const CTranslate2Parts& parts, const TokenizerPair& tokenizers,
                              const fs::path& folder) {
  write_vocabularies(tokenizers, folder);
  write_json(folder / "config.json", parts.config);
  write_ctranslate2_file(folder / binary_file, parts.variables);
}

void export_ctranslate2(const TranslationModel& model, const fs::path& folder,
                        const fs::path& origin, const std::string& card) {
  const auto parts = ctranslate2_parts(model, origin);
  const NewFolder unfinished(folder);
  write_file(unfinished.path() / "README.md", card);
  save_tokenizers(model.tokenizers, unfinished.path());
  write_ctranslate2_folder(parts, model.tokenizers, unfinished.path());
  unfinished.commit();
}

}  // namespace tfm
