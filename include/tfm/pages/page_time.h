// The time at which a page was made, as pages state it.
#pragma once

#include <string>

namespace tfm {

/// Returns the time now, in the form "2026-11-28 09:30 UTC".
std::string page_time_now();

}  // namespace tfm
