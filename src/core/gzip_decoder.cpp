#include "gzip_decoder.h"

#include "tfm/core/error.h"

namespace tfm {

GzipDecoder::~GzipDecoder() {
  if (has_stream_) inflateEnd(&stream_);
}

void GzipDecoder::start_member(const std::string& where) {
  constexpr int gzip_only = 16 + MAX_WBITS;
  const int code = has_stream_ ? inflateReset(&stream_) : inflateInit2(&stream_, gzip_only);
  if (code != Z_OK)
    throw DataError(where, "zlib can't start to decompress the file", decode_remedy);
  has_stream_ = true;
  state_ = State::in_member;
}

std::size_t GzipDecoder::inflate_some(char* bytes, std::size_t capacity, const std::string& where) {
  if (!input_.fill(1)) throw DataError(where, "the gzip file is truncated", decode_remedy);
  const std::string_view rest = input_.rest();
  // zlib's interface is not const, but inflate does not change its input.
  stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(rest.data()));
  stream_.avail_in = static_cast<uInt>(rest.size());
  stream_.next_out = reinterpret_cast<Bytef*>(bytes);
  stream_.avail_out = static_cast<uInt>(capacity);
  const int code = inflate(&stream_, Z_NO_FLUSH);
  input_.consume(rest.size() - stream_.avail_in);
  if (code == Z_STREAM_END) {
    state_ = State::between_members;
  } else if (code != Z_OK && code != Z_BUF_ERROR) {
    throw DataError(where,
                    std::string("the gzip data is corrupt: ") +
                        (stream_.msg != nullptr ? stream_.msg : zError(code)),
                    decode_remedy);
  }
  return capacity - stream_.avail_out;
}

std::size_t GzipDecoder::read(char* bytes, std::size_t capacity, const std::string& where) {
  while (state_ != State::at_end) {
    if (state_ == State::at_start) {
      start_member(where);
    } else if (state_ == State::in_member) {
      if (const auto count = inflate_some(bytes, capacity, where)) return count;
    } else if (!input_.fill(1)) {
      state_ = State::at_end;
    } else if (input_.rest().front() == '\0') {
      input_.consume(1);
    } else {
      input_.fill(magic.size());
      if (!input_.rest().starts_with(magic)) {
        throw DataError(where,
                        "byte " + std::to_string(input_.bytes_consumed()) +
                            " of the file follows a gzip member but does not start another one",
                        decode_remedy);
      }
      start_member(where);
    }
  }
  return 0;
}

}  // namespace tfm
