#include "line_warnings.h"

#include <algorithm>
#include <filesystem>
#include <string>

#include "tfm/core/log.h"

namespace tfm {
namespace {

constexpr std::size_t most_words = 8;
constexpr std::size_t most_word_bytes = 64;

/// The word as it is safe to print on a terminal: truncated, and without control characters.
std::string printable(const std::string& word) {
  std::size_t end = std::min(word.size(), most_word_bytes);
  while (end < word.size() && end > 0 && (word[end] & '\xC0') == '\x80') --end;
  auto text = word.substr(0, end);
  std::replace_if(
      text.begin(), text.end(), [](unsigned char c) { return c < 0x20 || c == 0x7F; }, '?');
  return end < word.size() ? text + "..." : text;
}

}  // namespace

void warn_about_line(std::int64_t line, const Translation& translation) {
  const auto& unknown = translation.unknown;
  for (std::size_t i = 0; i < std::min(unknown.size(), most_words); ++i)
    log_warn("line {}: unknown: {}", line + 1, printable(unknown[i]));
  if (unknown.size() > most_words)
    log_warn("line {}: and {} more unknown words", line + 1, unknown.size() - most_words);
  if (translation.had_invalid_utf8)
    log_warn("line {}: not valid UTF-8; invalid bytes were replaced", line + 1);
  if (translation.too_long)
    log_warn("line {}: too long for the model; translated in {} parts", line + 1,
             translation.parts);
}

void warn_about_file_names(const std::vector<std::string>& texts) {
  std::error_code none;
  for (const auto& text : texts) {
    if (std::filesystem::is_regular_file(text, none))
      log_warn("{0} is a file: did you mean -i {0}?", text);
  }
}

}  // namespace tfm
