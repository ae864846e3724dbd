// Trust: whether the person trusts the files of the workspace. In a folder that they do not trust
// nothing runs that its files could steer, and nothing is changed unseen (README, "Trust"). Nothing
// that comes with a repository has a say in it. Main thread only.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "agent/workspace/roots.h"

namespace bodkin::lsp {

class Trust {
 public:
  Trust() = default;
  // `folders`: those of the person's own file, each with what is below it; "~/" is their home.
  explicit Trust(std::vector<std::string> folders);

  // What the editor says holds instead, for all folders that it opens.
  void set_said(bool trusted) { said_ = trusted; }
  bool is_said() const { return said_.has_value(); }

  // `roots`: all of the workspace; one that is not trusted spoils it, for what runs in
  // one sees the others.
  bool covers(const Roots& roots) const;

 private:
  std::vector<std::string> folders_;
  std::optional<bool> said_;
};

}  // namespace bodkin::lsp
