#include "shard_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include "tfm/core/atomic_file.h"
#include "tfm/core/checksum.h"
#include "tfm/core/error.h"
#include "tfm/core/input_file.h"
#include "tfm/core/open_files.h"
#include "tfm/core/safetensors_header.h"

namespace tfm {
namespace {

using nlohmann::json;

constexpr const char* shard_hint = "Remove the file: it will be made again.";

/// An array of a file, with its name and type in the safetensors format.
struct ShardArray {
  const char* name;
  const char* dtype;
  const void* data;
  std::size_t count;
  std::size_t bytes;
};

/// Returns the name of the type of unsigned integers with this number of bytes.
const char* integer_dtype(int width) {
  switch (width) {
    case 1:
      return "U8";
    case 2:
      return "U16";
    case 4:
      return "U32";
    default:
      return "U64";
  }
}

[[noreturn]] void damaged(const std::filesystem::path& file, const std::string& what) {
  throw DataError(file.string(), "is not a complete shard: " + what, shard_hint);
}

}  // namespace

/// Writes the arrays with the widest integers first, so that all are aligned.
void write_shard_file(const std::filesystem::path& file, const ShardFormat& format,
                      const ExampleIndex& index, const ShardContent& content, json metadata) {
  const std::array arrays{
      ShardArray{"offsets", integer_dtype(8), index.offsets.data(), index.offsets.size(),
                 index.offsets.size_bytes()},
      ShardArray{"line_runs", integer_dtype(8), index.runs.data(), 2 * index.runs.size(),
                 index.runs.size_bytes()},
      ShardArray{"lengths", integer_dtype(index.lengths.width), index.lengths.data,
                 index.lengths.count, index.lengths.bytes()},
      ShardArray{format.content, integer_dtype(content.width), content.data, content.count,
                 content.count * static_cast<std::size_t>(content.width)}};
  SafetensorsHeader header;
  Crc32 sum;
  for (const ShardArray& array : arrays) {
    header.append(array.name, array.dtype, {static_cast<std::int64_t>(array.count)});
    sum.add(array.data, array.bytes);
  }
  metadata["version"] = format.version;
  metadata["crc32"] = sum.value();
  header.metadata = {{format.metadata, metadata.dump()}};
  const auto text = format_safetensors_header(header);
  AtomicFile output(file);
  output.write(text.data(), text.size());
  for (const ShardArray& array : arrays) output.write(array.data, array.bytes);
  output.commit();
}

ShardFile::ShardFile(std::filesystem::path file, const ShardFormat& format)
    : file_(std::move(file)), mapped_(file_) {
  try {
    parse(format);
  } catch (const MalformedSafetensors& error) {
    damaged(file_, error.what());
  } catch (const json::exception& error) {
    damaged(file_, error.what());
  }
  descriptor_ = ::open(file_.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor_ < 0)
    throw DataError(file_.string(), std::string("can't be opened: ") + std::strerror(errno),
                    errno == EMFILE ? "Raise the limit of open files (ulimit -Hn)." : "");
  keep_descriptors_free(descriptor_);
}

ShardFile::~ShardFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void ShardFile::parse(const ShardFormat& format) {
  const auto [header, begin] = parse_safetensors_header({mapped_.bytes(), mapped_.size()});
  data_begin_ = begin;
  const auto found = header.metadata.find(format.metadata);
  if (found == header.metadata.end()) damaged(file_, "it is another safetensors file");
  metadata_ = json::parse(found->second);
  if (metadata_.at("version") != format.version)
    damaged(file_, "another version of tfm has written it");
  const FoundArray offsets = find(header, "offsets", {8}), runs = find(header, "line_runs", {8}),
                   lengths = find(header, "lengths", {2, 4});
  content_ = find(header, format.content, format.widths);
  index_ = {.lengths = {at(lengths), lengths.count, lengths.width},
            .offsets = {static_cast<const std::uint64_t*>(at(offsets)), offsets.count},
            .runs = {static_cast<const LineRun*>(at(runs)), runs.count / 2}};
  // The arrays themselves are not checked here, because that would read them: see verify().
  const auto blocks = (index_.size() + ExampleIndex::block - 1) / ExampleIndex::block;
  if (index_.offsets.size() != blocks || (index_.size() > 0 && index_.runs.empty()))
    damaged(file_, "its arrays do not fit each other");
}

/// Returns an array of integers that have one of these numbers of bytes.
ShardFile::FoundArray ShardFile::find(const SafetensorsHeader& header, const char* name,
                                      const std::vector<int>& widths) const {
  const auto found = header.entries.find(name);
  if (found == header.entries.end()) damaged(file_, fmt::format("it has no {}", name));
  const SafetensorsEntry& entry = found->second;
  for (const int width : widths) {
    if (entry.dtype == integer_dtype(width))
      return {.width = width,
              .count = entry.bytes / static_cast<std::size_t>(width),
              .begin = data_begin_ + entry.begin};
  }
  damaged(file_, fmt::format("its {} have the type {}", name, entry.dtype));
}

const void* ShardFile::at(const FoundArray& array) const {
  const char* place = mapped_.bytes() + array.begin;
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): the address as a number
  if (reinterpret_cast<std::uintptr_t>(place) % static_cast<std::size_t>(array.width) != 0)
    damaged(file_, "its arrays are not aligned");
  return place;
}

/// Reads the file instead of its mapping, so that its pages do not count as memory of this process.
void ShardFile::verify() const {
  InputFile input(file_);
  Crc32 sum;
  std::vector<char> chunk(std::size_t{1} << 20);
  std::size_t skipped = data_begin_;  // bytes of the header that are still to come
  while (const std::size_t count = input.read(chunk.data(), chunk.size())) {
    const auto header = std::min(skipped, count);
    skipped -= header;
    sum.add(chunk.data() + header, count - header);
  }
  if (sum.value() != metadata_.at("crc32").get<std::uint32_t>())
    damaged(file_, "its content has changed");
}

std::vector<std::byte> ShardFile::read(std::uint64_t begin, std::size_t count) const {
  const auto width = static_cast<std::size_t>(content_.width);
  std::vector<std::byte> bytes(count * width);
  const auto first = content_.begin + begin * width;
  for (std::size_t done = 0; done < bytes.size();) {
    const ssize_t read = ::pread(descriptor_, bytes.data() + done, bytes.size() - done,
                                 static_cast<off_t>(first + done));
    if (read < 0 && errno == EINTR) continue;
    if (read < 0)
      throw DataError(file_.string(), std::string("can't be read: ") + std::strerror(errno),
                      "Check the disk.");
    if (read == 0) damaged(file_, "it has become shorter");
    done += static_cast<std::size_t>(read);
  }
  return bytes;
}

}  // namespace tfm
