// Why an edit was refused, as the user and the loop need it.
#pragma once

#include <string>
#include <vector>

#include "edits/plan/report.h"

namespace bodkin {

// An edit that could not be placed: the file it means, and the kind of reason.
struct Unplaced {
  std::string path;
  FailureKind kind;
};
std::vector<Unplaced> unplaced_of(const ApplyReport& report);

// Why a report was refused, as a sentence for the user. The details for the model are elsewhere
// (edits/apply/explain.h).
std::string reason_for_user(const ApplyReport& report);

// Explains a refused report to a model that may not read the files: which edits were not placed,
// and nothing of the files' text (else: edits/apply/explain.h).
std::string explain_without_lines(const ApplyReport& report);

}  // namespace bodkin
