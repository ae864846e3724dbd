// The folders of a sandbox, as its launcher fills them.
#pragma once

#include <string>
#include <vector>

#include "agent/sandbox.h"

namespace bodkin {

// Into `folder`, which is empty or an overlay's upper layer over `lower`; links last, so that
// nothing is written through one.
Result<void> write_sandbox_files(const std::string& folder, const std::string& lower,
                                 const std::vector<SandboxFolder::File>& files);

struct LayerFindings {
  std::vector<std::string> secrets;  // private files, relative
};
// Walks `lower` once. What belongs to somebody that an overlay could not make a changed copy for
// (EOVERFLOW) is put into `upper` beforehand, as ours, as far as that is bounded.
Result<LayerFindings> prepare_layers(const std::string& lower, const std::string& upper);

}  // namespace bodkin
