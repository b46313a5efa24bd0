#include "translate_options.h"

#include "common_options.h"

namespace tfm {
namespace {

constexpr const char* form_group = "Form of the output";

void add_text_options(CLI::App& app, TranslateOptions& options) {
  app.add_option("text", options.texts,
                 "Lines to translate; without them and --input, stdin is read")
      ->type_name("TEXT");
  add_model_options(app, options.models);
  add_input_option(app, "-i,--input", options.input, "File to translate, plain or compressed");
  add_output_option(
      app, options.output,
      "Write the translations to this file, which appears when it is complete; without "
      "it, stdout");
  app.add_option("--document", options.document,
                 "Document to translate as a whole (.docx, .odt, .pptx, .xlsx, .epub, .html, .md, "
                 ".txt, .srt, .vtt, .po, .json, .yaml); needs -o with the same ending")
      ->type_name("FILE")
      ->group(input_group);
  app.add_flag("--mark-fuzzy", options.mark_fuzzy,
               "Mark the translations that are added to a .po document as fuzzy, for a translator "
               "to check")
      ->group(input_group);
  app.add_flag(
         "--resume", options.resume,
         "Keep finished translations in FILE.part; the same command resumes from there (needs "
         "-i and -o)")
      ->group(input_group);
  app.add_flag("--continue", options.resume)->group("");  // the former name, not shown in the help
}

void add_form_options(CLI::App& app, TranslateOptions& options) {
  add_format_option<OutputFormat>(
      app, options.format,
      {{"text", OutputFormat::text},
       {"marian", OutputFormat::marian},
       {"jsonl", OutputFormat::jsonl}},
      "text, marian (\"0 ||| text ||| F0= -3.2 ||| -0.46\") or jsonl; without it, text, or marian "
      "with --n-best")
      ->group(form_group);
  app.add_flag("--alignment", options.alignment,
               "Add word alignments, source-target pairs from 0: \"text ||| 0-0 1-2\"")
      ->group(form_group);
  app.add_flag("--explain", options.explain,
               "Print each token with its probability and the most probable alternatives (text and "
               "jsonl only)")
      ->group(form_group);
  app.add_option(
         "--attention", options.attention,
         "Write the attention weights to a page (.html), a figure (.svg) or a file of numbers "
         "(.json)")
      ->type_name("FILE")
      ->group(form_group);
  add_trace_option(app, options.trace, "the translation of the first lines")->group(form_group);
}

}  // namespace

void add_translate_options(CLI::App& app, TranslateOptions& options) {
  add_text_options(app, options);
  add_form_options(app, options);
  app.add_option(
         "--target-prefix-file", options.prefixes,
         "Prefixes of the translations, one per line of the input; --target-prefix applies to "
         "lines whose prefix is empty")
      ->type_name("FILE")
      ->group(input_group);
  app.add_option("--forced-phrases-file", options.phrases,
                 "Phrases that the translations must contain, one line per line of the input, "
                 "separated by tabs, in addition to --forced-phrases; a line may be empty")
      ->type_name("FILE")
      ->group(input_group);
  add_runtime_options(app, options.runtime);
  app.add_option("--decoding", options.decoding_file,
                 "Config file whose section decoding replaces the model's settings; the options "
                 "below take precedence")
      ->type_name("FILE")
      ->group(decoding_group);
  add_decoding_options(app, options.decoding, Effect::decoding_output);
}

}  // namespace tfm
