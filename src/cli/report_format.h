// How a command prints a report: as text for people, or as one JSON object for programs.
#pragma once

namespace tfm {

enum class ReportFormat { text, json };

}  // namespace tfm
