// Compares the sources with the dependencies that CMakeLists.txt declares: which library may
// include which, and which may reach LibTorch. CMake alone can't: all libraries share one include
// folder, so a header of any library compiles anywhere.
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

struct Library {
  bool torch = false;
  std::set<std::string> may_include;
};
using Libraries = std::map<std::string, Library>;

/// One library per line: "nn torch: core config tensor".
Libraries read_dependencies(std::istream& in) {
  Libraries libraries;
  for (std::string line; std::getline(in, line);) {
    const auto colon = line.find(':');
    if (colon == std::string::npos) continue;
    std::istringstream before(line.substr(0, colon)), after(line.substr(colon + 1));
    std::string name, word;
    before >> name;
    Library& library = libraries[name];
    library.torch = static_cast<bool>(before >> word) && word == "torch";
    library.may_include = {std::istream_iterator<std::string>(after), {}};
  }
  return libraries;
}

/// Every regular file under folder, sorted; none if the folder does not exist.
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

struct Include {
  int line = 0;
  std::string header;  // as written between the quotes or angle brackets
};

std::vector<Include> includes_of(const fs::path& file) {
  static const std::regex include(R"re(^\s*#\s*include\s*["<]([^">]+)[">])re");
  std::vector<Include> found;
  std::ifstream in(file);
  std::string line;
  for (int number = 1; std::getline(in, line); ++number) {
    std::smatch match;
    if (std::regex_search(line, match, include)) found.push_back({number, match[1]});
  }
  return found;
}

/// The sources of a tree, and what they include.
class SourceTree {
 public:
  SourceTree(fs::path root, Libraries libraries)
      : root_(std::move(root)), libraries_(std::move(libraries)) {}

  /// Includes that no dependency allows, and folders that are not a library, as "file:line: why".
  std::vector<std::string> forbidden_includes() {
    std::vector<std::string> found;
    for (const fs::path& top : {root_ / "include/tfm", root_ / "src"}) {
      for (const fs::path& file : files_under(top)) {
        const std::string name = fs::relative(file, top).begin()->string();
        if (libraries_.count(name) == 0) {
          found.push_back(relative(file) + ": " + name + " is not a library of CMakeLists.txt");
        } else {
          check_includes(file, name, found);
        }
      }
    }
    return found;
  }

 private:
  std::string relative(const fs::path& file) const { return fs::relative(file, root_).string(); }

  void check_includes(const fs::path& file, const std::string& name,
                      std::vector<std::string>& found) {
    for (const auto& [line, header] : includes_of(file)) {
      const std::string why = objection(file, name, header);
      if (!why.empty()) found.push_back(relative(file) + ":" + std::to_string(line) + ": " + why);
    }
  }

  /// Why a file of the library `name` may not include `header`, or empty.
  std::string objection(const fs::path& file, const std::string& name, const std::string& header) {
    if (header.find("..") != std::string::npos)
      return name + " leaves its folder by a relative path: " + header;
    const std::string other = library_of(header);
    const Library& library = libraries_.at(name);
    if (!other.empty() && other != name && library.may_include.count(other) == 0)
      return name + " may not include " + other + ": " + header;
    if (library.torch) return "";
    const std::string path = path_to_torch(file, header);
    return path.empty() ? "" : name + " is not a TORCH library and reaches LibTorch: " + path;
  }

  /// The library that a header belongs to; empty for headers from elsewhere or of the own folder.
  std::string library_of(const std::string& header) const {
    std::smatch match;
    if (!std::regex_search(header, match, std::regex("^(?:tfm/)?([^/]+)/"))) return "";
    return libraries_.count(match[1]) != 0 ? match[1].str() : "";
  }

  /// Where an include leads, or an empty path for a header from elsewhere.
  fs::path resolve(const fs::path& file, const std::string& header) const {
    for (const fs::path& candidate :
         {file.parent_path() / header, root_ / "include" / header, root_ / "src" / header}) {
      if (fs::is_regular_file(candidate)) return candidate;
    }
    return {};
  }

  /// "a.h > b.h > torch/types.h" if the include leads to a header of LibTorch; otherwise empty.
  std::string path_to_torch(const fs::path& file, const std::string& header) {
    if (is_torch_header(header)) return header;
    const fs::path next = resolve(file, header);
    if (next.empty()) return "";
    const auto [known, is_new] = paths_.try_emplace(next.string());
    if (!is_new) return known->second.empty() ? "" : header + " > " + known->second;
    for (const Include& include : includes_of(next)) {
      const std::string path = path_to_torch(next, include.header);
      if (path.empty()) continue;
      paths_[next.string()] = path;
      return header + " > " + path;
    }
    return "";
  }

  fs::path root_;
  Libraries libraries_;
  std::map<std::string, std::string> paths_;  // from a header to LibTorch, if any
};

std::vector<std::string> forbidden_includes(const fs::path& root, const Libraries& libraries) {
  return SourceTree(root, libraries).forbidden_includes();
}

/// Tests of a library, tests/<library>/x_test.cpp, that have neither a header nor a source named x
/// in that library.
std::vector<std::string> tests_of_nothing(const fs::path& root, const Libraries& libraries) {
  std::vector<std::string> found;
  for (const auto& [name, library] : libraries) {
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
                      ".h or .cpp in library " + name);
    }
  }
  return found;
}

/// The rows of the page's table of libraries, "| `nn` | what it knows | core, config, tensor |",
/// with a P after the names of plain ones.
Libraries read_table(const fs::path& page) {
  static const std::regex row(R"(^\| `([a-z]+)`( P)? \|.*\| ([^|]*) \|$)");
  static const std::regex name("[a-z]+");
  Libraries libraries;
  std::ifstream in(page);
  for (std::string line; std::getline(in, line);) {
    std::smatch match;
    if (!std::regex_match(line, match, row)) continue;
    const std::string seen = match[3];
    Library& library = libraries[match[1]];
    library.torch = !match[2].matched;
    library.may_include = {std::sregex_token_iterator(seen.begin(), seen.end(), name), {}};
  }
  return libraries;
}

std::string lines(const std::vector<std::string>& found) {
  std::string text;
  for (const std::string& line : found) text += "\n  " + line;
  return text;
}

/// A made-up tree with libraries low (no tensors), tensor (TORCH, may include low) and high (may
/// include low).
class DependencyCheckTree : public testing::Test {
 protected:
  void SetUp() override {
    fs::remove_all(root_);
    std::istringstream dependencies("low: \ntensor torch: low\nhigh: low\n");
    libraries_ = read_dependencies(dependencies);
  }
  void TearDown() override { fs::remove_all(root_); }

  void write(const std::string& path, const std::string& text) const {
    fs::create_directories((root_ / path).parent_path());
    std::ofstream(root_ / path) << text;
  }

  fs::path root_ = fs::path(testing::TempDir()) /
                   ("dependencies-" +
                    std::string(testing::UnitTest::GetInstance()->current_test_info()->name()));
  Libraries libraries_;
};

TEST(DependencyCheck, ReadsOneLibraryPerLine) {
  std::istringstream in("core: \ndata torch: core config text\n");
  const Libraries libraries = read_dependencies(in);
  ASSERT_EQ(libraries.size(), 2u);
  EXPECT_FALSE(libraries.at("core").torch);
  EXPECT_THAT(libraries.at("core").may_include, IsEmpty());
  EXPECT_TRUE(libraries.at("data").torch);
  EXPECT_THAT(libraries.at("data").may_include, ElementsAre("config", "core", "text"));
}

TEST_F(DependencyCheckTree, AcceptsIncludesOfDependencies) {
  write("include/tfm/tensor/a.h",
        "#include <torch/types.h>\n#include <vector>\n#include \"tfm/low/a.h\"\n#include "
        "\"tfm/tensor/b.h\"\n");
  EXPECT_THAT(forbidden_includes(root_, libraries_), IsEmpty());
}

TEST_F(DependencyCheckTree, NamesFileAndLineOfAForbiddenInclude) {
  write("include/tfm/low/deep/a.h", "#pragma once\n\n  #  include <tfm/high/b.h>\n");
  EXPECT_THAT(forbidden_includes(root_, libraries_),
              ElementsAre("include/tfm/low/deep/a.h:3: low may not include high: tfm/high/b.h"));
}

TEST_F(DependencyCheckTree, DoesNotFollowDependenciesOfDependencies) {
  write("src/high/a.cpp", "#include \"tfm/tensor/a.h\"\n");
  EXPECT_THAT(forbidden_includes(root_, libraries_),
              ElementsAre("src/high/a.cpp:1: high may not include tensor: tfm/tensor/a.h"));
}

TEST_F(DependencyCheckTree, FindsATorchHeaderInAPlainLibrary) {
  write("src/high/a.cpp",
        "#include <torch/types.h>\n#include <ATen/Parallel.h>\n#include <c10/core/Device.h>\n");
  EXPECT_THAT(forbidden_includes(root_, libraries_),
              ElementsAre(HasSubstr("a.cpp:1: high is not a TORCH library"), HasSubstr("a.cpp:2: "),
                          HasSubstr("a.cpp:3: ")));
}

TEST_F(DependencyCheckTree, FindsATorchHeaderThatAPlainLibraryReachesThroughOthers) {
  write("include/tfm/tensor/a.h", "#include <torch/types.h>\n");
  write("include/tfm/tensor/b.h", "#include \"tfm/tensor/a.h\"\n");
  write("include/tfm/high/plain.h", "#include <vector>\n");
  write("src/high/part.h", "#include \"tfm/tensor/b.h\"\n");
  write("src/high/a.cpp", "#include \"tfm/high/plain.h\"\n#include \"part.h\"\n");
  libraries_.at("high").may_include.insert("tensor");
  EXPECT_THAT(
      forbidden_includes(root_, libraries_),
      ElementsAre("src/high/a.cpp:2: high is not a TORCH library and reaches LibTorch: part.h "
                  "> tfm/tensor/b.h > tfm/tensor/a.h > torch/types.h",
                  HasSubstr("src/high/part.h:1: ")));
}

TEST_F(DependencyCheckTree, FindsARelativePathOutOfTheFolder) {
  write("src/low/a.cpp", "#include \"../high/part.h\"\n");
  EXPECT_THAT(forbidden_includes(root_, libraries_), ElementsAre(HasSubstr("src/low/a.cpp:1: ")));
}

TEST_F(DependencyCheckTree, FindsAFolderThatIsNotALibrary) {
  write("src/attic/a.cpp", "");
  EXPECT_THAT(forbidden_includes(root_, libraries_),
              ElementsAre("src/attic/a.cpp: attic is not a library of CMakeLists.txt"));
}

TEST_F(DependencyCheckTree, FindsATestWithoutItsHeaderOrSource) {
  write("include/tfm/low/kept.h", "");
  write("tests/low/kept_test.cpp", "");
  write("tests/low/kept_under_load_test.cpp", "");
  write("tests/low/gone_test.cpp", "");
  write("tests/low/helpers.h", "");
  EXPECT_THAT(tests_of_nothing(root_, libraries_),
              ElementsAre("tests/low/gone_test.cpp: no gone.h or .cpp in library low"));
}

class Dependencies : public testing::Test {
 protected:
  void SetUp() override {
    std::ifstream in(TFM_BINARY_DIR "/dependencies.txt");
    libraries_ = read_dependencies(in);
    ASSERT_GE(libraries_.size(), 10u) << "read from " << TFM_BINARY_DIR << "/dependencies.txt";
    ASSERT_FALSE(files_under(root_ / "include/tfm/core").empty()) << "no sources under " << root_;
  }

  fs::path root_ = TFM_SOURCE_DIR;
  Libraries libraries_;
};

TEST_F(Dependencies, IncludeOnlyWhatCMakeListsAllows) {
  const auto found = forbidden_includes(root_, libraries_);
  EXPECT_TRUE(found.empty())
      << lines(found)
      << "\nReverse the dependency or, if the design is to change, add it to "
         "CMakeLists.txt.";
}

TEST_F(Dependencies, TestsAreNamedAfterWhatTheyTest) {
  const auto found = tests_of_nothing(root_, libraries_);
  EXPECT_TRUE(found.empty()) << lines(found);
}

TEST_F(Dependencies, AreWhatTheArchitecturePageSays) {
  const Libraries page = read_table(root_ / "docs/architecture.md");
  for (const auto& [name, library] : libraries_) {
    const auto row = page.find(name);
    ASSERT_NE(row, page.end()) << "docs/architecture.md has no row for " << name;
    EXPECT_EQ(row->second.torch, library.torch) << name << ": marked P, or not";
    EXPECT_EQ(row->second.may_include, library.may_include) << name;
  }
  EXPECT_EQ(page.size(), libraries_.size());
}

}  // namespace
}  // namespace tfm
