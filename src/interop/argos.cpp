#include "tfm/interop/argos.h"

#include <fmt/format.h>
#include <sentencepiece_processor.h>

#include <algorithm>
#include <optional>

#include "ctranslate2_folder.h"
#include "sentencepiece_bytes.h"
#include "tfm/config/choices.h"
#include "tfm/core/atomic_file.h"
#include "tfm/core/error.h"
#include "tfm/core/zip_file.h"
#include "tfm/data/language_pair.h"
#include "tfm/data/tagged_pairs.h"
#include "tfm/model/model_folder.h"
#include "tfm/text/words.h"
#include "tfm/tokenizer/sentencepiece_tokenizer.h"

namespace tfm {
namespace {

namespace fs = std::filesystem;

/// Returns the text that Argos Translate makes of a piece, without spaces at its ends.
std::string joined_by_argos(const sentencepiece::SentencePieceProcessor& processor,
                            const std::string& piece) {
  std::string text;
  if (!processor.Decode(std::vector{piece}, &text).ok()) return "";
  constexpr std::string_view space = "\u2581";
  for (auto at = text.find(space); at != std::string::npos; at = text.find(space, at))
    text.replace(at, space.size(), " ");
  return std::string(trim(text, " "));
}

/// Returns the first piece of the target that Argos Translate would turn into another text than tfm
/// does, because it joins pieces with the source's SentencePiece model.
std::optional<std::string> find_misread_piece(const TokenizerPair& tokenizers,
                                              const std::string& source_model) {
  sentencepiece::SentencePieceProcessor processor;
  if (!load_sentencepiece(source_model, processor)) return std::nullopt;
  const auto& target = *tokenizers.target;
  for (TokenId id = 0; id < target.size(); ++id) {
    if (target.special().contains(id)) continue;
    const auto expected = target.decode(std::vector{id});
    if (joined_by_argos(processor, target.piece(id)) != trim(expected, " "))
      return target.piece(id);
  }
  return std::nullopt;
}

/// Returns a line if sentences of the package's languages begin with a tag, which Argos Translate
/// does not add.
std::string tag_problem(const Config& config, const fs::path& file) {
  if (config.data.tags.empty()) return "";
  const auto wanted = require_languages(config.data, file);
  for (const auto& [languages, tags] : resolve_tagged_pairs(config, file)) {
    if (languages == wanted && !tags.source.empty())
      return fmt::format("\n  data.tags: sentences from {} to {} begin with {}", wanted.source,
                         wanted.target, tags.source);
  }
  return "";
}

void check_usable_by_argos(const TranslationModel& model, const fs::path& origin) {
  const auto& config = model.config;
  if (config.tokenizer.kind == TokenizerKind::word)
    throw ModelError(origin.string(),
                     "Argos Translate can't use this model:\n  tokenizer.kind: word",
                     "Train a model with tokenizer.kind: sentencepiece, or export this one with "
                     "--format ctranslate2.");
  std::string problems;
  for (const auto& [field, value] : {std::pair("source_tag", config.decoding.source_tag),
                                     {"target_language", config.decoding.target_language},
                                     {"target_prefix", config.decoding.target_prefix}}) {
    if (!value.empty()) problems += fmt::format("\n  decoding.{}: {}", field, value);
  }
  if (const auto tags = config.data.language_tags; tags != LanguageTags::none)
    problems += fmt::format("\n  data.language_tags: {}", choice_name(tags));
  problems += tag_problem(config, description_folder(origin) / config_file);
  if (!problems.empty())
    throw ModelError(origin.string(), "Argos Translate can't use this model:" + problems,
                     "Train a model for one pair of languages, or export this one with --format "
                     "ctranslate2.");
}

std::string metadata(const LanguagePair& languages) {
  // package_version is that of the model; argos_version is that of Argos Translate.
  const nlohmann::json document{{"package_version", "1.0"},
                                {"argos_version", "1.9"},
                                {"type", "translate"},
                                {"from_code", languages.source},
                                {"from_name", language_name(languages.source)},
                                {"to_code", languages.target},
                                {"to_name", language_name(languages.target)}};
  return document.dump(2, ' ', /*ensure_ascii=*/true) + "\n";
}

}  // namespace

void export_argos(const TranslationModel& model, const fs::path& file, const fs::path& origin,
                  const std::string& card) {
  check_usable_by_argos(model, origin);
  const auto languages =
      require_languages(model.config.data, description_folder(origin) / config_file);
  auto parts = ctranslate2_parts(model, origin);
  exclude_special_tokens(parts.variables, *model.tokenizers.target);
  if (fs::exists(file))
    throw ModelError(file.string(), "already exists", "Name another file, or remove it.");
  const auto pieces = sentencepiece_bytes(*model.tokenizers.source, file);
  if (const auto piece = find_misread_piece(model.tokenizers, pieces))
    throw ModelError(origin.string(),
                     fmt::format("Argos Translate can't use this model: its SentencePiece model of "
                                 "the source misreads '{}' of the target",
                                 *piece),
                     "Train a model with tokenizer.joint, or export this one with --format "
                     "ctranslate2.");
  const ScratchFolder scratch(file);
  write_ctranslate2_folder(parts, model.tokenizers, scratch.path());
  const auto top = fmt::format("tfm-{}_{}", languages.source, languages.target);
  ZipFile zip(file);
  zip.add(top + "/metadata.json", metadata(languages));
  zip.add(top + "/README.md", card);
  zip.add(top + "/sentencepiece.model", pieces);
  zip.add_folder(top + "/model", scratch.path());
  zip.commit();
}

}  // namespace tfm
