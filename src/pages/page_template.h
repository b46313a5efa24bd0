// How an HTML page is put together from its embedded files and its data.
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace tfm {

/// The template with each {{name}} replaced. One pass: what was put in is never searched, whatever
/// it holds.
std::string filled(std::string_view page,
                   const std::map<std::string_view, std::string_view>& parts);

/// JSON that may stand in a <script> element: no text in it can end the element or start a comment.
/// `<` occurs in strings only.
std::string within_script(const std::string& json);

}  // namespace tfm
