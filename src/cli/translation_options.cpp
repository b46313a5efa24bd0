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

Translates text arguments, a file, or standard input: N lines in, N lines out, in order. An empty line gives an empty line.
At a terminal it asks for one line at a time; arrow keys bring earlier ones back, Ctrl-D ends.)";

constexpr const char* evaluate_help = R"(Examples:
  tfm evaluate -m runs/multi30k_de_en --source test.de --reference test.en
  tfm evaluate --hypothesis system.en --reference test.en

Prints corpus BLEU and chrF2, as sacreBLEU computes them, with their signatures.)";

}  // namespace

void add_translate(CLI::App& app, int& code, const Commands& commands) {
  auto* translate = app.add_subcommand("translate", translate_help);
  auto options = std::make_shared<TranslateOptions>();
  translate->add_option("text", options->texts, "Text to translate, a line each; none: standard input")->type_name("TEXT");
  add_model_option(translate, options->models);
  translate->add_option("-i,--input", options->input, "Text file to translate, plain or .gz")->type_name("FILE");
  translate->add_option("-o,--output", options->output, "Where the translations go, whole or not at all; default: stdout")->type_name("FILE");
  translate->add_flag("--continue", options->go_on,
                      "Keep what is done in FILE.part, and go on there when the same command is given again (with -i and -o)");
  const std::map<std::string, OutputFormat> formats{{"text", OutputFormat::text}, {"marian", OutputFormat::marian}, {"jsonl", OutputFormat::jsonl}};
  translate
      ->add_option("--format", options->format, "text (default), marian (\"0 ||| text ||| F0= -3.2 ||| -0.46\"; default with --n-best), or jsonl")
      ->transform(CLI::CheckedTransformer(formats, CLI::ignore_case).description(""))
      ->type_name("");
  translate->add_flag("--alignment", options->alignment, "Add word alignments, source-target from 0: \"text ||| 0-0 1-2\"");
  translate->add_flag("--explain", options->explain, "Show each token with its probability and what else could have stood there (text and jsonl)");
  translate
      ->add_option("--target-prefix-file", options->prefixes,
                   "Line i: how the translation of line i begins, in place of --target-prefix; an empty line: as that says")
      ->type_name("FILE");
  translate
      ->add_option("--forced-phrases-file", options->phrases,
                   "Line i: phrases that the translation of line i contains beside --forced-phrases, separated by tabs; may be empty")
      ->type_name("FILE");
  translate->add_option("--attention", options->attention, "Show what the model attended to: a page (.html), a figure (.svg) or numbers (.json)")
      ->type_name("FILE");
  add_runtime_options(translate, options->runtime);
  add_decoding_options(translate, options->decoding);
  translate->callback([options, &code, &commands] { code = commands.translate(*options); });
}

void add_evaluate(CLI::App& app, int& code, const Commands& commands) {
  auto* evaluate = app.add_subcommand("evaluate", evaluate_help);
  auto options = std::make_shared<EvaluateOptions>();
  add_model_option(evaluate, options->models);
  auto* source = evaluate->add_option("--source", options->source, "Text to translate, plain or .gz")->type_name("FILE");
  evaluate->add_option("--reference", options->reference, "Its reference translation")->required()->type_name("FILE");
  evaluate->add_option("--hypothesis", options->hypothesis, "A ready translation to score, in place of a model")->excludes(source)->type_name("FILE");
  evaluate
      ->add_option("--alignment", options->alignment,
                   "Word alignments of source and reference (\"0-0 1-2\" a line): prints how far the model's are from them")
      ->needs(source)
      ->type_name("FILE");
  evaluate->add_option("-o,--output", options->output, "Keep the translations here")->type_name("FILE");
  add_runtime_options(evaluate, options->runtime);
  add_decoding_options(evaluate, options->decoding);
  evaluate->callback([options, &code, &commands] { code = commands.evaluate(*options); });
}

}  // namespace tfm
