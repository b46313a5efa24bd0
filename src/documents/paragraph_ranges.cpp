#include "paragraph_ranges.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>

namespace tfm {
namespace {

using Kind = ParagraphItem::Kind;

constexpr std::string_view field_key = "field";
/// The most marks that wait for their partners. Pairs are thus not nested deeply, whatever the
/// document is.
constexpr std::size_t most_open = 16;

/// Returns "begin", "separate" or "end" for a mark of a field, and "" for anything else.
std::string_view field_mark(const ParagraphItem& item) {
  if (item.kind != Kind::object || local_name(item.node) != "fldChar") return {};
  for (const auto& attribute : item.node.attributes()) {
    if (std::string_view(attribute.name()).ends_with("fldCharType")) return attribute.value();
  }
  return {};
}

/// Returns, for each item that begins a field, the index of the last item of the field's code: the
/// mark before the result or, without a result, the end. Returns 0 for other items, and for a code
/// that does not end among these.
std::vector<std::size_t> field_code_ends(const std::vector<ParagraphItem>& items) {
  std::vector<std::size_t> ends(items.size());
  std::vector<std::size_t> open;  // fields in fields
  for (std::size_t i = 0; i < items.size(); ++i) {
    const auto mark = field_mark(items[i]);
    if (mark == "begin") open.push_back(i);
    if (open.empty() || (mark != "separate" && mark != "end")) continue;
    if (ends[open.back()] == 0) ends[open.back()] = i;
    if (mark == "end") open.pop_back();
  }
  return ends;
}

/// Returns what the two marks of a pair have in common besides their names.
std::string mark_id(const pugi::xml_node& node) {
  for (const std::string_view wanted : {"id", "name", "change-id"}) {
    for (const auto& attribute : node.attributes()) {
      const std::string_view name = attribute.name();
      if (name.substr(name.find(':') + 1) == wanted && name != "xml:id")
        return std::string(" ") + attribute.value();
    }
  }
  return {};
}

/// Returns the key of a node that is called like "bookmarkStart", if `endings` has "Start".
std::string named_key(const ParagraphItem& item, const std::array<std::string_view, 2>& endings) {
  if (item.kind != Kind::object || !item.node) return {};
  const auto name = local_name(item.node);
  for (const auto ending : endings) {
    if (name.size() > ending.size() && name.ends_with(ending))
      return std::string(name.substr(0, name.size() - ending.size())) + mark_id(item.node);
  }
  return {};
}

/// Returns what the mark that begins a pair has in common with the one that ends it, or "".
std::string begin_key(const ParagraphItem& item) {
  if (!item.before.empty() && field_mark(item.before.back()) == "separate")
    return std::string(field_key);
  if (item.kind == Kind::object && local_name(item.node) == "annotation")  // of ODF
    return "annotation" + mark_id(item.node);
  return named_key(item, {"Start", "-start"});
}

std::string end_key(const ParagraphItem& item) {
  if (field_mark(item) == "end") return std::string(field_key);
  return named_key(item, {"End", "-end"});
}

bool has_text(const std::vector<ParagraphItem>& items) {
  return std::ranges::any_of(items, [](const ParagraphItem& item) {
    return item.kind == Kind::text || has_text(item.children);
  });
}

/// A mark that begins a pair whose end has not been found yet.
struct OpenRange {
  std::string key;
  std::size_t at;
};

/// Removes the open ranges from the last one with this key on. Returns where that one begins, or
/// nullopt if it is not open or overlaps a field.
std::optional<std::size_t> take_open(std::vector<OpenRange>& open, const std::string& key) {
  const auto found = std::find_if(open.rbegin(), open.rend(),
                                  [&](const OpenRange& range) { return range.key == key; });
  const bool cuts_field = std::any_of(
      open.rbegin(), found, [](const OpenRange& range) { return range.key == field_key; });
  if (found == open.rend() || cuts_field) return std::nullopt;
  const auto at = found->at;
  open.erase(std::prev(found.base()), open.end());
  return at;
}

ParagraphItem make_range(ParagraphItem begin, std::vector<ParagraphItem> inside,
                         ParagraphItem end) {
  ParagraphItem range{.kind = Kind::element};
  range.before.push_back(std::move(begin));
  range.after.push_back(std::move(end));
  if (has_text(inside)) {
    range.children = std::move(inside);
    return range;
  }
  range.kind = Kind::object;
  std::ranges::move(inside, std::back_inserter(range.before));
  std::ranges::move(range.after, std::back_inserter(range.before));
  range.after.clear();
  return range;
}

}  // namespace

void join_field_codes(std::vector<ParagraphItem>& items) {
  const auto ends = field_code_ends(items);
  std::vector<ParagraphItem> joined;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (ends[i] == 0) {
      joined.push_back(std::move(items[i]));
      continue;
    }
    auto& code = joined.emplace_back();
    code.kind = Kind::object;
    for (const auto end = ends[i]; i < end; ++i) code.before.push_back(std::move(items[i]));
    code.before.push_back(std::move(items[i]));
  }
  items = std::move(joined);
}

void pair_ranges(std::vector<ParagraphItem>& items) {
  std::vector<ParagraphItem> paired;
  std::vector<OpenRange> open;
  for (auto& item : items) {
    pair_ranges(item.children);
    if (const auto at = take_open(open, end_key(item))) {
      const auto begin = paired.begin() + static_cast<std::ptrdiff_t>(*at);
      std::vector<ParagraphItem> inside(std::make_move_iterator(begin + 1),
                                        std::make_move_iterator(paired.end()));
      auto range = make_range(std::move(*begin), std::move(inside), std::move(item));
      paired.resize(*at);
      paired.push_back(std::move(range));
      continue;
    }
    if (auto key = begin_key(item); !key.empty()) open.push_back({std::move(key), paired.size()});
    if (open.size() > most_open) open.erase(open.begin());
    paired.push_back(std::move(item));
  }
  items = std::move(paired);
}

bool is_range(const ParagraphItem& item) {
  return item.kind == Kind::element && !item.before.empty();
}

}  // namespace tfm
