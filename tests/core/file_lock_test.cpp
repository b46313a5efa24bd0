#include "tfm/core/file_lock.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <optional>

#include "temporary_folder.h"
#include "tfm/core/error.h"

namespace tfm {
namespace {

/// A child process that takes the lock and holds it until the child is killed.
class Holder {
 public:
  explicit Holder(const std::filesystem::path& file) {
    int ready[2];
    EXPECT_EQ(::pipe(ready), 0);
    pid_ = ::fork();
    if (pid_ == 0) {
      const FileLock lock(file);
      if (::write(ready[1], "x", 1) == 1) ::pause();
      ::_exit(1);
    }
    char byte = 0;
    EXPECT_EQ(::read(ready[0], &byte, 1), 1);
    ::close(ready[0]);
    ::close(ready[1]);
  }
  ~Holder() {
    if (pid_ > 0) kill();
  }
  void kill() {
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
    pid_ = -1;
  }
  pid_t pid() const { return pid_; }

 private:
  pid_t pid_ = -1;
};

TEST(FileLock, ThrowsWithTheProcessIdIfAnotherProcessHoldsTheLock) {
  TemporaryFolder folder;
  const auto file = folder.path("lock");
  EXPECT_EQ(FileLock::holder(file), std::nullopt);
  Holder first(file);
  EXPECT_EQ(FileLock::holder(file), first.pid());
  const auto message = message_of<ModelError>([&] { FileLock second(file); });
  EXPECT_NE(message.find("is in use by process " + std::to_string(first.pid())), std::string::npos)
      << message;
  EXPECT_EQ(message_of<ModelError>([&] { FileLock::require_free(file); }), message);
  EXPECT_EQ(FileLock::holder(file), first.pid());  // the failed lock did not overwrite the ID
}

TEST(FileLock, IsFreeAfterTheHolderWasKilled) {
  TemporaryFolder folder;
  const auto file = folder.path("lock");
  Holder first(file);
  first.kill();
  EXPECT_EQ(FileLock::holder(file), std::nullopt);
  EXPECT_NO_THROW(FileLock::require_free(file));
  const FileLock second(file);
  EXPECT_EQ(FileLock::holder(file), ::getpid());
}

TEST(FileLock, IsFreeAfterTheHolderReleasedTheLock) {
  TemporaryFolder folder;
  {
    const FileLock first(folder.path("lock"));
  }
  EXPECT_EQ(FileLock::holder(folder.path("lock")), std::nullopt);
  EXPECT_NO_THROW(FileLock(folder.path("lock")));
}

TEST(FileLock, ThrowsWithTheFileNameIfTheFileCannotBeWritten) {
  TemporaryFolder folder;
  const auto message = message_of<ModelError>([&] { FileLock lock(folder.path("none") / "lock"); });
  EXPECT_NE(message.find("none/lock: can't be written"), std::string::npos) << message;
}

}  // namespace
}  // namespace tfm
