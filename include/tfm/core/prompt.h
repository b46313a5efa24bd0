// Reads lines that a user types on a terminal, with editing keys and a history for the arrow keys,
// which is kept between sessions ($XDG_STATE_HOME/tfm/history). The prompt goes to stderr.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace tfm {

/// The command that a typed line gives to the program, if it is not text.
enum class PromptCommand {
  none,
  quit,   ///< ":q"
  help,   ///< ":h"
  maybe,  ///< a word such as "exit" or "help", which may also be text
};

PromptCommand prompt_command(std::string_view line);

class Prompt {
 public:
  Prompt();
  ~Prompt();

  /// Returns the next line without its line feed, or nullopt after Ctrl-D. In the latter case a
  /// line feed is printed, because the cursor is still behind the prompt.
  std::optional<std::string> next();

 private:
  void add_to_history(const std::string& line);

  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace tfm
