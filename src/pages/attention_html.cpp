#include <nlohmann/json.hpp>

#include "attention_document.h"
#include "attention_map.h"
#include "page_files.h"
#include "page_template.h"

namespace tfm {
namespace {

/// Returns the model's name and the initial layer and head as JSON, which attention_state.js reads.
std::string view_json(const AttentionSelection& selection, const std::string& model) {
  using nlohmann::json;
  json view = {{"model", model}, {"layer", nullptr}, {"head", nullptr}};
  if (selection.layer) view["layer"] = *selection.layer;
  if (selection.head) view["head"] = *selection.head;
  return view.dump(-1, ' ', false, json::error_handler_t::replace);
}

}  // namespace

std::string attention_html(const std::vector<SentenceAttention>& sentences,
                           const AttentionSelection& first_shown, const std::string& model) {
  const std::string document =
      escape_for_script(attention_document(sentences, WeightForm::thousandths));
  if (!sentences.empty()) check_selection(sentences.front(), first_shown);
  const std::string view = escape_for_script(view_json(first_shown, model));
  return fill_template(attention_html_file, {{"page.css", page_css_file},
                                             {"attention.css", attention_css_file},
                                             {"page.js", page_js_file},
                                             {"heatmap.js", heatmap_js_file},
                                             {"attention_state.js", attention_state_js_file},
                                             {"attention_view.js", attention_view_js_file},
                                             {"attention.js", attention_js_file},
                                             {"sentences", document},
                                             {"view", view}});
}

}  // namespace tfm
