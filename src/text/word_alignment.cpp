#include "tfm/text/word_alignment.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <set>
#include <utility>

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

/// Words that are linked with each other, directly or through others.
struct Component {
  std::set<std::int64_t> source;
  std::set<std::int64_t> target;
};

std::vector<Component> components(const WordAlignment& links) {
  std::multimap<std::int64_t, std::int64_t> targets;
  std::multimap<std::int64_t, std::int64_t> sources;
  std::set<std::int64_t> unseen;  // words of the source
  for (const auto& [source, target] : links) {
    targets.emplace(source, target);
    sources.emplace(target, source);
    unseen.insert(source);
  }
  std::vector<Component> found;
  while (!unseen.empty()) {
    Component& component = found.emplace_back();
    for (std::vector<std::int64_t> next{*unseen.begin()}; !next.empty();) {
      const auto source = next.back();
      next.pop_back();
      if (unseen.erase(source) == 0) continue;
      component.source.insert(source);
      const auto [first, last] = targets.equal_range(source);
      for (auto link = first; link != last; ++link) {
        if (!component.target.insert(link->second).second) continue;
        const auto [begin, end] = sources.equal_range(link->second);
        for (auto back = begin; back != end; ++back) next.push_back(back->second);
      }
    }
  }
  return found;
}

/// Returns nullopt if there is a gap between the words.
std::optional<WordRange> consecutive(const std::set<std::int64_t>& words) {
  const auto first = *words.begin();
  if (*words.rbegin() - first + 1 != std::ssize(words)) return std::nullopt;
  return WordRange{static_cast<std::size_t>(first), words.size()};
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

WordAlignment parse_word_links(std::string_view line, const std::string& where) {
  const GoldAlignment alignment = parse_pharaoh(line, where);
  WordAlignment links = alignment.sure;
  links.insert(links.end(), alignment.possible.begin(), alignment.possible.end());
  std::ranges::sort(links);
  links.erase(std::ranges::unique(links).begin(), links.end());
  return links;
}

WordAlignment exchanged(WordAlignment links) {
  for (WordLink& link : links) std::swap(link.source, link.target);
  return links;
}

std::vector<LinkedWords> linked_words(const WordAlignment& links, std::size_t most) {
  std::vector<LinkedWords> groups;
  for (const Component& component : components(links)) {
    const auto source = consecutive(component.source);
    const auto target = consecutive(component.target);
    if (source && target && source->count <= most && target->count <= most)
      groups.push_back({*source, *target});
  }
  std::ranges::sort(groups, {}, [](const LinkedWords& group) { return group.source.first; });
  return groups;
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

}  // namespace tfm
