// A source of pairs in memory and a record of what cleaning did with them, for tests of cleaning.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tfm/corpus/cleaning.h"

namespace tfm {

class VectorSource : public PairSource {
 public:
  explicit VectorSource(std::vector<CorpusPair> pairs) : pairs_(std::move(pairs)) {}
  bool next(CorpusPair& pair) override {
    if (at_ == pairs_.size()) return false;
    pair = pairs_[at_++];
    return true;
  }
  std::optional<double> share_read() const override {
    return static_cast<double>(at_) / static_cast<double>(pairs_.size());
  }

 private:
  std::vector<CorpusPair> pairs_;
  std::size_t at_ = 0;
};

/// Records "line:source|target", with the rule before dropped pairs.
class RecordingSink : public PairSink {
 public:
  void keep(const CorpusPair& pair) override { add("", pair); }
  void drop(const CorpusPair& pair, std::size_t rule) override {
    add(std::string(rules()[rule].name) + " ", pair);
  }
  std::vector<std::string> found;

 private:
  void add(const std::string& verdict, const CorpusPair& pair) {
    found.push_back(verdict + std::to_string(pair.line) + ":" + pair.source + "|" + pair.target);
  }
};

struct Cleaned {
  std::vector<std::string> found;
  CleaningCounts counts;
};

}  // namespace tfm
