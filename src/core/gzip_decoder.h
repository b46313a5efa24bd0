// Decompresses gzip with zlib. A gzip file has one or several members, and zero bytes may follow
// the last one. libarchive, which decodes the other formats, neither checks a member's CRC-32 and
// length nor reports bytes that follow a member.
#pragma once

#include <zlib.h>

#include <string_view>

#include "buffered_input.h"
#include "decoder.h"

namespace tfm {

class GzipDecoder : public Decoder {
 public:
  static constexpr std::string_view magic = "\x1f\x8b";

  /// The input, which starts with `magic`, must outlive the decoder.
  explicit GzipDecoder(BufferedInput& input) : input_(input) {}
  ~GzipDecoder() override;
  GzipDecoder(const GzipDecoder&) = delete;
  GzipDecoder& operator=(const GzipDecoder&) = delete;

  std::size_t read(char* bytes, std::size_t capacity, const std::string& where) override;

 private:
  enum class State { at_start, in_member, between_members, at_end };

  void start_member(const std::string& where);
  std::size_t inflate_some(char* bytes, std::size_t capacity, const std::string& where);

  BufferedInput& input_;
  State state_ = State::at_start;
  z_stream stream_{};
  bool has_stream_ = false;
};

}  // namespace tfm
