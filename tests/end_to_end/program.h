// Runs the tfm program as a user does: in a folder, with arguments and standard input. Captures
// stdout and stderr.
#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "temporary_folder.h"

namespace tfm {

struct Outcome {
  int code = 0;
  std::string out;
  std::string err;
};

/// Returns the number in an environment variable, or `otherwise` if it is not set.
inline int setting(const char* name, int otherwise) {
  const char* text = std::getenv(name);
  return text != nullptr ? std::atoi(text) : otherwise;
}

/// A folder to work in, with links to the repository's data/ and configs/.
class Workplace {
 public:
  Workplace() {
    for (const char* name : {"data", "configs"})
      std::filesystem::create_directory_symlink(std::filesystem::path(TFM_SOURCE_DIR) / name,
                                                folder.path(name));
  }

  /// Runs `tfm` with arguments that a shell splits. `before` precedes the program on the command
  /// line ("timeout -s TERM 2").
  Outcome tfm(const std::string& arguments, const std::string& input = "",
              const std::string& before = "") const {
    folder.write("stdin", input);
    const std::string program = (std::filesystem::path(TFM_BINARY_DIR) / "tfm").string();
    const std::string command = "cd '" + folder.path().string() + "' && unset TFM_MODEL && " +
                                before + " '" + program + "' <stdin >stdout 2>stderr " + arguments;
    const int status = std::system(command.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), folder.read("stdout"),
            folder.read("stderr")};
  }

  TemporaryFolder folder;
};

/// A test suite whose tests share one training run: `tfm` trains once with the arguments
/// Suite::command, in `place`.
template <class Suite>
class TrainedSuite : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    place = new Workplace;
    training = place->tfm(Suite::command);
    ASSERT_EQ(training.code, 0) << training.err;
  }
  static void TearDownTestSuite() { delete place; }

  inline static Workplace* place = nullptr;
  inline static Outcome training;
};

}  // namespace tfm
