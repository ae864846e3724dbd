// Trust: whether the user trusts the workspace's files. In an untrusted folder nothing runs that
// its files could influence, and nothing is changed without review (clients/USERS.md, "Trust").
// Nothing in a repository can change this. Main thread only.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "agent/workspace/roots.h"

namespace bodkin::lsp {

// Whether this is the user's home folder.
bool is_home(const std::string& folder);

class Trust {
 public:
  Trust() = default;
  // `folders`: those in the user's own file, including everything below; "~/" is the home folder.
  explicit Trust(std::vector<std::string> folders);

  void add(std::string folder) { folders_.push_back(std::move(folder)); }
  // The editor's answer takes precedence, for all folders it opens.
  void set_by_editor(bool trusted) { said_ = trusted; }
  bool is_set_by_editor() const { return said_.has_value(); }

  // `roots`: all of the workspace; a single untrusted one suffices for no trust, since what runs in
  // one sees the others.
  bool covers(const Roots& roots) const;

 private:
  std::vector<std::string> folders_;
  std::optional<bool> said_;
};

}  // namespace bodkin::lsp
