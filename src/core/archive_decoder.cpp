#include "archive_decoder.h"

#include <new>
#include <string>

#include "tfm/core/error.h"

namespace tfm {

ArchiveDecoder::ArchiveDecoder(BufferedInput& input, const char* name, EnableFilter enable)
    : input_(input), name_(name), enable_(enable) {}

/// Passes the next bytes of the file to libarchive. An exception must not pass through its frames,
/// which are C.
la_ssize_t ArchiveDecoder::read_block(archive*, void* decoder, const void** block) {
  auto& self = *static_cast<ArchiveDecoder*>(decoder);
  try {
    self.input_.consume(std::exchange(self.block_, 0));
    self.input_ended_ = !self.input_.fill(1);
  } catch (...) {
    self.error_ = std::current_exception();
    return ARCHIVE_FATAL;
  }
  self.block_ = self.input_.rest().size();
  self.passed_ += static_cast<std::int64_t>(self.block_);
  *block = self.input_.rest().data();
  return static_cast<la_ssize_t>(self.block_);
}

void ArchiveDecoder::open(const std::string& where) {
  archive_.reset(archive_read_new());
  if (archive_ == nullptr) throw std::bad_alloc();
  archive* const reader = archive_.get();
  if (enable_(reader) != ARCHIVE_OK)
    throw DataError(where, std::string("libarchive was built without ") + name_,
                    "Decompress the file first.");
  archive_read_support_format_raw(reader);
  archive_read_support_format_empty(reader);  // compressed text without a byte
  if (archive_read_open(reader, this, nullptr, read_block, nullptr) != ARCHIVE_OK) fail(where);
  archive_entry* entry = nullptr;
  const int code = archive_read_next_header(reader, &entry);
  if (code != ARCHIVE_OK && code != ARCHIVE_EOF) fail(where);
  // libarchive takes a file that is too short for the filter as uncompressed.
  if (archive_filter_code(reader, 0) == ARCHIVE_FILTER_NONE) fail(where);
  if (code == ARCHIVE_EOF) check_end(where);
}

/// Throws if the file has bytes that the filter has not read. libarchive's bzip2 filter ignores
/// bytes that do not start another stream.
void ArchiveDecoder::check_end(const std::string& where) {
  at_end_ = true;
  const std::int64_t decoded = archive_filter_bytes(archive_.get(), -1);
  if (decoded < passed_ || !input_ended_) {
    input_.consume(std::exchange(block_, 0));
    if (decoded < passed_ || input_.fill(1))
      throw DataError(where,
                      "byte " + std::to_string(decoded) + " of the file follows the " + name_ +
                          " data but does not belong to it",
                      decode_remedy);
  }
}

void ArchiveDecoder::fail(const std::string& where) {
  if (error_) std::rethrow_exception(error_);
  if (input_ended_)
    throw DataError(where, std::string("the ") + name_ + " file is truncated", decode_remedy);
  const char* const reason = archive_error_string(archive_.get());
  throw DataError(where,
                  std::string("the ") + name_ +
                      " data is corrupt: " + (reason != nullptr ? reason : "unknown error"),
                  decode_remedy);
}

std::size_t ArchiveDecoder::read(char* bytes, std::size_t capacity, const std::string& where) {
  if (archive_ == nullptr) open(where);
  if (at_end_) return 0;
  const la_ssize_t count = archive_read_data(archive_.get(), bytes, capacity);
  if (count < 0) fail(where);
  if (count == 0) check_end(where);
  return static_cast<std::size_t>(count);
}

}  // namespace tfm
