#include "tfm/core/decoded_file.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <string_view>

#include "archive_decoder.h"
#include "buffered_input.h"
#include "gzip_decoder.h"
#include "tfm/core/error.h"

namespace tfm {
namespace {

struct Compression {
  const char* name;
  std::string_view ending;
  std::string_view magic;  // the first bytes of every file of this format
  EnableFilter enable;     // nullptr: decoded by GzipDecoder
  // after one more byte, the next bytes are one of these; empty if any bytes may follow
  std::array<std::string_view, 2> blocks{};
};

// "BZh" alone could be text, therefore the magic number of the first block is compared, too. An
// empty bzip2 file has no block, only the end of a stream.
constexpr std::array compressions{
    Compression{"gzip", ".gz", GzipDecoder::magic, nullptr},
    Compression{"Zstandard", ".zst", "\x28\xb5\x2f\xfd", archive_read_support_filter_zstd},
    Compression{"xz",
                ".xz",
                {"\xfd"
                 "7zXZ\0",
                 6},
                archive_read_support_filter_xz},
    Compression{"bzip2",
                ".bz2",
                "BZh",
                archive_read_support_filter_bzip2,
                {"\x31\x41\x59\x26\x53\x59", "\x17\x72\x45\x38\x50\x90"}}};
constexpr std::size_t longest_magic = 10;

bool starts(const Compression& compression, std::string_view bytes) {
  if (!bytes.starts_with(compression.magic)) return false;
  bytes.remove_prefix(std::min(bytes.size(), compression.magic.size() + 1));
  return std::ranges::any_of(compression.blocks,
                             [bytes](auto block) { return bytes.starts_with(block); });
}

/// Returns true if one of the two is the beginning of the other.
bool agree(std::string_view a, std::string_view b) { return a.starts_with(b) || b.starts_with(a); }

/// Returns true if a compressed file may begin with these bytes. A short line of text, after which
/// a pipe may bring nothing for long, is recognised without more bytes.
bool may_be_compressed(std::string_view bytes) {
  return std::ranges::any_of(compressions, [bytes](const Compression& each) {
    const std::string_view after = bytes.substr(std::min(bytes.size(), each.magic.size() + 1));
    return agree(bytes, each.magic) &&
           std::ranges::any_of(each.blocks, [after](auto block) { return agree(after, block); });
  });
}

const Compression* find_by_ending(const std::filesystem::path& file) {
  const std::string ending = file.extension().string();
  const auto found = std::ranges::find(compressions, ending, &Compression::ending);
  return found == compressions.end() ? nullptr : &*found;
}

}  // namespace

struct DecodedFile::State {
  State(std::filesystem::path file, OnWait on_wait) : input(std::move(file), std::move(on_wait)) {}

  void detect(const std::string& where) {
    detected = true;
    while (input.rest().size() < longest_magic && may_be_compressed(input.rest()) &&
           input.fill(input.rest().size() + 1))
      continue;
    const auto found = std::ranges::find_if(
        compressions, [this](const Compression& each) { return starts(each, input.rest()); });
    if (found == compressions.end()) return check_ending(where);
    if (found->enable == nullptr) {
      decoder = std::make_unique<GzipDecoder>(input);
    } else {
      decoder = std::make_unique<ArchiveDecoder>(input, found->name, found->enable);
    }
  }

  /// Throws if the name of a plain file promises compressed content.
  void check_ending(const std::string& where) const {
    const Compression* const promised = find_by_ending(input.file());
    if (promised == nullptr) return;
    throw DataError(where,
                    std::string("is not a ") + promised->name +
                        " file, although its name ends in " + std::string(promised->ending),
                    "Fetch it again if it is corrupt, or give it another name if it is text.");
  }

  std::size_t copy_plain(char* bytes, std::size_t capacity) {
    input.fill(1);
    const std::size_t count = std::min(capacity, input.rest().size());
    std::memcpy(bytes, input.rest().data(), count);
    input.consume(count);
    return count;
  }

  BufferedInput input;
  bool detected = false;
  std::unique_ptr<Decoder> decoder;  // nullptr if the file is plain
};

DecodedFile::DecodedFile(std::filesystem::path file, OnWait on_wait)
    : state_(std::make_unique<State>(std::move(file), std::move(on_wait))) {}

DecodedFile::~DecodedFile() = default;

std::size_t DecodedFile::read(char* bytes, std::size_t capacity, const std::string& where) {
  if (!state_->detected) state_->detect(where);
  return state_->decoder ? state_->decoder->read(bytes, capacity, where)
                         : state_->copy_plain(bytes, capacity);
}

std::int64_t DecodedFile::bytes_read() const { return state_->input.bytes_consumed(); }

const std::filesystem::path& DecodedFile::file() const { return state_->input.file(); }

std::filesystem::path without_compression_ending(const std::filesystem::path& file) {
  return find_by_ending(file) != nullptr ? std::filesystem::path(file).replace_extension() : file;
}

std::filesystem::path find_plain_or_compressed(const std::filesystem::path& plain) {
  if (std::filesystem::exists(plain)) return plain;
  for (const Compression& each : compressions) {
    auto file = plain;
    file += each.ending;
    if (std::filesystem::exists(file)) return file;
  }
  return {};
}

std::string describe_compressions() {
  std::string others;
  for (const Compression& each : compressions) {
    if (each.enable != nullptr) others += (others.empty() ? "" : ", ") + std::string(each.name);
  }
  const std::string_view version = archive_version_string();  // "libarchive 3.6.2"
  return std::string("gzip (zlib ") + zlibVersion() + "), " + others + " (" + std::string(version) +
         ")";
}

}  // namespace tfm
