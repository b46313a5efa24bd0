#include "tfm/core/markdown.h"

namespace tfm {

std::string escape_markdown(std::string_view text) {
  constexpr std::string_view markup = "<*[&";
  std::string escaped;
  bool in_code = false;
  for (const char character : text) {
    if (character == '`') in_code = !in_code;
    if (!in_code && markup.find(character) != std::string_view::npos) escaped += '\\';
    escaped += character;
  }
  return escaped;
}

std::string markdown_cell(std::string_view text) {
  std::string cell;
  for (const char character : escape_markdown(text)) {
    if (character == '|') cell += '\\';
    cell += character;
  }
  return cell;
}

}  // namespace tfm
