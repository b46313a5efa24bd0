#include "tfm/pages/translate_page.h"

#include "page_files.h"

namespace tfm {

std::string translate_page_html() { return std::string(translate_html_file); }

std::string translate_page_style() { return std::string(page_css_file).append(translate_css_file); }

std::string translate_page_script() {
  return std::string(page_js_file)
      .append(theme_js_file)
      .append(service_js_file)
      .append(translate_words_js_file)
      .append(translate_suggest_js_file)
      .append(translate_choices_js_file)
      .append(translate_file_js_file)
      .append(translate_js_file);
}

}  // namespace tfm
