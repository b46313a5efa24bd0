// Provides a fixture for tests of whole runs (run.h), with functions that read the files of a run.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>

#include "small_run.h"
#include "tfm/core/atomic_file.h"
#include "tfm/run/checkpoint_store.h"
#include "tfm/run/run_page_file.h"
#include "tfm/tensor/safetensors.h"

namespace tfm {

class Run : public testing::Test {
 protected:
  TemporaryFolder folder;
  Config config = small_run(folder);

  RunResult go(bool resume = false) const {
    return train({.config = config, .name = "test", .resume = resume});
  }
  StateDict last_weights() const {
    return read_safetensors(CheckpointStore(folder.path("run")).list().back() / weights_file)
        .tensors;
  }
  nlohmann::json saved_state() const {
    return nlohmann::json::parse(
        read_file(CheckpointStore(folder.path("run")).list().back() / "progress.json"));
  }
  /// Returns "STEP LOSS BLEU" of each validation in metrics.jsonl at a multiple of valid_steps.
  std::vector<std::string> validations() const {
    std::vector<std::string> found;
    std::istringstream lines(read_file(folder.path("run") / "metrics.jsonl"));
    for (std::string line; std::getline(lines, line);) {
      const auto event = nlohmann::json::parse(line);
      if (event["event"] == "validation" &&
          event["step"].get<int>() % config.training.valid_steps == 0) {
        found.push_back(event["step"].dump() + " " + event["loss"].dump() + " " +
                        event["bleu"].dump());
      }
    }
    return found;
  }
  std::size_t batches_in_an_epoch() const {
    auto one = config;
    one.training.run_folder = folder.path("one epoch");
    one.training.accum_count = 1;
    one.training.log_unit = LogUnit::steps;
    one.training.max_steps = 0;
    one.training.max_epochs = 1;
    const auto steps = train({.config = one, .name = "test"}).end.state.step;
    std::filesystem::remove_all(one.training.run_folder);
    return static_cast<std::size_t>(steps);
  }
  void reset() const { std::filesystem::remove_all(folder.path("run")); }
};

inline void expect_equal(const StateDict& a, const StateDict& b) {
  ASSERT_EQ(a.size(), b.size());
  for (const auto& [name, tensor] : a) EXPECT_TRUE(tensor.equal(b.at(name))) << name;
}

}  // namespace tfm
