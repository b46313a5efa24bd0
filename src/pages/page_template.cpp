#include "page_template.h"

namespace tfm {

std::string fill_template(std::string_view page,
                          const std::map<std::string_view, std::string_view>& parts) {
  std::string result;
  for (auto open = page.find("{{"); open != std::string_view::npos; open = page.find("{{")) {
    const auto close = page.find("}}", open);
    result.append(page.substr(0, open));
    result.append(parts.at(page.substr(open + 2, close - open - 2)));
    page.remove_prefix(close + 2);
  }
  return result.append(page);
}

std::string escape_for_script(const std::string& json) {
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

}  // namespace tfm
