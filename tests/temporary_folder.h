// A temporary folder for one test. The destructor removes it.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

namespace tfm {

class TemporaryFolder {
 public:
  TemporaryFolder() : folder_(std::filesystem::path(testing::TempDir()) / unique_name()) {
    std::filesystem::create_directories(folder_);
  }
  ~TemporaryFolder() { std::filesystem::remove_all(folder_); }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::filesystem::path& path() const { return folder_; }
  std::filesystem::path path(std::string_view name) const { return folder_ / name; }

  /// Writes a file with the given content and returns its path.
  std::filesystem::path write(std::string_view name, std::string_view content) const {
    std::ofstream(path(name), std::ios::binary) << content;
    return path(name);
  }

  std::string read(std::string_view name) const {
    std::ifstream stream(path(name), std::ios::binary);
    EXPECT_TRUE(stream.good()) << name;
    return {std::istreambuf_iterator<char>(stream), {}};
  }

 private:
  static std::string unique_name() {
    static int count = 0;
    return "tfm-test-" + std::to_string(::getpid()) + "-" + std::to_string(count++);
  }

  std::filesystem::path folder_;
};

/// Returns the message of the Exception that the call throws; fails the test if nothing is thrown.
template <class Exception, class Call>
std::string message_of(const Call& call) {
  try {
    call();
  } catch (const Exception& error) {
    return error.what();
  }
  ADD_FAILURE() << "nothing was thrown";
  return "";
}

}  // namespace tfm
