// Holds the sources against the arrows of CMakeLists.txt: which room may include which, and which
// may see tensors. CMake alone can't: all rooms share one include folder, so a header of any room
// compiles anywhere.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace tfm {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

struct Room {
  bool torch = false;
  std::set<std::string> may_include;
};
using Rooms = std::map<std::string, Room>;

/// One room a line: "data torch: core config text".
Rooms read_arrows(std::istream& in) {
  Rooms rooms;
  for (std::string line; std::getline(in, line);) {
    const auto colon = line.find(':');
    if (colon == std::string::npos) continue;
    std::istringstream before(line.substr(0, colon)), after(line.substr(colon + 1));
    std::string name, word;
    before >> name;
    Room& room = rooms[name];
    room.torch = static_cast<bool>(before >> word) && word == "torch";
    room.may_include = {std::istream_iterator<std::string>(after), {}};
  }
  return rooms;
}

/// Every regular file under folder, sorted; none where the folder is absent.
std::vector<fs::path> files_under(const fs::path& folder) {
  std::vector<fs::path> files;
  if (!fs::exists(folder)) return files;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file()) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

bool is_torch_header(const std::string& header) {
  return std::regex_search(header, std::regex("^(torch|ATen|c10|caffe2)/"));
}

/// Why `name` may not include `header`, or empty. header: as written between the quotes or angle
/// brackets.
std::string objection(const std::string& name, const std::string& header, const Rooms& rooms) {
  const Room& room = rooms.at(name);
  if (is_torch_header(header))
    return room.torch ? "" : name + " is no TORCH room and includes " + header;
  if (header.find("..") != std::string::npos)
    return name + " leaves its folder by a relative path: " + header;
  std::smatch match;
  if (!std::regex_search(header, match, std::regex("^tfm/([^/]+)/"))) return "";
  const std::string other = match[1];
  if (other == name || room.may_include.count(other) != 0) return "";
  return name + " may not include " + other + ": " + header;
}

void check_includes(const fs::path& root, const fs::path& file, const std::string& name,
                    const Rooms& rooms, std::vector<std::string>& found) {
  static const std::regex include(R"re(^\s*#\s*include\s*["<]([^">]+)[">])re");
  std::ifstream in(file);
  std::string line;
  for (int number = 1; std::getline(in, line); ++number) {
    std::smatch match;
    if (!std::regex_search(line, match, include)) continue;
    const std::string why = objection(name, match[1], rooms);
    if (!why.empty())
      found.push_back(fs::relative(file, root).string() + ":" + std::to_string(number) + ": " +
                      why);
  }
}

/// The rooms' includes that no arrow allows, and folders that are no room, each as "file:line:
/// why".
std::vector<std::string> forbidden_includes(const fs::path& root, const Rooms& rooms) {
  std::vector<std::string> found;
  for (const fs::path& top : {root / "include/tfm", root / "src"}) {
    for (const fs::path& file : files_under(top)) {
      const fs::path inside = fs::relative(file, top);
      // src/main.cpp belongs to no room
      if (std::distance(inside.begin(), inside.end()) < 2) continue;
      const std::string name = inside.begin()->string();
      if (rooms.count(name) == 0) {
        found.push_back(fs::relative(file, root).string() + ": " + name +
                        " is not a room of CMakeLists.txt");
      } else {
        check_includes(root, file, name, rooms, found);
      }
    }
  }
  return found;
}

/// Tests of a room, tests/<room>/x_test.cpp, that have neither a header nor a source named x in
/// that room.
std::vector<std::string> tests_of_nothing(const fs::path& root, const Rooms& rooms) {
  std::vector<std::string> found;
  for (const auto& [name, room] : rooms) {
    std::set<std::string> stems;
    for (const fs::path& folder : {root / "include/tfm" / name, root / "src" / name}) {
      for (const fs::path& file : files_under(folder)) stems.insert(file.stem().string());
    }
    for (const fs::path& file : files_under(root / "tests" / name)) {
      std::smatch match;
      const std::string stem = file.filename().string();
      if (!std::regex_match(stem, match, std::regex("(.+)_test\\.cpp"))) continue;
      // translator_reproducible_test.cpp is one of translator.h's
      std::string name_there = match[1];
      while (stems.count(name_there) == 0 && name_there.find('_') != std::string::npos)
        name_there.erase(name_there.rfind('_'));
      if (stems.count(name_there) != 0) continue;
      found.push_back(fs::relative(file, root).string() + ": no " + match[1].str() +
                      ".h or .cpp in room " + name);
    }
  }
  return found;
}

std::string lines(const std::vector<std::string>& found) {
  std::string text;
  for (const std::string& line : found) text += "\n  " + line;
  return text;
}

/// A made-up tree with rooms low (no tensors), tensor (TORCH, may include low) and high (may
/// include low).
class MadeUpTree : public testing::Test {
 protected:
  void SetUp() override {
    fs::remove_all(root_);
    std::istringstream arrows("low: \ntensor torch: low\nhigh: low\n");
    rooms_ = read_arrows(arrows);
  }
  void TearDown() override { fs::remove_all(root_); }

  void write(const std::string& path, const std::string& text) const {
    fs::create_directories((root_ / path).parent_path());
    std::ofstream(root_ / path) << text;
  }

  fs::path root_ =
      fs::path(testing::TempDir()) /
      ("arrows-" + std::string(testing::UnitTest::GetInstance()->current_test_info()->name()));
  Rooms rooms_;
};

TEST(Arrows, AreReadFromALineARoom) {
  std::istringstream in("core: \ndata torch: core config text\n");
  const Rooms rooms = read_arrows(in);
  ASSERT_EQ(rooms.size(), 2u);
  EXPECT_FALSE(rooms.at("core").torch);
  EXPECT_THAT(rooms.at("core").may_include, IsEmpty());
  EXPECT_TRUE(rooms.at("data").torch);
  EXPECT_THAT(rooms.at("data").may_include, ElementsAre("config", "core", "text"));
}

TEST_F(MadeUpTree, IncludesAlongTheArrowsPass) {
  write("include/tfm/tensor/a.h",
        "#include <torch/types.h>\n#include <vector>\n#include \"tfm/low/a.h\"\n#include "
        "\"tfm/tensor/b.h\"\n");
  write("src/main.cpp", "#include \"tfm/high/a.h\"\n");
  EXPECT_THAT(forbidden_includes(root_, rooms_), IsEmpty());
}

TEST_F(MadeUpTree, AnIncludeAgainstTheArrowsIsNamedByFileAndLine) {
  write("include/tfm/low/deep/a.h", "#pragma once\n\n  #  include <tfm/high/b.h>\n");
  EXPECT_THAT(forbidden_includes(root_, rooms_),
              ElementsAre("include/tfm/low/deep/a.h:3: low may not include high: tfm/high/b.h"));
}

TEST_F(MadeUpTree, AnArrowDoesNotReachFurtherThanOneRoom) {
  write("src/high/a.cpp", "#include \"tfm/tensor/a.h\"\n");
  EXPECT_THAT(forbidden_includes(root_, rooms_),
              ElementsAre("src/high/a.cpp:1: high may not include tensor: tfm/tensor/a.h"));
}

TEST_F(MadeUpTree, ATensorHeaderOutsideATorchRoomIsFound) {
  write("src/high/a.cpp",
        "#include <torch/types.h>\n#include <ATen/Parallel.h>\n#include <c10/core/Device.h>\n");
  EXPECT_THAT(forbidden_includes(root_, rooms_),
              ElementsAre(HasSubstr("a.cpp:1: high is no TORCH room"), HasSubstr("a.cpp:2: "),
                          HasSubstr("a.cpp:3: ")));
}

TEST_F(MadeUpTree, ARelativePathOutOfTheFolderIsFound) {
  write("src/low/a.cpp", "#include \"../high/part.h\"\n");
  EXPECT_THAT(forbidden_includes(root_, rooms_), ElementsAre(HasSubstr("src/low/a.cpp:1: ")));
}

TEST_F(MadeUpTree, AFolderThatIsNoRoomIsFound) {
  write("src/attic/a.cpp", "");
  EXPECT_THAT(forbidden_includes(root_, rooms_),
              ElementsAre("src/attic/a.cpp: attic is not a room of CMakeLists.txt"));
}

TEST_F(MadeUpTree, ATestWithoutItsHeaderOrSourceIsFound) {
  write("include/tfm/low/kept.h", "");
  write("tests/low/kept_test.cpp", "");
  write("tests/low/kept_under_load_test.cpp", "");
  write("tests/low/gone_test.cpp", "");
  write("tests/low/helpers.h", "");
  EXPECT_THAT(tests_of_nothing(root_, rooms_),
              ElementsAre("tests/low/gone_test.cpp: no gone.h or .cpp in room low"));
}

class Tree : public testing::Test {
 protected:
  void SetUp() override {
    std::ifstream in(TFM_BINARY_DIR "/arrows.txt");
    rooms_ = read_arrows(in);
    ASSERT_GE(rooms_.size(), 10u) << "read from " << TFM_BINARY_DIR << "/arrows.txt";
    ASSERT_FALSE(files_under(root_ / "include/tfm/core").empty()) << "no sources under " << root_;
  }

  fs::path root_ = TFM_SOURCE_DIR;
  Rooms rooms_;
};

TEST_F(Tree, IncludesOnlyAlongTheArrows) {
  const auto found = forbidden_includes(root_, rooms_);
  EXPECT_TRUE(found.empty()) << lines(found)
                             << "\nTurn the dependency round, or (where the design is to change) "
                                "add an arrow to CMakeLists.txt.";
}

TEST_F(Tree, TestsBearTheNameOfWhatTheyTest) {
  const auto found = tests_of_nothing(root_, rooms_);
  EXPECT_TRUE(found.empty()) << lines(found);
}

}  // namespace
}  // namespace tfm
