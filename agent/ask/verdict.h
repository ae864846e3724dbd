// Verdict: what is known about a draft, and from whom.
#pragma once

#include <string>

namespace bodkin {

// "Not checked" is never "clean": if a check gave no result, for whatever reason, the verdict is
// not_checked.
struct Verdict {
  enum class State { not_checked, passed, failed };
  State state = State::not_checked;
  std::string by;      // "make -j2"; empty: there is no checker
  std::string where;   // "in a sandbox", "not confined"; empty: it did not run
  std::string reason;  // not_checked, failed: for the user, continues "Not checked: "
  std::string output;  // failed: the end of the program's output, for the model
};

}  // namespace bodkin
