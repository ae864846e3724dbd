// Edits that a reply shows although the draft has them: a model that has edited by a tool may show
// the same edit in its answer.
#pragma once

#include <vector>

#include "agent/ask/draft.h"
#include "edits/plan/plan.h"
#include "edits/plan/report.h"
#include "edits/plan/syntax.h"

namespace bodkin {

struct NotYetMade {
  EditPlan plan;                 // the rest; empty if the draft has all of it
  std::vector<HunkReport> made;  // of the others, as already applied
};

// The part of a refused plan that the draft does not have yet. A hunk whose old lines are gone is
// made already if, placed in the file as it was before the draft, it changes nothing but what the
// draft changes there in the same way: one line that looks alike proves nothing. `report`: of the
// plan on the draft's files. `syntax` may be null.
NotYetMade not_yet_made(const EditPlan& plan, const ApplyReport& report, const Draft& draft,
                        const Syntax* syntax);

}  // namespace bodkin
