// Decompresses Zstandard, xz and bzip2 with libarchive's filters. A file may have several frames or
// streams.
#pragma once

#include <archive.h>

#include <cstdint>
#include <exception>
#include <memory>

#include "buffered_input.h"
#include "decoder.h"

namespace tfm {

/// A function of libarchive that enables one filter, such as archive_read_support_filter_xz.
using EnableFilter = int (*)(archive*);

class ArchiveDecoder : public Decoder {
 public:
  /// `name` is the format's name in error messages. The input must outlive the decoder.
  ArchiveDecoder(BufferedInput& input, const char* name, EnableFilter enable);
  ~ArchiveDecoder() override = default;
  ArchiveDecoder(const ArchiveDecoder&) = delete;
  ArchiveDecoder& operator=(const ArchiveDecoder&) = delete;

  std::size_t read(char* bytes, std::size_t capacity, const std::string& where) override;

 private:
  static la_ssize_t read_block(archive*, void* decoder, const void** block);
  void open(const std::string& where);
  void check_end(const std::string& where);
  [[noreturn]] void fail(const std::string& where);

  BufferedInput& input_;
  const char* name_;
  EnableFilter enable_;
  std::unique_ptr<archive, int (*)(archive*)> archive_{nullptr, archive_read_free};
  std::exception_ptr error_;  // thrown by the input while libarchive called for bytes
  std::size_t block_ = 0;     // bytes of the input that libarchive is reading
  std::int64_t passed_ = 0;   // bytes that libarchive has received
  bool input_ended_ = false;
  bool at_end_ = false;
};

}  // namespace tfm
