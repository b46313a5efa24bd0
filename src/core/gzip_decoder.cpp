#include "gzip_decoder.h"

#include <algorithm>
#include <cstring>

#include "tfm/core/error.h"

namespace tfm {
namespace {

constexpr std::string_view magic = "\x1f\x8b";
constexpr const char* remedy = "Fetch or compress it again.";

}  // namespace

GzipDecoder::GzipDecoder(std::filesystem::path file) : input_(std::move(file)) {}

GzipDecoder::~GzipDecoder() {
  if (has_stream_) inflateEnd(&stream_);
}

/// Reads until the buffer has at least `wanted` undecoded bytes. Returns false if the file ends
/// before that.
bool GzipDecoder::fill(std::size_t wanted) {
  while (rest_.size() < wanted) {
    if (!rest_.empty()) std::memmove(buffer_.data(), rest_.data(), rest_.size());
    const std::size_t kept = rest_.size();
    const std::size_t count = input_.read(buffer_.data() + kept, buffer_.size() - kept);
    rest_ = {buffer_.data(), kept + count};
    bytes_read_ += static_cast<std::int64_t>(count);
    if (count == 0) return false;
  }
  return true;
}

void GzipDecoder::detect(const std::string& where) {
  fill(magic.size());
  if (rest_.starts_with(magic)) return start_member(where);
  if (file().extension() == ".gz")
    throw DataError(where, "is not a gzip file, although its name ends in .gz",
                    "Fetch it again if it is corrupt, or give it another name if it is text.");
  state_ = State::plain;
}

void GzipDecoder::start_member(const std::string& where) {
  constexpr int gzip_only = 16 + MAX_WBITS;
  const int code = has_stream_ ? inflateReset(&stream_) : inflateInit2(&stream_, gzip_only);
  if (code != Z_OK) throw DataError(where, "zlib can't start to decompress the file", remedy);
  has_stream_ = true;
  state_ = State::in_member;
}

std::size_t GzipDecoder::inflate_some(char* bytes, std::size_t capacity, const std::string& where) {
  if (!fill(1)) throw DataError(where, "the gzip file is truncated", remedy);
  // zlib's interface is not const, but inflate does not change its input.
  stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(rest_.data()));
  stream_.avail_in = static_cast<uInt>(rest_.size());
  stream_.next_out = reinterpret_cast<Bytef*>(bytes);
  stream_.avail_out = static_cast<uInt>(capacity);
  const int code = inflate(&stream_, Z_NO_FLUSH);
  rest_.remove_prefix(rest_.size() - stream_.avail_in);
  if (code == Z_STREAM_END) {
    state_ = State::between_members;
  } else if (code != Z_OK && code != Z_BUF_ERROR) {
    throw DataError(where,
                    std::string("the gzip data is corrupt: ") +
                        (stream_.msg != nullptr ? stream_.msg : zError(code)),
                    remedy);
  }
  return capacity - stream_.avail_out;
}

std::size_t GzipDecoder::read(char* bytes, std::size_t capacity, const std::string& where) {
  while (state_ != State::at_end) {
    if (state_ == State::unknown) {
      detect(where);
    } else if (state_ == State::plain) {
      fill(1);
      const std::size_t count = std::min(capacity, rest_.size());
      std::memcpy(bytes, rest_.data(), count);
      rest_.remove_prefix(count);
      return count;
    } else if (state_ == State::in_member) {
      if (const auto count = inflate_some(bytes, capacity, where)) return count;
    } else if (!fill(1)) {
      state_ = State::at_end;
    } else if (rest_.front() == '\0') {
      rest_.remove_prefix(1);
    } else {
      fill(magic.size());
      if (!rest_.starts_with(magic)) {
        throw DataError(where,
                        "byte " + std::to_string(bytes_read()) +
                            " of the file follows a gzip member but does not start another one",
                        remedy);
      }
      start_member(where);
    }
  }
  return 0;
}

}  // namespace tfm
