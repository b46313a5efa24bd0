// Examples in memory, packed: 2 bytes for a token (4 if an id needs them) and about 4 for the
// lengths of an example. A list of Example objects would take ten times as much.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "tfm/data/example.h"
#include "tfm/data/packed_integers.h"

namespace tfm {

/// Examples from `first` on, up to the next run, come from consecutive lines from `line` on.
struct LineRun {
  std::uint64_t first = 0;
  std::uint64_t line = 0;
};

/// Finds the ids, the lengths and the line of an example among packed ones. Views the arrays; the
/// ids themselves may be elsewhere.
struct ExampleIndex {
  /// Every example that starts a block has its offset stored; others are found by adding lengths.
  static constexpr std::size_t block = 64;

  IntegerSpan lengths;                     ///< [2 * examples]: S and T of each
  std::span<const std::uint64_t> offsets;  ///< [blocks]: the number of ids before the block
  std::span<const LineRun> runs;           ///< in ascending order

  std::size_t size() const { return lengths.count / 2; }
  ExampleLengths lengths_of(std::size_t example) const {
    return {lengths[2 * example], lengths[2 * example + 1]};
  }
  /// Returns the number of ids before those of the example: its source, then its target.
  std::uint64_t offset_of(std::size_t example) const;
  std::int64_t line_of(std::size_t example) const;
  /// Returns the example of a line that has one. Lines must be known, and ascend.
  std::size_t example_of(std::int64_t line) const;
};

/// An ExampleIndex in memory, which grows.
class PackedIndex {
 public:
  /// Adds the lengths and the line of the next example.
  void push_back(const ExampleLengths& lengths, std::int64_t line);
  std::size_t size() const { return lengths_.size() / 2; }
  /// The view is valid until the next push_back.
  ExampleIndex view() const { return {lengths_.span(), offsets_, runs_}; }

 private:
  PackedIntegers lengths_;
  std::vector<std::uint64_t> offsets_;
  std::vector<LineRun> runs_;
  std::uint64_t end_ = 0;  // the number of ids of all examples
  std::int64_t last_line_ = -1;
};

class PackedExamples {
 public:
  void push_back(const Example& example);
  std::size_t size() const { return index_.size(); }
  ExampleLengths lengths(std::size_t i) const { return index().lengths_of(i); }
  Example operator[](std::size_t i) const;

  /// Both views are valid until the next push_back.
  ExampleIndex index() const { return index_.view(); }
  IntegerSpan ids() const { return ids_.span(); }

 private:
  PackedIntegers ids_;
  PackedIndex index_;
};

/// Returns the example with these ids, of which the first lengths.source are the source's.
Example unpack(const IntegerSpan& ids, const ExampleLengths& lengths, std::int64_t line);

}  // namespace tfm
