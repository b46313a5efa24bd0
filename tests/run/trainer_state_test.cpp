#include "tfm/run/trainer_state.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "temporary_folder.h"
#include "tfm/core/error.h"

namespace tfm {
namespace {

using testing::HasSubstr;

/// Returns a state in which every member differs from its default.
TrainerState full_state() {
  return {.step = 7,
          .position = {2, 3, 4},
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
          .vocabulary = {79, 80},
          .scheduled = false,
          .divergence = {.skipped_updates = 2,
                         .rollbacks = 1,
                         .step = 6,
                         .rollback_step = 4,
                         .learning_rate_factor = 0.25},
          .has_fitted_steps = true,
          .log_bytes = 1234,
          .saved = {.step = 7, .seconds = 1.5}};
}

/// The contents of progress.json in the first version whose checkpoints had a manifest.
constexpr const char* first_version = R"({"step": 7, "epoch": 2, "next_batch": 3, "seconds": 1.5,
  "epoch_loss": 2.5, "epoch_tokens": 9, "best_step": 5, "validations_without_gain": 1,
  "validated_step": -1, "data_checksum": 77, "updates_left_out": 2, "rollbacks": 1,
  "diverged_step": 6, "learning_rate_factor": 0.25})";

/// The required keys and four optional ones. Six of these keys were renamed later; here, they have
/// their former names.
constexpr const char* version_with_former_keys = R"({"step": 7, "epoch": 2, "next_batch": 3,
  "seconds": 1.5, "epoch_loss": 2.5, "epoch_tokens": 9, "best_step": 5, "validated_step": 6,
  "data_checksum": 77, "rollbacks": 1, "diverged_step": 6, "learning_rate_factor": 0.25,
  "validations_without_gain": 1, "scoreless_step": 3, "score_checksum": 78, "asked_for": false,
  "updates_left_out": 2, "rolled_back_to": 4})";

class TrainerStateFile : public testing::Test {
 protected:
  TrainerState read(const std::string& text) const {
    return read_state(folder.write("progress.json", text));
  }

  TemporaryFolder folder;
};

TEST_F(TrainerStateFile, StoresEveryMember) {
  EXPECT_EQ(read(to_json(full_state())), full_state());
  EXPECT_EQ(read(to_json(TrainerState{})).best_score, std::nullopt);
}

TEST_F(TrainerStateFile, WritesTheDocumentedKeys) {
  const auto object = nlohmann::json::parse(to_json(full_state()));
  std::vector<std::string> keys;
  for (const auto& [key, value] : object.items()) keys.push_back(key);
  EXPECT_THAT(
      keys,
      testing::UnorderedElementsAre(
          "step", "epoch", "next_batch", "window", "seconds", "epoch_loss", "epoch_tokens",
          "report_loss", "report_tokens", "best_score", "best_step", "best_validation",
          "validations_without_improvement", "validated_step", "averaged_step",
          "last_unscored_step", "data_checksum", "metric_fingerprint", "source_vocabulary_checksum",
          "target_vocabulary_checksum", "scheduled", "has_fitted_steps", "skipped_updates",
          "rollbacks", "diverged_step", "rollback_step", "learning_rate_factor", "log_bytes"));
  EXPECT_EQ(nlohmann::json::parse(to_json({}))["validated_step"], -1);
}

TEST_F(TrainerStateFile, CanBeReadIfTheFirstVersionWroteIt) {
  auto expected = full_state();
  expected.position.window = 0;
  expected.report = {};
  expected.best_score.reset();
  expected.best_event.clear();
  expected.validated_step = expected.averaged_step = expected.unscored_step = std::nullopt;
  expected.fingerprints.metric = 0;
  expected.vocabulary = {};
  expected.scheduled = true;
  expected.divergence.rollback_step = -1;
  expected.has_fitted_steps = false;
  expected.log_bytes.reset();
  EXPECT_EQ(read(first_version), expected);
}

TEST_F(TrainerStateFile, CanBeReadIfItHasFormerKeys) {
  const auto state = read(version_with_former_keys);
  EXPECT_EQ(state.validations_without_improvement, 1);
  EXPECT_EQ(state.unscored_step, 3);
  EXPECT_EQ(state.fingerprints.metric, 78U);
  EXPECT_FALSE(state.scheduled);
  EXPECT_EQ(state.divergence.skipped_updates, 2);
  EXPECT_EQ(state.divergence.rollback_step, 4);
  EXPECT_EQ(read(to_json(state)), state) << "rewritten with the current keys";
}

TEST_F(TrainerStateFile, IsRejectedIfARequiredKeyIsMissing) {
  const auto whole = nlohmann::json::parse(to_json({}));
  for (const char* key :
       {"step", "epoch", "next_batch", "seconds", "epoch_loss", "epoch_tokens", "best_step",
        "validations_without_improvement", "validated_step", "data_checksum", "skipped_updates",
        "rollbacks", "diverged_step", "learning_rate_factor"}) {
    auto part = whole;
    part.erase(key);
    EXPECT_THAT(message_of<ModelError>([&] { read(part.dump()); }),
                testing::AllOf(HasSubstr("progress.json"),
                               HasSubstr("is not a valid progress file"), HasSubstr(key)));
  }
  EXPECT_THROW(read("{\"step\": "), ModelError);
  auto wrong = whole;
  wrong["scheduled"] = "yes";
  EXPECT_THROW(read(wrong.dump()), ModelError) << "an optional key must have its type as well";
}

}  // namespace
}  // namespace tfm
