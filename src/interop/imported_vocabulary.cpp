#include "imported_vocabulary.h"

#include <sentencepiece_processor.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <unordered_set>

#include "tfm/core/atomic_file.h"
#include "tfm/core/error.h"
#include "tfm/core/log.h"
#include "tfm/text/utf8.h"
#include "tfm/text/words.h"
#include "tfm/tokenizer/sentencepiece_tokenizer.h"

namespace tfm {
namespace {

namespace fs = std::filesystem;
using Entries = std::vector<std::pair<std::string, std::int64_t>>;

constexpr const char* what_it_is = "A vocabulary maps each token to its id.";

std::string unused(std::size_t id) { return "<unused-" + std::to_string(id) + ">"; }

/// Replaces each token that a word list cannot contain, and each repeated token, by a placeholder.
void replace_impossible(std::vector<std::string>& tokens) {
  std::unordered_set<std::string> seen;
  for (std::size_t id = 0; id < tokens.size(); ++id) {
    auto& token = tokens[id];
    const bool possible = !token.empty() && token.find_first_of(whitespace) == std::string::npos &&
                          !invalid_utf8(token);
    if (!possible || seen.contains(token)) token = unused(id);
    seen.insert(token);
  }
}

std::vector<std::string> by_id(const Entries& entries, const fs::path& file) {
  std::int64_t size = 0;
  constexpr std::int64_t largest = 10'000'000;
  for (const auto& [token, id] : entries) {
    if (id < 0 || id >= largest)
      throw ModelError(file.string(), "gives '" + token + "' the id " + std::to_string(id),
                       what_it_is);
    size = std::max(size, id + 1);
  }
  if (size == 0) throw ModelError(file.string(), "has no tokens", what_it_is);
  std::vector<std::string> tokens(static_cast<std::size_t>(size));
  for (const auto& [token, id] : entries) {
    auto& place = tokens[static_cast<std::size_t>(id)];
    if (!place.empty()) {
      throw ModelError(
          file.string(),
          "gives '" + place + "' and '" + token + "' the same id " + std::to_string(id),
          what_it_is);
    }
    place = token;
  }
  replace_impossible(tokens);
  return tokens;
}

}  // namespace

std::vector<std::string> read_json_vocabulary(const fs::path& file) {
  const auto document = nlohmann::json::parse(read_file(file), nullptr, /*allow_exceptions=*/false);
  if (!document.is_object()) throw ModelError(file.string(), "is not a JSON object", what_it_is);
  Entries entries;
  for (const auto& [token, id] : document.items()) {
    if (!id.is_number_integer())
      throw ModelError(file.string(), "does not map '" + token + "' to a number", what_it_is);
    entries.emplace_back(token, id.get<std::int64_t>());
  }
  return by_id(entries, file);
}

std::vector<std::string> read_yaml_vocabulary(const fs::path& file) {
  Entries entries;
  try {
    const auto document = YAML::Load(read_file(file));
    if (!document.IsMap()) throw ModelError(file.string(), "is not a YAML map", what_it_is);
    for (const auto& entry : document)
      entries.emplace_back(entry.first.as<std::string>(), entry.second.as<std::int64_t>());
  } catch (const YAML::Exception& error) {
    throw ModelError(file.string() + ":" + std::to_string(error.mark.line + 1), error.msg,
                     what_it_is);
  }
  return by_id(entries, file);
}

std::vector<std::string> read_sentencepiece_vocabulary(const fs::path& file) {
  sentencepiece::SentencePieceProcessor processor;
  const auto bytes = read_file(file);
  if (!load_sentencepiece(bytes, processor))
    throw ModelError(file.string(), "is not a SentencePiece model", "Use another copy.");
  std::vector<std::string> tokens;
  for (int id = 0; id < processor.GetPieceSize(); ++id) tokens.push_back(processor.IdToPiece(id));
  replace_impossible(tokens);
  return tokens;
}

std::vector<std::string> pad_to_size(std::vector<std::string> tokens, std::int64_t size,
                                     const fs::path& file) {
  if (std::ssize(tokens) > size) {
    throw ModelError(file.string(),
                     "has ids up to " + std::to_string(tokens.size() - 1) +
                         ", but the model has only " + std::to_string(size) + " tokens",
                     "Name the vocabulary that the model was trained with.");
  }
  while (std::ssize(tokens) < size) tokens.push_back(unused(tokens.size()));
  return tokens;
}

void truncate_to_size(std::vector<std::string>& tokens, std::int64_t size, const fs::path& file) {
  if (std::ssize(tokens) <= size) return;
  log_warn(
      "{}: has ids up to {}, but the model has only {} tokens; the others are ignored, as in "
      "Marian",
      file.string(), tokens.size() - 1, size);
  tokens.resize(static_cast<std::size_t>(size));
}

std::string unused_name(std::string wanted, const std::vector<std::string>& first,
                        const std::vector<std::string>& second) {
  const auto taken = [&](const std::vector<std::string>& tokens) {
    return std::ranges::find(tokens, wanted) != tokens.end();
  };
  while (taken(first) || taken(second)) wanted.insert(wanted.end() - 1, '_');
  return wanted;
}

void require_token(const std::vector<std::string>& tokens, const std::string& token,
                   const fs::path& file) {
  if (std::ranges::find(tokens, token) == tokens.end()) {
    throw ModelError(file.string(), "has no token '" + token + "'",
                     "A vocabulary without it can't be imported.");
  }
}

}  // namespace tfm
