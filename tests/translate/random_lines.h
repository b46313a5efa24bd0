// Random input lines for a Translator, and a function that returns the texts of translations.
#pragma once

#include <random>
#include <string>
#include <vector>

#include "tfm/translate/translation.h"

namespace tfm {

inline std::vector<std::string> texts(const std::vector<Translation>& translations) {
  std::vector<std::string> result;
  for (const auto& translation : translations) result.push_back(translation.text());
  return result;
}

/// Returns lines of up to nine one-letter words from a to j.
inline std::vector<std::string> random_lines(std::size_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<std::string> lines(count);
  for (auto& line : lines) {
    for (auto words = random() % 10; words > 0; --words)
      line += std::string(1, static_cast<char>('a' + random() % 10)) + " ";
  }
  return lines;
}

}  // namespace tfm
