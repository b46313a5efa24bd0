// Properties on random cases through RapidCheck, which shrinks a case that fails to a small one.
#pragma once

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace tfm {

/// Checks the property on `cases` random cases of growing size. The property draws its case by
/// *rc::gen::... and fails by RC_ASSERT or by an exception. The test's message shows the smallest
/// failing case and the seed. RC_ASSERT evaluates both sides of || and &&. The environment's
/// RC_PARAMS="seed=..." repeats a run, and "max_success=..." asks for more cases.
template <class Property>
void check_property(const Property& property, int cases = 300) {
  auto params = rc::detail::configuration().testParams;
  params.maxSuccess = std::max(params.maxSuccess, cases);
  const auto result = rc::detail::checkTestable(property, rc::detail::TestMetadata(), params);
  if (result.template is<rc::detail::SuccessResult>()) return;
  std::ostringstream message;
  rc::detail::printResultMessage(result, message);
  ADD_FAILURE() << message.str() << "\nRC_PARAMS=\"seed=" << params.seed << "\" repeats it.";
}

/// Texts of such pieces, shrunk by leaving pieces out.
inline rc::Gen<std::string> text_of(std::vector<std::string> pieces) {
  return rc::gen::map(
      rc::gen::container<std::vector<std::string>>(rc::gen::elementOf(std::move(pieces))),
      [](const std::vector<std::string>& chosen) {
        std::string text;
        for (const std::string& piece : chosen) text += piece;
        return text;
      });
}

}  // namespace tfm
