// Warnings of what was unusual about a line, bounded: a line of a hundred thousand unknown words
// makes a few short messages.
#pragma once

#include <cstdint>

#include "tfm/translate/translator.h"

namespace tfm {

/// line: from 0; messages count from 1.
void warn_about_line(std::int64_t line, const Translation& translation);

}  // namespace tfm
