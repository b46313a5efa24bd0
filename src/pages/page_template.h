// Builds an HTML page from its embedded files and its data.
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace tfm {

/// Returns the page with each {{name}} replaced by the part of that name. Inserted text is not
/// searched for placeholders. Throws std::out_of_range if `parts` lacks a name.
std::string fill_template(std::string_view page,
                          const std::map<std::string_view, std::string_view>& parts);

/// The element of a page in one file that forbids it to load anything.
inline constexpr std::string_view inline_policy =
    R"(<meta http-equiv="Content-Security-Policy"
      content="default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline';
               base-uri 'none'; form-action 'none'">)";

/// Escapes JSON for a <script> element, so that no text in it can end the element or start a
/// comment. Only `<` is escaped; in JSON it occurs only in strings.
std::string escape_for_script(const std::string& json);

}  // namespace tfm
