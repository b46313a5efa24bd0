#include <fmt/format.h>

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

std::string in_element(const std::string& tag, const std::string& attributes,
                       const std::string& text) {
  return fmt::format("<{}{}>\n{}</{}>\n", tag, attributes, text, tag);
}

}  // namespace

std::string attention_html(const std::vector<SentenceAttention>& sentences,
                           const AttentionSelection& first_shown, const std::string& model) {
  const std::string document =
      escape_for_script(attention_document(sentences, WeightForm::thousandths));
  if (!sentences.empty()) check_selection(sentences.front(), first_shown);
  const std::string view = escape_for_script(view_json(first_shown, model));
  const std::string data = R"( type="application/json" id=")";
  const auto script = std::string(page_js_file) + attention_page_script();
  const auto scripts = in_element("script", data + "sentences\"", document) +
                       in_element("script", data + "view\"", view) +
                       in_element("script", "", script);
  return fill_template(attention_html_file,
                       {{"policy", inline_policy},
                        {"style", in_element("style", "", attention_page_style())},
                        {"scripts", scripts}});
}

std::string attention_page_html() {
  return fill_template(attention_html_file,
                       {{"policy", R"(<link rel="icon" href="data:,">)"},
                        {"style", R"(<link rel="stylesheet" href="attention.css">)"},
                        {"scripts", R"(<script src="attention.js"></script>)"}});
}

std::string attention_page_style() { return std::string(page_css_file).append(attention_css_file); }

std::string attention_page_request_script() {
  return std::string(page_js_file).append(service_js_file).append(attention_request_js_file);
}

std::string attention_page_script() {
  return std::string(heatmap_js_file)
      .append(attention_state_js_file)
      .append(attention_view_js_file)
      .append(attention_js_file);
}

std::string attention_page_data(const SentenceAttention& sentence,
                                const AttentionSelection& first_shown) {
  check_selection(sentence, first_shown);
  return fmt::format(R"({{"attention":{},"view":{}}})",
                     attention_document({sentence}, WeightForm::thousandths),
                     view_json(first_shown, ""));
}

}  // namespace tfm
