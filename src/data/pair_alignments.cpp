#include "tfm/data/pair_alignments.h"

#include <fmt/format.h>

#include <algorithm>

#include "line_counts.h"
#include "skips.h"
#include "tfm/config/data_sets.h"
#include "tfm/core/error.h"
#include "tfm/core/input_file.h"
#include "tfm/core/interrupt.h"
#include "tfm/core/line_reader.h"
#include "tfm/text/word_alignment.h"
#include "tfm/text/words.h"

namespace tfm {
namespace {

/// Throws DataError unless all links are between words of the pair.
void require_words(const WordAlignment& links, const ParallelText& text, std::size_t pair,
                   const std::string& where) {
  const auto sources = std::ssize(split_words(text.source[pair]));
  const auto targets = std::ssize(split_words(text.target[pair]));
  for (const WordLink& link : links) {
    if (link.source < sources && link.target < targets) continue;
    const auto line = text.line[pair];
    throw DataError(
        where,
        fmt::format("the link {} is beyond the words of its pair: {} has {} words, and {} has {}",
                    format_pharaoh({link}), LinePlace{source_file(text.files), line}.text(),
                    sources, LinePlace{target_file(text.files), line}.text(), targets),
        "Align the words between white space of exactly this text, counted from 0, with the link "
        "from source to target.");
  }
}

/// Throws DataError unless the file has a line for each line of the text.
void require_line_of_each_pair(const ParallelText& text, const std::filesystem::path& file,
                               std::int64_t lines) {
  std::int64_t skipped = 0;
  for (const Skipped& skip : text.skipped) skipped += skip.count;
  require_lines({.file = file, .lines = lines, .content = "alignments"},
                text.line.empty() ? 0 : text.line.back(), skipped);
}

/// Returns the third field of a line of a TSV file; empty if the line does not have three.
std::string_view third_field(std::string_view line) {
  if (std::ranges::count(line, '\t') != 2) return {};
  return line.substr(line.rfind('\t') + 1);
}

}  // namespace

std::optional<std::filesystem::path> alignments_file(const DataConfig& config,
                                                     std::string_view set) {
  for (const std::string& text : config.alignments) {
    // The config's rules have checked its form.
    const auto named = parse_named_alignments(text).value();
    if (named.set == (set.empty() ? only_text_name : set)) return named.file;
  }
  return std::nullopt;
}

std::vector<std::string> read_pair_alignments(const ParallelText& text,
                                              const std::filesystem::path& file) {
  const bool in_text = text.files.has_links;
  if (in_text && is_stream(file))
    throw DataError(file.string(), "is read twice, for text and links, but can be read only once",
                    "Give a file, or a separate file of links (data.alignments).");
  std::vector<std::string> alignments;
  alignments.reserve(text.source.size());
  LineReader lines(file);
  for (std::string line; lines.next(line);) {
    constexpr std::int64_t lines_between_checks = 4096;
    const auto number = lines.line_number();
    if (number % lines_between_checks == 0) throw_if_interrupted("the reading of the alignments");
    const std::string where = LinePlace{file, number}.text();
    const WordAlignment links = parse_word_links(in_text ? third_field(line) : line, where);
    const std::size_t pair = alignments.size();  // the next of those that were not skipped
    if (pair >= text.source.size() || text.line[pair] != number) continue;
    require_words(links, text, pair, where);
    alignments.push_back(format_pharaoh(links));
  }
  require_line_of_each_pair(text, file, lines.line_number());
  return alignments;
}

std::vector<GoldAlignment> read_gold_alignments(const ParallelText& text,
                                                const std::filesystem::path& file) {
  auto gold = read_alignments(file);
  require_line_of_each_pair(text, file, std::ssize(gold));
  for (std::size_t pair = 0; pair < text.line.size(); ++pair) {
    const auto line = text.line[pair];
    const auto& [sure, possible] = gold[static_cast<std::size_t>(line - 1)];
    for (const auto* links : {&sure, &possible})
      require_words(*links, text, pair, LinePlace{file, line}.text());
  }
  return gold;
}

}  // namespace tfm
