#include "json_line.h"

#include "tfm/text/line_breaks.h"

namespace tfm {

std::string json_line(const nlohmann::ordered_json& object) {
  return escape_line_breaks(
      object.dump(-1, ' ', /*ensure_ascii=*/false, nlohmann::json::error_handler_t::replace));
}

}  // namespace tfm
