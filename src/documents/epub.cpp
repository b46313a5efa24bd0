// EPUB: an archive of XHTML pages, with a table of contents of its own in older files (NCX).
#include <algorithm>

#include "archive_document.h"
#include "text_document.h"
#include "tfm/markup/tags.h"
#include "tfm/text/percent_encoding.h"

namespace tfm {
namespace {

/// Returns the path of an entry that a file in `folder` names: an address in which %20 is a space.
std::string entry_path(const std::string& folder, std::string_view address) {
  const auto decoded = decode_percent(address.substr(0, address.find('#')));
  return (std::filesystem::path(folder) / decoded).lexically_normal().generic_string();
}

/// Returns the labels of a table of contents: <text>Chapter 1</text>.
std::vector<TextSlot> ncx_slots(std::string_view text) {
  std::vector<TextSlot> slots;
  for (auto at = text.find('<'); at != text.npos; at = text.find('<', at)) {
    const auto tag = tag_at(text, at);
    if (!tag) break;  // not XML
    at += tag->length;
    const auto end = text.find('<', at);
    const auto name = std::string_view(tag->name).substr(tag->name.find(':') + 1);
    if (end == text.npos || name != "text" || tag->kind != Tag::Kind::start) continue;
    std::string segment(text.substr(at, end - at));
    if (segment_has_letters(segment))
      slots.push_back(
          {at, end, {std::move(segment)}, [](auto translations) { return translations.front(); }});
  }
  return slots;
}

class EpubReader {
 public:
  EpubReader(std::string bytes, const DocumentOptions& options)
      : name_(options.name),
        archive_(std::make_unique<ZipArchive>(name_, std::move(bytes), options.limits)) {}

  std::unique_ptr<Document> read() {
    const auto package = package_path();
    const auto document = parse(package);
    const auto folder = std::filesystem::path(package).parent_path().string();
    for (const auto& found : document.select_nodes("//*[local-name()='item']")) {
      const auto item = found.node();
      const std::string_view type = item.attribute("media-type").value();
      const auto path = entry_path(folder, item.attribute("href").value());
      if (!archive_->has(path) ||
          std::ranges::find(parts_, path, &ArchivePart::first) != parts_.end())
        continue;
      if (type == "application/xhtml+xml" || type == "text/html") add(path, html_slots);
      if (type == "application/x-dtbncx+xml") add(path, ncx_slots);
    }
    return std::make_unique<ArchiveDocument>(std::move(archive_), std::move(parts_));
  }

 private:
  pugi::xml_document parse(const std::string& path) const {
    return parse_xml(name_ + ":" + path, archive_->read(path), DocumentTypes::without_entities);
  }

  std::string package_path() const {
    const auto container = parse("META-INF/container.xml");
    const auto root = container.select_node("//*[local-name()='rootfile']").node();
    return entry_path("", root.attribute("full-path").value());
  }

  void add(const std::string& path, std::vector<TextSlot> (*read_slots)(std::string_view)) {
    auto text = archive_->read(path);
    check_utf8(name_ + ":" + path, text);
    auto slots = read_slots(text);
    if (slots.empty()) return;
    parts_.emplace_back(path, std::make_unique<TextDocument>(std::move(text), std::move(slots)));
  }

  const std::string& name_;
  std::unique_ptr<ZipArchive> archive_;
  std::vector<ArchivePart> parts_;
};

}  // namespace

std::unique_ptr<Document> read_epub(std::string bytes, const DocumentOptions& options) {
  return EpubReader(std::move(bytes), options).read();
}

}  // namespace tfm
