// A list of examples that looks the same wherever they are: in memory, or in the shards of a corpus
// that is too large for it (shard.h). Examples are returned by value, because they are packed. The
// windows of an epoch may have other versions of some examples (window_examples.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <memory>

#include "tfm/data/consecutive_shards.h"
#include "tfm/data/example.h"
#include "tfm/data/packed_examples.h"
#include "tfm/data/window_examples.h"

namespace tfm {

class Shard;

class ExampleList {
 public:
  ExampleList() = default;
  ExampleList(std::initializer_list<Example> examples) {
    for (const Example& example : examples) push_back(example);
  }

  void push_back(const Example& example) { memory_.push_back(example); }
  /// Appends a shard, before whose part `line_offset` lines of the text come. Shards must be
  /// appended before examples in memory.
  void append(std::shared_ptr<const Shard> shard, std::int64_t line_offset);
  /// Appends the unchanged examples of a list; its shards are shared.
  void append(const ExampleList& list);

  /// Makes the window current: its examples take its versions. Other examples keep those of the
  /// window before, because the batches of an update may be from both.
  void enter(std::shared_ptr<const WindowExamples> window);

  std::size_t size() const { return shards_.size() + memory_.size(); }
  bool empty() const { return size() == 0; }
  Example operator[](std::size_t i) const;
  ExampleLengths lengths(std::size_t i) const;
  /// Returns the line of an example, as Example stores it.
  std::int64_t line(std::size_t i) const;
  /// Returns an example of the unmodified text.
  Example unchanged(std::size_t i) const;
  /// Returns the unchanged examples in memory.
  const PackedExamples& packed() const { return memory_; }

  /// Reads the examples one after the other.
  class Iterator {
   public:
    using value_type = Example;
    using difference_type = std::ptrdiff_t;
    using iterator_concept = std::input_iterator_tag;

    Iterator() = default;
    Iterator(const ExampleList& list, std::size_t at) : list_(&list), at_(at) {}

    Example operator*() const { return (*list_)[at_]; }
    Iterator& operator++() {
      ++at_;
      return *this;
    }
    Iterator operator++(int) { return {*list_, at_++}; }
    bool operator==(const Iterator& other) const { return at_ == other.at_; }

   private:
    const ExampleList* list_ = nullptr;
    std::size_t at_ = 0;
  };
  Iterator begin() const { return {*this, 0}; }
  Iterator end() const { return {*this, size()}; }

 private:
  const WindowExamples* window_with(std::size_t i) const;

  ConsecutiveShards<Shard> shards_;  // come before the examples in memory
  PackedExamples memory_;
  std::shared_ptr<const WindowExamples> window_;
  std::shared_ptr<const WindowExamples> previous_window_;
};

}  // namespace tfm
