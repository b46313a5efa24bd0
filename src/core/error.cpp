#include "tfm/core/error.h"

namespace tfm {
namespace {

// what() consists of `where`, separator, `problem`, hint_break and `hint`. An empty `where` or
// `hint` is omitted together with its separator.
constexpr std::string_view separator = ": ";
constexpr std::string_view hint_break = "\n  ";

std::string summarize(std::string_view where, std::string_view problem) {
  std::string text;
  if (!where.empty()) text.append(where).append(separator);
  return text.append(problem);
}

std::string describe(std::string_view where, std::string_view problem, std::string_view hint) {
  std::string text = summarize(where, problem);
  if (!hint.empty()) text.append(hint_break).append(hint);
  return text;
}

}  // namespace

Error::Error(std::string_view where, std::string_view problem, std::string_view hint, int exit_code)
    : std::runtime_error(describe(where, problem, hint)),
      exit_code_(exit_code),
      where_size_(where.size()),
      summary_size_(summarize(where, problem).size()) {}

std::string_view Error::where() const { return summary().substr(0, where_size_); }

std::string_view Error::problem() const {
  return summary().substr(where_size_ == 0 ? 0 : where_size_ + separator.size());
}

std::string_view Error::hint() const {
  const std::string_view after = std::string_view(what()).substr(summary_size_);
  return after.empty() ? after : after.substr(hint_break.size());
}

std::string_view Error::summary() const {
  return std::string_view(what()).substr(0, summary_size_);
}

}  // namespace tfm
