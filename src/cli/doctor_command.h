// `tfm doctor`: says what tfm can use on this machine, what will be slow here and why, and what
// does not work.
#pragma once

#include "report_format.h"
#include "tfm/help/command.h"

namespace tfm {

struct DoctorOptions {
  ReportFormat format = ReportFormat::text;
};

/// Returns 1 if something does not work, otherwise 0.
int run_doctor(const DoctorOptions& options);
Command doctor_command(Run<DoctorOptions> run = run_doctor);

}  // namespace tfm
