#include "tfm/corpus/cleaned_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "tfm/core/error.h"
#include "tfm/core/output_name.h"

namespace tfm {
namespace {

/// Appends the text with tabs replaced, so that the columns of the TSV file stay as they are.
void append_cell(std::string& line, std::string_view text) {
  std::ranges::replace_copy(text, std::back_inserter(line), '\t', ' ');
}

}  // namespace

CleanedNames cleaned_names(const std::filesystem::path& output, const std::string& source_language,
                           const std::string& target_language) {
  refuse_compressed_name(output);
  if (!output.has_filename() || output == "-")
    throw ConfigError("--output", "'" + output.string() + "' is not the beginning of a file name",
                      "Give one, such as train or " + (output / "train").string() + ".");
  const std::string prefix = output.extension() == ".tsv"
                                 ? std::filesystem::path(output).replace_extension().string()
                                 : output.string();
  const std::string dropped = prefix + ".dropped.tsv";
  if (output.extension() == ".tsv") return {{output}, dropped};
  const std::string source = source_language.empty() ? "source" : source_language;
  const std::string target = target_language.empty() ? "target" : target_language;
  if (source == target)
    throw ConfigError("--from, --to", "both sides have the language '" + source + "'",
                      "Name the language of each side, or write a TSV file.");
  return {{prefix + "." + source, prefix + "." + target}, dropped};
}

void refuse_to_replace(const std::vector<std::filesystem::path>& inputs,
                       const CleanedNames& names) {
  auto outputs = names.kept;
  outputs.push_back(names.dropped);
  for (const auto& output : outputs) refuse_to_replace(inputs, output);
}

void CleanedFiles::BlockFile::write() {
  file_.write(text_.data(), text_.size());
  text_.clear();
}

void CleanedFiles::BlockFile::write_if_large() {
  constexpr std::size_t block = 1 << 20;  // bytes
  if (text_.size() >= block) write();
}

CleanedFiles::CleanedFiles(const CleanedNames& names)
    : source_(names.kept.front()), dropped_(names.dropped) {
  if (names.kept.size() > 1) target_.emplace(names.kept.back());
  dropped_.text() = "rule\tline\tsource\ttarget\n";
}

void CleanedFiles::keep(const CorpusPair& pair) {
  std::string& source = source_.text();
  if (target_) {
    source.append(pair.source) += '\n';
    target_->text().append(pair.target) += '\n';
    target_->write_if_large();
  } else {
    append_cell(source, pair.source);
    source += '\t';
    append_cell(source, pair.target);
    source += '\n';
  }
  source_.write_if_large();
}

void CleanedFiles::drop(const CorpusPair& pair, std::size_t rule) {
  std::string& text = dropped_.text();
  fmt::format_to(std::back_inserter(text), "{}\t{}\t", rules()[rule].name, pair.line);
  append_cell(text, pair.source);
  text += '\t';
  append_cell(text, pair.target);
  text += '\n';
  dropped_.write_if_large();
}

void CleanedFiles::commit() {
  // If the disk is full, no file gets its final name.
  dropped_.write();
  source_.write();
  if (target_) target_->write();
  dropped_.commit();
  source_.commit();
  if (target_) target_->commit();
}

}  // namespace tfm
