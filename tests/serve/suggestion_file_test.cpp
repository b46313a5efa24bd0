#include "tfm/serve/suggestion_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <thread>
#include <vector>

#include "file_size_limit.h"
#include "temporary_folder.h"
#include "tfm/core/error.h"
#include "tfm/serve/http_message.h"

namespace tfm {
namespace {

using nlohmann::json;

class SuggestionFileTest : public testing::Test {
 protected:
  std::vector<json> suggestions() const {
    std::istringstream lines(folder.read("file"));
    std::vector<json> all;
    for (std::string line; std::getline(lines, line);) all.push_back(json::parse(line));
    return all;
  }
  static int status(SuggestionFile& file, const Suggestion& suggestion) {
    try {
      file.append(suggestion);
    } catch (const HttpError& error) {
      return error.status();
    }
    return 200;
  }

  TemporaryFolder folder;
};

TEST_F(SuggestionFileTest, AppendsALinePerSuggestion) {
  folder.write("file", "{}\n");
  SuggestionFile(folder.path("file"), 1000).append({"a\n\"b\"", "c", "de", "en"});
  SuggestionFile(folder.path("file"), 1000).append({"d", "e", "auto", "en"});
  EXPECT_THAT(
      suggestions(),
      testing::ElementsAre(
          json::object(), json({{"q", "a\n\"b\""}, {"s", "c"}, {"source", "de"}, {"target", "en"}}),
          json({{"q", "d"}, {"s", "e"}, {"source", "auto"}, {"target", "en"}})));
}

TEST_F(SuggestionFileTest, KeepsLinesWholeIfSeveralThreadsAppend) {
  SuggestionFile first(folder.path("file"), 1'000'000);
  SuggestionFile second(folder.path("file"), 1'000'000);
  {
    std::vector<std::jthread> threads;
    for (int thread = 0; thread < 4; ++thread) {
      threads.emplace_back([&, thread] {
        for (int i = 0; i < 50; ++i)
          (i % 2 == 0 ? first : second)
              .append({std::to_string(thread) + "-" + std::to_string(i), "", "de", "en"});
      });
    }
  }
  std::set<std::string> texts;
  for (const auto& suggestion : suggestions()) texts.insert(suggestion["q"]);
  EXPECT_EQ(texts.size(), 200U);
}

TEST_F(SuggestionFileTest, RefusesWhatMakesTheFileTooLarge) {
  SuggestionFile file(folder.path("file"), 100);
  EXPECT_EQ(status(file, {"a", "b", "de", "en"}), 200);
  EXPECT_EQ(status(file, {std::string(100, 'a'), "b", "de", "en"}), 507);
  EXPECT_EQ(status(file, {"c", "d", "de", "en"}), 200);
  EXPECT_EQ(status(file, {"e", "f", "de", "en"}), 507);
  EXPECT_EQ(suggestions().size(), 2U);
  std::filesystem::rename(folder.path("file"), folder.path("moved"));
  EXPECT_EQ(status(file, {"e", "f", "de", "en"}), 200) << "another file begins";
}

TEST_F(SuggestionFileTest, KeepsOnlyWholeLinesIfTheDiskIsFull) {
  SuggestionFile file(folder.path("file"), 1000);
  EXPECT_EQ(status(file, {"a", "b", "de", "en"}), 200);
  {
    const FileSizeLimit full(60);
    EXPECT_EQ(status(file, {"c", "d", "de", "en"}), 507);
  }
  EXPECT_EQ(suggestions().size(), 1U);
  EXPECT_EQ(status(file, {"e", "f", "de", "en"}), 200);
  EXPECT_EQ(suggestions().size(), 2U);
}

TEST_F(SuggestionFileTest, IsReadableOnlyForItsOwner) {
  const SuggestionFile file(folder.path("file"), 100);
  const auto others = std::filesystem::perms::group_all | std::filesystem::perms::others_all;
  EXPECT_EQ(std::filesystem::status(folder.path("file")).permissions() & others,
            std::filesystem::perms::none);
}

TEST_F(SuggestionFileTest, ThrowsIfTheFileCannotBeWritten) {
  EXPECT_THROW(SuggestionFile(folder.path("none/file"), 100), ConfigError);
}

}  // namespace
}  // namespace tfm
