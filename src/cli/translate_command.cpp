#include "translate_command.h"

#include <fmt/format.h>
#include <unistd.h>

#include <iostream>
#include <limits>
#include <optional>
#include <span>

#include "attention_export.h"
#include "common_options.h"
#include "constraint_files.h"
#include "document_translation.h"
#include "field_options.h"
#include "load.h"
#include "output.h"
#include "tfm/config/config_file.h"
#include "tfm/core/clock.h"
#include "tfm/core/error.h"
#include "tfm/core/input_file.h"
#include "tfm/core/interrupt.h"
#include "tfm/core/line_progress.h"
#include "tfm/core/line_reader.h"
#include "tfm/core/log.h"
#include "tfm/core/output_name.h"
#include "tfm/core/prompt.h"
#include "tfm/data/language_pair.h"
#include "tfm/search/search.h"
#include "tfm/tensor/operation_trace.h"
#include "tfm/tensor/runtime.h"
#include "tfm/tensor/spin_limiter.h"
#include "tfm/translate/alignment.h"
#include "tfm/translate/explanation_table.h"
#include "tfm/translate/line_warnings.h"
#include "tfm/translate/output_lines.h"
#include "tfm/translate/translator.h"
#include "translation_job.h"

namespace tfm {
namespace {

/// The maximum size, in lines and in bytes, of a chunk that is translated together. It is large
/// enough to fill batches with lines of similar length, and small enough to bound the memory.
constexpr std::size_t lines_at_once = 2048;
constexpr std::size_t bytes_at_once = std::size_t{1} << 20;

constexpr std::int64_t shown_alternatives = 3;

/// For each kind of warning, the number of lines that are reported one by one. Further lines are
/// only counted, and a summary at the end reports the count.
constexpr std::int64_t named_lines = 5;
constexpr std::int64_t all = std::numeric_limits<std::int64_t>::max();

/// Returns true if the lines are typed on a terminal or given as arguments. The user then expects a
/// warning about each affected line.
bool is_dialogue(const TranslateOptions& options) {
  return !options.texts.empty() || (options.input.empty() && ::isatty(STDIN_FILENO) == 1);
}

/// Returns false if the translations go to a terminal, where they would mix with the progress line.
bool may_show_progress(const TranslateOptions& options) {
  return !options.output.empty() || ::isatty(STDOUT_FILENO) == 0;
}

/// Translates lines in chunks. Lines are counted from the start of the input, not of a chunk.
class LineTranslation {
 public:
  /// Attention weights and decoding settings are taken from the first model. Throws ConfigError if
  /// options contradict each other or the alignment head does not exist.
  LineTranslation(std::vector<Model>& models, const TranslateOptions& options, Output& output)
      : translator_(pointers(models), models.front().config().decoding),
        format_(options.format),
        output_(output),
        trace_(options.trace),
        constraints_(options.prefixes, options.phrases),
        warnings_(models.front().config().tokenizer.kind,
                  is_dialogue(options) ? all : named_lines) {
    auto& model = models.front();
    const auto& decoding = model.config().decoding;
    const bool several = decoding.n_best > 1 && !options.explain;
    if (several && format_ == OutputFormat::text) {
      log_warn("--format text prints only the best of {} translations; marian and jsonl print all",
               decoding.n_best);
    }
    if (format_ == OutputFormat::automatic)
      format_ = several ? OutputFormat::marian : OutputFormat::text;
    if (options.explain && format_ == OutputFormat::marian) {
      throw ConfigError("--explain", "is not possible in Marian's format",
                        "Use --format text or jsonl.");
    }
    if (options.explain) request_.alternatives = shown_alternatives;
    request_.scores = format_ != OutputFormat::text;
    request_.alignment = options.alignment;
    // Throws if the alignment head does not exist, before any line is translated.
    if (options.alignment) resolve_alignment_head(model, decoding);
    if (!options.attention.empty()) attention_.emplace(model, options.attention);
  }

  /// Skips the first lines, which an earlier session has translated.
  void skip(std::int64_t lines) {
    for (; constraints_.has_files() && line_ < lines; ++line_) constraints_.next();
    line_ = lines;
  }

  void show_progress(LineProgress* progress) { progress_ = progress; }

  void add(std::string line) {
    if (constraints_.has_files()) request_.constraints.push_back(constraints_.next());
    bytes_ += line.size();
    lines_.push_back(std::move(line));
    if (lines_.size() >= lines_at_once || bytes_ >= bytes_at_once) translate();
  }

  void translate() {
    const auto report = [&](double share) {
      if (interrupt_requested()) output_.interrupt();
      if (progress_ != nullptr) progress_->show(line_, std::ssize(lines_), share);
    };
    report(0);
    request_.on_batch = report;
    request_.first_line = line_;
    const double begin = steady_seconds();
    const auto translations =
        trace_.empty() ? translator_.translate(lines_, request_) : translate_traced();
    seconds_ += steady_seconds() - begin;
    for (std::size_t i = 0; i < lines_.size(); ++i, ++line_) {
      warnings_.add(line_, translations[i]);
      write(lines_[i], translations[i]);
      tokens_ += translations[i].candidates.front().tokens.size();
      if (attention_) attention_->add(lines_[i], translations[i]);
    }
    lines_.clear();
    bytes_ = 0;
    request_.constraints.clear();
    output_.complete(line_);
    if (progress_ != nullptr) progress_->show(line_);
  }

  void finish() {
    translate();
    constraints_.expect_end();
    output_.finish();
    if (attention_) attention_->finish();
    warnings_.log_summary("translate");
    if (progress_ != nullptr) progress_->log_total("translated", line_);
    log_debug("{} lines, {} tokens in {:.3f} s of translation, {:.1f} tokens/s", line_, tokens_,
              seconds_, static_cast<double>(tokens_) / std::max(seconds_, 1e-9));
  }

 private:
  std::vector<Translation> translate_traced() {
    OperationTrace trace;
    auto translations = translator_.translate(lines_, request_);
    trace.save(std::exchange(trace_, {}));  // warns if it fails
    return translations;
  }

  void write(const std::string& source, const Translation& translation) {
    const bool alignment = request_.alignment;
    if (format_ == OutputFormat::jsonl)
      return output_.line(translation_json(line_, source, translation, alignment));
    if (format_ == OutputFormat::text) {
      const auto candidates =
          std::span(translation.candidates)
              .first(request_.alternatives > 0 ? translation.candidates.size() : 1);
      for (const auto& candidate : candidates) {
        output_.line(text_line(candidate, alignment));
        output_.write(explanation_table(candidate));
      }
      return;
    }
    for (const auto& candidate : translation.candidates)
      output_.line(marian_line(line_, candidate, alignment));
  }

  Translator translator_;
  OutputFormat format_;
  Output& output_;
  std::filesystem::path trace_;  // empty if nothing is left to trace
  std::optional<AttentionExport> attention_;
  ConstraintFiles constraints_;
  LineWarnings warnings_;
  LineProgress* progress_ = nullptr;
  std::vector<std::string> lines_;
  std::size_t bytes_ = 0;  // total size of lines_
  TranslationRequest request_;
  std::int64_t line_ = 0;
  std::size_t tokens_ = 0;  // target tokens of the best translations so far
  double seconds_ = 0;
};

std::string describe_search(const DecodingConfig& config) {
  switch (choose_search(config, !config.forced_phrases.empty())) {
    case SearchMethod::greedy:
      return "greedy search";
    case SearchMethod::beam:
      break;
    case SearchMethod::sampling:
      return "sampling";
  }
  return fmt::format("beam of {}", config.beam_size);
}

/// Returns the heading of a session on a terminal: "runs/a: de to en, beam of 4".
std::string describe_session(const Model& model) {
  const auto languages = language_pair(model.config().data);
  return model.folder().string() + ":" + (languages.empty() ? " " : " " + languages + ", ") +
         describe_search(model.config().decoding);
}

/// Translates each line after it is typed.
void translate_terminal(LineTranslation& translation, const Model& model) {
  const char* help = "Enter one line at a time; Ctrl-D or :q ends.\n";
  std::cerr << describe_session(model) << "\n" << help;
  Prompt prompt;
  while (auto line = prompt.next()) {
    const auto command = prompt_command(*line);
    if (command == PromptCommand::quit) break;
    if (command != PromptCommand::none) std::cerr << help;
    if (command == PromptCommand::help) continue;
    translation.add(std::move(*line));
    translation.translate();
  }
}

/// Translates the lines that have arrived as soon as no more are waiting. A program that writes a
/// line and waits for its translation therefore receives it.
void translate_pipe(LineTranslation& translation, Output& output) {
  LineReader input(standard_input, [&translation] { translation.translate(); });
  try {
    for (std::string line; input.next(line);) translation.add(std::move(line));
  } catch (const Interrupted&) {
    output.interrupt();
  }
}

void translate_file(LineTranslation& translation, LineReader& input, LineProgress& progress,
                    std::int64_t lines_done) {
  if (lines_done > 0) log_info("resuming after {} lines", lines_done);
  std::string line;
  while (input.line_number() < lines_done && input.next(line)) continue;
  translation.skip(lines_done);
  progress.begin(lines_done);
  while (input.next(line)) translation.add(line);
  translation.finish();
}

/// Warns about texts that are names of files, because the user probably forgot -i.
void warn_about_file_names(const std::vector<std::string>& texts) {
  std::error_code none;
  for (const auto& text : texts) {
    if (std::filesystem::is_regular_file(text, none))
      log_warn("{0} is a file: did you mean -i {0}?", text);
  }
}

std::vector<std::string> decoding_overrides(const TranslateOptions& options) {
  auto overrides = options.decoding_file.empty() ? std::vector<std::string>()
                                                 : read_decoding(options.decoding_file);
  overrides.insert(overrides.end(), options.decoding.begin(), options.decoding.end());
  return overrides;
}

void check_output_names(const TranslateOptions& options) {
  std::vector<std::filesystem::path> read{options.input, options.document, options.prefixes,
                                          options.phrases, options.decoding_file};
  check_output_name(options.output, read);
  read.push_back(options.output);
  check_output_name(options.attention, read);
  check_output_name(options.trace, read);
}

Output open_output(const TranslateOptions& options, const std::vector<Model>& models) {
  return options.resume ? Output(options.output, job_fingerprint(options, models))
                        : Output(options.output);
}

int translate_as_given(TranslateOptions options) {
  for (auto& each : take_overrides(options.texts, Effect::decoding_output))
    options.decoding.push_back(std::move(each));
  warn_about_file_names(options.texts);
  if (!options.texts.empty() && !options.input.empty())
    throw ConfigError("--input", "can't be combined with text arguments",
                      "Give either an input file or text arguments.");
  check_resume_options(options);
  const auto document = open_document(options);
  check_output_names(options);
  // Without an input file, standard input is read by translate_pipe or translate_terminal, which
  // translates each line as soon as it arrives.
  if (options.input == standard_input && !options.resume) options.input.clear();
  std::optional<LineReader> input;
  // The input is opened before the model is loaded, so that a wrong name is reported at once.
  if (!options.input.empty()) input.emplace(options.input);
  auto models = load_models(options.models, options.runtime, decoding_overrides(options));
  const SpinLimiter spin_limiter(thread_count());
  if (document) {
    translate_document(*document, models, options);
    return 0;
  }
  auto output = open_output(options, models);
  output.install_handlers();
  LineTranslation translation(models, options, output);
  LineProgress progress(input ? share_of_file(*input) : nullptr, may_show_progress(options));
  if (!is_dialogue(options)) translation.show_progress(&progress);
  if (input) {
    translate_file(translation, *input, progress, output.lines_done());
    return 0;
  }
  if (!options.texts.empty()) {
    for (const auto& text : options.texts) translation.add(text);
  } else {
    ::isatty(STDIN_FILENO) == 1 ? translate_terminal(translation, models.front())
                                : translate_pipe(translation, output);
  }
  translation.finish();
  return 0;
}

}  // namespace

int run_translate(const TranslateOptions& options) {
  return run_with_options(options.decoding, [&] { return translate_as_given(options); });
}

Command translate_command(Run<TranslateOptions> run) {
  return {.name = "translate",
          .group = {},
          .section = "Translate",
          .summary = "Translates text arguments, a file, or standard input",
          .details =
              "N lines in, N lines out, in order; an empty line stays empty. On a terminal, "
              "lines are typed one at a time: arrow keys recall earlier lines, Ctrl-D ends. "
              "--document translates a document as a whole.",
          .examples = {"tfm translate \"ich mochte ein bier\"",
                       "tfm translate -m runs/demo -i test.de -o test.en --beam-size 5"},
          .read_more = "docs/translate.md, `tfm config explain decoding`",
          .prepare = with_options<TranslateOptions>(add_translate_options, std::move(run))};
}

}  // namespace tfm
