// Reads lines that a user types on a terminal, with editing keys and a history. The history is kept
// between sessions in $XDG_STATE_HOME/tfm/history, by default ~/.local/state/tfm/history. The
// prompt goes to stderr.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace tfm {

/// The command that a typed line contains.
enum class PromptCommand {
  none,   ///< the line is text
  quit,   ///< ":q" or another form such as ":quit"
  help,   ///< ":h" or another form such as ":help"
  maybe,  ///< a word such as "exit" or "help", which may also be text
};

PromptCommand prompt_command(std::string_view line);

class Prompt {
 public:
  Prompt();
  ~Prompt();

  /// Returns the next line without its line feed, or nullopt after Ctrl-D. After Ctrl-D, a line
  /// feed is printed, because the cursor is still on the line of the prompt.
  std::optional<std::string> next();

 private:
  void add_to_history(const std::string& line);

  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace tfm
