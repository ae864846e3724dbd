// Finds what a command has changed in the folders of a sandbox; its launcher looks after it has
// ended.
#pragma once

#include <initializer_list>
#include <set>
#include <string>
#include <vector>

#include "agent/sandbox/linux/sandbox_plan.h"

namespace bodkin {

// An overlay's layers, as open directories; -1: the view of the folder is a copy.
struct SandboxLayer {
  int upper = -1, lower = -1;
  std::set<std::string> hidden;  // removed from the view before the command ran
};

SandboxLayer open_layer(const std::string& lower, const std::string& upper,
                        std::initializer_list<const std::vector<std::string>*> hidden);

// `layers` may be shorter than the plan's folders; `roots`: where the views of the folders are.
// Changes the modes of unreadable files. Blocks; nothing may still be running there.
SandboxChanges find_changes(const SandboxPlan& plan, const std::vector<SandboxLayer>& layers,
                            const std::vector<std::string>& roots);

}  // namespace bodkin
