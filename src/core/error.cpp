#include "tfm/core/error.h"

namespace tfm {
namespace {

std::string describe(std::string_view where, std::string_view what, std::string_view hint) {
  std::string text;
  if (!where.empty()) text.append(where).append(": ");
  text.append(what);
  if (!hint.empty()) text.append("\n  ").append(hint);
  return text;
}

}  // namespace

Error::Error(std::string_view where, std::string_view what, std::string_view hint, int exit_code)
    : std::runtime_error(describe(where, what, hint)), exit_code_(exit_code) {}

}  // namespace tfm
