// A line at a time from a person at a terminal: editing keys, and a history that arrow keys walk
// through and that outlives the session ($XDG_STATE_HOME/tfm/history). The prompt goes to stderr.
#pragma once

#include <memory>
#include <optional>
#include <string>

namespace tfm {

class Prompt {
 public:
  Prompt();
  ~Prompt();

  /// The next line without its end; nothing after Ctrl-D.
  std::optional<std::string> next();

 private:
  void remember(const std::string& line);

  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace tfm
