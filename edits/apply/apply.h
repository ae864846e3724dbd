// apply: an EditPlan and the current files -> the new files, or every reason why not. Pure: reads
// through `Files`, writes nothing, all files or none.
#pragma once

#include <optional>
#include <stop_token>
#include <string>

#include "edits/plan/plan.h"
#include "edits/plan/report.h"
#include "edits/plan/syntax.h"
#include "edits/text/text.h"

namespace bodkin {

struct ApplyOptions {
  std::optional<std::string> selection_path;  // where the user's selection is: evidence
  LineRange selection;
  bool takes_parts = true;    // a fence below a path may show a part of its file
  bool with_bills = false;    // say why each hunk is where it is
  std::stop_token stop = {};  // requested: the report is not ok, and nothing more is placed
};

ApplyReport apply(const EditPlan& plan, const Files& files, const Syntax* syntax,
                  const ApplyOptions& options);

}  // namespace bodkin
