// Checks the headers of the C++ library: those that include/tfm/tfm.h includes are installed, so
// they must not include a header of another library.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "source_tree.h"

namespace tfm {
namespace {

using testing::Contains;
using testing::ElementsAre;

/// The headers that a header includes, itself and indirect ones too.
struct Closure {
  std::set<std::string> own;     // of tfm
  std::set<std::string> others;  // neither of tfm nor of the C++ standard library
};

Closure closure_of(const fs::path& include_folder, const std::string& header) {
  Closure closure;
  std::vector<std::string> waiting{header};
  while (!waiting.empty()) {
    const auto next = waiting.back();
    waiting.pop_back();
    if (!closure.own.insert(next).second) continue;
    for (const auto& include : read_includes(include_folder / next)) {
      const bool standard = include.header.find_first_of("/.") == std::string::npos;
      if (include.header.starts_with("tfm/"))
        waiting.push_back(include.header);
      else if (!standard)
        closure.others.insert(include.header);
    }
  }
  return closure;
}

TEST(PublicHeaders, IncludeNoOtherLibrary) {
  const auto closure = closure_of(fs::path(TFM_SOURCE_DIR) / "include", "tfm/tfm.h");
  EXPECT_THAT(closure.own, Contains("tfm/translate/translator.h"));
  EXPECT_THAT(closure.others, ElementsAre("sys/types.h"));
}

TEST(PublicHeaders, AreFoundThroughOtherHeaders) {
  const fs::path folder = fs::path(testing::TempDir()) / "public_headers";
  fs::create_directories(folder / "tfm");
  std::ofstream(folder / "tfm/a.h") << "#include <vector>\n#include \"tfm/b.h\"\n";
  std::ofstream(folder / "tfm/b.h") << "#include <fmt/format.h>\n#include \"tfm/a.h\"\n";
  const auto closure = closure_of(folder, "tfm/a.h");
  EXPECT_THAT(closure.own, ElementsAre("tfm/a.h", "tfm/b.h"));
  EXPECT_THAT(closure.others, ElementsAre("fmt/format.h"));
  fs::remove_all(folder);
}

}  // namespace
}  // namespace tfm
