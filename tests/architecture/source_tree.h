// Reads the list of libraries that CMake generates from CMakeLists.txt (dependencies.txt), and
// checks the includes of a source tree.
#pragma once

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace tfm {

namespace fs = std::filesystem;

struct Library {
  bool torch = false;
  std::set<std::string> may_include;
};
using Libraries = std::map<std::string, Library>;

/// Reads one library per line, such as "nn torch: core config tensor": its name, the word torch if
/// it may use LibTorch, and the libraries that it may include.
inline Libraries read_dependencies(std::istream& in) {
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

/// Returns all regular files under the folder, sorted. Returns no files if the folder does not
/// exist.
inline std::vector<fs::path> files_under(const fs::path& folder) {
  std::vector<fs::path> files;
  if (!fs::exists(folder)) return files;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file()) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

inline bool is_torch_header(const std::string& header) {
  return std::regex_search(header, std::regex("^(torch|ATen|c10|caffe2)/"));
}

struct Include {
  int line = 0;
  std::string header;  // as written between the quotes or angle brackets
};

inline std::vector<Include> read_includes(const fs::path& file) {
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

/// Checks the includes of the sources below a root folder.
class SourceTree {
 public:
  SourceTree(fs::path root, Libraries libraries)
      : root_(std::move(root)), libraries_(std::move(libraries)) {}

  /// Returns the problems, each with its file and the reason. Problems are includes that the
  /// declared dependencies of a library do not allow, and folders that are not a library.
  std::vector<std::string> forbidden_includes() {
    std::vector<std::string> found;
    for (const fs::path& top : {root_ / "include/tfm", root_ / "src"}) {
      for (const fs::path& file : files_under(top)) {
        if (file == root_ / "include/tfm/tfm.h") continue;  // includes headers of all libraries
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
    for (const auto& [line, header] : read_includes(file)) {
      const std::string why = find_violation(file, name, header);
      if (!why.empty()) found.push_back(relative(file) + ":" + std::to_string(line) + ": " + why);
    }
  }

  /// Returns why a file of the library `name` may not include `header`, or an empty string.
  std::string find_violation(const fs::path& file, const std::string& name,
                             const std::string& header) {
    if (header.find("..") != std::string::npos)
      return name + " leaves its folder by a relative path: " + header;
    const std::string other = find_library(header);
    const Library& library = libraries_.at(name);
    if (!other.empty() && other != name && library.may_include.count(other) == 0)
      return name + " may not include " + other + ": " + header;
    if (library.torch) return "";
    const std::string path = path_to_torch(file, header);
    return path.empty() ? "" : name + " is not a TORCH library and reaches LibTorch: " + path;
  }

  /// Returns the library of a header, or an empty string if the header is external or in the same
  /// folder.
  std::string find_library(const std::string& header) const {
    std::smatch match;
    if (!std::regex_search(header, match, std::regex("^(?:tfm/)?([^/]+)/"))) return "";
    return libraries_.count(match[1]) != 0 ? match[1].str() : "";
  }

  /// Returns the file of an include, or an empty path if the header is external.
  fs::path resolve(const fs::path& file, const std::string& header) const {
    for (const fs::path& candidate :
         {file.parent_path() / header, root_ / "include" / header, root_ / "src" / header}) {
      if (fs::is_regular_file(candidate)) return candidate;
    }
    return {};
  }

  /// Returns a path such as "a.h > b.h > torch/types.h" if the include reaches a header of
  /// LibTorch, otherwise an empty string.
  std::string path_to_torch(const fs::path& file, const std::string& header) {
    if (is_torch_header(header)) return header;
    const fs::path next = resolve(file, header);
    if (next.empty()) return "";
    const auto [known, is_new] = paths_.try_emplace(next.string());
    if (!is_new) return known->second.empty() ? "" : header + " > " + known->second;
    for (const Include& include : read_includes(next)) {
      const std::string path = path_to_torch(next, include.header);
      if (path.empty()) continue;
      paths_[next.string()] = path;
      return header + " > " + path;
    }
    return "";
  }

  fs::path root_;
  Libraries libraries_;
  // maps a header to its path to LibTorch, which is empty if the header does not reach LibTorch
  std::map<std::string, std::string> paths_;
};

inline std::vector<std::string> forbidden_includes(const fs::path& root,
                                                   const Libraries& libraries) {
  return SourceTree(root, libraries).forbidden_includes();
}

}  // namespace tfm
