#include "tfm/data/text_parts.h"

#include <functional>
#include <iterator>
#include <string_view>
#include <utility>

#include "tfm/core/checksum.h"
#include "tfm/core/interrupt.h"

namespace tfm {

void TextSum::add(std::string_view line) {
  Crc32 sum(crc);
  sum.add(line);
  sum.add("\n");
  crc = sum.value();
  bytes += std::ssize(line) + 1;
}

void TextSum::append(const TextSum& next) {
  Crc32 sum(crc);
  sum.append(next.crc, next.bytes);
  crc = sum.value();
  bytes += next.bytes;
}

TextParts::TextParts(const ParallelFiles& files, BadLines bad_lines, bool reversed, PartSizes sizes,
                     const std::filesystem::path& links)
    : files_(reversed ? exchanged(files) : files),
      reversed_(reversed),
      sizes_(sizes),
      pairs_(files, bad_lines) {
  if (!links.empty()) links_.emplace(files, links);
}

std::optional<TextPart> TextParts::next() {
  TextPart part{.text = {}, .line_offset = pairs_.line()};
  part.text.files = files_;
  std::size_t bytes = 0;
  bool ends = false;
  std::string source;
  std::string target;
  while (!ends && pairs_.next(source, target)) {
    constexpr std::size_t pairs_between_checks = 1024;
    if (part.text.source.size() % pairs_between_checks == 0)
      throw_if_interrupted("the preparation of the training data");
    last_line_ = pairs_.line();
    if (links_) {
      const auto links = links_->next(last_line_, source, target);
      part.text.alignments.push_back(reversed_ ? exchanged_links(links) : links);
      part.links.add(part.text.alignments.back());
    }
    if (reversed_) std::swap(source, target);
    part.source.add(source);
    part.target.add(target);
    bytes += source.size() + target.size() + 2;
    const auto hash = std::hash<std::string_view>()(source);
    ends = bytes >= sizes_.most || (bytes >= sizes_.least && hash % sizes_.pairs == 0);
    part.text.source.push_back(std::move(source));
    part.text.target.push_back(std::move(target));
    part.text.line.push_back(last_line_ - part.line_offset);
  }
  part.skipped = pairs_.take_skipped();
  skipped_ += count_skipped(part.skipped);
  if (!ends && links_) links_->require_end(last_line_, skipped_);
  if (part.text.source.empty() && part.skipped.empty()) return std::nullopt;
  return part;
}

ParallelFiles exchanged(const ParallelFiles& files) {
  ParallelFiles result = files;
  std::swap(result.source, result.target);
  return result;
}

}  // namespace tfm
