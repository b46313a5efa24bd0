#include "shard_list.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>
#include <set>

#include "skips.h"
#include "skips_json.h"
#include "tfm/core/atomic_file.h"
#include "tfm/core/checksum.h"
#include "tfm/core/error.h"

namespace tfm {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr int list_version = 1;

/// Returns the time of the last change, or 0 if the file changed so recently that another change
/// might not change the time.
std::int64_t settled_time(const fs::path& file) {
  constexpr std::int64_t second = 1'000'000'000;
  struct stat status{};
  if (::stat(file.c_str(), &status) != 0) return 0;
  const std::int64_t modified = status.st_mtim.tv_sec * second + status.st_mtim.tv_nsec;
  const std::int64_t now = std::chrono::duration_cast<std::chrono::nanoseconds>(
                               std::chrono::system_clock::now().time_since_epoch())
                               .count();
  return now - modified > 2 * second ? modified : 0;
}

json sum_json(const TextSum& sum) { return {{"crc32", sum.crc}, {"bytes", sum.bytes}}; }

TextSum sum_from_json(const json& sum) {
  return {.crc = sum.at("crc32"), .bytes = sum.at("bytes")};
}

json list_json(const ShardList& list, const ParallelFiles& files) {
  auto states = json::array();
  for (const FileState& state : list.files)
    states.push_back({{"path", state.path}, {"bytes", state.bytes}, {"modified", state.modified}});
  auto shards = json::array();
  for (const ListedShard& shard : list.shards) {
    json entry{{"name", shard.name}, {"line_offset", shard.line_offset}};
    if (!shard.text.empty()) entry["text"] = shard.text;
    shards.push_back(std::move(entry));
  }
  return {{"tfm_shard_list", list_version},
          {"files", states},
          {"pairs", list.pairs},
          {"source", sum_json(list.source)},
          {"target", sum_json(list.target)},
          {"links", sum_json(list.links)},
          {"skipped", skips_json(list.skipped, files)},
          {"validation", {{"checksum", list.valid_checksum}, {"shared", list.shared}}},
          {"shards", shards}};
}

ShardList list_from_json(const json& object, const ParallelFiles& files) {
  ShardList list;
  for (const json& state : object.at("files"))
    list.files.push_back({state.at("path"), state.at("bytes"), state.at("modified")});
  for (const json& shard : object.at("shards"))
    list.shards.push_back({shard.at("name"), shard.at("line_offset"), shard.value("text", "")});
  list.pairs = object.at("pairs");
  list.source = sum_from_json(object.at("source"));
  list.target = sum_from_json(object.at("target"));
  if (object.contains("links")) list.links = sum_from_json(object["links"]);
  list.skipped = skips_from_json(object.at("skipped"), files, /*line_offset=*/0);
  list.valid_checksum = object.at("validation").at("checksum");
  list.shared = object.at("validation").at("shared");
  return list;
}

/// Returns the names of the shards in a list, none if there is no such list.
std::set<std::string> listed_shards(const fs::path& file) {
  std::set<std::string> names;
  const auto list = read_shard_list(file, {});
  for (std::size_t i = 0; list && i < list->shards.size(); ++i) {
    names.insert(list->shards[i].name);
    if (const auto& text = list->shards[i].text; !text.empty()) names.insert(text);
  }
  return names;
}

}  // namespace

std::vector<FileState> file_states(const std::vector<fs::path>& files) {
  std::vector<FileState> states;
  for (const fs::path& file : files) {
    std::error_code none;  // a missing file is reported when it is read
    states.push_back({fs::absolute(file).lexically_normal().string(), fs::file_size(file, none),
                      settled_time(file)});
  }
  return states;
}

bool are_settled(const std::vector<FileState>& states) {
  return std::ranges::none_of(states, [](const FileState& state) { return state.modified == 0; });
}

std::string shard_list_name(const ParallelFiles& files, const std::string& settings) {
  Crc32 sum;
  for (const FileState& state : file_states(files.all())) sum.add(state.path + "\n");
  sum.add(settings);
  return source_file(files).filename().string() + "-" + sum.hex() + ".json";
}

std::optional<ShardList> read_shard_list(const fs::path& file, const ParallelFiles& files) {
  if (!fs::exists(file)) return std::nullopt;
  try {
    const auto object = json::parse(read_file(file));
    if (object.at("tfm_shard_list") != list_version) return std::nullopt;
    return list_from_json(object, files);
  } catch (const json::exception&) {
    return std::nullopt;  // the list is made again
  }
}

void replace_shard_list(const fs::path& file, const ShardList& list, const ParallelFiles& files) {
  auto unused = listed_shards(file);
  write_file(file, list_json(list, files).dump(1) + "\n");
  for (const auto& entry : fs::directory_iterator(file.parent_path())) {
    if (entry.path().extension() != ".json") continue;
    for (const std::string& name : listed_shards(entry.path())) unused.erase(name);
  }
  for (const std::string& name : unused) remove_tree(file.parent_path() / name);
}

}  // namespace tfm
