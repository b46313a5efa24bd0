#include "xml_paragraph.h"

#include <algorithm>

#include "inline_text.h"
#include "paragraph_items.h"

namespace tfm {
namespace {

using Kind = ParagraphItem::Kind;

/// The node that holds the former content of a paragraph while the new one is written.
constexpr const char* aside_name = "aside";

bool names_node(const std::vector<std::string_view>& list, const pugi::xml_node& node) {
  return std::ranges::find(list, local_name(node)) != list.end();
}

/// Writes items and translations into a paragraph.
class ParagraphWriter {
 public:
  explicit ParagraphWriter(const ParagraphSchema& schema, std::string prefix)
      : schema_(schema), prefix_(std::move(prefix)) {}

  void write(pugi::xml_node parent, const std::vector<ParagraphItem>& items) {
    for (const auto& item : items) write(parent, item);
  }

  /// Writes the translation of a part: its text, in the elements that its tags stand for.
  void write(pugi::xml_node parent, const ParagraphPart& part, std::string_view translation) {
    items_.clear();
    number(part.inside);
    used_.assign(items_.size(), false);
    std::vector<Open> open{{0, parent, part.shell}};
    for (const auto& token : split_inline(translation)) write_token(token, open);
    while (open.size() > 1) close(open);
    for (std::size_t i = 0; i < items_.size(); ++i) {
      if (!used_[i]) write_marks(parent, *items_[i]);
    }
  }

 private:
  /// An element of the translation that has begun and not ended.
  struct Open {
    std::size_t number;
    pugi::xml_node parent;
    pugi::xml_node shell;  // the run of text in it
  };

  /// Lists the items in the order of their numbers, which append_segment gave them.
  void number(const std::vector<ParagraphItem>& items) {
    for (const auto& item : items) {
      if (item.kind == Kind::text) continue;
      items_.push_back(&item);
      number(item.children);
    }
  }

  void write_token(const InlineToken& token, std::vector<Open>& open) {
    using Token = InlineToken::Kind;
    if (token.kind == Token::text)
      return write_text(open.back().parent, open.back().shell, token.text);
    if (token.kind == Token::tag || token.number > items_.size()) return;
    if (token.kind == Token::close) {
      if (open.size() > 1 && open.back().number == token.number) close(open);
      return;
    }
    const auto& item = *items_[token.number - 1];
    const bool is_element = item.kind == Kind::element;
    if (used_[token.number - 1] || is_element != (token.kind == Token::open)) return;
    used_[token.number - 1] = true;
    if (!is_element) return write(open.back().parent, item);
    write(open.back().parent, item.before);
    const auto parent = item.shell ? add_shell(open.back().parent, item) : open.back().parent;
    open.push_back({token.number, parent, text_shell(item)});
  }

  void close(std::vector<Open>& open) {
    write(open.back().parent, items_[open.back().number - 1]->after);
    open.pop_back();
  }

  /// Writes an item that has no place in the translation, without its text.
  void write_marks(pugi::xml_node parent, const ParagraphItem& item) {
    if (item.kind != Kind::element) return write(parent, item);
    write(parent, item.before);
    write(parent, item.after);
  }

  /// Returns the run of the text directly inside of an element.
  static pugi::xml_node text_shell(const ParagraphItem& element) {
    for (const auto& child : element.children) {
      if (child.kind == Kind::text) return child.shell;
    }
    for (const auto& child : element.children) {
      if (child.kind == Kind::element) return text_shell(child);
    }
    return {};
  }

  void write(pugi::xml_node parent, const ParagraphItem& item) {
    if (item.kind == Kind::text || (item.kind == Kind::line && !item.node)) {
      write_text(parent, item.shell, item.text);
    } else if (item.kind == Kind::element) {
      write(parent, item.before);
      const auto inner = item.shell ? add_shell(parent, item) : parent;
      write(inner, item.children);
      write(parent, item.after);
    } else {
      write(parent, item.before);
      if (!item.node) return;
      if (item.shell) parent = add_run(parent, item.shell);
      parent.append_move(item.node);
    }
  }

  /// Appends the element of a container without its text, and returns where its text belongs.
  static pugi::xml_node add_shell(pugi::xml_node parent, const ParagraphItem& item) {
    auto shell = parent.append_child(item.shell.name());
    for (const auto& attribute : item.shell.attributes()) shell.append_copy(attribute);
    if (local_name(item.shell) != "sdt") return shell;
    pugi::xml_node content;
    for (const auto& child : item.shell.children()) {
      if (local_name(child) == "sdtContent") {
        content = shell.append_child(child.name());
      } else {
        shell.append_copy(child);
      }
    }
    return content ? content : shell;
  }

  /// Appends a run with the attributes and properties of another.
  static pugi::xml_node add_run(pugi::xml_node parent, const pugi::xml_node& other) {
    auto run = parent.append_child(other.name());
    for (const auto& attribute : other.attributes()) run.append_copy(attribute);
    for (const auto& child : other.children()) {
      if (local_name(child) == "rPr") run.append_copy(child);
    }
    return run;
  }

  void write_text(pugi::xml_node parent, const pugi::xml_node& shell, const std::string& text) {
    if (text.empty()) return;
    if (schema_.is_mixed) return write_mixed(parent, text);
    const auto name = prefix_ + "t";
    if (shell) {
      parent = add_run(parent, shell);
    } else if (auto last = parent.last_child(); last.name() == name) {
      last.text() = (last.text().get() + text).c_str();  // text without a run is one element
      return;
    }
    auto element = parent.append_child(name.c_str());
    if (schema_.needs_space) element.append_attribute("xml:space") = "preserve";
    element.append_child(pugi::node_pcdata).set_value(text.c_str());
  }

  /// Writes text of ODF, in which further spaces, and a space at the begin, are elements.
  void write_mixed(pugi::xml_node parent, const std::string& text) {
    for (std::size_t at = 0; at < text.size();) {
      const auto spaces = std::min(text.find_first_not_of(' ', at), text.size()) - at;
      if (spaces > 1 || (spaces == 1 && begins_line(parent))) {
        auto element = parent.append_child((prefix_ + "s").c_str());
        element.append_attribute((prefix_ + "c").c_str()) = static_cast<unsigned>(spaces);
        at += spaces;
        continue;
      }
      const auto end = std::min(text.find("  ", at + spaces), text.size());
      parent.append_child(pugi::node_pcdata).set_value(text.substr(at, end - at).c_str());
      at = end;
    }
  }

  /// Returns true if nothing precedes what is appended to the paragraph, or a line break does.
  bool begins_line(const pugi::xml_node& parent) const {
    const auto last = parent.last_child();
    return names_node(schema_.paragraphs, parent) &&
           (std::string_view(last.name()) == aside_name || names_node(schema_.breaks, last));
  }

  const ParagraphSchema& schema_;
  std::string prefix_;
  std::vector<const ParagraphItem*> items_;
  std::vector<bool> used_;
};

/// Moves the children of a paragraph, but not its properties, into a new node, which is its last
/// child.
pugi::xml_node set_aside(pugi::xml_node paragraph, const ParagraphSchema& schema) {
  auto aside = paragraph.append_child(aside_name);
  for (auto child = paragraph.first_child(); child != aside;) {
    const auto next = child.next_sibling();
    if (!names_node(schema.first, child) || child.type() != pugi::node_element)
      aside.append_move(child);
    child = next;
  }
  return aside;
}

}  // namespace

const ParagraphSchema& word_schema() {
  static const ParagraphSchema schema{
      .paragraphs = {"p"},
      .needs_space = true,
      .containers = {"hyperlink", "ins", "moveTo", "smartTag", "customXml", "sdt", "dir", "bdo"},
      .breaks = {"br", "cr", "tab", "ptab"},
      .dropped = {"proofErr", "lastRenderedPageBreak", "softHyphen"},
      .first = {"pPr"},
      .last = {}};
  return schema;
}

const ParagraphSchema& drawing_schema() {
  static const ParagraphSchema schema{.paragraphs = {"p"},
                                      .containers = {},
                                      .breaks = {"br"},
                                      .dropped = {},
                                      .first = {"pPr"},
                                      .last = {"endParaRPr"}};
  return schema;
}

const ParagraphSchema& sheet_schema() {
  static const ParagraphSchema schema{.paragraphs = {"si", "is"},
                                      .needs_space = true,
                                      .lines_in_text = true,
                                      .containers = {},
                                      .breaks = {},
                                      .dropped = {"rPh"},
                                      .first = {},
                                      .last = {"phoneticPr"}};
  return schema;
}

const ParagraphSchema& odf_schema() {
  static const ParagraphSchema schema{.paragraphs = {"p", "h"},
                                      .is_mixed = true,
                                      .containers = {"span", "a", "meta"},
                                      .breaks = {"tab", "line-break"},
                                      .dropped = {"soft-page-break"},
                                      .first = {},
                                      .last = {}};
  return schema;
}

std::string_view local_name(const pugi::xml_node& node) {
  const std::string_view name = node.name();
  return name.substr(name.find(':') + 1);
}

std::vector<std::string> paragraph_segments(const pugi::xml_node& paragraph,
                                            const ParagraphSchema& schema) {
  std::vector<std::string> segments;
  for (auto& part : split_parts(read_items(paragraph, schema))) {
    if (!part.segment.empty()) segments.push_back(std::move(part.segment));
  }
  return segments;
}

void set_paragraph(pugi::xml_node paragraph, const ParagraphSchema& schema,
                   std::span<const std::string> translations) {
  const std::string_view name = paragraph.name();
  ParagraphWriter writer(schema, std::string(name.substr(0, name.find(':') + 1)));
  auto aside = set_aside(paragraph, schema);
  const auto parts = split_parts(read_items(aside, schema));
  for (const auto& part : parts) {
    writer.write(paragraph, part.before);
    if (part.segment.empty()) {
      writer.write(paragraph, part.inside);
    } else {
      writer.write(paragraph, part, translations.front());
      translations = translations.subspan(1);
    }
    writer.write(paragraph, part.after);
  }
  std::vector<pugi::xml_node> last;
  for (const auto& child : aside.children()) {
    if (names_node(schema.last, child)) last.push_back(child);
  }
  for (const auto& node : last) paragraph.append_move(node);
  paragraph.remove_child(aside);
}

}  // namespace tfm
