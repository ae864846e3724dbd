// AskedServer: a language server of a project, asked about some files with the draft and without
// it, even if it must find the draft on the disk.
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "agent/checkers/check.h"
#include "agent/checkers/trial.h"

namespace bodkin {

class AskedServer {
 public:
  // `server_key`: the server's, among those of the project. `changed`: the files of the draft that
  // it checks. The check outlives it.
  AskedServer(Check& check, std::string server_key, ServerCommand its_command,
              std::vector<ChangedFile> changed)
      : key(std::move(server_key)),
        command(std::move(its_command)),
        files(std::move(changed)),
        check_(check) {}

  const std::string key;
  const ServerCommand command;
  const std::vector<ChangedFile> files;

  struct BothSides {
    Problems before, after;
  };
  // The problems of the files `asked` (relative paths; those that do not exist are left out).
  Result<Problems> before(const std::set<std::string>& asked) const;
  Result<Problems> after(const std::set<std::string>& asked) const;
  Result<BothSides> both(const std::set<std::string>& asked) const;
  // Whether it knows the word at this byte of a changed file, with the draft. If the draft must be
  // on the disk, this fails before `after` or `both`.
  Result<bool> knows(const ChangedFile& file, size_t offset) const;
  // The index of the first wrong line at which it reports no error when asked about `asked`, with
  // the trial's text in place of the file `path` and the rest of the draft; nullopt: it reports
  // all. Call only after `after` or `both`.
  Result<std::optional<size_t>> unreported(const Trial& trial, const std::string& path,
                                           const std::set<std::string>& asked) const;
  bool was_asked() const { return was_asked_; }  // with the draft
  // The editor's text of files of the languages that the server knows, by absolute path.
  LanguageServer::Texts buffers() const;
  // Whether it must find the draft on the disk, for which one is started on a view of the folder.
  bool needs_view() const;
  // A copy of this; for clangd, the same server reading whole units.
  AskedServer of_whole_units() const;

 private:
  CheckedProject::Server& server() const;
  LanguageServer::Texts old_texts() const;
  LanguageServer::Texts draft_texts() const;
  LanguageServer::Texts texts_of(const std::set<std::string>& asked, bool with_draft,
                                 std::set<std::string>& there) const;
  bool changes_what_is_read() const;
  Result<Problems> in_view(const std::set<std::string>& asked, bool with_draft) const;

  Check& check_;
  mutable bool was_asked_ = false;
  mutable std::shared_ptr<LanguageServer> of_view_;  // the last that has seen the draft on the disk
};

}  // namespace bodkin
