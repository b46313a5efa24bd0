#include "fairseq_vocabulary.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>

#include "imported_vocabulary.h"
#include "json_file.h"
#include "tfm/core/error.h"
#include "tfm/text/words.h"
#include "tfm/tokenizer/language_tags.h"

namespace tfm {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

/// The languages of M2M-100 in the order of their ids. Its folders may leave them out, because its
/// tokenizer in Transformers knows them.
constexpr std::string_view m2m100_languages =
    "af am ar ast az ba be bg bn br bs ca ceb cs cy da de el en es et fa ff fi fr fy ga gd gl gu "
    "ha "
    "he hi hr ht hu hy id ig ilo is it ja jv ka kk km kn ko lb lg ln lo lt lv mg mk ml mn mr ms my "
    "ne nl no ns oc or pa pl ps pt ro ru sd si sk sl so sq sr ss su sv sw ta th tl tn tr uk ur uz "
    "vi wo xh yi yo zh zu";

/// Returns a token that a file spells as a text or as an object with a `content`.
std::string spelling(const json& token) {
  return token.is_object() ? token.at("content").get<std::string>() : token.get<std::string>();
}

/// Returns the pieces with the ids that they have in the model.
std::vector<std::string> read_pieces(const fs::path& folder) {
  if (fs::exists(folder / "vocab.json")) return read_json_vocabulary(folder / "vocab.json");
  auto pieces = read_sentencepiece_vocabulary(folder / fairseq_sentencepiece);
  // fairseq has four tokens of its own in place of the first three: <unk>, <s> and </s>.
  constexpr std::ptrdiff_t replaced = 3;
  if (std::ssize(pieces) < replaced)
    throw ModelError((folder / fairseq_sentencepiece).string(), "has too few pieces",
                     "Use another copy.");
  std::vector<std::string> tokens{"<s>", "<pad>", "</s>", "<unk>"};
  tokens.insert(tokens.end(), pieces.begin() + replaced, pieces.end());
  return tokens;
}

/// Puts a token at its id. The ids between the end of the list and a new token stay unused.
void place(std::vector<std::string>& tokens, std::int64_t id, const std::string& token) {
  constexpr std::int64_t largest = 10'000'000;
  if (id < 0 || id >= largest) return;
  const auto at = static_cast<std::size_t>(id);
  for (std::size_t next = tokens.size(); next <= at; ++next)
    tokens.push_back(fmt::format("<unused-{}>", next));
  tokens[at] = token;
}

/// Returns the number that a text spells, or -1.
std::int64_t to_id(const std::string& text) {
  std::int64_t id = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), id);
  return error == std::errc() && end == text.data() + text.size() ? id : -1;
}

/// Adds the tokens that tokenizer.json or tokenizer_config.json list with their ids.
void add_numbered(std::vector<std::string>& tokens, const fs::path& folder) {
  const auto tokenizer = read_optional_object(folder / "tokenizer.json");
  for (const auto& token : tokenizer.value("added_tokens", json::array()))
    place(tokens, token.at("id").get<std::int64_t>(), spelling(token));
  const auto config = read_optional_object(folder / "tokenizer_config.json");
  const auto decoder = config.value("added_tokens_decoder", json::object());
  for (const auto& [id, token] : decoder.items()) place(tokens, to_id(id), spelling(token));
}

bool has_language_tags(const std::vector<std::string>& tokens) {
  return std::ranges::any_of(
      tokens, [](const auto& token) { return is_language_tag(token, TagKind::language); });
}

/// Adds the tags that special_tokens_map.json lists in the order of their ids.
void add_in_order(std::vector<std::string>& tokens, const fs::path& folder) {
  const auto map = read_optional_object(folder / "special_tokens_map.json");
  for (const auto& token : map.value("additional_special_tokens", json::array()))
    tokens.push_back(spelling(token));
}

/// Adds the tags of M2M-100 if the tokenizer is said to have them.
void add_known(std::vector<std::string>& tokens, const fs::path& folder) {
  const auto config = read_optional_object(folder / "tokenizer_config.json");
  if (config.value("tokenizer_class", "") != "M2M100Tokenizer" ||
      config.value("language_codes", "m2m100") != "m2m100")
    return;
  for (const auto code : split_words(m2m100_languages))
    tokens.push_back(fmt::format("__{}__", code));
}

/// Adds the tags from the first source that has them.
void add_language_tags(std::vector<std::string>& tokens, const fs::path& folder) {
  const auto pieces = tokens;
  for (const auto add : {add_numbered, add_in_order, add_known}) {
    tokens = pieces;
    add(tokens, folder);
    if (has_language_tags(tokens)) return;
  }
  throw ModelError(folder.string(), "does not name the languages of the model",
                   "Copy special_tokens_map.json, tokenizer_config.json and tokenizer.json into "
                   "the folder.");
}

void read_settings(FairseqVocabulary& vocabulary, const fs::path& folder) {
  const auto config = read_optional_object(folder / "tokenizer_config.json");
  if (config.value("legacy_behaviour", false)) vocabulary.language_tags = LanguageTags::after_eos;
  vocabulary.source_language = text_field(config, "src_lang");
  vocabulary.target_language = text_field(config, "tgt_lang");
}

}  // namespace

FairseqVocabulary read_fairseq_vocabulary(const fs::path& folder) {
  FairseqVocabulary vocabulary{.tokens = read_pieces(folder)};
  try {
    add_language_tags(vocabulary.tokens, folder);
    read_settings(vocabulary, folder);
  } catch (const json::exception& error) {
    throw ModelError(folder.string(),
                     fmt::format("has a tokenizer that can't be read: {}", error.what()),
                     "It may be corrupt. Use another copy.");
  }
  return vocabulary;
}

}  // namespace tfm
