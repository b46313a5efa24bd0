#include "data_clean_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "common_options.h"
#include "output.h"
#include "tfm/core/atomic_file.h"
#include "tfm/core/error.h"
#include "tfm/core/interrupt.h"
#include "tfm/core/log.h"
#include "tfm/core/same_file.h"
#include "tfm/core/version.h"
#include "tfm/core/work_progress.h"
#include "tfm/corpus/cleaned_files.h"
#include "tfm/corpus/cleaning.h"
#include "tfm/corpus/cleaning_report.h"
#include "tfm/corpus/pair_source.h"
#include "tfm/pages/page_time.h"

namespace tfm {
namespace {

constexpr const char* models_group = "Models";
constexpr const char* rules_group = "Rules (N, on or off; a pair is dropped if ...)";

/// Returns the option of a rule: "--max-words".
std::string rule_option(const Rule& rule) {
  std::string name = std::string("--") + rule.name;
  std::ranges::replace(name, '_', '-');
  return name;
}

void add_rule_options(CLI::App& app, RuleValues& values) {
  for (std::size_t i = 0; i < rules().size(); ++i) {
    const Rule& rule = rules()[i];
    if (rule.kind == RuleValue::always) continue;
    const bool is_switch = rule.kind == RuleValue::on_off;
    app.add_option_function<std::string>(
           rule_option(rule),
           [&values, i](const std::string& text) {
             const std::string problem = set_rule(values, i, text);
             if (!problem.empty()) throw CLI::ValidationError(rule_option(rules()[i]), problem);
           },
           rule.summary)
        ->type_name(is_switch ? value_type("SWITCH", {"on", "off"}) : "N")
        ->default_str(describe_rule_value(rule, rule.value))
        ->group(rules_group);
  }
}

void add_options(CLI::App& app, DataCleanOptions& options) {
  app.add_option("text", options.text,
                 "Two parallel files, a TSV file (source, tab, target), a TMX file, or the prefix "
                 "of two files that end in the languages; plain or compressed")
      ->required()
      ->expected(1, 2)
      ->type_name("TEXT");
  app.add_option("-o,--output", options.output,
                 "Write kept pairs to NAME.de and NAME.en (for these languages), or to NAME if it "
                 "ends in .tsv, and dropped pairs with their rule to NAME.dropped.tsv")
      ->required()
      ->type_name("NAME")
      ->group(input_group);
  app.add_option("--from", options.source_language,
                 "Language of the source, such as de; without it, the ending of its file")
      ->type_name("CODE")
      ->group(input_group);
  app.add_option("--to", options.target_language, "Language of the target")
      ->type_name("CODE")
      ->group(input_group);
  add_report_format(app, options.format, "Format of the report, which is printed to stdout")
      ->group(input_group);
  app.add_option(
         "--report-html", options.page,
         "Also write the report as a page with a bar for each rule and more examples, which "
         "loads no other files")
      ->type_name("FILE")
      ->group(input_group);
  app.add_option("--model", options.models.model,
                 "Model from the source to the target language, for --min-score, --min-alignment "
                 "and --max-unaligned")
      ->type_name("FOLDER")
      ->group(models_group);
  app.add_option("--reverse-model", options.models.reverse_model,
                 "Also score by this model from the target to the source language: the score is "
                 "then the dual conditional cross-entropy of both")
      ->type_name("FOLDER")
      ->group(models_group);
  add_runtime_options(app, options.models.runtime);
  app.add_option("--memory", options.memory,
                 "Memory in MiB for the search for duplicates; if it is exceeded, the search "
                 "continues on disk, in the folder of the output")
      ->check(whole_number(1, 1 << 24))
      ->type_name("N")
      ->capture_default_str()
      ->group(device_group);
  add_rule_options(app, options.rules);
}

/// Shows each step of cleaning with a progress line of its own.
class CleaningDisplay {
 public:
  void show(const CleaningProgress& progress) {
    if (!line_ || progress.step != step_) line_.emplace(name(progress.step), "pair");
    step_ = progress.step;
    line_->show(progress.pairs, progress.share);
  }

 private:
  static const char* name(CleaningStep step) {
    switch (step) {
      case CleaningStep::check:
        return "cleaning";
      case CleaningStep::find_duplicates:
        return "finding duplicates";
      case CleaningStep::write:
        return "writing";
    }
    return "";
  }

  std::optional<WorkProgress> line_;
  CleaningStep step_ = CleaningStep::check;
};

std::string or_unknown(const std::string& language) {
  return language.empty() ? "unknown" : language;
}

std::string file_names(const std::vector<std::filesystem::path>& files) {
  std::string names;
  for (const auto& file : files) names += (names.empty() ? "" : ", ") + file.string();
  return names;
}

/// Throws ConfigError if the page would replace text.
void refuse_to_replace_text(const std::filesystem::path& page, const PairFiles& read,
                            const CleanedNames& written) {
  if (page.empty()) return;
  auto texts = read.files;
  texts.insert(texts.end(), written.kept.begin(), written.kept.end());
  texts.push_back(written.dropped);
  for (const auto& text : texts) {
    if (is_same_file(text, page))
      throw ConfigError("--report-html", page.string() + " is also a file of the text",
                        "Name another file for the report.");
  }
}

CleaningSetting page_setting(const PairFiles& read, const CleanedNames& names,
                             const ModelRuleOptions& options, const CleaningCounts& counts) {
  std::vector<std::filesystem::path> models{options.model, options.reverse_model};
  std::erase(models, std::filesystem::path());
  auto written = names.kept;
  written.push_back(names.dropped);
  return {.name = "Cleaning of " + file_names(read.files),
          .source_language = read.source_language,
          .target_language = read.target_language,
          .facts = {{"Written", file_names(written)},
                    {"Languages", fmt::format("{} to {}", or_unknown(read.source_language),
                                              or_unknown(read.target_language))},
                    {"Models", models.empty() ? "none" : file_names(models)},
                    {"Duplicates", counts.used_disk ? "searched on disk" : "searched in memory"},
                    {"tfm", version()}},
          .time = page_time_now()};
}

}  // namespace

int run_data_clean(const DataCleanOptions& options) {
  const PairFiles files =
      find_pair_files(options.text, options.source_language, options.target_language);
  const CleanedNames names =
      cleaned_names(options.output, files.source_language, files.target_language);
  refuse_to_replace(files.files, names);
  refuse_to_replace_text(options.page, files, names);
  RuleValues values = options.rules;
  const auto scorer = make_pair_scorer(options.models, values, files);
  PairsReadAhead source(open_pairs(files), needs_languages(values) ? pairs_to_learn_from : 0);
  PairLanguages languages{language_from_code(files.source_language),
                          language_from_code(files.target_language)};
  languages.learned = learn_languages(source.ahead(), languages.source, languages.target);
  for (const std::string& reason : drop_unusable_rules(values, languages)) log_warn("{}", reason);
  install_signal_handlers();
  CleanedFiles cleaned(names);
  std::optional<AtomicFile> page;
  if (!options.page.empty()) page.emplace(options.page);
  CleaningDisplay display;
  const CleaningCounts counts = clean_pairs(
      source, RuleSet(values, std::move(languages)), cleaned,
      {.threads = options.models.runtime.threads,
       .memory = static_cast<std::size_t>(options.memory) << 20,
       .scratch = options.output,
       .on_progress = [&display](const CleaningProgress& progress) { display.show(progress); },
       .scorer = scorer.get()});
  cleaned.commit();
  if (counts.unscored > 0)
    log_warn("{} of {} pairs are kept unmeasured by a model: they are too long, or a side is empty",
             counts.unscored, counts.pairs);
  for (const auto& file : names.kept) log_info("wrote {}", file.string());
  log_info("wrote {}", names.dropped.string());
  if (page) {
    const auto html =
        cleaning_report_page(values, counts, page_setting(files, names, options.models, counts));
    page->write(html.data(), html.size());
    page->commit();
    log_info("wrote {}", options.page.string());
  }
  print_result(options.format == ReportFormat::json ? cleaning_report_json(values, counts)
                                                    : cleaning_report(values, counts));
  return 0;
}

Command data_clean_command(Run<DataCleanOptions> run) {
  return {
      .name = "clean",
      .group = {"data", "Prepares the text that models are trained on"},
      .section = "Train",
      .summary = "Drops pairs that are bad to train on, and reports why",
      .details =
          "Pairs are read once, however many there are. Each pair is kept unchanged or dropped by "
          "the first rule that applies. Output files appear when they are complete.",
      .examples = {"tfm data clean raw.de.gz raw.en.gz -o clean --report-html clean.html",
                   "tfm data clean raw.tmx --from de --to en -o clean.tsv --max-words 100"},
      .read_more = "docs/data.md",
      .prepare = with_options<DataCleanOptions>(add_options, std::move(run))};
}

}  // namespace tfm
