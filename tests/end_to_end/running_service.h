// Runs tfm serve as a process at a free port, for tests that talk to it as clients do.
#pragma once

#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <stdexcept>
#include <string>
#include <thread>

#include "child.h"

namespace tfm {

/// No limit on times, because a busy machine may stop the program for minutes.
inline const std::string serve_command =
    "serve --port 0 --threads 2 --reproducible --client-seconds 3600 "
    "--request-seconds 3600 --drain-seconds 3600";

/// The service listens when the constructor returns.
class Service {
 public:
  explicit Service(const std::filesystem::path& folder, const std::string& options = "",
                   const std::string& model = "-m runs/small")
      : folder_(without_log(folder)), child_(folder, serve_command + " " + model + " " + options) {
    static const std::regex address("https?://127\\.0\\.0\\.1:([0-9]+)");
    std::smatch found;
    for (std::string log; port_ == 0; log = read_log()) {
      if (std::regex_search(log, found, address)) port_ = std::stoi(found[1]);
      if (!child_.runs()) throw std::runtime_error("the service has ended: " + read_log());
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
  }

  int port() const { return port_; }
  Child& child() { return child_; }
  std::string read_log() const {
    std::ifstream stream(folder_ / "log", std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
  }

 private:
  /// Removes the log of a service before this one, which names another port.
  static const std::filesystem::path& without_log(const std::filesystem::path& folder) {
    std::filesystem::remove(folder / "log");
    return folder;
  }

  std::filesystem::path folder_;
  Child child_;
  int port_ = 0;
};

}  // namespace tfm
