// The tokens of a vocabulary that name languages: <2fr> in the sources of models that tfm trained
// with data.tags, __fr__ (M2M-100) and fra_Latn (NLLB-200) in imported models.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tfm/tokenizer/tokenizer.h"

namespace tfm {

// The fields that name the languages of sentences.
inline constexpr const char* source_language_field = "decoding.source_language";
inline constexpr const char* target_language_field = "decoding.target_language";

/// The two kinds of models with tags of languages.
enum class TagKind {
  target_in_source,  ///< <2fr>: the language to translate into
  language           ///< __fr__ or fra_Latn: the language of the text that follows or precedes it
};

/// Returns whether the piece is a tag of the kind.
bool is_language_tag(std::string_view piece, TagKind kind);

/// Returns whether the piece is a tag of the kind and names the language, which is given as in
/// find_language_tag.
bool is_tag_of_language(std::string_view piece, TagKind kind, const std::string& language);

/// Returns the code that a tag of either kind contains: fr for <2fr> and __fr__, fra_Latn for
/// fra_Latn. Returns another piece as it is.
std::string language_code_in_tag(const std::string& piece);

/// Returns the ids of all tags of a kind, in ascending order.
TokenIds list_language_tags(const Tokenizer& tokenizer, TagKind kind);

/// Finds the tag of a language among `tags`. The language is a tag, the code that the tag contains,
/// or another code that means the same language (fr, fra or fra_Latn). Throws ConfigError, with the
/// name of the config field, if there is none, or several that differ in their script; the error
/// lists those or, if there is none, the nearest tags.
TokenId find_language_tag(const Tokenizer& tokenizer, const TokenIds& tags,
                          const std::string& language, const std::string& field);

/// Returns the first tags of the list and the number of the others, for messages.
std::string describe_tags(const Tokenizer& tokenizer, const TokenIds& tags);

}  // namespace tfm
