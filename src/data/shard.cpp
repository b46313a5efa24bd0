#include "tfm/data/shard.h"

#include <utility>

#include "shard_file.h"
#include "skips_json.h"

namespace tfm {
namespace {

const ShardFormat& example_format() {
  static const ShardFormat format{.metadata = "tfm_shard", .content = "ids", .widths = {2, 4}};
  return format;
}

}  // namespace

void write_shard(const std::filesystem::path& file, const Corpus& part,
                 const ParallelFiles& files) {
  const PackedExamples& examples = part.examples.packed();
  const IntegerSpan ids = examples.ids();
  write_shard_file(file, example_format(), examples.index(),
                   {.data = ids.data, .count = ids.count, .width = ids.width},
                   {{"source_tokens", part.source_tokens},
                    {"target_tokens", part.target_tokens},
                    {"source_unknown", part.source_unknown},
                    {"target_unknown", part.target_unknown},
                    {"skipped", skips_json(part.skipped, files)}});
}

struct Shard::Content : ShardFile {
  using ShardFile::ShardFile;
};

Shard::Shard(std::filesystem::path file)
    : content_(std::make_unique<const Content>(std::move(file), example_format())) {}

Shard::~Shard() = default;

void Shard::verify() const { content_->verify(); }

std::size_t Shard::size() const { return content_->index().size(); }

ExampleLengths Shard::lengths(std::size_t i) const { return content_->index().lengths_of(i); }

std::int64_t Shard::line(std::size_t i) const { return content_->index().line_of(i); }

Example Shard::operator[](std::size_t i) const {
  const ShardFile& file = *content_;
  const auto lengths = this->lengths(i);
  const auto count = static_cast<std::size_t>(lengths.source + lengths.target);
  const auto bytes = file.read(file.index().offset_of(i), count);
  return unpack({bytes.data(), count, file.width()}, lengths, line(i));
}

Corpus Shard::counts(const ParallelFiles& files, std::int64_t line_offset) const {
  const auto& counts = content_->metadata();
  Corpus corpus;
  corpus.skipped = skips_from_json(counts.at("skipped"), files, line_offset);
  corpus.source_tokens = counts.at("source_tokens");
  corpus.target_tokens = counts.at("target_tokens");
  corpus.source_unknown = counts.at("source_unknown");
  corpus.target_unknown = counts.at("target_unknown");
  return corpus;
}

}  // namespace tfm
