#include "tfm/cli/output.h"

#include <iostream>

#include "tfm/core/error.h"

namespace tfm {

Output::Output(const std::filesystem::path& file) {
  if (!file.empty()) file_.emplace(file);
}

void Output::write(const std::string& text) {
  if (file_) {
    file_->write(text.data(), text.size());
  } else {
    std::cout << text;
  }
}

void Output::flush() const {
  if (!file_ && !std::cout.flush()) throw DataError("stdout", "can't be written", "Check free space where it goes.");
}

void Output::finish() {
  flush();
  if (file_) file_->commit();
}

}  // namespace tfm
