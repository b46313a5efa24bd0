#include "tfm/translate/sentence_frame.h"

#include <fmt/format.h>

#include "tfm/core/error.h"
#include "tfm/data/language_pair.h"
#include "tfm/model/model_folder.h"
#include "tfm/tokenizer/language_tags.h"
#include "tfm/tokenizer/required_piece.h"

namespace tfm {
namespace {

/// Returns the tag of a language that must be named. `side` is "from" or "to".
TokenId require_language(const Tokenizer& tokenizer, const TokenIds& tags,
                         const std::string& language, const std::string& side) {
  const char* field = side == "from" ? source_language_field : target_language_field;
  if (!language.empty()) return find_language_tag(tokenizer, tags, language, field);
  throw ConfigError(field, fmt::format("is empty, but the model has {} languages", tags.size()),
                    fmt::format("Name it with --{}: {}.", side, describe_tags(tokenizer, tags)));
}

/// Checks the languages that are named for a model of one pair.
void require_pair(const LanguagePair& pair, const DecodingConfig& decoding) {
  const auto require = [](const char* field, const std::string& named, const std::string& known) {
    if (named.empty() || named == known) return;
    throw ConfigError(field,
                      known.empty() ? "the model has no tags of languages, and does not say its own"
                                    : fmt::format("the language of the model is {}", known),
                      "Leave out --from and --to: the model translates one pair of languages. Or "
                      "name a tag that it was trained with by --source-tag.");
  };
  require(source_language_field, decoding.source_language, pair.source);
  require(target_language_field, decoding.target_language, pair.target);
}

/// Returns the first token of a source for a model without data.language_tags.
std::optional<TokenId> find_source_tag(const Tokenizer& source, const DataConfig& data,
                                       const DecodingConfig& decoding) {
  if (decoding.source_language.empty() && decoding.target_language.empty())
    return require_piece(source, decoding.source_tag, source_tag_field);
  const auto tags = list_language_tags(source, TagKind::target_in_source);
  if (!tags.empty() && !decoding.target_language.empty())
    return find_language_tag(source, tags, decoding.target_language, target_language_field);
  if (tags.empty()) require_pair(resolve_languages(data), decoding);
  return require_piece(source, decoding.source_tag, source_tag_field);
}

}  // namespace

SentenceFrame::SentenceFrame(const TranslationModel& model, const DecodingConfig& decoding)
    : tag_after_eos_(model.config.data.language_tags == LanguageTags::after_eos) {
  const auto& source = *model.tokenizers.source;
  const auto& target = *model.tokenizers.target;
  if (model.config.data.source_eos) eos_ = source.special().eos;
  if (model.config.data.language_tags == LanguageTags::none) {
    source_tag_ = find_source_tag(source, model.config.data, decoding);
    return;
  }
  source_tag_ = require_language(source, list_language_tags(source, TagKind::language),
                                 decoding.source_language, "from");
  target_tags_ = list_language_tags(target, TagKind::language);
  target_tag_ = require_language(target, target_tags_, decoding.target_language, "to");
}

FramedSource SentenceFrame::add_to(TokenIds text, std::optional<TokenId> source_tag) const {
  FramedSource framed{std::move(text), 0, 0};
  if (source_tag && !tag_after_eos_) {
    framed.ids.insert(framed.ids.begin(), *source_tag);
    framed.text_begin = 1;
  }
  framed.text_end = framed.ids.size();
  if (eos_) framed.ids.push_back(*eos_);
  if (source_tag && tag_after_eos_) framed.ids.push_back(*source_tag);
  return framed;
}

}  // namespace tfm
