#include "tfm/translate/line_warnings.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "tfm/core/log.h"
#include "tfm/text/line_breaks.h"
#include "tfm/text/utf8.h"

namespace tfm {
namespace {

constexpr std::size_t words_of_a_line = 8;
constexpr std::size_t words_of_a_summary = 10;
constexpr std::size_t most_counted = 10'000;  // maximum number of words in unknown_; bounds memory
constexpr std::size_t most_word_bytes = 64;

/// Returns the word in quotes, because it may be a comma or a space, and in a form that is safe to
/// print on a terminal: truncated, and without control characters.
std::string in_quotes(const std::string& word) {
  std::size_t end = std::min(word.size(), most_word_bytes);
  while (end < word.size() && end > 0 && (word[end] & '\xC0') == '\x80') --end;
  auto text = replace_line_breaks(word.substr(0, end), '?');
  return "'" + text + (end < word.size() ? "...'" : "'");
}

/// Returns the first `most` words, separated by commas, and the number of the remaining words.
std::string list_words(std::vector<std::string> words, std::size_t most) {
  const auto more = words.size() - std::min(words.size(), most);
  words.resize(words.size() - more);
  for (auto& word : words) word = in_quotes(word);
  return fmt::format("{}{}", fmt::join(words, ", "),
                     more > 0 ? fmt::format(" and {} more", more) : "");
}

/// Returns the unknown units of a text: the text itself, or for SentencePiece, which returns
/// neighbouring unknown characters as one text, its characters.
std::vector<std::string> unknown_units(const std::string& text, TokenizerKind kind) {
  if (kind != TokenizerKind::sentencepiece) return {text};
  std::vector<std::string> characters;
  for (std::size_t position = 0; position < text.size();) {
    const auto begin = position;
    next_code_point(text, position);
    characters.push_back(text.substr(begin, position - begin));
  }
  return characters;
}

/// Returns the unknown units of a line in their order, each once.
std::vector<std::string> distinct_units(const std::vector<std::string>& unknown,
                                        TokenizerKind kind) {
  std::vector<std::string> units;
  for (const auto& text : unknown) {
    for (const auto& unit : unknown_units(text, kind))
      if (std::ranges::find(units, unit) == units.end()) units.push_back(unit);
  }
  return units;
}

/// Returns the end of a message about unknown units: how to avoid them.
std::string remedy(TokenizerKind kind) {
  if (kind != TokenizerKind::sentencepiece) return "";
  return "; a model trained with tokenizer.byte_fallback can translate any character";
}

/// Returns the plural noun for the units that a tokenizer of this kind reports as unknown.
const char* unit(TokenizerKind kind) {
  switch (kind) {
    case TokenizerKind::word:
      return "words";
    case TokenizerKind::sentencepiece:
      return "characters";
    case TokenizerKind::pieces:
      break;
  }
  return "tokens";
}

}  // namespace

void LineWarnings::add(std::int64_t line, const Translation& translation) {
  ++lines_;
  const auto warn = [&](std::int64_t& count, const std::string& message) {
    ++count <= named_ ? log_warn("line {}: {}", line + 1, message)
                      : log_debug("line {}: {}", line + 1, message);
  };
  if (!translation.unknown.empty()) {
    warn(unknown_lines_,
         "the vocabulary lacks: " +
             list_words(distinct_units(translation.unknown, kind_), words_of_a_line) +
             (unknown_lines_ == 0 ? remedy(kind_) : ""));
    for (const auto& text : translation.unknown) count_unknown(text);
  }
  if (translation.had_invalid_utf8)
    warn(invalid_lines_, "not valid UTF-8; invalid bytes were replaced");
  if (translation.was_split)
    warn(long_lines_,
         fmt::format("too long for the model; translated in {} parts", translation.parts));
}

void LineWarnings::count_unknown(const std::string& text) {
  for (const auto& unit : unknown_units(text, kind_)) {
    if (unknown_.size() < most_counted || unknown_.contains(unit)) ++unknown_[unit];
  }
}

std::vector<std::string> LineWarnings::summarize() const {
  std::vector<std::string> messages;
  if (unknown_lines_ > named_) {
    std::vector<std::pair<std::string, std::int64_t>> counted(unknown_.begin(), unknown_.end());
    std::ranges::stable_sort(counted, std::greater(), &decltype(counted)::value_type::second);
    std::vector<std::string> words;
    for (const auto& [word, count] : counted) words.push_back(word);
    messages.push_back(fmt::format(
        "{} of {} lines contain {}{} {} that the vocabulary lacks: {}{}", unknown_lines_, lines_,
        words.size() < most_counted ? "" : "at least ", words.size(), unit(kind_),
        list_words(words, words_of_a_summary), remedy(kind_)));
  }
  if (invalid_lines_ > named_)
    messages.push_back(fmt::format(
        "{} of {} lines are not valid UTF-8; invalid bytes were replaced", invalid_lines_, lines_));
  if (long_lines_ > named_)
    messages.push_back(
        fmt::format("{} of {} lines are too long for the model and were translated in parts",
                    long_lines_, lines_));
  return messages;
}

void LineWarnings::log_summary(const char* command) const {
  const auto messages = summarize();
  for (const auto& message : messages) log_warn("{}", message);
  if (!messages.empty()) log_warn("`tfm -v {}` prints which lines these are", command);
}

}  // namespace tfm
