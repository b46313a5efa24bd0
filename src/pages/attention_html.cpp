#include <nlohmann/json.hpp>

#include "attention_document.h"
#include "attention_map.h"
#include "page_files.h"
#include "page_template.h"

namespace tfm {
namespace {

constexpr int page_decimals = 4;  // keeps pages small; the page shows 3 decimals

std::string first_shown_json(const AttentionSelection& selection) {
  nlohmann::json json = {{"layer", nullptr}, {"head", nullptr}};
  if (selection.layer) json["layer"] = *selection.layer;
  if (selection.head) json["head"] = *selection.head;
  return json.dump();
}

}  // namespace

std::string attention_html(const std::vector<SentenceAttention>& sentences,
                           const AttentionSelection& first_shown) {
  const std::string document = escape_for_script(attention_document(sentences, page_decimals));
  if (!sentences.empty()) check_selection(sentences.front(), first_shown);
  const std::string first = first_shown_json(first_shown);
  return fill_template(attention_html_file, {{"page.css", page_css_file},
                                             {"attention.css", attention_css_file},
                                             {"page.js", page_js_file},
                                             {"heatmap.js", heatmap_js_file},
                                             {"attention_state.js", attention_state_js_file},
                                             {"attention_view.js", attention_view_js_file},
                                             {"attention.js", attention_js_file},
                                             {"sentences", document},
                                             {"first_shown", first}});
}

}  // namespace tfm
