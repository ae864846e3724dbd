// ShownFiles: texts of ours that an editor shows from disk, in a private temporary folder, never in
// the workspace. The last few are kept; the destructor removes them all. Main
// thread only.
#pragma once

#include <deque>
#include <optional>
#include <string>

#include "agent/support/temporary_folder.h"

namespace bodkin::lsp {

class ShownFiles {
 public:
  // Writes the text; `name` is a plain file name. Error: internal.
  Result<std::string> uri_of(const std::string& name, const std::string& text);

 private:
  std::deque<std::string> files_;          // oldest first
  std::optional<TemporaryFolder> folder_;  // created for the first text
};

}  // namespace bodkin::lsp
