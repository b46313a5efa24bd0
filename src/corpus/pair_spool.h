// A temporary file of pairs that wait for a decision, in their order.
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>

#include "tfm/corpus/pair_source.h"

namespace tfm {

class PairSpool {
 public:
  /// Throws ModelError if the file can't be created.
  explicit PairSpool(std::filesystem::path file);

  /// Appends a pair with a number. Throws ModelError if the disk is full.
  void write(const CorpusPair& pair, std::int64_t number);
  /// Goes back to the first pair, for read().
  void rewind();
  /// Reads the next pair and its number; returns false at the end.
  bool read(CorpusPair& pair, std::int64_t& number);

 private:
  void check();

  std::filesystem::path file_;
  std::fstream stream_;
};

}  // namespace tfm
