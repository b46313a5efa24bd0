// Warnings about unusual source lines: lines with text that the vocabulary does not cover, lines
// that are not valid UTF-8, and lines that are too long. The first lines of each kind are reported
// one by one, and all lines are counted in a summary. An input of any size therefore gives only a
// few short messages.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "tfm/config/config.h"
#include "tfm/translate/translation.h"

namespace tfm {

class LineWarnings {
 public:
  /// add() logs the first `named` lines of each kind of warning as warnings, and later lines only
  /// with `tfm -v`. `kind` is the kind of tokenizer, which decides what a unit of unknown text is.
  LineWarnings(TokenizerKind kind, std::int64_t named) : kind_(kind), named_(named) {}

  /// Counts the line and logs its warnings. `line` is the line's index, from 0; messages number
  /// lines from 1.
  void add(std::int64_t line, const Translation& translation);
  /// Returns one message per kind that has more than `named` lines.
  std::vector<std::string> summarize() const;
  /// Logs the messages of summarize() as warnings. If there are any, then suggests `tfm -v
  /// <command>`, which reports every such line.
  void log_summary(const char* command) const;

 private:
  void count_unknown(const std::string& text);

  TokenizerKind kind_;
  std::int64_t named_;
  std::int64_t lines_ = 0;
  std::int64_t unknown_lines_ = 0;
  std::int64_t invalid_lines_ = 0;
  std::int64_t long_lines_ = 0;
  std::map<std::string, std::int64_t> unknown_;  // how often each unknown word or character occurs
};

}  // namespace tfm
