#include "skips_json.h"

#include <utility>

#include "skips.h"

namespace tfm {

nlohmann::json skips_json(const std::vector<Skipped>& skipped, const ParallelFiles& files) {
  auto list = nlohmann::json::array();
  for (const Skipped& each : skipped) {
    auto places = nlohmann::json::array();
    for (const LinePlace& place : each.first)
      places.push_back({place.file == source_file(files) ? "source" : "target", place.line});
    list.push_back({{"reason", each.reason},
                    {"count", each.count},
                    {"truncated", each.truncated},
                    {"first", places}});
  }
  return list;
}

std::vector<Skipped> skips_from_json(const json& list, const ParallelFiles& files,
                                     std::int64_t line_offset) {
  std::vector<Skipped> skipped;
  for (const json& each : list) {
    Skipped one{.reason = each.at("reason"),
                .count = each.at("count"),
                .first = {},
                .truncated = each.at("truncated")};
    for (const json& place : each.at("first")) {
      const bool is_source = place.at(0) == "source";
      one.first.push_back({is_source ? source_file(files) : target_file(files),
                           place.at(1).get<std::int64_t>() + line_offset});
    }
    skipped.push_back(std::move(one));
  }
  return skipped;
}

}  // namespace tfm
