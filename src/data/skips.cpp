#include "skips.h"

#include <algorithm>

namespace tfm {

void record_skip(std::vector<Skipped>& skipped, const Skipped& what, const LinePlace& place) {
  add_skips(skipped,
            {{.reason = what.reason, .count = 1, .first = {place}, .truncated = what.truncated}});
}

void add_skips(std::vector<Skipped>& skipped, const std::vector<Skipped>& later) {
  constexpr std::size_t max_places = 3;
  for (const Skipped& what : later) {
    auto found = std::ranges::find_if(skipped, [&](const Skipped& each) {
      return each.reason == what.reason && each.truncated == what.truncated;
    });
    if (found == skipped.end()) {
      skipped.push_back(what);
      continue;
    }
    found->count += what.count;
    for (const auto& place : what.first)
      if (found->first.size() < max_places) found->first.push_back(place);
  }
}

const std::filesystem::path& source_file(const ParallelFiles& files) {
  return files.tsv.empty() ? files.source : files.tsv;
}
const std::filesystem::path& target_file(const ParallelFiles& files) {
  return files.tsv.empty() ? files.target : files.tsv;
}

std::int64_t count_skipped(const std::vector<Skipped>& skipped) {
  std::int64_t count = 0;
  for (const Skipped& each : skipped) count += each.truncated ? 0 : each.count;
  return count;
}

std::vector<std::string> describe(const std::vector<Skipped>& skipped) {
  std::vector<std::string> lines;
  for (const Skipped& each : skipped) {
    std::string places;
    for (const LinePlace& place : each.first) places += (places.empty() ? "" : ", ") + place.text();
    if (each.count > static_cast<std::int64_t>(each.first.size())) places += ", ...";
    lines.push_back(std::to_string(each.count) + (each.count == 1 ? " pair " : " pairs ") +
                    (each.truncated ? "truncated" : "skipped") + ": " + each.reason + " (" +
                    places + ")");
  }
  return lines;
}

}  // namespace tfm
