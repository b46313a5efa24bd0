// Tests the option --trace of tfm train and tfm translate.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

#include "program.h"
#include "small_translator.h"

namespace tfm {
namespace {

using testing::HasSubstr;

std::ptrdiff_t count_operations(const std::filesystem::path& file, const std::string& name) {
  std::ifstream stream(file);
  const auto trace = nlohmann::json::parse(stream);
  const auto& events = trace.at("traceEvents");
  return std::ranges::count_if(events, [&](const auto& event) {
    return event.value("cat", "") == "cpu_op" && event.value("name", "") == name;
  });
}

TEST(Trace, HasTheOperationsOfOneUpdate) {
  const Workplace place;
  const std::string train = std::string(train_small_translator) + " training.warmup_steps=2";
  const auto trained = place.tfm(train + " training.max_steps=14 --trace update.json");
  ASSERT_EQ(trained.code, 0) << trained.err;
  const auto file = place.folder.path("update.json");
  EXPECT_GT(count_operations(file, "aten::embedding"), 0);
  EXPECT_EQ(count_operations(file, "aten::embedding_dense_backward"),
            count_operations(file, "aten::embedding"));

  const auto trace = " training.max_steps=15 training.run_folder=runs/short --trace ";
  const auto missing = place.tfm(train + trace + "none/update.json");
  EXPECT_EQ(missing.code, 2);
  EXPECT_THAT(missing.err, HasSubstr("there is no folder none"));
  EXPECT_EQ(place.tfm(train + trace + "update.json --dry-run").code, 2);
}

TEST(Trace, IsNotWrittenByASessionOfFewUpdates) {
  const Workplace place;
  const auto trained =
      place.tfm(std::string(train_small_translator) +
                " training.warmup_steps=2 training.max_steps=5 --trace update.json");
  EXPECT_EQ(trained.code, 0);
  EXPECT_THAT(trained.err, HasSubstr("update.json was not written"));
  EXPECT_FALSE(std::filesystem::exists(place.folder.path("update.json")));

  const auto translated =
      place.tfm("translate -q -m runs/small --threads 1 --trace lines.json", "hallo\nbier\n");
  EXPECT_EQ(translated.code, 0) << translated.err;
  EXPECT_EQ(translated.err, "");
  EXPECT_EQ(std::ranges::count(translated.out, '\n'), 2);
  EXPECT_GT(count_operations(place.folder.path("lines.json"), "aten::embedding"), 1);

  std::filesystem::create_directory(place.folder.path("folder.json"));
  std::filesystem::create_directory(place.folder.path("folder.json/full"));
  const auto untraced =
      place.tfm("translate -m runs/small --threads 1 --trace folder.json", "hallo\nbier\n");
  EXPECT_EQ(untraced.code, 0) << untraced.err;
  EXPECT_THAT(untraced.err, HasSubstr("folder.json: cannot be written"));
  EXPECT_EQ(untraced.out, translated.out);
}

}  // namespace
}  // namespace tfm
