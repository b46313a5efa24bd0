#include "tfm/model/model_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "temporary_folder.h"
#include "tfm/core/atomic_file.h"
#include "tfm/core/error.h"
#include "tfm/translate/translator.h"
#include "translate/tiny_model.h"

namespace tfm {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

void save(const fs::path& folder, TranslationModel& model) {
  save_config_and_tokenizers(folder, model.config, model.tokenizers);
  write_safetensors(folder / weights_file, state_dict(*model.network));
}

class ModelFolder : public testing::Test {
 protected:
  ModelFolder() { ::unsetenv("TFM_MODEL"); }
  TemporaryFolder folder;
};

TEST_F(ModelFolder, LoadedModelTranslatesLikeTheSavedModel) {
  auto model = tiny_model();
  save(folder.path("m"), model);
  auto loaded = load_model(folder.path("m"), torch::kCPU);
  const std::vector<std::string> lines{"a b c", "d", "e f g h"};
  const auto before = Translator(model, model.config.decoding).translate(lines);
  const auto after = Translator(loaded, loaded.config.decoding).translate(lines);
  for (std::size_t i = 0; i < lines.size(); ++i) EXPECT_EQ(before[i].text(), after[i].text());
}

TEST_F(ModelFolder, CheckpointUsesTheConfigAndTokenizersOfItsRun) {
  auto model = tiny_model();
  save(folder.path("run"), model);
  const auto checkpoint = folder.path("run") / "checkpoints/step-00000004";
  fs::create_directories(checkpoint);
  fs::rename(folder.path("run") / weights_file, checkpoint / weights_file);
  for (const auto& name : {checkpoint, checkpoint / "", checkpoint / "."}) {
    EXPECT_EQ(description_folder(name), fs::absolute(folder.path("run")));
    auto loaded = load_model(name, torch::kCPU);
    EXPECT_EQ(loaded.folder, name);
    EXPECT_EQ(Translator(loaded, loaded.config.decoding).translate({"a b"}).front().text(),
              Translator(model, model.config.decoding).translate({"a b"}).front().text());
  }
}

TEST_F(ModelFolder, DescriptionFolderIsTheFolderItselfUnlessItIsACheckpointOfARun) {
  auto model = tiny_model();
  save(folder.path("run"), model);
  const auto empty = folder.path("run") / "checkpoints/empty";
  fs::create_directories(empty);
  EXPECT_EQ(description_folder(empty), empty);
  EXPECT_EQ(description_folder(folder.path("run")), folder.path("run"));
  fs::create_directories(folder.path("copy"));
  write_file(folder.path("copy") / weights_file, "");
  EXPECT_EQ(description_folder(folder.path("copy")), folder.path("copy"));
}

/// Weights of another data type are converted to fp32, so they do not use the memory mapping of the
/// file.
TEST_F(ModelFolder, RecordsWhetherWeightsAreMemoryMapped) {
  auto model = tiny_model();
  save(folder.path("m"), model);
  EXPECT_TRUE(load_model(folder.path("m"), torch::kCPU).mapped);
  auto weights = state_dict(*model.network);
  for (auto& [name, weight] : weights) weight = weight.detach().to(torch::kBFloat16);
  write_safetensors(fs::path(folder.path("m")) / weights_file, weights);
  EXPECT_FALSE(load_model(folder.path("m"), torch::kCPU).mapped);
}

TEST_F(ModelFolder, ThrowsWithTheNameOfAMissingFile) {
  auto model = tiny_model();
  EXPECT_NE(message_of<ModelError>([&] {
              load_model(folder.path("none"), torch::kCPU);
            }).find("is not a model folder"),
            std::string::npos);
  for (const char* file : {"config.yaml", "model.safetensors", "joint.vocab"}) {
    save(folder.path("m"), model);
    fs::remove(folder.path("m") / file);
    EXPECT_NE(message_of<ModelError>([&] { load_model(folder.path("m"), torch::kCPU); }).find(file),
              std::string::npos)
        << file;
  }
}

TEST_F(ModelFolder, ErrorForAMissingFolderNamesTheNewestRunsBesideIt) {
  const auto error = [&](const char* name) {
    return message_of<ModelError>([&] { load_model(folder.path(name), torch::kCPU); });
  };
  EXPECT_THAT(error("missing"), HasSubstr("There is no run here. Train one"));
  const auto now = fs::file_time_type::clock::now();
  for (int run = 0; run < 7; ++run) {
    const auto weights = folder.path("r" + std::to_string(run)) / weights_file;
    fs::create_directories(weights.parent_path());
    write_file(weights, "");
    fs::last_write_time(weights, now - std::chrono::hours(run));
  }
  fs::create_directories(folder.path("unfinished"));
  const auto r = [&](int run) { return folder.path("r" + std::to_string(run)).string(); };
  EXPECT_THAT(error("missing"), HasSubstr("Runs here: " + r(0) + ", " + r(1) + ", " + r(2) + ", " +
                                          r(3) + ", " + r(4) + "."));
  EXPECT_THAT(error("unfinished"), HasSubstr("Runs here: " + r(0)));
}

TEST_F(ModelFolder, ErrorForARunWithoutAModelNamesItsNewestCheckpoint) {
  auto model = tiny_model();
  save(folder.path("run"), model);
  for (const char* step : {"step-00000005", "step-00000011"}) {
    fs::create_directories(folder.path("run") / "checkpoints" / step);
    fs::copy(folder.path("run") / weights_file, folder.path("run") / "checkpoints" / step);
  }
  fs::create_directories(folder.path("run") / "checkpoints" / "step-00000012");
  fs::remove(folder.path("run") / weights_file);
  const auto newest = folder.path("run") / "checkpoints" / "step-00000011";
  EXPECT_THAT(message_of<ModelError>([&] { load_model(folder.path("run"), torch::kCPU); }),
              testing::AllOf(HasSubstr("holds no model.safetensors"),
                             HasSubstr("name its newest checkpoint: " + newest.string()),
                             testing::Not(HasSubstr("Runs here"))));
  EXPECT_EQ(load_model(newest, torch::kCPU).config.model.hidden_size,
            model.config.model.hidden_size);
}

TEST_F(ModelFolder, ThrowsWhenWeightsHaveAnotherShapeThanTheConfig) {
  auto model = tiny_model();
  save(folder.path("m"), model);
  auto config = read_file(folder.path("m") / "config.yaml");
  config.replace(config.find("transformer_ff: 32"), 18, "transformer_ff: 64");
  write_file(folder.path("m") / "config.yaml", config);
  EXPECT_NE(message_of<ModelError>([&] {
              load_model(folder.path("m"), torch::kCPU);
            }).find("do not match"),
            std::string::npos);
}

TEST_F(ModelFolder, DefaultModelIsNamedByTfmModelOrIsTheRunWithTheNewestWeights) {
  EXPECT_THAT(message_of<ModelError>([&] { default_model(folder.path("runs")); }),
              testing::AllOf(HasSubstr("tfm config init"), testing::Not(HasSubstr("toy.yaml"))));
  EXPECT_THAT(suggest_models(folder.path("none"), folder.path("runs")),
              HasSubstr("tfm config init"));
  for (const char* run : {"old", "new", "unfinished"})
    fs::create_directories(folder.path("runs") / run);
  write_file(folder.path("runs") / "old" / weights_file, "");
  write_file(folder.path("runs") / "new" / weights_file, "");
  const auto now = fs::file_time_type::clock::now();
  fs::last_write_time(folder.path("runs") / "old" / weights_file, now - std::chrono::hours(1));
  EXPECT_EQ(default_model(folder.path("runs")).filename(), "new");
  fs::last_write_time(folder.path("runs") / "old" / weights_file, now + std::chrono::hours(1));
  EXPECT_EQ(default_model(folder.path("runs")).filename(), "old");
  ::setenv("TFM_MODEL", "elsewhere", 1);
  EXPECT_EQ(default_model(folder.path("runs")), "elsewhere");
  ::unsetenv("TFM_MODEL");
}

}  // namespace
}  // namespace tfm
