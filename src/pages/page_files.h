// The files of src/pages that make up the HTML page, embedded by cmake/Embed.cmake.
#pragma once

#include <string_view>

namespace tfm {

extern const std::string_view attention_html_file;
extern const std::string_view attention_css_file;
extern const std::string_view attention_js_file;
extern const std::string_view attention_state_js_file;
extern const std::string_view attention_view_js_file;
extern const std::string_view heatmap_js_file;

}  // namespace tfm
