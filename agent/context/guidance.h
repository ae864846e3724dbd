// Guidance: what the project tells agents about itself.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "agent/workspace/workspace.h"

namespace bodkin {

constexpr size_t kGuidanceBudget = 16'000;  // bytes

// The files with guidance that apply to `paths` and are not in `shown` yet, where they are entered:
// those at the top of each workspace folder, then those in the folders on the way to each path, the
// outer before the inner. Of each folder, in this order: AGENTS.md, CLAUDE.md, GEMINI.md,
// .cursorrules, .windsurfrules, .clinerules, .github/copilot-instructions.md, and by their names
// those of .cursor/rules/ whose front matter has `alwaysApply: true` or `globs` that match one of
// the paths; a text that the folder has under several names is shown once. It is data: it changes
// no permission and no rule. At most `room` bytes. Empty if there are none.
std::string guidance_text(const std::vector<std::string>& paths, std::set<std::string>& shown,
                          Workspace& workspace, const Task& task, size_t room = kGuidanceBudget);

// The names, paths and descriptions of the project's skills (.agents/skills/NAME/SKILL.md), whose
// texts the model reads when it needs them; empty if there are none. They tell it what to do: only
// of trusted folders.
std::string skills_text(Workspace& workspace, const Task& task);

}  // namespace bodkin
