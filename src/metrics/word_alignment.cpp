#include "tfm/metrics/word_alignment.h"

#include <algorithm>
#include <charconv>
#include <set>

#include "tfm/core/error.h"
#include "tfm/core/line_reader.h"

namespace tfm {
namespace {

/// Parses the number at the start of `text` and removes it. Returns false if `text` does not start
/// with a number.
bool take_number(std::string_view& text, std::int64_t& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || value < 0) return false;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return true;
}

void parse_link(std::string_view text, const std::string& where, GoldAlignment& alignment) {
  std::string_view rest = text;
  WordLink link;
  char kind = 0;
  bool valid = take_number(rest, link.source) && !rest.empty();
  if (valid) {
    kind = rest.front();
    rest.remove_prefix(1);
    valid = (kind == '-' || kind == 'p') && take_number(rest, link.target) && rest.empty();
  }
  if (!valid) {
    throw DataError(where, "'" + std::string(text) + "' is not a word link",
                    "Write links as source-target, counted from 0: 0-0 1-2, or 1p2 if the link is "
                    "only possible.");
  }
  (kind == '-' ? alignment.sure : alignment.possible).push_back(link);
}

}  // namespace

std::string format_pharaoh(const WordAlignment& links) {
  std::string line;
  for (const auto& link : links)
    line +=
        (line.empty() ? "" : " ") + std::to_string(link.source) + "-" + std::to_string(link.target);
  return line;
}

GoldAlignment parse_pharaoh(std::string_view line, const std::string& where) {
  constexpr std::string_view blanks = " \t\r";
  GoldAlignment alignment;
  for (auto start = line.find_first_not_of(blanks); start != line.npos;
       start = line.find_first_not_of(blanks, start)) {
    const auto end = std::min(line.find_first_of(blanks, start), line.size());
    parse_link(line.substr(start, end - start), where, alignment);
    start = end;
  }
  return alignment;
}

std::vector<GoldAlignment> read_alignments(const std::filesystem::path& file) {
  LineReader input(file);
  std::vector<GoldAlignment> alignments;
  for (std::string line; input.next(line);) {
    alignments.push_back(
        parse_pharaoh(line, file.string() + ":" + std::to_string(alignments.size() + 1)));
  }
  return alignments;
}

double alignment_error_rate(const std::vector<WordAlignment>& found,
                            const std::vector<GoldAlignment>& gold) {
  std::size_t both = 0;  // |A and S| + |A and P|
  std::size_t all = 0;   // |A| + |S|
  for (std::size_t i = 0; i < found.size(); ++i) {
    const std::set<WordLink> links(found[i].begin(), found[i].end());
    const std::set<WordLink> sure(gold[i].sure.begin(), gold[i].sure.end());
    std::set<WordLink> possible(gold[i].possible.begin(), gold[i].possible.end());
    possible.insert(sure.begin(), sure.end());
    all += links.size() + sure.size();
    for (const auto& link : links)
      both += (sure.contains(link) ? 1 : 0) + (possible.contains(link) ? 1 : 0);
  }
  return all == 0 ? 0 : 1 - static_cast<double>(both) / static_cast<double>(all);
}

}  // namespace tfm
