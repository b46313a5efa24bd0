#include "paragraph_items.h"

#include <algorithm>
#include <map>
#include <sstream>

#include "inline_text.h"
#include "paragraph_ranges.h"
#include "tfm/markup/html_pieces.h"
#include "tfm/text/words.h"

namespace tfm {
namespace {

using Kind = ParagraphItem::Kind;

bool names(const std::vector<std::string_view>& list, std::string_view name) {
  return std::ranges::find(list, name) != list.end();
}

/// Returns the name and the attributes of a node as text, to compare two nodes.
std::string describe_attributes(const pugi::xml_node& node) {
  std::string text(node.name());
  for (const auto& attribute : node.attributes())
    text.append(" ").append(attribute.name()).append("=").append(attribute.value());
  return text;
}

/// Returns the formatting of a run. The checker's languages and the marks of revisions do not
/// count.
std::string describe_run(const pugi::xml_node& run) {
  std::string text = "run";
  for (const auto& properties : run.children()) {
    if (local_name(properties) != "rPr") continue;
    for (const auto& property : properties.children()) {
      const auto name = local_name(property);
      if (name == "lang" || name == "noProof") continue;
      std::ostringstream written;
      property.print(written, "", pugi::format_raw);
      text += written.str();
    }
    for (const auto& attribute : properties.attributes()) {
      const std::string_view name = attribute.name();
      if (name == "lang" || name == "altLang" || name == "dirty" || name == "err") continue;
      text.append(" ").append(name).append("=").append(attribute.value());
    }
  }
  return text;
}

/// Returns the text of an element. Comments and CDATA sections divide it into several nodes.
std::string text_of(const pugi::xml_node& element) {
  std::string text;
  for (const auto& child : element.children()) {
    if (child.type() == pugi::node_pcdata || child.type() == pugi::node_cdata)
      text += child.value();
  }
  return text;
}

/// Returns true for elements of ODF that mark a place of the text and show nothing there.
bool is_mark_in_text(std::string_view name) {
  return name.find("mark") != name.npos || name.starts_with("change") ||
         name.starts_with("annotation");
}

class ItemReader {
 public:
  /// `after_space` is true if the reader drops white space at its begin.
  ItemReader(const ParagraphSchema& schema, bool& after_space)
      : schema_(schema), after_space_(after_space) {}

  std::vector<ParagraphItem> read(const pugi::xml_node& parent) {
    for (const auto& child : parent.children()) read_child(child);
    join_field_codes(items_);
    return std::move(items_);
  }

 private:
  void read_child(const pugi::xml_node& child) {
    const auto name = local_name(child);
    const bool is_text_node = child.type() == pugi::node_pcdata || child.type() == pugi::node_cdata;
    if (is_text_node) {
      if (schema_.is_mixed) add_text(collapse(child.value()), {});
    } else if (child.type() != pugi::node_element) {
      return;  // comments
    } else if (names(schema_.first, name) || names(schema_.last, name) ||
               names(schema_.dropped, name)) {
      return;
    } else if (names(schema_.breaks, name)) {
      items_.push_back({.kind = Kind::line, .node = child});
      after_space_ = false;
    } else if (schema_.is_mixed && name == "s") {
      after_space_ = false;
      add_text(std::string(std::clamp(child.attribute("text:c").as_int(1), 1, 1000), ' '), {});
    } else if (!schema_.is_mixed && name == "r") {
      read_run(child);
    } else if (!schema_.is_mixed && name == "t") {
      add_text(text_of(child), {});
    } else if (names(schema_.containers, name)) {
      add_container(child);
    } else {
      items_.push_back({.kind = Kind::object, .node = child});
      if (!is_mark_in_text(name)) after_space_ = false;
    }
  }

  void read_run(const pugi::xml_node& run) {
    for (const auto& child : run.children()) {
      const auto name = local_name(child);
      if (child.type() != pugi::node_element || name == "rPr" || names(schema_.dropped, name))
        continue;
      if (name == "t") {
        add_text(text_of(child), run);
      } else if (name == "noBreakHyphen") {
        add_text("\u2011", run);
      } else {
        const bool is_break = names(schema_.breaks, name);
        items_.push_back(
            {.kind = is_break ? Kind::line : Kind::object, .shell = run, .node = child});
      }
    }
  }

  /// In ODF, a run of white space is one space, also across elements, and none at the begin of a
  /// paragraph.
  std::string collapse(std::string_view text) {
    std::string collapsed;
    for (const char c : text) {
      const bool is_space = whitespace.find(c) != whitespace.npos;
      if (!is_space || !after_space_) collapsed += is_space ? ' ' : c;
      after_space_ = is_space;
    }
    return collapsed;
  }

  void add_text(std::string text, const pugi::xml_node& run) {
    if (schema_.lines_in_text) {
      for (auto end = text.find('\n'); end != text.npos; end = text.find('\n')) {
        add_line_text(text.substr(0, end), run);
        items_.push_back({.kind = Kind::line, .text = "\n", .shell = run});
        text.erase(0, end + 1);
      }
    }
    add_line_text(std::move(text), run);
  }

  void add_line_text(std::string text, const pugi::xml_node& run) {
    if (text.empty()) return;
    auto format = run ? describe_run(run) : std::string();
    auto* const last = items_.empty() ? nullptr : &items_.back();
    if (last != nullptr && last->kind == Kind::text && last->format == format) {
      last->text += text;
    } else {
      items_.push_back({.text = std::move(text), .shell = run, .format = std::move(format)});
    }
  }

  void add_container(const pugi::xml_node& element) {
    auto content = element;
    if (local_name(element) == "sdt") {
      for (const auto& child : element.children())
        if (local_name(child) == "sdtContent") content = child;
    }
    auto children = ItemReader(schema_, after_space_).read(content);
    auto* const last = items_.empty() ? nullptr : &items_.back();
    const bool continues = last != nullptr && last->kind == Kind::element && schema_.is_mixed &&
                           local_name(element) == "span" &&
                           describe_attributes(last->shell) == describe_attributes(element);
    if (continues) {  // two spans of one style
      for (auto& child : children) {
        auto& own = last->children;
        const bool joins =
            !own.empty() && own.back().kind == Kind::text && child.kind == Kind::text;
        joins ? void(own.back().text += child.text) : own.push_back(std::move(child));
      }
      return;
    }
    items_.push_back({.kind = Kind::element, .shell = element, .children = std::move(children)});
  }

  const ParagraphSchema& schema_;
  bool& after_space_;
  std::vector<ParagraphItem> items_;
};

bool is_blank_item(const ParagraphItem& item) {
  return item.kind == Kind::object || (item.kind == Kind::text && trim(item.text).empty());
}

/// Moves objects and white space from the ends of `inside` to `before` and `after`.
void trim_blanks(ParagraphPart& part) {
  auto& inside = part.inside;
  const auto first = std::ranges::find_if_not(inside, is_blank_item);
  std::move(inside.begin(), first, std::back_inserter(part.before));
  inside.erase(inside.begin(), first);
  while (!inside.empty() && is_blank_item(inside.back())) {
    part.after.insert(part.after.begin(), std::move(inside.back()));
    inside.pop_back();
  }
  if (inside.empty()) return;
  if (auto& head = inside.front(); head.kind == Kind::text) {
    const auto spaces = head.text.find_first_not_of(whitespace);
    if (spaces > 0) {
      part.before.push_back(head);
      part.before.back().text.resize(spaces);
      head.text.erase(0, spaces);
    }
  }
  if (auto& tail = inside.back(); tail.kind == Kind::text) {
    const auto end = tail.text.find_last_not_of(whitespace) + 1;
    if (end < tail.text.size()) {
      part.after.insert(part.after.begin(), tail);
      part.after.front().text.erase(0, end);
      tail.text.resize(end);
    }
  }
}

/// Moves what the whole part has around it from `inside` to `before` and `after`.
void trim_part(ParagraphPart& part) {
  trim_blanks(part);
  while (part.inside.size() == 1 && is_range(part.inside.front())) {
    auto range = std::move(part.inside.front());
    std::ranges::move(range.before, std::back_inserter(part.before));
    part.after.insert(part.after.begin(), std::make_move_iterator(range.after.begin()),
                      std::make_move_iterator(range.after.end()));
    part.inside = std::move(range.children);
    trim_blanks(part);
  }
}

/// Returns the text that has the format of most of the text, or nullptr if there is no text.
const ParagraphItem* most_frequent_format(const std::vector<ParagraphItem>& items) {
  std::map<std::string_view, std::size_t> sizes;
  const ParagraphItem* most = nullptr;
  for (const auto& item : items) {
    if (item.kind == Kind::text) sizes[item.format] += item.text.size();
  }
  for (const auto& item : items) {
    if (item.kind != Kind::text) continue;
    if (most == nullptr || sizes[item.format] > sizes[most->format]) most = &item;
  }
  return most;
}

/// Makes each text of another format than the given one an element, and does so in containers.
void wrap_formats(std::vector<ParagraphItem>& items, const std::string& format) {
  for (auto& item : items) {
    if (item.kind == Kind::element) {
      const auto* const most = most_frequent_format(item.children);
      item.format = most != nullptr ? most->format : "";
      wrap_formats(item.children, std::string(item.format));
    } else if (item.kind == Kind::text && item.format != format) {
      auto text = std::move(item);
      item = {.kind = Kind::element, .format = text.format};
      item.children.push_back(std::move(text));
    }
  }
}

void append_segment(std::string& segment, const std::vector<ParagraphItem>& items,
                    std::size_t& number) {
  for (const auto& item : items) {
    if (item.kind == Kind::text) {
      segment += escape_html(item.text);
      continue;
    }
    const auto own = ++number;
    if (item.kind != Kind::element) {
      segment += object_tag(own, item.kind == Kind::line);
      continue;
    }
    segment += open_tag(own);
    append_segment(segment, item.children, number);
    segment += close_tag(own);
  }
}

void finish_part(ParagraphPart& part) {
  pair_ranges(part.inside);
  trim_part(part);
  if (const auto* const most = most_frequent_format(part.inside)) {
    part.format = most->format;
    part.shell = most->shell;
  }
  wrap_formats(part.inside, part.format);
  std::size_t number = 0;
  append_segment(part.segment, part.inside, number);
  if (!segment_has_letters(part.segment)) part.segment.clear();
}

}  // namespace

std::vector<ParagraphItem> read_items(const pugi::xml_node& parent, const ParagraphSchema& schema) {
  bool after_space = true;
  return ItemReader(schema, after_space).read(parent);
}

std::vector<ParagraphPart> split_parts(std::vector<ParagraphItem> items) {
  std::vector<ParagraphPart> parts(1);
  for (auto& item : items) {
    if (item.kind == Kind::line) {
      parts.emplace_back().before.push_back(std::move(item));
      parts.emplace_back();
    } else {
      parts.back().inside.push_back(std::move(item));
    }
  }
  for (auto& part : parts) {
    if (part.before.empty()) finish_part(part);
  }
  return parts;
}

}  // namespace tfm
