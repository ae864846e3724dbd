// The line ends and the final newline of new files.
#pragma once

#include "edits/plan/report.h"

namespace bodkin {

// Gives the files that a report creates the line ends and the final newline that the project says
// (agent/workspace/file_rules.h), else those of the files next to them with the same extension,
// else of such files elsewhere. A text that has \r\n keeps its line ends.
void fit_new_files(ApplyReport& report, const Files& files);

}  // namespace bodkin
