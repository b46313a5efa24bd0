#include "tfm/run/trainer_state.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "temporary_folder.h"
#include "tfm/core/error.h"

namespace tfm {
namespace {

using testing::HasSubstr;

/// Every member differs from its default.
TrainerState full_state() {
  return {.step = 7,
          .position = {2, 3},
          .seconds = 1.5,
          .epoch = {2.5, 9},
          .report = {1.25, 4},
          .best_score = 41.5,
          .best_step = 5,
          .best_event = R"({"event":"validation","step":5,"bleu":41.5})",
          .validations_without_improvement = 1,
          .validated_step = 6,
          .averaged_step = 4,
          .unscored_step = 3,
          .fingerprints = {77, 78},
          .scheduled = false,
          .divergence = {.skipped_updates = 2,
                         .rollbacks = 1,
                         .step = 6,
                         .back_to = 4,
                         .learning_rate_factor = 0.25},
          .log_bytes = 1234,
          .saved = {.step = 7, .seconds = 1.5}};
}

/// The keys of the first checkpoints that had a manifest.
constexpr const char* former_version = R"({"step": 7, "epoch": 2, "next_batch": 3, "seconds": 1.5,
  "epoch_loss": 2.5, "epoch_tokens": 9, "best_step": 5, "validations_without_gain": 1,
  "validated_step": -1, "data_checksum": 77, "updates_left_out": 2, "rollbacks": 1,
  "diverged_step": 6, "learning_rate_factor": 0.25})";

class TrainerStateFile : public testing::Test {
 protected:
  TrainerState read(const std::string& text) const {
    return read_state(folder.write("progress.json", text));
  }

  TemporaryFolder folder;
};

TEST_F(TrainerStateFile, HoldsEveryMember) {
  EXPECT_EQ(read(to_json(full_state())), full_state());
  EXPECT_EQ(read(to_json(TrainerState{})).best_score, std::nullopt);
}

TEST_F(TrainerStateFile, KeepsItsKeys) {
  const auto object = nlohmann::json::parse(to_json(full_state()));
  const auto former = nlohmann::json::parse(former_version);
  for (const auto& [key, value] : former.items()) EXPECT_TRUE(object.contains(key)) << key;
  EXPECT_EQ(object["asked_for"], false);
  EXPECT_EQ(object["scoreless_step"], 3);
  EXPECT_EQ(object["score_checksum"], 78);
  EXPECT_EQ(object["rolled_back_to"], 4);
  EXPECT_EQ(nlohmann::json::parse(to_json({}))["validated_step"], -1);
}

TEST_F(TrainerStateFile, IsReadIfAFormerVersionWroteIt) {
  auto expected = full_state();
  expected.report = {};
  expected.best_score.reset();
  expected.best_event.clear();
  expected.validated_step = expected.averaged_step = expected.unscored_step = std::nullopt;
  expected.fingerprints.metric = 0;
  expected.scheduled = true;
  expected.divergence.back_to = -1;
  expected.log_bytes.reset();
  EXPECT_EQ(read(former_version), expected);
}

TEST_F(TrainerStateFile, IsRefusedIfAKeyOfEveryVersionIsMissing) {
  const auto whole = nlohmann::json::parse(former_version);
  for (const auto& [key, value] : whole.items()) {
    auto part = whole;
    part.erase(key);
    EXPECT_THAT(message_of<ModelError>([&] { read(part.dump()); }),
                testing::AllOf(HasSubstr("progress.json"), HasSubstr("is no valid progress file"),
                               HasSubstr(key)));
  }
  EXPECT_THROW(read("{\"step\": "), ModelError);
  auto wrong = whole;
  wrong["asked_for"] = "yes";
  EXPECT_THROW(read(wrong.dump()), ModelError) << "an optional key must have its type as well";
}

}  // namespace
}  // namespace tfm
