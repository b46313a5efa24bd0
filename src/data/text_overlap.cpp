#include "tfm/data/text_overlap.h"

#include <algorithm>
#include <functional>
#include <string_view>
#include <system_error>
#include <unordered_set>

namespace tfm {
namespace {

/// Returns a hash that depends on the order of the sides.
std::size_t pair_hash(std::string_view source, std::string_view target) {
  constexpr std::size_t odd = 0x9E3779B97F4A7C15;
  return std::hash<std::string_view>()(source) * odd + std::hash<std::string_view>()(target);
}

/// Calls the function with the hash of each pair.
template <class Function>
void for_each_hash(const ParallelText& text, Function function) {
  for (std::size_t i = 0; i < text.source.size(); ++i)
    function(pair_hash(text.source[i], text.target[i]));
}

}  // namespace

SharedPairCounter::SharedPairCounter(const ParallelText& some) : some_(some) {
  for_each_hash(some, [&](std::size_t hash) { wanted_.insert(hash); });
}

void SharedPairCounter::add(std::string_view source, std::string_view target) {
  const auto hash = pair_hash(source, target);
  if (wanted_.contains(hash)) found_.insert(hash);
}

std::int64_t SharedPairCounter::count() const {
  std::int64_t shared = 0;
  for_each_hash(some_, [&](std::size_t hash) { shared += found_.contains(hash) ? 1 : 0; });
  return shared;
}

std::int64_t count_shared_pairs(const ParallelText& some, const ParallelText& text) {
  SharedPairCounter counter(some);
  for (std::size_t i = 0; i < text.source.size(); ++i) counter.add(text.source[i], text.target[i]);
  return counter.count();
}

std::string describe_shared_files(const ParallelFiles& validation, const ParallelFiles& training) {
  const auto is_training_file = [&](const std::filesystem::path& file) {
    std::error_code none;  // a missing file is equivalent to no other
    return std::ranges::any_of(training.all(), [&](const auto& other) {
      return std::filesystem::equivalent(file, other, none);
    });
  };
  std::string files;
  bool several = false;
  for (const auto& file : validation.all()) {
    if (!is_training_file(file)) continue;
    several = !files.empty();
    files += (several ? " and " : "") + file.string();
  }
  if (files.empty()) return "";
  return files + (several ? " are" : " is") + " training text, too: scores on " +
         (several ? "them" : "it") +
         " do not show how well the model translates new text\n"
         "  Take some hundred pairs out of the training text, and validate on these.";
}

}  // namespace tfm
