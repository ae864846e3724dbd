// Files that the editor may have changed without saving them. The Agent Client Protocol lets an
// agent read and write through the editor, but editors differ (codecompanion reads the disk only
// and turns \r\n into \n; avante loses the last line end, and never answers a write to a buffer
// with unsaved text; Zed merges a write into the buffer, then formats and saves it; stubs answer
// ""). So the disk's bytes are the truth, unless the editor's text differs in more than that.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "agent/workspace/workspace.h"
#include "edits/plan/report.h"
#include "lsp/acp/acp_client.h"
#include "lsp/folder/ask_folder.h"

namespace bodkin::acp {

// Without \r before \n, and without a byte order mark.
std::string with_newlines(std::string_view text);
// Whether the texts are equal but for line ends, a byte order mark and the last line end.
bool is_same_file(std::string_view a, std::string_view b);

// What the editor has of a file, if that is unsaved text; nothing: it is as on the disk, or the
// editor does not say. Not on the loop's thread; blocks. Errors: unavailable (the editor has not
// answered in time), cancelled.
Result<std::optional<std::string>> unsaved_text(Client& client, const std::string& session,
                                                const std::string& absolute,
                                                const std::string& on_disk,
                                                const std::stop_token& stop);

// The folder as an ask sees it: the disk, and unsaved text over it. A file that was read stays as
// it was then. On the ask's thread.
class ClientWorkspace : public LayeredWorkspace {
 public:
  // `client` outlives this.
  ClientWorkspace(AskFolder& folder, Client& client, std::string session)
      : ClientWorkspace(folder.workspace(), folder.folder().given(), client, std::move(session)) {}

  Result<Snapshot> read(std::string_view path, const Task& task) override;
  std::vector<std::string> open_paths(const Task&) override { return unsaved_; }

 private:
  ClientWorkspace(std::unique_ptr<Workspace> disk, std::string folder, Client& client,
                  std::string session)
      : LayeredWorkspace(*disk),
        disk_(std::move(disk)),
        folder_(std::move(folder)),
        client_(client),
        session_(std::move(session)) {}

  const std::unique_ptr<Workspace> disk_;
  const std::string folder_;  // as the editor names it
  Client& client_;
  const std::string session_;
  std::map<std::string, Snapshot, std::less<>> read_;
  std::vector<std::string> unsaved_;  // paths
  bool is_silent_ = false;            // the editor did not answer: it is not asked again
};

// What became of the files.
struct Written {
  bool done = false;               // all of them
  std::vector<ChangedFile> files;  // that were written; if not done, the others were not, as far
                                   // as is known
  std::string reason;              // not done: for the user, one sentence without its period
  std::vector<std::string> notes;  // for the user, likewise: what else became of them
};

// Texts of files that came with a prompt, by path: an editor from which no files can be read has
// them, whatever the disk has.
using AttachedTexts = std::map<std::string, std::string, std::less<>>;

// The file's name as the editor knows it: links in the session's folder are kept.
std::string absolute_for_client(const AskFolder& folder, const std::string& path);

// Writes the files: unsaved text only through the editor; else through it only if it shows them for
// review, and otherwise all or none by write_files. Where the user has typed since, the change goes
// with its lines, or nothing is written. Each file is read again afterwards, whatever the editor
// answers. Holds the root's lock. Not on the loop's thread; blocks.
Written write_changes(const std::vector<ChangedFile>& files, const AskFolder& folder,
                      const AttachedTexts& attached, Client& client, const std::string& session,
                      const Task& task);

}  // namespace bodkin::acp
