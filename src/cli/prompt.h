// Reads lines that a user types on a terminal, with editing keys and a history for the arrow keys,
// which is kept between sessions ($XDG_STATE_HOME/tfm/history). The prompt goes to stderr.
#pragma once

#include <memory>
#include <optional>
#include <string>

namespace tfm {

class Prompt {
 public:
  Prompt();
  ~Prompt();

  /// The next line without its line feed; nullopt after Ctrl-D.
  std::optional<std::string> next();

 private:
  void add_to_history(const std::string& line);

  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace tfm
