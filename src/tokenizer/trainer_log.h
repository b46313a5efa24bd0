// Follows how far SentencePiece's trainer is, by the lines of its log: the library has no other
// report of its progress. Lines of an unknown form change nothing, so another version of
// SentencePiece can at worst make the progress coarser.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tfm {

class TrainerLog {
 public:
  /// `vocab_size` is the number of tokens that the trainer is asked for.
  explicit TrainerLog(std::int64_t vocab_size) : vocab_size_(vocab_size) {}

  void read(std::string_view line);

  /// Returns what the trainer does: "reading the text". Empty while it counts.
  std::string_view part() const { return part_; }
  /// Returns the number of subwords (BPE) or iterations (unigram) so far.
  std::int64_t count() const { return count_; }
  /// Returns the share of them that is done, from 0 to 1; nullopt before the first one.
  std::optional<double> share() const { return share_; }

 private:
  void count_subword(std::int64_t size);
  void count_iteration(std::int64_t size);

  std::int64_t vocab_size_;
  std::int64_t given_tokens_ = 0;  // characters, special tokens and symbols
  std::int64_t seeds_ = 0;         // the subwords that unigram training starts with
  std::string_view part_ = "reading the text";
  std::int64_t count_ = 0;
  std::optional<double> share_;
};

}  // namespace tfm
