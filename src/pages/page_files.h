// The files of the HTML pages, embedded by cmake/Embed.cmake.
#pragma once

#include <string_view>

namespace tfm {

extern const std::string_view attention_html_file;
extern const std::string_view attention_css_file;
extern const std::string_view attention_js_file;
extern const std::string_view attention_state_js_file;
extern const std::string_view attention_view_js_file;
extern const std::string_view heatmap_js_file;

extern const std::string_view page_css_file;  // both pages use page_*
extern const std::string_view page_js_file;

extern const std::string_view run_html_file;
extern const std::string_view run_css_file;
extern const std::string_view run_js_file;
extern const std::string_view chart_js_file;

}  // namespace tfm
