#include "tfm/translate/translated_pairs.h"

#include <string>

#include "tfm/model/model_files.h"
#include "tfm/model/model_folder.h"
#include "tfm/text/language_codes.h"
#include "tfm/tokenizer/language_tags.h"
#include "tfm/tokenizer/required_piece.h"

namespace tfm {
namespace {

/// The tags of one side, with the short codes of their languages.
struct TaggedLanguages {
  std::vector<std::string> tags;
  std::vector<std::string> codes;
};

/// Returns all languages of a vocabulary. If one is named, removes the others.
TaggedLanguages list_languages(const Tokenizer& tokenizer, const std::string& named,
                               const std::string& field) {
  const auto ids = list_language_tags(tokenizer, TagKind::language);
  TaggedLanguages all;
  std::vector<std::string> codes;
  for (const TokenId id : ids) {
    all.tags.push_back(tokenizer.piece(id));
    codes.push_back(language_code_in_tag(all.tags.back()));
  }
  all.codes = short_language_codes(codes);
  if (named.empty()) return all;
  const auto wanted = find_language_tag(tokenizer, ids, named, field);
  const auto place = static_cast<std::size_t>(std::ranges::find(ids, wanted) - ids.begin());
  return {{all.tags[place]}, {all.codes[place]}};
}

}  // namespace

std::vector<TaggedPair> list_translated_pairs(const TranslationModel& model,
                                              const LanguagePair& only) {
  const auto& [source, target] = model.tokenizers;
  const auto& config = model.config;
  if (config.data.language_tags == LanguageTags::none) {
    auto pairs = resolve_tagged_pairs(config, model.folder / config_file);
    for (const auto& [languages, tags] : pairs) require_piece(*source, tags.source, tags_field);
    return pairs;
  }
  const auto sources = list_languages(*source, only.source, source_language_field);
  const auto targets = list_languages(*target, only.target, target_language_field);
  std::vector<TaggedPair> pairs;
  for (std::size_t i = 0; i < sources.tags.size(); ++i) {
    for (std::size_t j = 0; j < targets.tags.size(); ++j) {
      if (sources.tags[i] != targets.tags[j])
        pairs.push_back({{sources.codes[i], targets.codes[j]}, {sources.tags[i], targets.tags[j]}});
    }
  }
  return pairs;
}

DecodingConfig with_tags(DecodingConfig decoding, const SentenceTags& tags) {
  if (!tags.target.empty()) {
    decoding.source_language = tags.source;
    decoding.target_language = tags.target;
  } else if (!tags.source.empty()) {
    decoding.source_tag = tags.source;
  }
  return decoding;
}

}  // namespace tfm
