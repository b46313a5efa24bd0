#include "tfm/data/text_shard.h"

#include <string>
#include <string_view>
#include <utility>

#include "shard_file.h"

namespace tfm {
namespace {

const ShardFormat& text_format() {
  static const ShardFormat format{.metadata = "tfm_text_shard", .content = "text", .widths = {1}};
  return format;
}

}  // namespace

/// The links of a pair follow its target behind a line feed, which no line contains.
void write_text_shard(const std::filesystem::path& file, const ParallelText& part) {
  PackedIndex index;
  std::string text;
  for (std::size_t i = 0; i < part.source.size(); ++i) {
    const auto begin = text.size();
    text += part.source[i];
    const auto middle = text.size();
    text += part.target[i];
    if (!part.alignments.empty()) text += "\n" + part.alignments[i];
    index.push_back({.source = static_cast<std::int64_t>(middle - begin),
                     .target = static_cast<std::int64_t>(text.size() - middle)},
                    part.line[i]);
  }
  write_shard_file(file, text_format(), index.view(),
                   {.data = text.data(), .count = text.size(), .width = 1},
                   {{"links", !part.alignments.empty()}});
}

struct TextShard::Content : ShardFile {
  using ShardFile::ShardFile;
};

TextShard::TextShard(std::filesystem::path file)
    : content_(std::make_unique<const Content>(std::move(file), text_format())) {}

TextShard::~TextShard() = default;

void TextShard::verify() const { content_->verify(); }

std::size_t TextShard::size() const { return content_->index().size(); }

TextPair TextShard::operator[](std::size_t i) const {
  const ExampleIndex& index = content_->index();
  const auto lengths = index.lengths_of(i);
  const auto count = static_cast<std::size_t>(lengths.source + lengths.target);
  const auto bytes = content_->read(index.offset_of(i), count);
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): bytes of text
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), count);
  const auto middle = static_cast<std::size_t>(lengths.source);
  const auto line_feed = text.find('\n', middle);
  TextPair pair{std::string(text.substr(0, middle)),
                std::string(text.substr(middle, line_feed - middle))};
  if (line_feed != std::string_view::npos)
    pair.links = parse_word_links(text.substr(line_feed + 1), "data.alignments");
  return pair;
}

std::size_t TextShard::index_of(std::int64_t line) const {
  return content_->index().example_of(line);
}

}  // namespace tfm
