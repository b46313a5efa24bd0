#include "tfm/core/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdint>

#include "tfm/core/error.h"

namespace tfm {

MappedFile::MappedFile(const std::filesystem::path& file) {
  // Without O_NONBLOCK, opening a named pipe waits for its writer.
  const int descriptor = ::open(file.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  struct stat status{};
  if (descriptor < 0 || ::fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode)) {
    const bool opened = descriptor >= 0;
    if (opened) ::close(descriptor);
    throw ModelError(file.string(), opened ? "is not a regular file" : "can't be opened",
                     "Check the path and the permissions of the file.");
  }
  size_ = static_cast<std::size_t>(status.st_size);
  void* address = size_ > 0
                      ? ::mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_PRIVATE, descriptor, 0)
                      : nullptr;
  ::close(descriptor);
  if (address == MAP_FAILED) throw ModelError(file.string(), "can't be mapped into memory");
  bytes_ = static_cast<char*>(address);
}

MappedFile::~MappedFile() {
  if (bytes_ != nullptr) ::munmap(bytes_, size_);
}

void release_mapped_pages(const void* begin, std::size_t bytes) {
  const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  const auto address = reinterpret_cast<std::uintptr_t>(begin);
  // Releases only complete pages, because the first and the last page may also hold other data.
  const std::uintptr_t first = (address + page - 1) / page * page;
  const std::uintptr_t last = (address + bytes) / page * page;
  // MADV_DONTNEED keeps the pages in the page cache. MADV_PAGEOUT would also drop them from it, and
  // the next reader would wait for the disk.
  // NOLINTNEXTLINE(performance-no-int-to-ptr): madvise takes the address of a page
  if (first < last) ::madvise(reinterpret_cast<void*>(first), last - first, MADV_DONTNEED);
}

}  // namespace tfm
