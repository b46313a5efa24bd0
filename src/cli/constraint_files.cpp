#include "constraint_files.h"

#include <sstream>

#include "tfm/core/error.h"

namespace tfm {
namespace {

constexpr const char* hint = "The file needs one line per line of the input; a line may be empty.";

std::string read_line(LineReader& reader) {
  std::string line;
  if (reader.next(line)) return line;
  throw DataError(
      reader.file().string(),
      "has only " + std::to_string(reader.line_number()) + " lines, fewer than the input", hint);
}

}  // namespace

ConstraintFiles::ConstraintFiles(const std::filesystem::path& prefixes,
                                 const std::filesystem::path& phrases) {
  if (!prefixes.empty()) prefixes_.emplace(prefixes);
  if (!phrases.empty()) phrases_.emplace(phrases);
}

LineConstraints ConstraintFiles::next() {
  LineConstraints constraints;
  if (prefixes_) constraints.prefix = read_line(*prefixes_);
  if (phrases_) {
    std::istringstream line(read_line(*phrases_));
    for (std::string phrase; std::getline(line, phrase, '\t');)
      constraints.forced_phrases.push_back(phrase);
  }
  return constraints;
}

void ConstraintFiles::expect_end() {
  for (auto* reader : {&prefixes_, &phrases_}) {
    std::string line;
    if (!reader->has_value() || !(*reader)->next(line)) continue;
    throw DataError((*reader)->file().string(), "has more lines than the input", hint);
  }
}

}  // namespace tfm
