// Grants: what the user has allowed in a workspace for good, kept in a file of the user's, which no
// workspace and no model can write. Any thread.
#pragma once

#include <mutex>
#include <set>
#include <string>

#include "agent/workspace/roots.h"
#include "edits/text/result.h"

namespace bodkin {

class Grants {
 public:
  // Kept in `file`: {"workspaces": {"/home/me/project": ["run cargo test"]}}, by the folders of the
  // workspace; other workspaces' grants stay as they are. Empty: there is no such file, and nothing
  // is kept. A file that cannot be read holds nothing.
  Grants(std::string file, const Roots& roots);

  const std::string& file() const { return file_; }
  bool holds(const std::string& what) const;
  std::set<std::string> all() const;
  // Whether this can be kept: there is a file, and no secret in it.
  bool can_keep(const std::string& what) const;
  // Error, for the user: unavailable. It holds then all the same, until this is destroyed.
  Result<void> add(const std::string& what);

 private:
  const std::string file_, workspace_;
  mutable std::mutex mutex_;
  std::set<std::string> held_;
};

}  // namespace bodkin
