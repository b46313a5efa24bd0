#include "tfm/run/checkpoint_store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <functional>

#include "captured_log.h"
#include "file_size_limit.h"
#include "temporary_folder.h"
#include "tfm/core/atomic_file.h"
#include "tfm/core/error.h"
#include "tfm/model/manifest.h"

namespace tfm {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

class CheckpointStoreTest : public testing::Test {
 protected:
  TemporaryFolder folder;
  CheckpointStore checkpoints{folder.path()};

  /// Saves a checkpoint with arbitrary content in the tensors' files.
  void save(const TrainerState& state) const {
    checkpoints.save(state, [](const fs::path& unfinished) {
      write_file(unfinished / weights_file, std::string(1000, 'w'));
      write_file(unfinished / optimizer_file, std::string(2000, 'o'));
    });
  }
  void save(std::int64_t step) const { save(with_step(step)); }
  void save_unscheduled(std::int64_t step) const {
    auto state = with_step(step);
    state.scheduled = false;
    save(state);
  }
  void save_among_skipped_updates(std::int64_t step) const {
    auto state = with_step(step);
    state.divergence.skipped_updates = 2;
    save(state);
  }
  static TrainerState load(const fs::path& checkpoint) {
    return CheckpointStore::load(checkpoint, [](const fs::path&) {});
  }
  static TrainerState with_step(std::int64_t step) {
    TrainerState state;
    state.step = step;
    return state;
  }
  /// Returns a divergence whose next rollback must go to a checkpoint from before `step`.
  static Divergence before(std::int64_t step) { return {.rollbacks = 1, .rollback_step = step}; }
};

TEST_F(CheckpointStoreTest, ListIgnoresUnfinishedCheckpoints) {
  save(1);
  fs::create_directories(temporary_name(folder.path("checkpoints") / "step-00000002"));
  EXPECT_EQ(checkpoints.list().size(), 1U);
}

TEST_F(CheckpointStoreTest, ListIgnoresStepsThatDoNotFitIntoAnInteger) {
  save(1);
  fs::create_directories(folder.path("checkpoints") / "step-99999999999999999999");
  EXPECT_EQ(checkpoints.list().size(), 1U);
}

TEST_F(CheckpointStoreTest, RecoverRemovesUnfinishedCheckpointsButNoUserFiles) {
  save(1);
  const auto unfinished = temporary_name(folder.path("checkpoints") / "step-00000002");
  const auto own = folder.path("checkpoints") / "step.tmp-mine";
  fs::create_directories(unfinished);
  fs::create_directories(own);
  checkpoints.recover();
  EXPECT_FALSE(fs::exists(unfinished));
  EXPECT_TRUE(fs::exists(own));
  EXPECT_EQ(checkpoints.list().size(), 1U);
}

constexpr const char* parts[] = {"model.safetensors", "optimizer.safetensors", "progress.json",
                                 "manifest.json"};

/// The ways in which the tests corrupt a file, by name.
const std::map<std::string, std::function<void(const fs::path&)>> corruptions = {
    {"truncated", [](const fs::path& file) { fs::resize_file(file, fs::file_size(file) / 2); }},
    {"emptied", [](const fs::path& file) { fs::resize_file(file, 0); }},
    {"removed", [](const fs::path& file) { fs::remove(file); }},
    {"one bit flipped",
     [](const fs::path& file) {
       auto bytes = read_file(file);
       // The flipped bit is near the end of the file; in the manifest, before the last "crc32".
       bytes[bytes.rfind(file.filename() == "manifest.json" ? "crc32" : "") - 3] ^= 4;
       std::ofstream(file, std::ios::binary) << bytes;
     }},
    {"lengthened", [](const fs::path& file) { std::ofstream(file, std::ios::app) << "}"; }},
};

TEST_F(CheckpointStoreTest, LoadThrowsWithTheNameOfTheCorruptFile) {
  for (const auto& [corruption, corrupt] : corruptions) {
    for (const char* name : parts) {
      save(1);
      const auto checkpoint = checkpoints.list().back();
      EXPECT_NO_THROW(load(checkpoint));
      corrupt(checkpoint / name);
      const auto message = message_of<ModelError>([&] { load(checkpoint); });
      EXPECT_THAT(message, HasSubstr(name)) << corruption;
    }
  }
}

TEST_F(CheckpointStoreTest, LatestValidSkipsCorruptCheckpoints) {
  for (const auto& [corruption, corrupt] : corruptions) {
    for (const char* name : parts) {
      for (const int step : {1, 2, 3}) save(step);
      corrupt(folder.path("checkpoints/step-00000002") / name);
      corrupt(folder.path("checkpoints/step-00000003") / name);
      EXPECT_EQ(checkpoints.latest_valid()->filename(), "step-00000001")
          << corruption << " " << name;
      EXPECT_EQ(checkpoints.list().size(), 1U) << "corrupt checkpoints no longer count";
      EXPECT_TRUE(fs::exists(folder.path("checkpoints/damaged-step-00000003")));
    }
  }
  save(4);
  EXPECT_EQ(checkpoints.latest_valid()->filename(), "step-00000004");
}

TEST_F(CheckpointStoreTest, LatestValidThrowsIfAllCheckpointsAreCorrupt) {
  EXPECT_EQ(checkpoints.latest_valid(), std::nullopt);
  save(1);
  save(2);
  for (const auto& checkpoint : checkpoints.list()) fs::remove(checkpoint / "model.safetensors");
  const auto message = message_of<ModelError>([&] { checkpoints.latest_valid(); });
  EXPECT_THAT(message, AllOf(HasSubstr("no valid checkpoint"),
                             HasSubstr("step-00000001/model.safetensors: is missing"),
                             HasSubstr("step-00000002/model.safetensors: is missing"),
                             HasSubstr("start a new run")));
  EXPECT_EQ(checkpoints.list().size(), 2U) << "no checkpoint is renamed";
}

TEST_F(CheckpointStoreTest, FailedSaveKeepsExistingCheckpoints) {
  save(1);
  save(2);
  EXPECT_EQ(checkpoints.list().size(), 2U);
  {
    // Only the optimizer's file exceeds this limit.
    const FileSizeLimit limit(
        fs::file_size(folder.path("checkpoints/step-00000001/model.safetensors")) + 100);
    EXPECT_THAT(
        message_of<ModelError>([&] { save(3); }),
        HasSubstr("optimizer.safetensors: could not be written completely: File too large"));
  }
  const fs::directory_iterator entries(folder.path("checkpoints"));
  EXPECT_EQ(std::distance(entries, {}), 2) << "an unfinished checkpoint would take space";
  EXPECT_EQ(checkpoints.latest_valid()->filename(), "step-00000002");
}

TEST_F(CheckpointStoreTest, RollBackSkipsCheckpointsSavedDuringADivergence) {
  for (const int step : {1, 2, 3}) save(step);
  save_among_skipped_updates(4);
  EXPECT_EQ(checkpoints.roll_back({})->filename(), "step-00000003");
  EXPECT_EQ(checkpoints.list().size(), 3U) << "the newer checkpoint led to the divergence";
  EXPECT_EQ(checkpoints.roll_back(before(3))->filename(), "step-00000002");
  EXPECT_EQ(checkpoints.roll_back(before(2))->filename(), "step-00000001");
  EXPECT_EQ(checkpoints.roll_back(before(1))->filename(), "step-00000001")
      << "the oldest, because none precedes it";
  fs::remove(folder.path("checkpoints/step-00000001/model.safetensors"));
  EXPECT_EQ(checkpoints.roll_back({}), std::nullopt);
}

TEST_F(CheckpointStoreTest, SaveStateKeepsTheCheckpointValid) {
  save(1);
  auto state = with_step(1);
  state.best_score = 7;
  checkpoints.save_state(state);
  EXPECT_EQ(load(*checkpoints.latest_valid()).best_score, 7);
}

/// Simulates a full disk while the state is being rewritten.
TEST_F(CheckpointStoreTest, FailedSaveStateKeepsTheFormerState) {
  save(1);
  auto state = with_step(1);
  state.best_score = 7;
  {
    const FileSizeLimit limit(10);
    EXPECT_THROW(checkpoints.save_state(state), ModelError);
  }
  EXPECT_EQ(load(*checkpoints.latest_valid()).best_score, std::nullopt);
}

TEST_F(CheckpointStoreTest, ListIgnoresCopiesUnderOtherNames) {
  save(1);
  for (const auto* copy : {"step-00000001.bak", "step-good", "step-"}) {
    fs::copy(folder.path("checkpoints/step-00000001"), folder.path("checkpoints") / copy,
             fs::copy_options::recursive);
  }
  save(2);
  EXPECT_EQ(checkpoints.list().size(), 2U);
  EXPECT_TRUE(fs::exists(folder.path("checkpoints/step-00000001.bak")));
}

/// Simulates a kill during save_state on a file system that cannot exchange folders.
TEST_F(CheckpointStoreTest, RecoverRestoresACheckpointThatWasBeingReplaced) {
  save(1);
  fs::rename(folder.path("checkpoints/step-00000001"),
             folder.path("checkpoints/.step-00000001.tfm-replaced"));
  checkpoints.recover();
  EXPECT_EQ(checkpoints.latest_valid().value_or("none").filename(), "step-00000001");
}

TEST_F(CheckpointStoreTest, ListAverageableReturnsValidScheduledCheckpoints) {
  for (const int step : {1, 2, 3}) save(step);
  save_unscheduled(4);
  save_among_skipped_updates(5);
  fs::remove(folder.path("checkpoints/step-00000002/model.safetensors"));
  const CapturedLog log;
  EXPECT_THAT(checkpoints.list_averageable(),
              ElementsAre(folder.path("checkpoints/step-00000001"),
                          folder.path("checkpoints/step-00000003")));
  EXPECT_THAT(log.text(), HasSubstr("step-00000002/model.safetensors: is missing"));
}

/// The manifest is valid, as it would be if another version had written progress.json.
TEST_F(CheckpointStoreTest, ListUsableLogsAStateThatCannotBeRead) {
  for (const int step : {1, 2}) save(step);
  const auto newest = folder.path("checkpoints/step-00000002");
  write_file(newest / state_file, "{}");
  write_manifest(newest, {weights_file, optimizer_file, state_file});
  const CapturedLog log;
  EXPECT_THAT(checkpoints.list_usable(), ElementsAre(folder.path("checkpoints/step-00000001")));
  EXPECT_THAT(log.text(), HasSubstr("step-00000002/progress.json"));
  EXPECT_EQ(checkpoints.roll_back({})->filename(), "step-00000001");
}

TEST_F(CheckpointStoreTest, RollBackPrefersScheduledCheckpoints) {
  save(1);
  save_unscheduled(2);
  EXPECT_EQ(checkpoints.roll_back({})->filename(), "step-00000001");
  save_unscheduled(3);
  fs::remove_all(folder.path("checkpoints/step-00000001"));
  EXPECT_EQ(checkpoints.roll_back({})->filename(), "step-00000003");
}

}  // namespace
}  // namespace tfm
