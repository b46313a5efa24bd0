#include "tfm/text/words.h"

#include <algorithm>

namespace tfm {

std::vector<std::string_view> split_words(std::string_view text) {
  std::vector<std::string_view> words;
  std::size_t start = text.find_first_not_of(whitespace);
  while (start != std::string_view::npos) {
    const std::size_t end = text.find_first_of(whitespace, start);
    words.push_back(text.substr(start, end - start));
    start = text.find_first_not_of(whitespace, end);
  }
  return words;
}

std::string_view trim(std::string_view text, std::string_view characters) {
  text.remove_prefix(std::min(text.find_first_not_of(characters), text.size()));
  return text.substr(0, text.find_last_not_of(characters) + 1);
}

}  // namespace tfm
