#include "line_counts.h"

#include <fmt/format.h>

#include "tfm/core/error.h"

namespace tfm {

void require_lines(const CompanionFile& companion, std::int64_t last, std::int64_t skipped) {
  const auto& [file, lines, content] = companion;
  if (lines >= last && lines <= last + skipped) return;
  throw DataError(file.string(),
                  fmt::format("the file has {} {}, but its text has {}{} lines", lines, content,
                              skipped > 0 ? "at least " : "", last),
                  fmt::format("Give each line of the text one line of {}.", content));
}

}  // namespace tfm
