// Declares the contents of the pages' HTML, CSS and JavaScript files. cmake/Embed.cmake generates
// the definitions.
#pragma once

#include <string_view>

namespace tfm {

extern const std::string_view attention_html_file;
extern const std::string_view attention_css_file;
extern const std::string_view attention_js_file;
extern const std::string_view attention_state_js_file;
extern const std::string_view attention_view_js_file;
extern const std::string_view heatmap_js_file;
extern const std::string_view attention_request_js_file;

// All pages use these two files.
extern const std::string_view page_css_file;
extern const std::string_view page_js_file;

extern const std::string_view run_html_file;
extern const std::string_view run_css_file;
extern const std::string_view run_js_file;
extern const std::string_view chart_js_file;

// The pages of runs and cleaning use this file.
extern const std::string_view report_css_file;

extern const std::string_view cleaning_html_file;
extern const std::string_view cleaning_css_file;
extern const std::string_view cleaning_js_file;

extern const std::string_view translate_html_file;
extern const std::string_view translate_css_file;
extern const std::string_view translate_file_js_file;
extern const std::string_view translate_suggest_js_file;
extern const std::string_view translate_words_js_file;
extern const std::string_view translate_choices_js_file;
extern const std::string_view translate_js_file;

// The pages of a service use this file.
extern const std::string_view service_js_file;

// The pages of runs, cleaning and translations use this file.
extern const std::string_view theme_js_file;

}  // namespace tfm
