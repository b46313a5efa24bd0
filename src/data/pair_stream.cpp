#include "tfm/data/pair_stream.h"

#include <algorithm>
#include <string_view>

#include "skips.h"
#include "tfm/core/error.h"
#include "tfm/core/line_progress.h"
#include "tfm/core/line_reader.h"
#include "tfm/data/pair_reader.h"
#include "tfm/text/utf8.h"
#include "tfm/text/words.h"

namespace tfm {
namespace {

/// Returns the reason to skip a pair with this side, or nullopt if the side is valid.
std::optional<std::string> find_defect(std::string_view side) {
  if (invalid_utf8(side)) return "invalid UTF-8";
  if (trim(side).empty()) return "empty side";
  return std::nullopt;
}

}  // namespace

/// Two files, or the lines of one file with both sides.
struct PairStream::Input {
  explicit Input(const ParallelFiles& files) {
    if (files.tsv.empty()) {
      pairs.emplace(files.source, files.target);
    } else {
      lines.emplace(files.tsv);
    }
    share = share_of_file(source());
  }

  const LineReader& source() const { return pairs ? pairs->source() : *lines; }

  std::optional<PairReader> pairs;
  std::optional<LineReader> lines;
  ShareRead share;
};

PairStream::PairStream(ParallelFiles files, BadLines bad_lines)
    : files_(std::move(files)), bad_lines_(bad_lines), input_(std::make_unique<Input>(files_)) {}

PairStream::~PairStream() = default;

std::int64_t PairStream::line() const { return input_->source().line_number(); }

std::optional<double> PairStream::share_read() const {
  return input_->share ? std::optional(input_->share()) : std::nullopt;
}

bool PairStream::next(std::string& source, std::string& target) {
  while (read(source, target)) {
    const auto source_defect = find_defect(source);
    const auto target_defect = source_defect ? std::nullopt : find_defect(target);
    if (!source_defect && !target_defect) return true;
    source_defect ? skip(*source_defect, source_file(files_))
                  : skip(*target_defect, target_file(files_));
  }
  if (line() == 0)
    throw DataError(source_file(files_).string(), "the file is empty",
                    files_.tsv.empty() ? "Give a file with one sentence per line."
                                       : "Give a file with source, tab, target on each line.");
  return false;
}

/// Reads the next pair. Skips TSV lines with another number of fields.
bool PairStream::read(std::string& source, std::string& target) {
  if (input_->pairs) return input_->pairs->next(source, target);
  while (input_->lines->next(source)) {
    const auto tabs = std::ranges::count(source, '\t');
    const std::int64_t most_tabs = files_.has_links ? 2 : 1;
    if (tabs >= 1 && tabs <= most_tabs) {
      const auto tab = source.find('\t');
      const auto end = std::min(source.find('\t', tab + 1), source.size());
      target.assign(source, tab + 1, end - tab - 1);
      source.resize(tab);
      return true;
    }
    skip(tabs == 0        ? "no tab"
         : most_tabs == 1 ? "more than one tab"
                          : "more than two tabs",
         files_.tsv);
  }
  return false;
}

void PairStream::skip(const std::string& reason, const std::filesystem::path& file) {
  const LinePlace place{file, line()};
  if (bad_lines_ == BadLines::error)
    throw DataError(place.text(), reason, "Fix the line, or set data.bad_lines to skip.");
  record_skip(skipped_, {.reason = reason, .count = 0, .first = {}, .truncated = false}, place);
}

void require_pairs(std::int64_t pairs, const ParallelFiles& files,
                   const std::vector<Skipped>& skipped) {
  if (pairs > 0) return;
  std::string reasons;
  for (const std::string& line : describe(skipped)) reasons += "\n  " + line;
  throw DataError(source_file(files).string(), "has no usable sentence pair" + reasons,
                  "Check that these are the right files.");
}

}  // namespace tfm
