#include "tfm/tensor/operation_trace.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/types.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "temporary_folder.h"

namespace tfm {
namespace {

using testing::Contains;
using testing::IsSupersetOf;
using testing::Not;

std::set<std::string> names_of_operations(const std::filesystem::path& file) {
  std::ifstream stream(file);
  const auto trace = nlohmann::json::parse(stream);
  std::set<std::string> names;
  for (const auto& event : trace.at("traceEvents")) {
    if (event.value("cat", "") == "cpu_op") names.insert(event.at("name"));
  }
  return names;
}

TEST(OperationTrace, ContainsTheOperationsWithTheirBackwardPasses) {
  const TemporaryFolder folder;
  const auto file = folder.path() / "trace.json";
  for (int repetition = 0; repetition < 2; ++repetition) {
    const auto x = torch::ones({2, 2}, torch::requires_grad());
    OperationTrace trace;
    x.tanh().sum().backward();
    trace.save(file);
    x.exp();
    EXPECT_THAT(names_of_operations(file),
                IsSupersetOf({"aten::tanh", "aten::sum", "aten::tanh_backward"}));
    EXPECT_THAT(names_of_operations(file), Not(Contains("aten::exp")));
  }
}

TEST(OperationTrace, ReturnsFalseIfTheFileCannotBeWritten) {
  OperationTrace trace;
  EXPECT_FALSE(trace.save("/no such folder/trace.json"));
}

TEST(OperationTrace, StopsWithoutAFile) {
  {
    const OperationTrace trace;
  }
  const TemporaryFolder folder;
  OperationTrace trace;
  EXPECT_TRUE(trace.save(folder.path() / "trace.json"));
  EXPECT_TRUE(std::filesystem::exists(folder.path() / "trace.json"));
}

}  // namespace
}  // namespace tfm
