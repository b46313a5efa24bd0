#include "duplicates.h"

#include <algorithm>
#include <fstream>
#include <string>
#include <utility>

#include "tfm/core/atomic_file.h"

namespace tfm {
namespace {

constexpr int partition_bits = 6;
constexpr std::size_t partition_count = std::size_t{1} << partition_bits;
constexpr std::size_t records_at_once = 4096;

}  // namespace

std::size_t HashSet::next_bytes() const {
  const std::size_t bytes = slots_.size() * sizeof(std::uint64_t);
  return is_crowded() ? 3 * bytes : bytes;  // growing holds the old and the new slots
}

std::uint64_t& HashSet::slot(std::uint64_t hash) {
  std::size_t at = hash & (slots_.size() - 1);
  while (slots_[at] != 0 && slots_[at] != hash) at = (at + 1) & (slots_.size() - 1);
  return slots_[at];
}

void HashSet::grow() {
  constexpr std::size_t first_size = 1024;
  const auto old =
      std::exchange(slots_, std::vector<std::uint64_t>(std::max(first_size, 2 * slots_.size())));
  for (const std::uint64_t hash : old) {
    if (hash != 0) slot(hash) = hash;
  }
}

bool HashSet::insert(std::uint64_t hash) {
  if (hash == 0) return !std::exchange(has_zero_, true);
  if (is_crowded()) grow();
  std::uint64_t& found = slot(hash);
  if (found == hash) return false;
  found = hash;
  ++size_;
  return true;
}

bool DuplicateFinder::is_full() const {
  std::size_t bytes = 0;
  for (const HashSet& set : seen_) bytes += set.next_bytes();
  return bytes > memory_;
}

std::optional<std::size_t> DuplicateFinder::check(std::span<const std::uint64_t> keys) {
  for (std::size_t rule = 0; rule < keys.size(); ++rule) {
    if (!seen_[rule].insert(keys[rule])) return rule;
  }
  return std::nullopt;
}

std::filesystem::path DuplicateFinder::file(std::size_t rule, std::size_t partition) const {
  return folder_ / (std::to_string(rule) + "-" + std::to_string(partition));
}

void DuplicateFinder::move_to_disk(std::filesystem::path folder) {
  folder_ = std::move(folder);
  partitions_.assign(seen_.size(), std::vector<Partition>(partition_count));
  for (std::size_t rule = 0; rule < seen_.size(); ++rule) {
    seen_[rule].for_each([&](std::uint64_t key) { add(rule, {key, -1}); });
    seen_[rule] = {};
  }
}

void DuplicateFinder::add(std::size_t rule, Record record) {
  const std::size_t partition = record.key >> (64 - partition_bits);
  Partition& records = partitions_[rule][partition];
  records.push_back(record);
  if (records.size() >= records_at_once) flush(rule, partition);
}

void DuplicateFinder::flush(std::size_t rule, std::size_t partition) {
  Partition& records = partitions_[rule][partition];
  std::ofstream stream(file(rule, partition), std::ios::binary | std::ios::app);
  stream.write(reinterpret_cast<const char*>(records.data()),
               static_cast<std::streamsize>(records.size() * sizeof(Record)));
  stream.close();
  if (!stream) throw_unwritable(file(rule, partition), "can't be written");
  records.clear();
}

void DuplicateFinder::defer(std::span<const std::uint64_t> keys) {
  for (std::size_t rule = 0; rule < keys.size(); ++rule) add(rule, {keys[rule], deferred_});
  ++deferred_;
}

void DuplicateFinder::resolve(const std::function<void(double)>& on_share) {
  dropped_.assign(seen_.size(), std::vector<bool>(static_cast<std::size_t>(deferred_)));
  for (std::size_t rule = 0; rule < seen_.size(); ++rule) {
    for (std::size_t partition = 0; partition < partition_count; ++partition) {
      on_share(static_cast<double>(rule * partition_count + partition) /
               static_cast<double>(seen_.size() * partition_count));
      flush(rule, partition);
      resolve_partition(rule, partition);
    }
  }
}

void DuplicateFinder::resolve_partition(std::size_t rule, std::size_t partition) {
  const auto path = file(rule, partition);
  std::ifstream stream(path, std::ios::binary);
  HashSet seen;
  std::vector<Record> records(records_at_once);
  for (;;) {
    stream.read(reinterpret_cast<char*>(records.data()),
                static_cast<std::streamsize>(records.size() * sizeof(Record)));
    const auto count = static_cast<std::size_t>(stream.gcount()) / sizeof(Record);
    if (count == 0) break;
    for (const auto& [key, number] : std::span(records).first(count)) {
      const auto at = static_cast<std::size_t>(number);
      const bool is_dropped =
          number >= 0 && std::ranges::any_of(dropped_, [at](const auto& each) { return each[at]; });
      if (is_dropped) continue;
      if (!seen.insert(key) && number >= 0) dropped_[rule][at] = true;
    }
  }
  stream.close();
  remove_tree(path);
}

std::optional<std::size_t> DuplicateFinder::verdict(std::size_t number) const {
  for (std::size_t rule = 0; rule < dropped_.size(); ++rule) {
    if (dropped_[rule][number]) return rule;
  }
  return std::nullopt;
}

}  // namespace tfm
