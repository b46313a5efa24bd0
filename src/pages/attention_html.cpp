#include <nlohmann/json.hpp>

#include "attention_document.h"
#include "attention_map.h"
#include "page_files.h"
#include "page_template.h"

namespace tfm {
namespace {

constexpr int page_decimals = 4;  // a page of many sentences stays small, and shows 3

std::string first_shown_json(const AttentionSelection& choice) {
  nlohmann::json json = {{"layer", nullptr}, {"head", nullptr}};
  if (choice.layer) json["layer"] = *choice.layer;
  if (choice.head) json["head"] = *choice.head;
  return json.dump();
}

}  // namespace

std::string attention_html(const std::vector<SentenceAttention>& sentences,
                           const AttentionSelection& first_shown) {
  const std::string document = within_script(attention_document(sentences, page_decimals));
  if (!sentences.empty()) check_choice(sentences.front(), first_shown);
  const std::string first = first_shown_json(first_shown);
  return filled(attention_html_file, {{"page.css", page_css_file},
                                      {"attention.css", attention_css_file},
                                      {"heatmap.js", heatmap_js_file},
                                      {"attention_state.js", attention_state_js_file},
                                      {"attention_view.js", attention_view_js_file},
                                      {"attention.js", attention_js_file},
                                      {"sentences", document},
                                      {"first_shown", first}});
}

}  // namespace tfm
