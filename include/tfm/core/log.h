// The one log: spdlog to stderr, so that stdout carries results only. Library code calls
// spdlog::info/warn/error directly; only the command line calls set_up_log.
#pragma once

#include <spdlog/spdlog.h>

namespace tfm {

enum class Verbosity { quiet, normal, verbose };

/// Sends every log line to stderr: plain text where stderr is not a terminal, coloured where it is.
/// quiet keeps warnings and errors.
void set_up_log(Verbosity verbosity);

/// For one of several processes that share a terminal: its lines name its rank, and other ranks
/// than 0 say warnings and errors only.
void set_log_rank(int rank);

}  // namespace tfm
