#include "tfm/core/prompt.h"

#include <gtest/gtest.h>

namespace tfm {
namespace {

TEST(PromptCommand, RecognisesCommandsAndReturnsMaybeIfTheColonIsMissing) {
  EXPECT_EQ(prompt_command(":q"), PromptCommand::quit);
  EXPECT_EQ(prompt_command(":exit"), PromptCommand::quit);
  EXPECT_EQ(prompt_command(":help"), PromptCommand::help);
  EXPECT_EQ(prompt_command("exit"), PromptCommand::maybe);
  EXPECT_EQ(prompt_command("help"), PromptCommand::maybe);
}

TEST(PromptCommand, IsNoneForText) {
  for (const char* text : {"", "exit the house", "wo ist der bahnhof ?", ":-)", ": q"})
    EXPECT_EQ(prompt_command(text), PromptCommand::none) << text;
}

}  // namespace
}  // namespace tfm
