#include "multipart.h"

#include <algorithm>

#include "tfm/core/spelling.h"
#include "tfm/serve/http_message.h"

namespace tfm {
namespace {

constexpr std::size_t most_parts = 32;

/// Returns the value of a parameter of a header ("name=value" or "name=\"value\""), or an empty
/// text. The parameter follows a semicolon.
std::string header_parameter(std::string_view header, const std::string& name) {
  const auto lower = to_lower(header);
  for (auto at = lower.find(';'); at != lower.npos; at = lower.find(';', at + 1)) {
    const auto begin = lower.find_first_not_of(" \t", at + 1);
    if (begin == lower.npos || !std::string_view(lower).substr(begin).starts_with(name + "="))
      continue;
    auto value = header.substr(begin + name.size() + 1);
    if (!value.starts_with('"')) return std::string(value.substr(0, value.find_first_of("; \t")));
    std::string text;
    for (std::size_t i = 1; i < value.size() && value[i] != '"'; ++i) {
      const bool is_escaped =
          value[i] == '\\' && i + 1 < value.size() && (value[i + 1] == '"' || value[i + 1] == '\\');
      if (is_escaped) ++i;
      text += value[i];
    }
    return text;
  }
  return {};
}

FormPart read_part(std::string_view text) {
  const auto end = text.find("\r\n\r\n");
  if (end == text.npos) throw HttpError(400, "a part of the form has no header");
  FormPart part;
  part.content = text.substr(end + 4);
  for (auto header = text.substr(0, end); !header.empty();) {
    const auto line = header.substr(0, header.find("\r\n"));
    header.remove_prefix(std::min(line.size() + 2, header.size()));
    if (!to_lower(line).starts_with("content-disposition:")) continue;
    part.name = header_parameter(line, "name");
    part.file_name = header_parameter(line, "filename");
  }
  return part;
}

}  // namespace

std::vector<FormPart> read_multipart(std::string_view content_type, std::string_view body) {
  const HttpError incomplete(400, "the form is not complete");
  const auto boundary = header_parameter(content_type, "boundary");
  constexpr std::size_t longest_boundary = 70;  // RFC 2046
  if (boundary.empty() || boundary.size() > longest_boundary)
    throw HttpError(400, "the type of the form names no boundary");
  const auto first = "--" + boundary;
  if (!body.starts_with(first)) throw incomplete;
  body.remove_prefix(first.size());
  std::vector<FormPart> parts;
  while (!body.starts_with("--")) {
    if (!body.starts_with("\r\n")) throw incomplete;
    if (parts.size() == most_parts) throw HttpError(400, "the form has too many parts");
    const auto end = body.find("\r\n" + first, 2);
    if (end == body.npos) throw incomplete;
    parts.push_back(read_part(body.substr(2, end - 2)));
    body.remove_prefix(end + 2 + first.size());
  }
  return parts;
}

}  // namespace tfm
