#include "translate_command.h"

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <iostream>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>

#include "attention_export.h"
#include "common_options.h"
#include "constraint_files.h"
#include "explanation.h"
#include "json_line.h"
#include "line_warnings.h"
#include "load.h"
#include "output.h"
#include "prompt.h"
#include "resume_check.h"
#include "tfm/core/clock.h"
#include "tfm/core/error.h"
#include "tfm/core/interrupt.h"
#include "tfm/core/line_reader.h"
#include "tfm/core/log.h"
#include "tfm/translate/alignment.h"
#include "tfm/translate/translator.h"
#include "translation_progress.h"

namespace tfm {
namespace {

constexpr const char* translate_help = R"(Examples:
  tfm translate "ich mochte ein bier"
  tfm translate -m runs/multi30k_de_en -i test.de -o test.en --beam-size 5
  cat test.de | tfm translate --n-best 4 --format jsonl
  tfm translate --sampling --temperature 0.8 --n-best 5 "ich mochte ein bier"
  tfm translate -m runs/a -m runs/b --target-prefix "i want" "ich mochte ein bier"
  tfm translate --attention attention.html "ich mochte ein bier"

Translates text arguments, a file, or standard input: N lines in, N lines out, in order. An )"
                                       R"(empty line gives an empty line.
At a terminal it asks for one line at a time; arrow keys bring earlier ones back, Ctrl-D ends.)";

void add_text_options(CLI::App& app, TranslateOptions& options) {
  app.add_option("text", options.texts, "Text to translate, a line each; none: standard input")
      ->type_name("TEXT");
  add_model_options(app, options.models);
  app.add_option("-i,--input", options.input, "Text file to translate, plain or .gz")
      ->type_name("FILE");
  add_output_option(app, options.output,
                    "Where the translations go, whole or not at all; default: stdout");
  app.add_flag("--continue", options.go_on,
               "Keep what is done in FILE.part, and go on there when the same command is given "
               "again (with -i and -o)");
}

void add_form_options(CLI::App& app, TranslateOptions& options) {
  add_format_option<OutputFormat>(
      app, options.format,
      {{"text", OutputFormat::text},
       {"marian", OutputFormat::marian},
       {"jsonl", OutputFormat::jsonl}},
      "text (default), marian (\"0 ||| text ||| F0= -3.2 ||| -0.46\"; default with --n-best), or "
      "jsonl");
  app.add_flag("--alignment", options.alignment,
               "Add word alignments, source-target from 0: \"text ||| 0-0 1-2\"");
  app.add_flag(
      "--explain", options.explain,
      "Show each token with its probability and what else could have stood there (text and jsonl)");
}

void add_options(CLI::App& app, TranslateOptions& options) {
  add_text_options(app, options);
  add_form_options(app, options);
  app.add_option("--target-prefix-file", options.prefixes,
                 "Line i: how the translation of line i begins, in place of --target-prefix; an "
                 "empty line: as that says")
      ->type_name("FILE");
  app.add_option("--forced-phrases-file", options.phrases,
                 "Line i: phrases that the translation of line i contains beside "
                 "--forced-phrases, separated by tabs; may be empty")
      ->type_name("FILE");
  app.add_option(
         "--attention", options.attention,
         "Show what the model attended to: a page (.html), a figure (.svg) or numbers (.json)")
      ->type_name("FILE");
  add_runtime_options(app, options.runtime);
  add_decoding_options(app, options.decoding, Effect::decoding_output);
}

/// Lines read before they are translated together: enough for full batches of like length, few
/// enough for bounded memory.
constexpr std::size_t lines_at_once = 2048;
constexpr std::size_t bytes_at_once = std::size_t{1} << 20;

constexpr std::int64_t shown_alternatives = 3;

/// Alignments stand after the text, as Marian puts them.
std::string text_line(const Candidate& candidate, bool alignment) {
  return alignment ? candidate.text + " ||| " + format_pharaoh(candidate.alignment)
                   : candidate.text;
}

std::string marian_line(std::int64_t line, const Candidate& candidate, bool alignment) {
  return fmt::format("{} ||| {} ||| F0= {:.6g} ||| {:.6g}", line, text_line(candidate, alignment),
                     candidate.log_prob, candidate.score);
}

nlohmann::ordered_json explanation_json(const Candidate& candidate) {
  auto tokens = nlohmann::ordered_json::array();
  for (const auto& token : candidate.explanation) {
    auto alternatives = nlohmann::ordered_json::array();
    for (const auto& [piece, log_prob] : token.alternatives)
      alternatives.push_back({{"token", piece}, {"log_prob", log_prob}});
    tokens.push_back(
        {{"token", token.piece}, {"log_prob", token.log_prob}, {"alternatives", alternatives}});
  }
  return tokens;
}

std::string translation_json(std::int64_t line, const std::string& source,
                             const Translation& translation, bool alignment) {
  nlohmann::ordered_json object = {
      {"line", line}, {"source", source}, {"translations", nlohmann::ordered_json::array()}};
  for (const auto& candidate : translation.candidates) {
    object["translations"].push_back({{"text", candidate.text},
                                      {"score", candidate.score},
                                      {"log_prob", candidate.log_prob},
                                      {"tokens", candidate.tokens}});
    if (alignment) object["translations"].back()["alignment"] = format_pharaoh(candidate.alignment);
    if (!candidate.explanation.empty())
      object["translations"].back()["explanation"] = explanation_json(candidate);
  }
  return json_line(object);
}

/// Translates chunk after chunk; lines are numbered across chunks.
class LineTranslation {
 public:
  /// Attention and alignments are the first model's.
  LineTranslation(std::vector<Model>& models, const TranslateOptions& options, Output& output)
      : translator_(pointers(models), models.front().config().decoding),
        format_(options.format),
        output_(output),
        wishes_(options.prefixes, options.phrases) {
    auto& model = models.front();
    const auto& decoding = model.config().decoding;
    const bool several = decoding.n_best > 1 && !options.explain;
    if (format_ == OutputFormat::automatic)
      format_ = several ? OutputFormat::marian : OutputFormat::text;
    if (options.explain && format_ == OutputFormat::marian) {
      throw ConfigError("--explain", "Marian's format has no place for it",
                        "Use --format text or jsonl.");
    }
    if (options.explain) request_.alternatives = shown_alternatives;
    request_.alignment = options.alignment;
    if (options.alignment) resolve_alignment_head(model, decoding);  // throws before the work
    if (!options.attention.empty()) attention_.emplace(model, options.attention);
  }

  /// The translations of the first lines are there already.
  void skip(std::int64_t lines) {
    for (; wishes_.any() && line_ < lines; ++line_) wishes_.next();
    line_ = lines;
  }

  void show_progress(TranslationProgress* progress) { progress_ = progress; }

  void add(std::string line) {
    if (wishes_.any()) request_.constraints.push_back(wishes_.next());
    bytes_ += line.size();
    lines_.push_back(std::move(line));
    if (lines_.size() >= lines_at_once || bytes_ >= bytes_at_once) translate();
  }

  void translate() {
    if (interrupt_requested()) output_.interrupt();
    request_.first_line = line_;
    const double begin = steady_seconds();
    const auto translations = translator_.translate(lines_, request_);
    seconds_ += steady_seconds() - begin;
    for (std::size_t i = 0; i < lines_.size(); ++i, ++line_) {
      warn_about_line(line_, translations[i]);
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
    wishes_.expect_end();
    output_.finish();
    if (attention_) attention_->finish();
    log_debug("{} lines, {} tokens in {:.3f} s of translation, {:.1f} tokens/s", line_, tokens_,
              seconds_, static_cast<double>(tokens_) / std::max(seconds_, 1e-9));
  }

 private:
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
  std::optional<AttentionExport> attention_;
  ConstraintFiles wishes_;
  TranslationProgress* progress_ = nullptr;
  std::vector<std::string> lines_;
  std::size_t bytes_ = 0;  // of lines_
  TranslationRequest request_;
  std::int64_t line_ = 0;
  std::size_t tokens_ = 0;  // of the best translations
  double seconds_ = 0;
};

/// A person gets each line's translation at once.
void translate_terminal(LineTranslation& translation) {
  std::cerr << "One line at a time; Ctrl-D ends.\n";
  Prompt prompt;
  while (auto line = prompt.next()) {
    translation.add(std::move(*line));
    translation.translate();
  }
}

/// Whether reading on would not wait for whoever writes.
bool input_ready() {
  pollfd input{.fd = STDIN_FILENO, .events = POLLIN, .revents = 0};
  return std::cin.rdbuf()->in_avail() > 0 || ::poll(&input, 1, 0) > 0;
}

/// Until the next line begins, the input ends, or someone interrupts: a stream that reads would be
/// told of that by nobody.
void wait_for_input() {
  pollfd input{.fd = STDIN_FILENO, .events = POLLIN, .revents = 0};
  while (std::cin.rdbuf()->in_avail() <= 0 && ::poll(&input, 1, -1) < 0 && errno == EINTR &&
         !interrupt_requested())
    continue;
}

/// A pipe is read in chunks, of what is there: a writer that waits for its answer gets it.
void translate_pipe(LineTranslation& translation) {
  bool first = true;
  for (std::string line; wait_for_input(), !interrupt_requested() && std::getline(std::cin, line);
       first = false) {
    if (!trim_line(line, first, /*ended=*/!std::cin.eof())) break;
    translation.add(std::move(line));
    if (!input_ready()) translation.translate();
  }
}

void translate_file(LineTranslation& translation, LineReader& input, std::int64_t lines_done) {
  if (lines_done > 0) log_info("going on after {} lines", lines_done);
  std::string line;
  while (input.line_number() < lines_done && input.next(line)) continue;
  translation.skip(lines_done);
  TranslationProgress progress(input);
  progress.begin(lines_done);
  translation.show_progress(&progress);
  while (input.next(line)) translation.add(line);
  translation.finish();
}

Output open_output(const TranslateOptions& options, const std::vector<Model>& models) {
  return options.go_on ? Output(options.output, job_fingerprint(options, models))
                       : Output(options.output);
}

}  // namespace

int run_translate(const TranslateOptions& options) {
  if (!options.texts.empty() && !options.input.empty())
    throw ConfigError("--input", "text arguments and an input file exclude each other",
                      "Give one of them.");
  check_continue(options);
  std::optional<LineReader> input;
  // before the model is loaded: a wrong name is said at once
  if (!options.input.empty()) input.emplace(options.input);
  auto models = load_models(options.models, options.runtime, options.decoding);
  auto output = open_output(options, models);
  if (!options.output.empty())
    install_signal_handlers();  // so that its temporary file goes as well
  LineTranslation translation(models, options, output);
  if (input) {
    translate_file(translation, *input, output.lines_done());
    return 0;
  }
  if (!options.texts.empty()) {
    for (const auto& text : options.texts) translation.add(text);
  } else {
    ::isatty(STDIN_FILENO) == 1 ? translate_terminal(translation) : translate_pipe(translation);
  }
  translation.finish();
  return 0;
}

Command translate_command(Run<TranslateOptions> run) {
  return {.name = "translate",
          .group = {},
          .summary = translate_help,
          .prepare = with_options<TranslateOptions>(add_options, std::move(run))};
}

}  // namespace tfm
