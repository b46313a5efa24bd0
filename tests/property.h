// Property-based tests with RapidCheck, which shrinks a failing case to a small one.
#pragma once

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace tfm {

/// Checks the property on `cases` random cases of growing size. The property generates its case
/// with *rc::gen::... and fails through RC_ASSERT or an exception. The test message has the
/// smallest failing case and the seed. RC_ASSERT evaluates both sides of || and &&, so the left
/// side can't guard the right side. The environment variable RC_PARAMS="seed=..." repeats a run,
/// and "max_success=..." sets a larger number of cases.
template <class Property>
void check_property(const Property& property, int cases = 300) {
  auto params = rc::detail::configuration().testParams;
  params.maxSuccess = std::max(params.maxSuccess, cases);
  const auto result = rc::detail::checkTestable(property, rc::detail::TestMetadata(), params);
  if (result.template is<rc::detail::SuccessResult>()) return;
  std::ostringstream message;
  rc::detail::printResultMessage(result, message);
  ADD_FAILURE() << message.str() << "\nRC_PARAMS=\"seed=" << params.seed << "\" repeats this run.";
}

/// Returns a generator of texts that consist of these parts. RapidCheck shrinks a failing text by
/// dropping parts.
inline rc::Gen<std::string> text_from(std::vector<std::string> parts) {
  return rc::gen::map(
      rc::gen::container<std::vector<std::string>>(rc::gen::elementOf(std::move(parts))),
      [](const std::vector<std::string>& chosen) {
        std::string text;
        for (const std::string& part : chosen) text += part;
        return text;
      });
}

}  // namespace tfm
