#include "tfm/core/prompt.h"

#include <histedit.h>
#include <langinfo.h>

#include <algorithm>
#include <array>
#include <clocale>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "tfm/core/log.h"

namespace tfm {
namespace {

namespace fs = std::filesystem;

/// Returns $XDG_STATE_HOME/tfm/history, or ~/.local/state/tfm/history if the variable is not an
/// absolute path. Returns an empty path if HOME is not an absolute path either.
fs::path history_file() {
  if (const char* state = std::getenv("XDG_STATE_HOME"); state != nullptr && *state == '/')
    return fs::path(state) / "tfm" / "history";
  if (const char* home = std::getenv("HOME"); home != nullptr && *home == '/')
    return fs::path(home) / ".local" / "state" / "tfm" / "history";
  return {};
}

/// Selects a UTF-8 locale, because libedit decodes input in the encoding of the locale.
void set_utf8_locale() {
  std::setlocale(LC_CTYPE, "");
  if (std::strcmp(nl_langinfo(CODESET), "UTF-8") != 0) std::setlocale(LC_CTYPE, "C.UTF-8");
}

const char* prompt_text(EditLine* /*line*/) { return "> "; }

template <std::size_t n>
bool is_one_of(std::string_view line, const std::array<std::string_view, n>& words) {
  return std::ranges::find(words, line) != words.end();
}

}  // namespace

PromptCommand prompt_command(std::string_view line) {
  using namespace std::literals;
  if (is_one_of(line, std::array{":q"sv, ":quit"sv, ":q!"sv, ":exit"sv}))
    return PromptCommand::quit;
  if (is_one_of(line, std::array{":h"sv, ":help"sv, ":?"sv})) return PromptCommand::help;
  return is_one_of(line, std::array{"exit"sv, "quit"sv, "help"sv, "q"sv, "bye"sv, "exit()"sv,
                                    "quit()"sv, "?"sv})
             ? PromptCommand::maybe
             : PromptCommand::none;
}

struct Prompt::Impl {
  Impl() : file(history_file()) {
    set_utf8_locale();
    HistEvent event;
    ::history(history, &event, H_SETSIZE, 1000);
    ::history(history, &event, H_SETUNIQUE, 1);
    if (!file.empty()) ::history(history, &event, H_LOAD, file.c_str());
    el_set(editor, EL_PROMPT, prompt_text);
    el_set(editor, EL_EDITOR, "emacs");
    el_set(editor, EL_HIST, ::history, history);
    el_source(editor, nullptr);  // reads the user's ~/.editrc
  }
  ~Impl() {
    el_end(editor);
    history_end(history);
  }

  fs::path file;
  History* history = history_init();
  EditLine* editor = el_init("tfm", stdin, stderr, stderr);  // stdout is reserved for results
};

Prompt::Prompt() : impl_(std::make_unique<Impl>()) {}
Prompt::~Prompt() = default;

std::optional<std::string> Prompt::next() {
  int count = 0;
  const char* text = el_gets(impl_->editor, &count);
  if (text == nullptr || count <= 0) {
    std::fputc('\n', stderr);
    return std::nullopt;
  }
  std::string line(text, static_cast<std::size_t>(count));
  while (!line.empty() && (line.back() == '\n' || line.back() == '\r')) line.pop_back();
  if (!line.empty()) add_to_history(line);
  return line;
}

void Prompt::add_to_history(const std::string& line) {
  HistEvent event;
  ::history(impl_->history, &event, H_ENTER, line.c_str());
  if (impl_->file.empty()) return;
  std::error_code error;  // only logged: the prompt works without a saved history
  fs::create_directories(impl_->file.parent_path(), error);
  if (error || ::history(impl_->history, &event, H_SAVE, impl_->file.c_str()) < 0) {
    log_debug("{} can't be written: this session has no saved history", impl_->file.string());
  }
}

}  // namespace tfm
