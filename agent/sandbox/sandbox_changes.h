// What a command has changed in the folders of a sandbox, as its launcher finds it after the end.
#pragma once

#include <initializer_list>
#include <set>
#include <string>
#include <vector>

#include "agent/sandbox/sandbox_plan.h"

namespace bodkin {

// An overlay's layers, as open directories; -1: the folder's view is a copy.
struct SandboxLayer {
  int upper = -1, lower = -1;
  std::set<std::string> hidden;  // what was taken out of the view before the command ran
};

SandboxLayer open_layer(const std::string& lower, const std::string& upper,
                        std::initializer_list<const std::vector<std::string>*> hidden);

// `layers` may be shorter than the plan's folders; `roots`: where the folders' views are. Changes
// file modes of what it cannot read otherwise. Blocks; nothing may run there any more.
SandboxChanges find_changes(const SandboxPlan& plan, const std::vector<SandboxLayer>& layers,
                            const std::vector<std::string>& roots);

}  // namespace bodkin
