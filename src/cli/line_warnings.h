// Warnings about unusual lines: a few short messages, even for a line of a hundred thousand unknown
// words.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tfm/translate/translator.h"

namespace tfm {

/// Warns about unknown words, invalid UTF-8 and splitting. `line` counts from 0, messages from 1.
void warn_about_line(std::int64_t line, const Translation& translation);

/// Warns about texts that are names of files, a likely mistake.
void warn_about_file_names(const std::vector<std::string>& texts);

}  // namespace tfm
