#include "tfm/tokenizer/vocab.h"

#include <algorithm>
#include <ranges>

#include "tfm/core/atomic_file.h"
#include "tfm/core/checksum.h"
#include "tfm/core/error.h"
#include "tfm/core/interrupt.h"
#include "tfm/core/line_reader.h"
#include "tfm/core/work_progress.h"
#include "tfm/text/utf8.h"
#include "tfm/text/words.h"

namespace tfm {
namespace {

using WordCount = std::pair<std::string, std::int64_t>;

std::string at_line(std::string_view file, std::size_t line) {
  return std::string(file) + ":" + std::to_string(line);
}

/// Returns the names of pad, bos, eos and unk in the config, without empty names.
std::vector<std::string> special_tokens(const TokenizerConfig& config) {
  std::vector<std::string> tokens{config.pad_token, config.bos_token, config.eos_token,
                                  config.unk_token};
  std::erase(tokens, "");
  return tokens;
}

/// Returns the words of the texts and their counts, by decreasing count, then by bytes. Shows the
/// progress, and throws Interrupted after a signal to stop.
std::vector<WordCount> count_words(const Texts& texts) {
  constexpr std::int64_t lines_between_checks = 1024;
  std::int64_t all = 0;
  for (const auto& text : texts) all += std::ssize(text);
  WorkProgress progress("learning the vocabulary", "line");
  std::int64_t done = 0;
  std::unordered_map<std::string, std::int64_t> counts;
  for (const std::string& line : texts | std::views::join) {
    for (const std::string_view word : split_words(line)) ++counts[std::string(word)];
    if (++done % lines_between_checks != 0) continue;
    throw_if_interrupted("the learning of the vocabulary");
    progress.show(done, static_cast<double>(done) / static_cast<double>(all));
  }
  std::vector<WordCount> words(counts.begin(), counts.end());
  std::ranges::sort(words, [](const WordCount& a, const WordCount& b) {
    return a.second != b.second ? a.second > b.second : a.first < b.first;
  });
  return words;
}

void check_token(const std::string& token, const std::string& where) {
  if (token.empty())
    throw DataError(where, "the token is empty",
                    "A vocabulary has one token per line and no empty lines.");
  if (token.find_first_of(whitespace) != std::string::npos) {
    throw DataError(where,
                    "the token '" + token + "' contains white space, which always separates words",
                    "Write one token per line.");
  }
}

}  // namespace

Vocab::Vocab(std::vector<std::string> tokens, const TokenizerConfig& names, std::string_view where)
    : tokens_(std::move(tokens)) {
  for (std::size_t i = 0; i < tokens_.size(); ++i) {
    check_token(tokens_[i], at_line(where, i + 1));
    const auto [earlier, added] = ids_.emplace(tokens_[i], static_cast<TokenId>(i));
    if (!added) {
      const auto line = std::to_string(earlier->second + 1);
      throw DataError(at_line(where, i + 1),
                      "the token '" + tokens_[i] + "' is already in line " + line,
                      "Remove one of the two.");
    }
  }
  special_ = {find(names.pad_token).value_or(-1), find(names.bos_token).value_or(-1),
              find(names.eos_token).value_or(-1), find(names.unk_token).value_or(-1)};
  if (special_.pad < 0) {
    throw DataError(where, "has no padding token '" + names.pad_token + "'",
                    "Add it on a separate line, or name the right token in tokenizer.pad_token.");
  }
}

Vocab Vocab::read(const std::filesystem::path& file, const TokenizerConfig& names) {
  LineReader reader(file);
  std::vector<std::string> tokens;
  for (std::string line; reader.next(line);) {
    if (invalid_utf8(line)) {
      throw DataError(at_line(file.string(), tokens.size() + 1), "is not valid UTF-8",
                      "A word vocabulary is a text file; a SentencePiece model needs "
                      "tokenizer.kind: sentencepiece.");
    }
    tokens.push_back(std::move(line));
  }
  return Vocab(std::move(tokens), names, file.string());
}

Vocab Vocab::build(const Texts& texts, const TokenizerConfig& config) {
  std::vector<std::string> tokens = special_tokens(config);
  const auto specials = tokens;
  for (const auto& [word, count] : count_words(texts)) {
    if (count < config.min_count || std::ssize(tokens) >= config.vocab_size) break;
    if (std::ranges::find(specials, word) == specials.end()) tokens.push_back(word);
  }
  return Vocab(std::move(tokens), config);
}

void Vocab::write(const std::filesystem::path& file) const {
  std::string lines;
  for (const std::string& token : tokens_) lines.append(token).append("\n");
  write_file(file, lines);
}

std::uint32_t Vocab::checksum() const {
  Crc32 sum;
  for (const std::string& token : tokens_) sum.add(token + "\n");
  for (const TokenId id : {special_.pad, special_.bos, special_.eos, special_.unk})
    sum.add(std::to_string(id) + "\n");
  return sum.value();
}

std::optional<TokenId> Vocab::find(std::string_view token) const {
  const auto found = ids_.find(std::string(token));
  return found == ids_.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace tfm
