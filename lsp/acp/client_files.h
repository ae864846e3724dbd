// Files that the editor may have changed without saving them. The Agent Client Protocol lets an
// agent read and write through the editor, but editors differ (codecompanion reads the disk only
// and turns \r\n into \n; avante loses the last line end, and never answers a write to a buffer
// with unsaved text; Zed merges a write into the buffer, then formats and saves it; stubs answer
// ""). So the disk's bytes are the truth, unless the editor's text differs in more than that.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "agent/workspace/workspace.h"
#include "lsp/acp/acp_client.h"
#include "lsp/folder/ask_folder.h"

namespace bodkin::acp {

inline constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

// Removes \r before \n, and a byte order mark.
std::string with_newlines(std::string_view text);
// Whether the texts differ only in line ends, a byte order mark and the last line end.
bool is_same_file(std::string_view a, std::string_view b);

std::string_view without_last_newline(std::string_view text);

// The editor's text of a file. Errors: stale (it answered without one), invalid_input (it is larger
// than 32 MB), unavailable, cancelled. Not on the loop's thread; blocks.
Result<std::string> text_in_client(Client& client, const std::string& session,
                                   const std::string& absolute, Client::Milliseconds deadline,
                                   const std::stop_token& stop);
// The editor's unsaved text of a file; nullopt: it is as on the disk, or the editor does not say.
// Blocks; any thread but the loop's. Errors: unavailable (the editor has not answered in time),
// stale (it gives no text for a file that has some, although it reads others), invalid_input,
// cancelled.
Result<std::optional<std::string>> unsaved_text(Client& client, const std::string& session,
                                                const std::string& absolute,
                                                const std::string& on_disk,
                                                const std::stop_token& stop);

// Texts of files that came with a prompt, by path: an editor from which no files can be read has
// them, regardless of the disk.
using AttachedTexts = std::map<std::string, std::string, std::less<>>;

// The folder as an ask sees it: the disk, and unsaved text over it. A file that was read stays as
// it was then. On the ask's thread.
class ClientWorkspace : public LayeredWorkspace {
 public:
  // `client` outlives this.
  ClientWorkspace(AskFolder& folder, Client& client, std::string session)
      : ClientWorkspace(folder.workspace(), folder.folder().given(), client, std::move(session)) {}

  Result<Snapshot> read(std::string_view path, const Task& task) override;
  std::vector<std::string> open_paths(const Task&) override { return unsaved_; }
  // The disk's texts of the files when they were read, by path.
  const AttachedTexts& on_disk() const { return on_disk_; }

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
  AttachedTexts on_disk_;
  std::vector<std::string> unsaved_;  // paths
  bool is_silent_ = false;            // the editor did not answer: it is not asked again
};

}  // namespace bodkin::acp
