// Compares the sources with the dependencies that CMakeLists.txt declares: which libraries a
// library may include, and whether it may use LibTorch. CMake cannot check this, because all
// libraries share one include folder. Also checks the names of test files and the sizes of
// libraries and sources.
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

#include "source_tree.h"

namespace tfm {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// Returns a message for each test tests/<library>/x_test.cpp if the library has no header or
/// source that is named x or like the first words of x.
std::vector<std::string> find_orphaned_tests(const fs::path& root, const Libraries& libraries) {
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
      // The name of a test may be longer than that of its header: translator_reproducible_test.cpp
      // tests translator.h.
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

/// Reads the table of libraries in docs/architecture.md. In a row such as "| `nn` | responsibility
/// | core, config, tensor |", the last column lists the libraries that may be included. A P after
/// the name means that the library must not use LibTorch.
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

/// A temporary source tree with three libraries. `tensor` may include LibTorch and `low`; `high`
/// may include only `low`; `low` may include no other library.
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

TEST_F(DependencyCheckTree, ForbidsIncludesOfIndirectDependencies) {
  write("src/high/a.cpp", "#include \"tfm/tensor/a.h\"\n");
  EXPECT_THAT(forbidden_includes(root_, libraries_),
              ElementsAre("src/high/a.cpp:1: high may not include tensor: tfm/tensor/a.h"));
}

TEST_F(DependencyCheckTree, FindsALibTorchHeaderInALibraryWithoutLibTorch) {
  write("src/high/a.cpp",
        "#include <torch/types.h>\n#include <ATen/Parallel.h>\n#include <c10/core/Device.h>\n");
  EXPECT_THAT(forbidden_includes(root_, libraries_),
              ElementsAre(HasSubstr("a.cpp:1: high is not a TORCH library"), HasSubstr("a.cpp:2: "),
                          HasSubstr("a.cpp:3: ")));
}

TEST_F(DependencyCheckTree, FindsALibTorchHeaderThatIsIncludedIndirectly) {
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

TEST_F(DependencyCheckTree, FindsARelativePathThatLeavesTheFolder) {
  write("src/low/a.cpp", "#include \"../high/part.h\"\n");
  EXPECT_THAT(forbidden_includes(root_, libraries_), ElementsAre(HasSubstr("src/low/a.cpp:1: ")));
}

TEST_F(DependencyCheckTree, FindsAFolderThatIsNotALibrary) {
  write("src/attic/a.cpp", "");
  EXPECT_THAT(forbidden_includes(root_, libraries_),
              ElementsAre("src/attic/a.cpp: attic is not a library of CMakeLists.txt"));
}

TEST_F(DependencyCheckTree, FindsATestThatIsNotNamedAfterAHeaderOrSource) {
  write("include/tfm/low/kept.h", "");
  write("tests/low/kept_test.cpp", "");
  write("tests/low/kept_under_load_test.cpp", "");
  write("tests/low/gone_test.cpp", "");
  write("tests/low/helpers.h", "");
  EXPECT_THAT(find_orphaned_tests(root_, libraries_),
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

TEST_F(Dependencies, EveryIncludeIsAllowedByCMakeLists) {
  const auto found = forbidden_includes(root_, libraries_);
  EXPECT_TRUE(found.empty())
      << lines(found)
      << "\nReverse the dependency, or add it to CMakeLists.txt if the design shall change.";
}

TEST_F(Dependencies, EveryTestIsNamedAfterAHeaderOrSource) {
  const auto found = find_orphaned_tests(root_, libraries_);
  EXPECT_TRUE(found.empty()) << lines(found);
}

TEST_F(Dependencies, TableInArchitecturePageMatchesCMakeLists) {
  const Libraries page = read_table(root_ / "docs/architecture.md");
  for (const auto& [name, library] : libraries_) {
    const auto row = page.find(name);
    ASSERT_NE(row, page.end()) << "docs/architecture.md has no row for " << name;
    EXPECT_EQ(row->second.torch, library.torch)
        << name << " must be marked P if it is plain, and only then";
    EXPECT_EQ(row->second.may_include, library.may_include) << name;
  }
  EXPECT_EQ(page.size(), libraries_.size());
}

std::size_t count_lines(const fs::path& file) {
  std::ifstream in(file);
  return static_cast<std::size_t>(std::count(std::istreambuf_iterator<char>(in), {}, '\n'));
}

TEST_F(Dependencies, NoLibraryHoldsMoreThanNinePercentOfTheLines) {
  std::map<std::string, std::size_t> lines;
  std::size_t all = 0;
  for (const auto& [name, library] : libraries_) {
    for (const fs::path& folder : {root_ / "include/tfm" / name, root_ / "src" / name}) {
      for (const fs::path& file : files_under(folder)) lines[name] += count_lines(file);
    }
    all += lines[name];
  }
  for (const auto& [name, count] : lines)
    EXPECT_LT(static_cast<double>(count), 0.09 * static_cast<double>(all)) << name;
}

/// Other code asks tensor/device.h what a device can do, so that each comparison says what it is
/// for. NCCL is for CUDA by definition, and `distributed` may not include `tensor`.
TEST_F(Dependencies, OnlyTensorDeviceComparesDevices) {
  const std::set<std::string> allowed{"include/tfm/tensor/device.h", "src/tensor/device.cpp",
                                      "src/distributed/c10d_backend.cpp"};
  static const std::regex comparison(
      R"(\bis_(cpu|cuda)\(|[!=]= *((torch|at|c10)::)?k(CPU|CUDA)\b)");
  for (const char* top : {"include", "src"}) {
    for (const fs::path& file : files_under(root_ / top)) {
      const std::string name = fs::relative(file, root_);
      if (allowed.contains(name)) continue;
      std::ifstream in(file);
      std::size_t number = 1;
      for (std::string line; std::getline(in, line); ++number)
        EXPECT_FALSE(std::regex_search(line, comparison))
            << name << ":" << number << ": ask a question of include/tfm/tensor/device.h";
    }
  }
}

TEST_F(Dependencies, NoSourceIsLongerThan350Lines) {
  constexpr std::size_t longest = 350;
  for (const char* top : {"include", "src", "tests"}) {
    for (const fs::path& file : files_under(root_ / top)) {
      if (file.extension() != ".h" && file.extension() != ".cpp") continue;
      EXPECT_LE(count_lines(file), longest) << fs::relative(file, root_) << ": split it";
    }
  }
}

}  // namespace
}  // namespace tfm
