#include "tfm/data/shard.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <vector>

#include "skips_json.h"
#include "tfm/core/atomic_file.h"
#include "tfm/core/checksum.h"
#include "tfm/core/error.h"
#include "tfm/core/input_file.h"
#include "tfm/core/mapped_file.h"
#include "tfm/core/open_files.h"
#include "tfm/core/safetensors_header.h"

namespace tfm {
namespace {

using nlohmann::json;

/// The version of the format. A shard of another version is not used, and made again.
constexpr int shard_version = 1;
/// The name of what was counted in the metadata of a shard.
constexpr const char* counts_name = "tfm_shard";
constexpr const char* shard_hint = "Remove the file: it will be made again.";

/// An array of a shard, with its name and type in the safetensors format.
struct ShardArray {
  const char* name;
  const char* dtype;
  const void* data;
  std::size_t count;
  std::size_t bytes;
};

/// Returns the name of the type of unsigned integers with this number of bytes.
const char* integer_dtype(int width) { return width == 2 ? "U16" : width == 4 ? "U32" : "U64"; }

ShardArray integers(const char* name, const IntegerSpan& span) {
  return {name, integer_dtype(span.width), span.data, span.count, span.bytes()};
}

/// Returns the arrays with the widest integers first, so that all are aligned.
std::array<ShardArray, 4> arrays_of(const PackedExamples& examples) {
  const ExampleIndex index = examples.index();
  return {ShardArray{"offsets", integer_dtype(8), index.offsets.data(), index.offsets.size(),
                     index.offsets.size_bytes()},
          ShardArray{"line_runs", integer_dtype(8), index.runs.data(), 2 * index.runs.size(),
                     index.runs.size_bytes()},
          integers("lengths", index.lengths), integers("ids", examples.ids())};
}

[[noreturn]] void damaged(const std::filesystem::path& file, const std::string& what) {
  throw DataError(file.string(), "is not a complete shard: " + what, shard_hint);
}

/// The place of an array in a file.
struct FoundArray {
  int width = 0;
  std::size_t count = 0;
  std::size_t begin = 0;  // in bytes from the start of the file
};

}  // namespace

void write_shard(const std::filesystem::path& file, const Corpus& part,
                 const ParallelFiles& files) {
  const auto arrays = arrays_of(part.examples.packed());
  SafetensorsHeader header;
  Crc32 sum;
  for (const ShardArray& array : arrays) {
    header.append(array.name, array.dtype, {static_cast<std::int64_t>(array.count)});
    sum.add(array.data, array.bytes);
  }
  const json counts = {{"version", shard_version},
                       {"crc32", sum.value()},
                       {"source_tokens", part.source_tokens},
                       {"target_tokens", part.target_tokens},
                       {"source_unknown", part.source_unknown},
                       {"target_unknown", part.target_unknown},
                       {"skipped", skips_json(part.skipped, files)}};
  header.metadata = {{counts_name, counts.dump()}};
  const auto text = format_safetensors_header(header);
  AtomicFile output(file);
  output.write(text.data(), text.size());
  for (const ShardArray& array : arrays) output.write(array.data, array.bytes);
  output.commit();
}

struct Shard::Content {
  explicit Content(std::filesystem::path path) : file(std::move(path)), mapped(file) {
    try {
      parse();
    } catch (const MalformedSafetensors& error) {
      damaged(file, error.what());
    } catch (const json::exception& error) {
      damaged(file, error.what());
    }
    descriptor = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0)
      throw DataError(file.string(), std::string("can't be opened: ") + std::strerror(errno),
                      errno == EMFILE ? "Raise the limit of open files (ulimit -Hn)." : "");
    keep_descriptors_free(descriptor);
  }
  ~Content() {
    if (descriptor >= 0) ::close(descriptor);
  }
  Content(const Content&) = delete;
  Content& operator=(const Content&) = delete;

  void parse() {
    const auto [header, begin] = parse_safetensors_header({mapped.bytes(), mapped.size()});
    data_begin = begin;
    const auto found = header.metadata.find(counts_name);
    if (found == header.metadata.end()) damaged(file, "it is another safetensors file");
    counts = json::parse(found->second);
    if (counts.at("version") != shard_version)
      damaged(file, "another version of tfm has written it");
    const FoundArray offsets = find(header, "offsets", {8}), runs = find(header, "line_runs", {8}),
                     lengths = find(header, "lengths", {2, 4});
    ids = find(header, "ids", {2, 4});
    index = {.lengths = {at(lengths), lengths.count, lengths.width},
             .offsets = {static_cast<const std::uint64_t*>(at(offsets)), offsets.count},
             .runs = {static_cast<const LineRun*>(at(runs)), runs.count / 2}};
    // The arrays themselves are not checked here, because that would read them: see verify().
    const auto blocks = (index.size() + ExampleIndex::block - 1) / ExampleIndex::block;
    if (index.offsets.size() != blocks || (index.size() > 0 && index.runs.empty()))
      damaged(file, "its arrays do not fit each other");
  }

  /// Returns an array of integers that have one of these numbers of bytes.
  FoundArray find(const SafetensorsHeader& header, const char* name,
                  std::initializer_list<int> widths) const {
    const auto found = header.entries.find(name);
    if (found == header.entries.end()) damaged(file, fmt::format("it has no {}", name));
    const SafetensorsEntry& entry = found->second;
    for (const int width : widths) {
      if (entry.dtype == integer_dtype(width))
        return {.width = width,
                .count = entry.bytes / static_cast<std::size_t>(width),
                .begin = data_begin + entry.begin};
    }
    damaged(file, fmt::format("its {} have the type {}", name, entry.dtype));
  }

  const void* at(const FoundArray& array) const {
    const char* place = mapped.bytes() + array.begin;
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): the address as a number
    if (reinterpret_cast<std::uintptr_t>(place) % static_cast<std::size_t>(array.width) != 0)
      damaged(file, "its arrays are not aligned");
    return place;
  }

  std::filesystem::path file;
  MappedFile mapped;
  std::size_t data_begin = 0;
  json counts;
  ExampleIndex index;
  FoundArray ids;
  int descriptor = -1;
};

Shard::Shard(std::filesystem::path file)
    : content_(std::make_unique<const Content>(std::move(file))) {}

Shard::~Shard() = default;

/// Reads the file instead of its mapping, so that its pages do not count as memory of this process.
void Shard::verify() const {
  InputFile input(content_->file);
  Crc32 sum;
  std::vector<char> chunk(std::size_t{1} << 20);
  std::size_t skipped = content_->data_begin;  // bytes of the header that are still to come
  while (const std::size_t count = input.read(chunk.data(), chunk.size())) {
    const auto header = std::min(skipped, count);
    skipped -= header;
    sum.add(chunk.data() + header, count - header);
  }
  if (sum.value() != content_->counts.at("crc32").get<std::uint32_t>())
    damaged(content_->file, "its content has changed");
}

std::size_t Shard::size() const { return content_->index.size(); }

ExampleLengths Shard::lengths(std::size_t i) const { return content_->index.lengths_of(i); }

Example Shard::operator[](std::size_t i) const {
  const auto lengths = this->lengths(i);
  const auto& ids = content_->ids;
  const auto width = static_cast<std::size_t>(ids.width);
  const auto count = static_cast<std::size_t>(lengths.source + lengths.target);
  std::vector<std::byte> bytes(count * width);
  const auto begin = ids.begin + content_->index.offset_of(i) * width;
  for (std::size_t done = 0; done < bytes.size();) {
    const ssize_t read = ::pread(content_->descriptor, bytes.data() + done, bytes.size() - done,
                                 static_cast<off_t>(begin + done));
    if (read < 0 && errno == EINTR) continue;
    if (read < 0)
      throw DataError(content_->file.string(),
                      std::string("can't be read: ") + std::strerror(errno), "Check the disk.");
    if (read == 0) damaged(content_->file, "it has become shorter");
    done += static_cast<std::size_t>(read);
  }
  return unpack({bytes.data(), count, ids.width}, lengths, content_->index.line_of(i));
}

Corpus Shard::counts(const ParallelFiles& files, std::int64_t line_offset) const {
  const json& counts = content_->counts;
  Corpus corpus;
  corpus.skipped = skips_from_json(counts.at("skipped"), files, line_offset);
  corpus.source_tokens = counts.at("source_tokens");
  corpus.target_tokens = counts.at("target_tokens");
  corpus.source_unknown = counts.at("source_unknown");
  corpus.target_unknown = counts.at("target_unknown");
  return corpus;
}

}  // namespace tfm
