// The folders of a sandbox, as its launcher fills them.
#pragma once

#include <stop_token>
#include <string>
#include <vector>

#include "agent/sandbox/sandbox.h"
#include "agent/workspace/privacy.h"

namespace bodkin {

// Into `folder`, which is empty or an overlay's upper layer over `lower`; links last, so that
// nothing is written through one.
Result<void> write_sandbox_files(const std::string& folder, const std::string& lower,
                                 const std::vector<SandboxFolder::File>& files);

struct LayerFindings {
  std::vector<std::string> secrets;  // private files, relative
  std::vector<std::string> doors;    // sockets, pipes and devices: ways to programs outside
};
// Walks `folder` once. Errors: it holds too much to be looked through; cancelled.
Result<LayerFindings> find_private(const std::string& folder, const std::stop_token& stop);

// The same for a folder of tools or a cache: at its top, where logins are, not in the packages.
Result<LayerFindings> find_private_of_tools(const std::string& folder, const std::stop_token& stop);

// What .bodkinignore says on the disk, of `folder`, which is one of `folders`.
IgnoreLists ignore_lists_on_disk(const std::string& folder,
                                 const std::vector<std::string>& folders);

// Finds the same in `lower`, which is a cache if there is no `ignored`. What belongs to somebody
// that an overlay could not make a changed copy for (EOVERFLOW) is put into `upper` beforehand, as
// ours, as far as that is bounded.
Result<LayerFindings> prepare_layers(const std::string& lower, const std::string& upper,
                                     const IgnoreLists* ignored);

}  // namespace bodkin
