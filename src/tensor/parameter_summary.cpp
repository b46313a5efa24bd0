#include "tfm/tensor/parameter_summary.h"

#include <fmt/format.h>

#include <algorithm>

#include "tfm/core/format.h"
#include "tfm/tensor/safetensors.h"

namespace tfm {
namespace {

std::string line(const std::string& name, std::int64_t count, std::int64_t all,
                 const std::string& note = "") {
  return fmt::format("  {:<20}{:>15}{:>8.1f}%{}\n", name, group_digits(count),
                     100.0 * static_cast<double>(count) / static_cast<double>(all), note);
}

/// Returns a note about the matrices that an embedding stands for, too. A matrix that is shared
/// (model.tied_embeddings) has one name, and the others are missing among the groups.
std::string sharing_note(const std::string& name, const std::vector<ParameterGroup>& groups) {
  const auto exists = [&](const char* group) {
    return std::ranges::find(groups, group, &ParameterGroup::name) != groups.end();
  };
  if (name == "source_embedding" && !exists("target_embedding"))
    return "  shared with target and output";
  return name == "target_embedding" && !exists("output") ? "  shared with output" : "";
}

}  // namespace

std::vector<ParameterGroup> summarize_parameters(const StateDict& parameters) {
  std::vector<ParameterGroup> groups;
  for (const auto& [name, tensor] : parameters) {
    const auto group = name.substr(0, name.find('.'));
    auto found = std::ranges::find(groups, group, &ParameterGroup::name);
    if (found == groups.end()) found = groups.insert(found, {.name = group});
    found->count += tensor.numel();
    ++found->tensors;
  }
  std::ranges::stable_sort(groups, std::greater<>{}, &ParameterGroup::count);
  return groups;
}

std::vector<ParameterGroup> summarize_parameters(const std::filesystem::path& weights) {
  return summarize_parameters(read_safetensors(weights).tensors);
}

std::string format_parameter_summary(const std::vector<ParameterGroup>& groups) {
  std::int64_t all = 0;
  for (const auto& group : groups) all += group.count;
  std::string text;
  for (const auto& group : groups)
    text += line(group.name, group.count, std::max<std::int64_t>(1, all),
                 sharing_note(group.name, groups));
  return text + line("all", all, std::max<std::int64_t>(1, all));
}

}  // namespace tfm
