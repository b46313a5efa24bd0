#include <map>
#include <nlohmann/json.hpp>
#include <string_view>

#include "attention_document.h"
#include "attention_map.h"
#include "page_files.h"

namespace tfm {
namespace {

constexpr int page_decimals = 4;  // a page of many sentences stays small, and shows 3

/// The template with each {{name}} replaced. One pass: what was put in is never searched, whatever it holds.
std::string filled(std::string_view page, const std::map<std::string_view, std::string_view>& parts) {
  std::string result;
  for (auto open = page.find("{{"); open != std::string_view::npos; open = page.find("{{")) {
    const auto close = page.find("}}", open);
    result.append(page.substr(0, open));
    result.append(parts.at(page.substr(open + 2, close - open - 2)));
    page.remove_prefix(close + 2);
  }
  return result.append(page);
}

/// JSON that may stand in a <script> element: no text in it can end the element or start a comment. `<` occurs in strings only.
std::string within_script(const std::string& json) {
  std::string result;
  result.reserve(json.size());
  for (const char c : json) {
    if (c == '<') {
      result += "\\u003c";
    } else {
      result += c;
    }
  }
  return result;
}

std::string first_shown_json(const AttentionChoice& choice) {
  nlohmann::json json = {{"layer", nullptr}, {"head", nullptr}};
  if (choice.layer) json["layer"] = *choice.layer;
  if (choice.head) json["head"] = *choice.head;
  return json.dump();
}

}  // namespace

std::string attention_html(const std::vector<SentenceAttention>& sentences, const AttentionChoice& first_shown) {
  const std::string document = within_script(attention_document(sentences, page_decimals));
  if (!sentences.empty()) check_choice(sentences.front(), first_shown);
  const std::string first = first_shown_json(first_shown);
  return filled(attention_html_file, {{"attention.css", attention_css_file},
                                      {"heatmap.js", heatmap_js_file},
                                      {"attention_state.js", attention_state_js_file},
                                      {"attention_view.js", attention_view_js_file},
                                      {"attention.js", attention_js_file},
                                      {"sentences", document},
                                      {"first_shown", first}});
}

}  // namespace tfm
