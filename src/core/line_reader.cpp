#include "tfm/core/line_reader.h"

#include <zlib.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <string_view>

#include "tfm/core/error.h"

namespace tfm {
namespace {

std::string place(const std::filesystem::path& file, std::int64_t line) {
  return file.string() + ":" + std::to_string(line);
}

}  // namespace

// gzread returns the content of a file without a gzip header unchanged.
struct LineReader::Handle {
  explicit Handle(gzFile opened) : file(opened) {}
  ~Handle() { gzclose_r(file); }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;

  /// Reads more bytes; returns false at the end. `where` is the place in errors.
  bool refill(const std::string& where) {
    const int count = gzread(file, buffer.data(), static_cast<unsigned>(buffer.size()));
    if (count > 0) {
      rest = {buffer.data(), static_cast<std::size_t>(count)};
      return true;
    }
    int code = Z_OK;
    const char* message = gzerror(file, &code);
    // A truncated gzip file reads like a complete one, except for this code.
    if (code == Z_BUF_ERROR)
      throw DataError(where, "the gzip file is truncated", "Fetch or compress it again.");
    if (count < 0)
      throw DataError(where, std::string("can't be read further: ") + message,
                      "Fetch or compress it again.");
    return false;
  }

  gzFile file;
  std::array<char, 1 << 16> buffer;
  std::string_view rest;  ///< unread part of the buffer
};

bool trim_line(std::string& line, bool first, bool ended) {
  if (ended && line.ends_with('\r')) line.pop_back();
  if (!first || !line.starts_with(byte_order_mark)) return true;
  line.erase(0, byte_order_mark.size());
  return ended || !line.empty();
}

LineReader::LineReader(std::filesystem::path file) : file_(std::move(file)) {
  if (std::filesystem::is_directory(file_))
    throw DataError(file_.string(), "is a folder, not a text file", "Name a file inside it.");
  const gzFile opened = gzopen(file_.c_str(), "rb");
  if (opened == nullptr) {
    throw DataError(file_.string(), std::string("can't be opened: ") + std::strerror(errno),
                    "Check the path and the permissions of the file.");
  }
  handle_ = std::make_unique<Handle>(opened);
}

LineReader::~LineReader() = default;

std::int64_t LineReader::bytes_read() const { return gzoffset(handle_->file); }

bool LineReader::next(std::string& line) {
  line.clear();
  bool ended = false;
  bool any = false;
  while (!ended && (!handle_->rest.empty() || handle_->refill(place(file_, line_number_ + 1)))) {
    any = true;
    std::string_view& rest = handle_->rest;
    const auto end = rest.find('\n');
    ended = end != std::string_view::npos;
    line.append(rest.substr(0, end));
    rest.remove_prefix(ended ? end + 1 : rest.size());
  }
  if (!any) return false;
  if (!trim_line(line, line_number_ == 0, ended)) return false;
  ++line_number_;
  return true;
}

std::vector<std::string> read_lines(const std::filesystem::path& file) {
  LineReader reader(file);
  std::vector<std::string> lines;
  for (std::string line; reader.next(line);) lines.push_back(line);
  return lines;
}

}  // namespace tfm
