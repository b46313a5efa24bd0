// Edits files of a run at random. The program must either work despite the edit, or fail with an
// error that names the file. The environment variable TFM_EDITS sets the number of edits per test
// (default: 60), and TFM_EDIT_SEED sets the random seed of the edits.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "forked_program.h"
#include "random_edit.h"

namespace tfm {
namespace {

namespace fs = std::filesystem;
using testing::AnyOf;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

std::size_t setting(const char* name, std::size_t otherwise) {
  const char* text = std::getenv(name);
  return text != nullptr ? std::strtoull(text, nullptr, 10) : otherwise;
}

/// An edit of a file, and the outcome of the program that then read the file.
struct Case {
  fs::path file;
  std::string description;
  ForkedOutcome outcome;

  /// Returns true if stderr contains the name of the file or, if the file belongs to a checkpoint,
  /// the name of the checkpoint.
  bool names_file() const {
    const std::string parent = file.parent_path().filename();
    const std::string name = parent.starts_with("step-") ? parent : file.filename().string();
    return outcome.err.find(name) != std::string::npos;
  }

  std::string text() const {
    return file.string() + ": " + description + "\nexit code " + std::to_string(outcome.code) +
           "\n" + outcome.err;
  }
};

class CorruptFiles : public testing::Test {
 protected:
  static constexpr const char* run = "runs/small";
  static constexpr const char* sentences = "ein kaffee bitte .\nwo ist der bahnhof ?\n";

  static void SetUpTestSuite() {
    place = new TemporaryFolder;
    for (const char* name : {"data", "configs"})
      fs::create_directory_symlink(fs::path(TFM_SOURCE_DIR) / name, place->path(name));
    const auto trained = ForkedProgram(*place).run(train(20));
    ASSERT_EQ(trained.code, 0) << trained.err;
    fs::copy(place->path(run), place->path("original"), fs::copy_options::recursive);
  }
  static void TearDownTestSuite() { delete place; }

  static std::string train(int steps) {
    return "train -q --config configs/demo.yaml model.hidden_size=16 model.heads=2 "
           "model.transformer_ff=32 model.encoder_layers=1 model.decoder_layers=1 "
           "tokenizer.vocab_size=400 data.max_length=64 training.batch_size=512 "
           "training.threads=1 training.device=cpu training.precision=fp32 "
           "training.valid_sentences=2 training.valid_steps=8 training.save_steps=8 "
           "training.max_minutes=0 training.max_epochs=0 training.warmup_steps=5 "
           "training.schedule=constant training.average_checkpoints=0 decoding.beam_size=1 "
           "decoding.max_length=8 --resume training.run_folder=" +
           std::string(run) + " training.max_steps=" + std::to_string(steps);
  }
  static std::string translate(const std::string& precision = "fp32") {
    return "translate --threads 1 --precision " + precision + " -m " + std::string(run);
  }

  /// Restores the files of the run as training wrote them.
  static void restore() {
    fs::remove_all(place->path(run));
    fs::copy(place->path("original"), place->path(run), fs::copy_options::recursive);
  }

  static std::vector<fs::path> files() {
    std::vector<fs::path> found;
    for (const auto& entry : fs::recursive_directory_iterator(place->path("original")))
      if (entry.is_regular_file())
        found.push_back(fs::relative(entry.path(), place->path("original")));
    std::sort(found.begin(), found.end());
    return found;
  }

  /// Restores the run, edits one of its files and runs the program. Checks what must hold after
  /// every edit: the exit code is 0, 1 or 2, an error names the file and is not reported as
  /// unexpected, and stderr has no escape sequences.
  static Case run_with_edit(RandomEditor& editor, const fs::path& file,
                            const std::string& command) {
    restore();
    const std::string name = std::string(run) + "/" + file.string();
    std::string bytes = place->read(name);
    Case result{file, editor.edit(bytes), {}};
    place->write(name, bytes);
    result.outcome = ForkedProgram(*place).run(command, sentences);
    const ForkedOutcome& seen = result.outcome;
    EXPECT_THAT(seen.code, AnyOf(0, 1, 2)) << result.text();
    EXPECT_THAT(seen.err, Not(ContainsRegex("E [0-9:]+ unexpected:"))) << result.text();
    EXPECT_THAT(seen.err, Not(HasSubstr("\x1b"))) << result.text();
    EXPECT_TRUE(seen.code == 0 || result.names_file()) << result.text();
    return result;
  }

  /// Runs `command` TFM_EDITS times, each time with one random edit of one of the files `edited`,
  /// and passes each Case to `check`.
  template <class Check>
  static void for_each_edit(const std::vector<fs::path>& edited, const std::string& command,
                            const Check& check) {
    RandomEditor editor(setting("TFM_EDIT_SEED", 2016));
    for (std::size_t count = setting("TFM_EDITS", 60); count > 0; --count)
      check(run_with_edit(editor, edited[editor.below(edited.size())], command));
  }

  inline static TemporaryFolder* place = nullptr;
};

TEST_F(CorruptFiles, TranslatePrintsOneLinePerInputLineOrNamesTheCorruptFile) {
  std::vector<fs::path> read;
  for (const fs::path& file : files())
    if (!file.has_parent_path()) read.push_back(file);
  for_each_edit(read, translate(), [](const Case& seen) {
    if (seen.outcome.code == 0) {
      EXPECT_EQ(std::count(seen.outcome.out.begin(), seen.outcome.out.end(), '\n'), 2)
          << seen.text();
    }
  });
}

TEST_F(CorruptFiles, TranslateReadsOrIgnoresAnEditedPackedFile) {
  restore();
  ASSERT_EQ(ForkedProgram(*place).run("model pack " + std::string(run)).code, 0);
  fs::copy(place->path(run) / "int8.safetensors", place->path("original"));
  for_each_edit({"int8.safetensors"}, translate("int8"),
                [](const Case& seen) { EXPECT_EQ(seen.outcome.code, 0) << seen.text(); });
  fs::remove(place->path("original") / "int8.safetensors");
}

TEST_F(CorruptFiles, ResumedRunEndsWithTheSameWeightsOrNamesTheCorruptFile) {
  restore();
  ASSERT_EQ(ForkedProgram(*place).run(train(22)).code, 0);
  const std::string weights = std::string(run) + "/model.safetensors";
  const std::string expected = place->read(weights);
  for_each_edit(files(), train(22), [&](const Case& seen) {
    if (seen.outcome.code != 0 || seen.names_file()) return;
    EXPECT_TRUE(place->read(weights) == expected) << seen.text();
  });
}

TEST_F(CorruptFiles, ReportSucceedsOrNamesTheCorruptFile) {
  for_each_edit(files(), "report " + std::string(run), [](const Case&) {});
}

}  // namespace
}  // namespace tfm
