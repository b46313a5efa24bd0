// Makes CLI11 print tfm's help pages instead of its own.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "tfm/help/help_page.h"
#include "tfm/help/help_text.h"

namespace tfm {

class HelpFormatter : public CLI::FormatterBase {
 public:
  /// The commands must outlive the formatter.
  explicit HelpFormatter(const std::vector<Command>& commands) : commands_(commands) {}

  std::string make_help(const CLI::App* app, std::string /*name*/,
                        CLI::AppFormatMode /*mode*/) const override {
    return help_text(help_page(*app, commands_), HelpStyle::for_stdout());
  }

 private:
  const std::vector<Command>& commands_;
};

}  // namespace tfm
