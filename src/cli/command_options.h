// The options of each command, a function a command; inside the cli library only. Each fills a
// struct of tfm/cli/options.h and sets what runs when the command was named: code becomes the exit
// code of its entry in `commands`. code and commands must outlive the parsing.
#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "tfm/cli/options.h"

namespace tfm {

struct Field;

void add_train(CLI::App& app, int& code, const Commands& commands);
void add_launch(CLI::App& app, int& code, const Commands& commands);
void add_translate(CLI::App& app, int& code, const Commands& commands);
void add_score(CLI::App& app, int& code, const Commands& commands);
void add_evaluate(CLI::App& app, int& code, const Commands& commands);
void add_report(CLI::App& app, int& code, const Commands& commands);
void add_average(CLI::App& app, int& code, const Commands& commands);
void add_shortlist(CLI::App& app, int& code, const Commands& commands);
void add_export(CLI::App& app, int& code, const Commands& commands);
void add_import(CLI::App& app, int& code, const Commands& commands);
void add_model(CLI::App& app, int& code, const Commands& commands);
void add_config(CLI::App& app, int& code, const Commands& commands);

/// One option for a config field, kept as "section.key=value"; names: CLI11's, e.g.
/// "-b,--beam-size".
void add_field_option(CLI::App* app, const Field& field, const std::string& names,
                      std::vector<std::string>& overrides);
/// Every field of the section decoding, or only those named.
void add_decoding_options(CLI::App* app, std::vector<std::string>& overrides,
                          const std::set<std::string>& names = {});
void add_runtime_options(CLI::App* app, RuntimeOptions& runtime);
/// -m, which may be given several times.
void add_model_option(CLI::App* app, std::vector<std::filesystem::path>& models);

}  // namespace tfm
