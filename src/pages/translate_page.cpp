#include "tfm/pages/translate_page.h"

#include "page_files.h"

namespace tfm {

TranslatePage translate_page() {
  return {.html = std::string(translate_html_file),
          .style = std::string(page_css_file).append(translate_css_file),
          .script = std::string(page_js_file).append(theme_js_file).append(translate_js_file)};
}

}  // namespace tfm
