// Judges the facts about a machine (machine_facts.h): what works, what will be slow here and why,
// and what does not work. A pure function, so that tests can describe any machine.
#pragma once

#include <string>
#include <vector>

#include "machine_facts.h"

namespace tfm {

enum class Judgement {
  good,     ///< works at full speed
  slow,     ///< works, but slower than the program or the machine could
  problem,  ///< does not work
};

/// One subject of `tfm doctor`.
struct Finding {
  std::string subject;  ///< "memory"
  Judgement judgement = Judgement::good;
  std::string text;    ///< what was found: "1.2 GB free of 8 GB"
  std::string remedy;  ///< sentences that say what it means and what to do; empty if it is good
};

/// Returns the findings in the order in which they are printed.
std::vector<Finding> check_machine(const MachineFacts& facts);

}  // namespace tfm
