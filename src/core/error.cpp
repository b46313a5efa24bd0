#include "tfm/core/error.h"

namespace tfm {
namespace {

std::string describe(std::string_view where, std::string_view what, std::string_view remedy) {
  std::string text;
  if (!where.empty()) text.append(where).append(": ");
  text.append(what);
  if (!remedy.empty()) text.append("\n  ").append(remedy);
  return text;
}

}  // namespace

Error::Error(std::string_view where, std::string_view what, std::string_view remedy, int exit_code)
    : std::runtime_error(describe(where, what, remedy)), exit_code_(exit_code) {}

}  // namespace tfm
