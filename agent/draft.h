// Draft: the files as the model wants them, over the workspace as it is. Nobody's file is touched.
// A Draft is itself a Workspace: what reads through it sees the draft first.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "agent/workspace.h"
#include "edits/apply.h"

namespace bodkin {

struct DraftFile {
  std::string path;
  std::optional<Snapshot> base;          // what the editor had; nothing: the file is new
  std::optional<Text> text;              // nothing: removed
  std::optional<std::string> moved_to;   // the file's new path
};

class Draft : public Workspace {
 public:
  explicit Draft(Workspace& below);

  // Parses nothing: takes the outcome of apply(). Precondition: report.ok.
  void take(const ApplyReport& report);
  bool empty() const;
  // Only files that differ from their base, by path.
  std::vector<DraftFile> files() const;
  const std::string& title() const;

  Result<Snapshot> read(std::string_view path, const Task& task) override;
  Result<std::vector<std::string>> list(std::string_view folder, size_t limit,
                                        const Task& task) override;
  std::vector<std::string> roots() const override;
  std::vector<std::string> open_paths() const override;

 private:
  Workspace& below_;
  std::map<std::string, DraftFile> files_;
  std::string title_;
};

}  // namespace bodkin
