// Trust: whether the user trusts the workspace's files. In an untrusted folder nothing runs that
// its files could influence, and nothing is changed without review (clients/USERS.md, "Trust").
// Nothing in a repository can change this. Main thread only.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "agent/workspace/roots.h"
#include "edits/text/result.h"

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

  // `roots`: all of the workspace; one untrusted root is enough to deny trust, since code that runs
  // in one sees the others.
  bool covers(const Roots& roots) const;

 private:
  std::vector<std::string> folders_;
  std::optional<bool> said_;
};

// The text of a settings.json with one more folder in workspace.trusted; everything else stays as
// it is, comments too. Nullopt: only a person can tell where it belongs.
std::optional<std::string> with_trusted_folder(const std::string& settings,
                                               const std::string& folder);

// Makes the folder, an absolute path, one of those that the user trusts, in the user's own
// settings.json. Error, a sentence for the user: unavailable, or invalid_input of the home
// folder and "/", with which nearly everything would be trusted.
Result<void> trust_folder(const std::string& folder);

}  // namespace bodkin::lsp
