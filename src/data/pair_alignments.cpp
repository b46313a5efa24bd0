#include "tfm/data/pair_alignments.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "line_counts.h"
#include "skips.h"
#include "tfm/config/data_sets.h"
#include "tfm/config/modifiers.h"
#include "tfm/core/error.h"
#include "tfm/core/input_file.h"
#include "tfm/core/interrupt.h"
#include "tfm/text/word_alignment.h"
#include "tfm/text/words.h"

namespace tfm {
namespace {

/// A pair of a text, and its place there.
struct PlacedPair {
  const ParallelFiles& files;
  std::int64_t line = 0;
  const std::string& source;
  const std::string& target;
};

/// Throws DataError unless all links are between words of the pair.
void require_words(const WordAlignment& links, const PlacedPair& pair, const std::string& where) {
  if (links.empty()) return;
  const auto sources = std::ssize(split_words(pair.source));
  const auto targets = std::ssize(split_words(pair.target));
  for (const WordLink& link : links) {
    if (link.source < sources && link.target < targets) continue;
    throw DataError(
        where,
        fmt::format("the link {} is beyond the words of its pair: {} has {} words, and {} has {}",
                    format_pharaoh({link}), LinePlace{source_file(pair.files), pair.line}.text(),
                    sources, LinePlace{target_file(pair.files), pair.line}.text(), targets),
        "Align the words between white space of exactly this text, counted from 0, with the link "
        "from source to target.");
  }
}

std::int64_t last_line(const ParallelText& text) {
  return text.line.empty() ? 0 : text.line.back();
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

std::optional<std::filesystem::path> links_file(const DataConfig& config, std::string_view set) {
  return find_modifier(config, needs_alignments) ? alignments_file(config, set) : std::nullopt;
}

LinkReader::LinkReader(ParallelFiles files, std::filesystem::path file)
    : files_(std::move(files)), file_(std::move(file)), lines_(file_) {}

std::string LinkReader::place() const { return LinePlace{file_, lines_.line_number()}.text(); }

/// Returns the links of the next line; nullopt at the end.
std::optional<WordAlignment> LinkReader::read() {
  std::string line;
  if (!lines_.next(line)) return std::nullopt;
  constexpr std::int64_t lines_between_checks = 4096;
  if (lines_.line_number() % lines_between_checks == 0)
    throw_if_interrupted("the reading of the alignments");
  return parse_word_links(files_.has_links ? third_field(line) : line, place());
}

std::string LinkReader::next(std::int64_t line, const std::string& source,
                             const std::string& target) {
  for (auto links = read(); links; links = read()) {
    if (lines_.line_number() != line) continue;
    require_words(*links, {files_, line, source, target}, place());
    return format_pharaoh(*links);
  }
  require_lines({.file = file_, .lines = lines_.line_number(), .content = "alignments"}, line,
                /*skipped=*/1);
  throw std::logic_error("the lines of the pairs do not ascend");
}

void LinkReader::require_end(std::int64_t last, std::int64_t skipped) {
  while (read()) continue;
  require_lines({.file = file_, .lines = lines_.line_number(), .content = "alignments"}, last,
                skipped);
}

std::string exchanged_links(const std::string& links) {
  return format_pharaoh(exchanged(parse_word_links(links, "data.alignments")));
}

std::vector<std::string> read_pair_alignments(const ParallelText& text,
                                              const std::filesystem::path& file) {
  if (text.files.has_links && is_stream(file))
    throw DataError(file.string(), "is read twice, for text and links, but can be read only once",
                    "Give a file, or a separate file of links (data.alignments).");
  std::vector<std::string> alignments;
  alignments.reserve(text.source.size());
  LinkReader links(text.files, file);
  for (std::size_t pair = 0; pair < text.source.size(); ++pair)
    alignments.push_back(links.next(text.line[pair], text.source[pair], text.target[pair]));
  links.require_end(last_line(text), count_skipped(text.skipped));
  return alignments;
}

std::vector<GoldAlignment> read_gold_alignments(const ParallelText& text,
                                                const std::filesystem::path& file) {
  auto gold = read_alignments(file);
  require_lines({.file = file, .lines = std::ssize(gold), .content = "alignments"}, last_line(text),
                count_skipped(text.skipped));
  for (std::size_t pair = 0; pair < text.line.size(); ++pair) {
    const auto line = text.line[pair];
    const auto& [sure, possible] = gold[static_cast<std::size_t>(line - 1)];
    for (const auto* links : {&sure, &possible})
      require_words(*links, {text.files, line, text.source[pair], text.target[pair]},
                    LinePlace{file, line}.text());
  }
  return gold;
}

}  // namespace tfm
