// DraftedProject: the files of a project as they are, and as a draft would have them.
#pragma once

#include <optional>
#include <string>

#include "agent/checkers/checkers.h"
#include "agent/sandbox/sandbox.h"
#include "agent/support/path_text.h"

namespace bodkin {

// Paths are relative to the root unless they are called absolute. The request outlives it.
class DraftedProject {
 public:
  explicit DraftedProject(const CheckRequest& request) : root_(request.root), request_(request) {}

  std::string full(const std::string& path) const { return join_path(root_, path); }
  std::string relative(const std::string& absolute) const {
    return absolute.starts_with(root_ + "/") ? absolute.substr(root_.size() + 1) : absolute;
  }
  std::optional<Text> disk_text(const std::string& absolute) const;
  // Without the draft: the editor's text, else the disk's.
  std::optional<Text> text_now(const std::string& path) const;
  // The text of a drafted or open file; nullopt: the file is as it is on the disk.
  std::optional<Text> drafted(const std::string& path) const;
  // The text with the draft.
  std::optional<Text> text_then(const std::string& path) const;
  // The text of a configuration file, as pyright or TypeScript reads it.
  std::optional<std::string> text_of_project(const std::string& path) const;
  bool is_as_on_disk(const ChangedFile& file) const;
  SandboxFolder view(bool with_draft) const;

 private:
  const std::string& root_;
  const CheckRequest& request_;
};

}  // namespace bodkin
