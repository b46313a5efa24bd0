#include "tfm/core/line_reader.h"

#include <array>
#include <string_view>

#include "tfm/core/decoded_file.h"
#include "tfm/core/error.h"

namespace tfm {
namespace {

std::string place(const std::filesystem::path& file, std::int64_t line) {
  return file.string() + ":" + std::to_string(line);
}

/// Removes the CR of a CRLF line end from a line whose LF is already removed and, if the line is
/// the `first` one of the file, the byte order mark. `ended` is false if the line ended with the
/// file, without an LF. Returns false if the file consists of a byte order mark only and so has no
/// line.
bool trim_line(std::string& line, bool first, bool ended) {
  if (ended && line.ends_with('\r')) line.pop_back();
  if (!first || !line.starts_with(byte_order_mark)) return true;
  line.erase(0, byte_order_mark.size());
  return ended || !line.empty();
}

}  // namespace

struct LineReader::Handle {
  Handle(std::filesystem::path file, OnWait on_wait)
      : decoder(std::move(file), std::move(on_wait)) {}

  /// Reads more bytes. Returns false at the end of the file. `where` is the place that error
  /// messages name.
  bool refill(const std::string& where) {
    rest = {buffer.data(), decoder.read(buffer.data(), buffer.size(), where)};
    return !rest.empty();
  }

  DecodedFile decoder;
  std::array<char, 1 << 16> buffer;
  std::string_view rest;  // the part of the buffer that next() has not returned yet
};

LineReader::LineReader(std::filesystem::path file, OnWait on_wait)
    : handle_(std::make_unique<Handle>(std::move(file), std::move(on_wait))) {}

LineReader::~LineReader() = default;

std::int64_t LineReader::bytes_read() const { return handle_->decoder.bytes_read(); }

const std::filesystem::path& LineReader::file() const { return handle_->decoder.file(); }

bool LineReader::next(std::string& line) {
  line.clear();
  bool ended = false;
  bool any = false;
  while (!ended && (!handle_->rest.empty() || handle_->refill(place(file(), line_number_ + 1)))) {
    any = true;
    std::string_view& rest = handle_->rest;
    const auto end = rest.find('\n');
    ended = end != std::string_view::npos;
    line.append(rest.substr(0, end));
    rest.remove_prefix(ended ? end + 1 : rest.size());
  }
  if (!any) return false;
  // No text in UTF-8 begins with the mark of UTF-16.
  if (line_number_ == 0 && (line.starts_with("\xFF\xFE") || line.starts_with("\xFE\xFF")))
    throw DataError(place(file(), 1), "is UTF-16, not UTF-8",
                    "Convert the file: iconv -f UTF-16 -t UTF-8.");
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
