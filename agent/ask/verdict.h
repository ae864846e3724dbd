// Verdict: what is known of a draft, and who says so.
#pragma once

#include <string>

namespace bodkin {

// "Not checked" is never "clean": whatever kept a program from an answer is not_checked.
struct Verdict {
  enum class State { not_checked, passed, failed };
  State state = State::not_checked;
  std::string by;      // "make -j2"; empty: nobody was asked
  std::string where;   // "in a sandbox", "not confined"; empty: it did not run
  std::string reason;  // not_checked, failed: for the person, goes on after "Not checked: "
  std::string output;  // failed: the end of what the program wrote, for the model
};

}  // namespace bodkin
