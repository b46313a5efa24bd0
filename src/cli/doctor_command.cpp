#include "doctor_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "common_options.h"
#include "machine_check.h"
#include "output.h"
#include "tfm/core/format.h"
#include "tfm/core/wrap.h"

namespace tfm {
namespace {

void add_options(CLI::App& app, DoctorOptions& options) {
  add_report_format(app, options.format, "text, or json: one object");
}

const char* name_of(Judgement judgement) {
  switch (judgement) {
    case Judgement::good:
      return "ok";
    case Judgement::slow:
      return "slow";
    case Judgement::problem:
      break;
  }
  return "problem";
}

/// Returns three columns: the judgement, the subject, and the text with the remedy below it.
std::string findings_text(const std::vector<Finding>& findings) {
  constexpr std::size_t width = 80;
  const std::string indent(26, ' ');
  std::string text;
  for (const auto& finding : findings) {
    auto details = wrap_text(finding.text, width, indent);
    if (!finding.remedy.empty()) details += wrap_text(finding.remedy, width, indent);
    text += fmt::format("{:<8} {:<16} {}", name_of(finding.judgement), finding.subject,
                        details.substr(indent.size()));
  }
  return text;
}

std::string findings_json(const std::vector<Finding>& findings) {
  auto json = nlohmann::ordered_json::object();
  for (const auto& finding : findings) {
    json[finding.subject] = {{"judgement", name_of(finding.judgement)}, {"text", finding.text}};
    if (!finding.remedy.empty()) json[finding.subject]["remedy"] = finding.remedy;
  }
  return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace

int run_doctor(const DoctorOptions& options) {
  const auto findings = check_machine(find_machine_facts());
  print_result(options.format == ReportFormat::json ? findings_json(findings)
                                                    : escape_controls(findings_text(findings)));
  return std::ranges::any_of(
      findings, [](const Finding& each) { return each.judgement == Judgement::problem; });
}

Command doctor_command(Run<DoctorOptions> run) {
  return {.name = "doctor",
          .group = {},
          .section = "Help",
          .summary = "Says what tfm can use here, what is slow, and why",
          .details =
              "Looks at the processor, the GPU, memory, limits and folders. The exit code is "
              "1 if something does not work.",
          .examples = {"tfm doctor", "tfm doctor --format json"},
          .read_more = "docs/troubleshooting.md, `tfm help environment`",
          .prepare = with_options<DoctorOptions>(add_options, std::move(run))};
}

}  // namespace tfm
