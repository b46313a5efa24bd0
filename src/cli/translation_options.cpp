#include <map>
#include <memory>

#include "command_options.h"

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

constexpr const char* score_help = R"(Examples:
  tfm score -m runs/multi30k_de_en --source test.de --target test.en
  tfm score -m runs/a -m runs/b --source pairs.de.gz --target pairs.en.gz -o scores.txt
  tfm score --format jsonl --source test.de --target test.en

Says how likely the model finds given translations: N pairs in, N lines out, in order, each the )"
                                   R"(natural logarithm of the target's
probability, its end mark counted; nan for a pair that is too long. What the text comes to as a )"
                                   R"(whole, perplexity too, goes to stderr.)";

constexpr const char* evaluate_help = R"(Examples:
  tfm evaluate -m runs/multi30k_de_en --source test.de --reference test.en
  tfm evaluate --hypothesis system.en --reference test.en --confidence
  tfm evaluate --hypothesis baseline.en a.en b.en --reference test.en

Prints corpus BLEU and chrF2, as sacreBLEU computes them, with their signatures. Several )"
                                      R"(hypotheses are compared with the first of
them by paired bootstrap resampling.)";

}  // namespace

void add_translate(CLI::App& app, int& code, const Commands& commands) {
  auto* translate = app.add_subcommand("translate", translate_help);
  auto options = std::make_shared<TranslateOptions>();
  translate
      ->add_option("text", options->texts, "Text to translate, a line each; none: standard input")
      ->type_name("TEXT");
  add_model_option(translate, options->models);
  translate->add_option("-i,--input", options->input, "Text file to translate, plain or .gz")
      ->type_name("FILE");
  translate
      ->add_option("-o,--output", options->output,
                   "Where the translations go, whole or not at all; default: stdout")
      ->type_name("FILE");
  translate->add_flag("--continue", options->go_on,
                      "Keep what is done in FILE.part, and go on there when the same command is "
                      "given again (with -i and -o)");
  const std::map<std::string, OutputFormat> formats{{"text", OutputFormat::text},
                                                    {"marian", OutputFormat::marian},
                                                    {"jsonl", OutputFormat::jsonl}};
  translate
      ->add_option("--format", options->format,
                   "text (default), marian (\"0 ||| text ||| F0= -3.2 ||| -0.46\"; default with "
                   "--n-best), or jsonl")
      ->transform(CLI::CheckedTransformer(formats, CLI::ignore_case).description(""))
      ->type_name("");
  translate->add_flag("--alignment", options->alignment,
                      "Add word alignments, source-target from 0: \"text ||| 0-0 1-2\"");
  translate->add_flag(
      "--explain", options->explain,
      "Show each token with its probability and what else could have stood there (text and jsonl)");
  translate
      ->add_option("--target-prefix-file", options->prefixes,
                   "Line i: how the translation of line i begins, in place of --target-prefix; an "
                   "empty line: as that says")
      ->type_name("FILE");
  translate
      ->add_option("--forced-phrases-file", options->phrases,
                   "Line i: phrases that the translation of line i contains beside "
                   "--forced-phrases, separated by tabs; may be empty")
      ->type_name("FILE");
  translate
      ->add_option(
          "--attention", options->attention,
          "Show what the model attended to: a page (.html), a figure (.svg) or numbers (.json)")
      ->type_name("FILE");
  add_runtime_options(translate, options->runtime);
  add_decoding_options(translate, options->decoding);
  translate->callback([options, &code, &commands] { code = commands.translate(*options); });
}

void add_score(CLI::App& app, int& code, const Commands& commands) {
  auto* score = app.add_subcommand("score", score_help);
  auto options = std::make_shared<ScoreOptions>();
  add_model_option(score, options->models);
  score->add_option("--source", options->source, "Sentences, plain or .gz")
      ->required()
      ->type_name("FILE");
  score->add_option("--target", options->target, "Their translations, line by line")
      ->required()
      ->type_name("FILE");
  score
      ->add_option("-o,--output", options->output,
                   "Where the scores go, whole or not at all; default: stdout")
      ->type_name("FILE");
  const std::map<std::string, ScoreFormat> formats{{"text", ScoreFormat::text},
                                                   {"jsonl", ScoreFormat::jsonl}};
  score
      ->add_option("--format", options->format,
                   "text (default): a number a line; or jsonl: with each token's log-probability")
      ->transform(CLI::CheckedTransformer(formats, CLI::ignore_case).description(""))
      ->type_name("");
  score
      ->add_option("--normalize", options->normalize,
                   "Divide each log-probability by length^alpha; the length counts the end mark. "
                   "1: the mean of a token; default 0: the plain sum")
      ->check(CLI::Range(0.0, 10.0))
      ->type_name("ALPHA");
  add_runtime_options(score, options->runtime);
  // Scores are figures to compare: whatever the model translates in, they are fp32 unless one asks
  // for less.
  options->decoding.emplace_back("decoding.precision=fp32");
  add_decoding_options(score, options->decoding,
                       {"batch_type", "batch_size", "ensemble_mean", "max_length", "precision"});
  score->get_option("--precision")
      ->description(
          "Numbers that matrix products are computed in: fp32 (default here), bf16, int8 (CPU) or "
          "auto.");
  score->get_option("--max-length")
      ->description(
          "Longest side of a pair in tokens, marks not counted, where it is more than "
          "data.max_length.");
  score->callback([options, &code, &commands] { code = commands.score(*options); });
}

void add_evaluate(CLI::App& app, int& code, const Commands& commands) {
  auto* evaluate = app.add_subcommand("evaluate", evaluate_help);
  auto options = std::make_shared<EvaluateOptions>();
  add_model_option(evaluate, options->models);
  auto* source =
      evaluate->add_option("--source", options->source, "Text to translate, plain or .gz")
          ->type_name("FILE");
  evaluate->add_option("--reference", options->reference, "Its reference translation")
      ->required()
      ->type_name("FILE");
  evaluate
      ->add_option("--hypothesis", options->hypotheses,
                   "A ready translation to score, in place of a model; several: the first is what "
                   "others are compared with")
      ->excludes(source)
      ->type_name("FILE");
  evaluate
      ->add_option("--alignment", options->alignment,
                   "Word alignments of source and reference (\"0-0 1-2\" a line): prints how far "
                   "the model's are from them")
      ->needs(source)
      ->type_name("FILE");
  evaluate->add_option("-o,--output", options->output, "Keep the translations here")
      ->type_name("FILE");
  evaluate->add_flag("--confidence", options->confidence,
                     "Add 95% confidence intervals, by bootstrap resampling; with several "
                     "hypotheses they are always there");
  evaluate->add_option("--bootstrap-samples", options->bootstrap.samples, "Resamples (1000)")
      ->check(CLI::Range(1, 1000000))
      ->type_name("");
  evaluate
      ->add_option("--bootstrap-seed", options->bootstrap.seed,
                   "What the resamples depend on (12345)")
      ->type_name("");
  add_runtime_options(evaluate, options->runtime);
  add_decoding_options(evaluate, options->decoding);
  evaluate->callback([options, &code, &commands] { code = commands.evaluate(*options); });
}

}  // namespace tfm
