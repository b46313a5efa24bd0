// Writes compressed files for tests, with libarchive.
#pragma once

#include <archive.h>
#include <archive_entry.h>

#include <array>
#include <filesystem>
#include <string_view>

#include "temporary_folder.h"

namespace tfm {

/// The endings of the compressed files that tfm reads.
inline constexpr std::array<std::string_view, 4> compressed_endings{".gz", ".zst", ".xz", ".bz2"};

/// Writes the content, compressed as `ending` says (one of compressed_endings), under a name that
/// need not have this ending.
inline std::filesystem::path write_compressed(const TemporaryFolder& folder, std::string_view name,
                                              std::string_view ending, std::string_view content) {
  archive* const writer = archive_write_new();
  if (ending == ".gz") archive_write_add_filter_gzip(writer);
  if (ending == ".zst") archive_write_add_filter_zstd(writer);
  if (ending == ".xz") archive_write_add_filter_xz(writer);
  if (ending == ".bz2") archive_write_add_filter_bzip2(writer);
  archive_write_set_format_raw(writer);
  archive_write_set_bytes_in_last_block(writer, 1);  // no padding
  EXPECT_EQ(archive_write_open_filename(writer, folder.path(name).c_str()), ARCHIVE_OK);
  archive_entry* const entry = archive_entry_new();
  archive_entry_set_filetype(entry, AE_IFREG);
  EXPECT_EQ(archive_write_header(writer, entry), ARCHIVE_OK);
  archive_write_data(writer, content.data(), content.size());
  archive_entry_free(entry);
  EXPECT_EQ(archive_write_close(writer), ARCHIVE_OK);
  archive_write_free(writer);
  return folder.path(name);
}

}  // namespace tfm
