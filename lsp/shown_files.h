// ShownFiles: texts of our own that an editor shows from disk, in a private temporary folder: never
// in the workspace. They go with the object.
#pragma once

#include <set>
#include <string>

#include "edits/result.h"

namespace bodkin::lsp {

class ShownFiles {
 public:
  ShownFiles() = default;
  ShownFiles(const ShownFiles&) = delete;
  ~ShownFiles();
  // Writes the text; `name` is a plain file name. Error: internal.
  Result<std::string> uri_of(const std::string& name, const std::string& text);

 private:
  std::set<std::string> files_;
};

}  // namespace bodkin::lsp
