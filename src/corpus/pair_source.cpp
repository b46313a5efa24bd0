#include "tfm/corpus/pair_source.h"

#include <algorithm>
#include <array>
#include <utility>

#include "tfm/core/decoded_file.h"
#include "tfm/core/error.h"
#include "tfm/core/line_progress.h"
#include "tfm/core/line_reader.h"
#include "tfm/data/language_pair.h"
#include "tfm/data/pair_reader.h"
#include "tmx_source.h"

namespace tfm {
namespace {

class TwoFileSource : public PairSource {
 public:
  explicit TwoFileSource(const PairFiles& files)
      : reader_(files.files[0], files.files[1]), share_(share_of_file(reader_.source())) {}

  bool next(CorpusPair& pair) override {
    if (!reader_.next(pair.source, pair.target)) return false;
    pair.line = reader_.line_number();
    pair.malformed = false;
    return true;
  }
  std::optional<double> share_read() const override {
    return share_ ? std::optional(share_()) : std::nullopt;
  }

 private:
  PairReader reader_;
  ShareRead share_;
};

class TsvSource : public PairSource {
 public:
  explicit TsvSource(const std::filesystem::path& file)
      : reader_(file), share_(share_of_file(reader_)) {}

  bool next(CorpusPair& pair) override {
    if (!reader_.next(pair.source)) return false;
    pair.line = reader_.line_number();
    pair.target.clear();
    const auto tab = pair.source.find('\t');
    pair.malformed =
        tab == std::string::npos || pair.source.find('\t', tab + 1) != std::string::npos;
    if (pair.malformed) return true;
    pair.target.assign(pair.source, tab + 1);
    pair.source.resize(tab);
    return true;
  }
  std::optional<double> share_read() const override {
    return share_ ? std::optional(share_()) : std::nullopt;
  }

 private:
  LineReader reader_;
  ShareRead share_;
};

/// Returns the file "prefix.language", plain or compressed.
std::filesystem::path moses_file(const std::filesystem::path& prefix, const std::string& language) {
  const auto plain = prefix.string() + "." + language;
  if (auto file = find_plain_or_compressed(plain); !file.empty()) return file;
  throw ConfigError(prefix.string(), "is not a file, and " + plain + " does not exist",
                    "Name two parallel files, a TSV or TMX file, or the prefix of files whose "
                    "endings are the languages of --from and --to.");
}

}  // namespace

PairsReadAhead::PairsReadAhead(std::unique_ptr<PairSource> source, std::size_t pairs)
    : source_(std::move(source)) {
  constexpr std::size_t most_bytes = 16 << 20;
  CorpusPair pair;
  for (std::size_t bytes = 0; pairs_.size() < pairs && bytes < most_bytes && source_->next(pair);) {
    bytes += pair.source.size() + pair.target.size();
    pairs_.push_back(pair);
  }
}

bool PairsReadAhead::next(CorpusPair& pair) {
  if (passed_on_ == pairs_.size()) return source_->next(pair);
  pair = std::move(pairs_[passed_on_++]);
  return true;
}

std::optional<double> PairsReadAhead::share_read() const {
  const auto share = source_->share_read();
  if (!share || pairs_.empty()) return share;
  return *share * static_cast<double>(passed_on_) / static_cast<double>(pairs_.size());
}

PairFiles find_pair_files(const std::vector<std::filesystem::path>& names,
                          std::string source_language, std::string target_language) {
  PairFiles found{names, std::move(source_language), std::move(target_language)};
  if (names.empty() || names.size() > 2)
    throw ConfigError("TEXT", std::to_string(names.size()) + " files are named",
                      "Name two parallel files, or one TSV or TMX file.");
  const bool has_languages = !found.source_language.empty() && !found.target_language.empty();
  if (names.size() == 1 && !std::filesystem::exists(names[0])) {
    if (!has_languages)
      throw ConfigError(names[0].string(), "does not exist",
                        "If it is the prefix of two files, name their endings with --from and "
                        "--to.");
    found.files = {moses_file(names[0], found.source_language),
                   moses_file(names[0], found.target_language)};
  }
  if (found.files.size() == 2) {
    if (found.source_language.empty()) found.source_language = language_in_name(found.files[0]);
    if (found.target_language.empty()) found.target_language = language_in_name(found.files[1]);
  }
  return found;
}

std::unique_ptr<PairSource> open_pairs(const PairFiles& files) {
  if (files.files.size() == 2) return std::make_unique<TwoFileSource>(files);
  const auto& file = files.files.front();
  // a pipe can't be read twice, so it is not examined
  if (std::filesystem::is_regular_file(file) && is_xml(file))
    return std::make_unique<TmxSource>(file, files.source_language, files.target_language);
  return std::make_unique<TsvSource>(file);
}

}  // namespace tfm
