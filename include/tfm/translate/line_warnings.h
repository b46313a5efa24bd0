// Warnings about unusual source lines: those that hold text which the vocabulary lacks, are not
// valid UTF-8 or are too long. The first lines of each kind are named, all are summed up at the
// end, so a file of any size gives a few short messages.
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
  /// Names at most `named` lines of each kind; `tfm -v` names all.
  LineWarnings(TokenizerKind kind, std::int64_t named) : kind_(kind), named_(named) {}

  /// Warns about the line, or counts it. `line` counts from 0, messages count from 1.
  void add(std::int64_t line, const Translation& translation);
  /// Returns the messages about all lines, without the kinds whose lines were all named.
  std::vector<std::string> summarize() const;
  /// Logs these messages as warnings. `command` is the command that names all lines with -v.
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
