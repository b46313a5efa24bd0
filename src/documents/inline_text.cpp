#include "inline_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>

#include "empty_parts.h"
#include "tfm/markup/entities.h"
#include "tfm/markup/html_pieces.h"
#include "tfm/markup/tags.h"
#include "tfm/text/characters.h"
#include "tfm/text/utf8.h"

namespace tfm {
namespace {

constexpr std::string_view line_object = "<br id=\"";

/// Reads "PREFIX number SUFFIX". Returns false if the tag has another form.
bool read_numbered(std::string_view tag, std::string_view prefix, std::string_view suffix,
                   std::size_t& number) {
  if (!tag.starts_with(prefix) || !tag.ends_with(suffix)) return false;
  const auto digits = tag.substr(prefix.size(), tag.size() - prefix.size() - suffix.size());
  if (digits.empty() || digits.size() > 9 || digits.front() == '0') return false;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  return error == std::errc() && end == digits.data() + digits.size();
}

InlineToken tag_token(std::string_view tag) {
  InlineToken token{InlineToken::Kind::tag, std::string(tag)};
  if (read_numbered(tag, "<g", ">", token.number)) {
    token.kind = InlineToken::Kind::open;
  } else if (read_numbered(tag, "</g", ">", token.number)) {
    token.kind = InlineToken::Kind::close;
  } else if (read_numbered(tag, "<x", "/>", token.number) ||
             read_numbered(tag, line_object, "\"/>", token.number)) {
    token.kind = InlineToken::Kind::object;
  }
  return token;
}

/// Calls `on_text` for each text between tags, which may be empty, and `on_tag` for each tag.
template <class OnText, class OnTag>
void visit_tags(std::string_view text, OnText on_text, OnTag on_tag) {
  std::size_t begin = 0;
  for (auto at = text.find('<'); at != text.npos; at = text.find('<', at)) {
    const auto tag = tag_at(text, at);
    if (!tag) {
      ++at;
      continue;
    }
    on_text(text.substr(begin, at - begin));
    on_tag(text.substr(at, tag->length));
    begin = at += tag->length;
  }
  on_text(text.substr(begin));
}

}  // namespace

std::vector<InlineToken> split_inline(std::string_view segment) {
  std::vector<InlineToken> tokens;
  visit_tags(
      segment,
      [&](std::string_view text) {
        if (!text.empty()) tokens.push_back({InlineToken::Kind::text, decode_entities(text)});
      },
      [&](std::string_view tag) { tokens.push_back(tag_token(tag)); });
  return tokens;
}

std::string open_tag(std::size_t number) { return fmt::format("<g{}>", number); }
std::string close_tag(std::size_t number) { return fmt::format("</g{}>", number); }
std::string object_tag(std::size_t number, bool ends_line) {
  return ends_line ? fmt::format("{}{}\"/>", line_object, number) : fmt::format("<x{}/>", number);
}

bool has_letters(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const auto c = next_code_point(text, at);
    if (!is_digit(c) && (is_letter(c) || is_cjk(c))) return true;
  }
  return false;
}

bool segment_has_letters(std::string_view segment) {
  return std::ranges::any_of(split_inline(segment), [](const InlineToken& token) {
    return token.kind == InlineToken::Kind::text && has_letters(token.text);
  });
}

bool is_word_byte(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || (c & 0x80) != 0;
}

void InlineText::add_text(std::string_view plain) { segment_ += escape_html(plain); }

void InlineText::add_tagged_text(std::string_view text, bool has_entities) {
  const auto on_text = [&](std::string_view part) {
    has_entities ? add_html_text(part) : add_text(part);
  };
  const auto on_tag = [&](std::string_view tag) {
    // A tag of the document that looks like a numbered one must not be mistaken for it.
    if (tag_token(tag).kind == InlineToken::Kind::tag) {
      segment_ += tag;
    } else {
      add_object(std::string(tag));
    }
  };
  visit_tags(text, on_text, on_tag);
}

void InlineText::add_html_text(std::string_view text) {
  std::size_t begin = 0;
  for (auto at = text.find('&'); at != text.npos; at = text.find('&', at)) {
    const auto entity = entity_at(text, at);
    if (!entity || !entity->text.empty()) {
      at += entity ? entity->length : 1;
      continue;
    }
    add_text(decode_entities(text.substr(begin, at - begin)));
    add_object(std::string(text.substr(at, entity->length)));
    begin = at += entity->length;
  }
  add_text(decode_entities(text.substr(begin)));
}

void InlineText::add_object(std::string original, bool ends_line) {
  originals_.push_back({std::move(original), "", true});
  segment_ += object_tag(originals_.size(), ends_line);
}

std::size_t InlineText::open(std::string original, EmptyPart if_empty) {
  originals_.push_back({std::move(original), "", false, if_empty});
  segment_ += open_tag(originals_.size());
  return originals_.size();
}

void InlineText::close(std::size_t number, std::string original) {
  auto& part = originals_.at(number - 1);
  part.after = std::move(original);
  if (segment_.ends_with(open_tag(number))) part.if_empty = EmptyPart::stays;
  segment_ += close_tag(number);
}

bool InlineText::is_known(const InlineToken& token) const {
  if (token.kind == InlineToken::Kind::text || token.kind == InlineToken::Kind::tag) return true;
  return token.number <= originals_.size() &&
         originals_[token.number - 1].is_object == (token.kind == InlineToken::Kind::object);
}

std::string InlineText::restore(std::string_view translation, const SpellText& spell) const {
  std::string text;
  std::vector<bool> used(originals_.size());
  auto tokens = split_inline(translation);
  std::erase_if(tokens, [&](const InlineToken& token) { return !is_known(token); });
  tokens = settle_empty_parts(std::move(tokens),
                              [&](std::size_t number) { return originals_[number - 1].if_empty; });
  for (const auto& token : tokens) {
    if (token.kind == InlineToken::Kind::text) {
      text += spell(token.text);
      continue;
    }
    if (token.kind == InlineToken::Kind::tag) {
      text += token.text;
      continue;
    }
    const auto& original = originals_[token.number - 1];
    text += token.kind == InlineToken::Kind::close ? original.after : original.before;
    used[token.number - 1] = true;
  }
  for (std::size_t i = 0; i < originals_.size(); ++i) {
    if (originals_[i].is_object && !used[i]) text += originals_[i].before;
  }
  return text;
}

}  // namespace tfm
