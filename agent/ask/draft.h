// Draft: the files as the model wants them, layered over the workspace. No file is touched. A Draft
// is itself a Workspace: reads through it see the draft first.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "agent/workspace/workspace.h"
#include "edits/apply/apply.h"

namespace bodkin {

class Draft : public LayeredWorkspace {
 public:
  explicit Draft(Workspace& below);  // outlives the draft

  // Starts with the changes of an earlier draft; their bases are not read again.
  void begin_with(std::vector<ChangedFile> files);
  // Adds what apply() makes of this draft's files.
  void take(const std::vector<ChangedFile>& files);
  // Moves the draft onto texts that have changed since it was made from them: its changes elsewhere
  // are kept, those that touch a change are dropped. `now`: the text of a file that the draft
  // changes, or nullopt.
  struct Followed {
    std::string path;
    std::vector<size_t> dropped;  // their lines in the text before, from 0; of all, if it is gone
  };
  std::vector<Followed> follow(
      const std::function<std::optional<Snapshot>(const std::string& path)>& now);
  std::vector<Followed> follow(const Task& task);  // the workspace's
  // Returns the changes taken by take() since the last call.
  std::vector<ChangedFile> new_changes();
  // Returns only files that differ from their base, by path, without edits and bills. No path
  // is named twice: a file that takes another one's place is that one with a new text, not a move.
  std::vector<ChangedFile> files() const;

  Result<Snapshot> read(std::string_view path, const Task& task) override;
  Result<std::vector<std::string>> list(std::string_view folder, size_t limit,
                                        const Task& task) override;
  // The open documents and the drafted files, whose text may differ from the disk.
  std::vector<std::string> open_paths(const Task& task) override;

 private:
  // A path that was edited: the workspace's file there, and the draft's.
  struct Place {
    std::optional<Snapshot> base;
    std::optional<Text> text;
    // The path that the file has in the workspace. Nullopt if the file is new, or there is none.
    std::optional<std::string> origin;
    std::string moved_to;  // there is no text since the file went there; or empty
    MatchQuality quality = MatchQuality::exact;
  };
  Place& place_at(const std::string& path, const std::optional<Text>& now);

  std::map<std::string, Place, std::less<>> places_;   // by path
  std::map<std::string, Snapshot, std::less<>> read_;  // as last read from below
  std::vector<ChangedFile> new_changes_;
};

// "your edits of line 2 were dropped, where it has changed": for the model.
std::string words_of(const Draft::Followed& file);

// "Changed a.c, b.c (removed)."; `verb` may say otherwise. Empty: nothing is changed.
std::string changes_in_words(const std::vector<ChangedFile>& files,
                             std::string_view verb = "Changed");

// The files that apply() reads, from any workspace. A file that cannot be read does not exist for
// apply(); `refusal` says why, unless it is simply missing (private, too large, not text).
class WorkspaceFiles : public Files {
 public:
  WorkspaceFiles(Workspace& workspace, const Task& task) : workspace_(workspace), task_(task) {}
  std::optional<Text> read(std::string_view path) const override;
  std::vector<std::string> paths() const override;
  std::string why_unreadable(std::string_view path) const override;
  Result<std::string> inside(const std::string& path) const override;
  const std::optional<Error>& refusal() const { return refusal_; }

 private:
  Workspace& workspace_;
  const Task& task_;
  mutable std::optional<Error> refusal_;
};

}  // namespace bodkin
