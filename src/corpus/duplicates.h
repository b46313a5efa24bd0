// Finds repeated keys in bounded memory. Keys are 64-bit hashes; with a billion pairs, fewer than
// one of them is taken for a duplicate by mistake. Each pair has one key per rule about duplicates.
// A rule sees only pairs that the rules before it have not dropped, and drops all but the first
// with the same key. When the memory is full, the keys are moved to files, divided by their
// first bits; from then on, pairs are only numbered, and resolve() finds the duplicates among them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace tfm {

/// A set of 64-bit hashes.
class HashSet {
 public:
  /// Returns true if the hash is new.
  bool insert(std::uint64_t hash);
  std::size_t size() const { return size_; }
  /// Returns the bytes that the set needs at most during the next insert().
  std::size_t next_bytes() const;
  template <class Use>
  void for_each(const Use& use) const {
    if (has_zero_) use(std::uint64_t{0});
    for (const std::uint64_t hash : slots_) {
      if (hash != 0) use(hash);
    }
  }

 private:
  bool is_crowded() const { return (size_ + 1) * 10 > slots_.size() * 7; }
  std::uint64_t& slot(std::uint64_t hash);
  void grow();

  std::vector<std::uint64_t> slots_;  // 0: empty
  std::size_t size_ = 0;
  bool has_zero_ = false;
};

class DuplicateFinder {
 public:
  /// `memory` limits the bytes of the keys in memory.
  DuplicateFinder(std::size_t rules, std::size_t memory) : memory_(memory), seen_(rules) {}

  /// Returns true if the next check() could exceed the memory.
  bool is_full() const;
  /// Returns which rule drops a pair with these keys, or nullopt. Only before move_to_disk().
  std::optional<std::size_t> check(std::span<const std::uint64_t> keys);

  /// Moves the keys to files in this folder. Throws ModelError if they can't be written.
  void move_to_disk(std::filesystem::path folder);
  /// Takes the keys of a pair that gets the next number, from 0. Only after move_to_disk().
  void defer(std::span<const std::uint64_t> keys);
  /// Finds the duplicates among the deferred pairs. Calls `on_share` often, with the share of the
  /// work that is done.
  void resolve(const std::function<void(double)>& on_share);
  /// Returns which rule drops the deferred pair, or nullopt. Only after resolve().
  std::optional<std::size_t> verdict(std::size_t number) const;

 private:
  struct Record {
    std::uint64_t key;
    std::int64_t number;  // -1: seen before move_to_disk()
  };
  using Partition = std::vector<Record>;  // records that are not in the file yet

  std::filesystem::path file(std::size_t rule, std::size_t partition) const;
  void add(std::size_t rule, Record record);
  void flush(std::size_t rule, std::size_t partition);
  void resolve_partition(std::size_t rule, std::size_t partition);

  std::size_t memory_;
  std::filesystem::path folder_;
  std::vector<HashSet> seen_;                       // per rule
  std::vector<std::vector<Partition>> partitions_;  // per rule
  std::vector<std::vector<bool>> dropped_;          // per rule and number
  std::int64_t deferred_ = 0;
};

}  // namespace tfm
