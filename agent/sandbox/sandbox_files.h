// Fills the folders of a sandbox, in its launcher.
#pragma once

#include <ctime>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "agent/sandbox/git_stores.h"
#include "agent/sandbox/sandbox.h"
#include "agent/workspace/privacy.h"

namespace bodkin {

// Writes into `folder`, which is empty or an overlay's upper layer over `lower`; links last, so
// that nothing is written through one.
Result<void> write_sandbox_files(const std::string& folder, const std::string& lower,
                                 const std::vector<SandboxFolder::File>& files);

// Makes the folders above `path` in `folder`, with the modes that they have in `lower`.
void make_parents(const std::string& folder, const std::string& lower, const std::string& path);

struct LayerFindings {
  std::vector<std::string> secrets;   // private files, relative
  std::vector<std::string> channels;  // sockets, pipes and devices: channels to programs outside
  std::vector<std::string> git;       // each .git, which is not among the secrets
  // The folders that were looked through, relative, and when a name last came or went in each.
  std::vector<std::pair<std::string, timespec>> folders;
};
// Walks `folder` once. Unless git is asked, its objects count as private. Errors: it has too many
// files; cancelled.
Result<LayerFindings> find_private(const std::string& folder, const std::stop_token& stop);
Result<LayerFindings> find_private(const std::string& folder, const IgnoreLists& ignored,
                                   const std::stop_token& stop, const AskGit& ask = nullptr);

// The same for a folder of tools or a cache: only at its top, where logins are, not in its
// packages.
Result<LayerFindings> find_private_of_tools(const std::string& folder, const std::stop_token& stop);

// Finds the same in `lower`, with `ask` about what git tracks there. If `ignored` is null, that is
// a cache: its top was searched for what is private, and only that is walked. Files whose owner the
// overlay cannot represent, so that changing them would fail (EOVERFLOW), are copied into `upper`
// beforehand as ours, up to a limit.
Result<LayerFindings> prepare_layers(const std::string& lower, const std::string& upper,
                                     const IgnoreLists* ignored, const AskGit& ask);

}  // namespace bodkin
