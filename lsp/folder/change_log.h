// Keeps the writes of `bodkin apply` and agents in the same log as all other changes by bodkin: as
// a proposal of the history that no ask has made. It is kept before the first file is written, so
// that it can be undone even if this process is killed right after. Its texts are kept to the byte
// (ProposalRow::is_exact). Calls block for two seconds at most, while another program has locked
// the history.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "agent/history/store.h"
#include "edits/plan/report.h"
#include "lsp/workspace/confined_folder.h"

namespace bodkin {

// applied: it is about to be written. asked: it is not written, because it needs the user's
// consent; `bodkin apply ID` writes it.
enum class Logged { applied, asked };
struct LoggedChange {
  std::string id;      // "p0-…"
  HistoryStore store;  // stays open, because to close it takes as long as all the rest

  void confirm();  // it was written; until then the history says that this is unknown
  void forget();   // it was not written after all
};
// `id`: of a change that was asked for and is applied now; empty: a new one, or that of an equal
// one that is asked for already. Of each folder the newest 50 of both kinds are kept, as long and
// in as many megabytes as the settings say. Error, the end of a sentence: why it cannot be undone
// later.
Result<LoggedChange> log_change(const ConfinedFolder& folder, std::string_view by,
                                const std::vector<ChangedFile>& files,
                                Logged logged = Logged::applied, std::string id = "");

// The files of a change in the log, and its folder: one that was asked for, or whose files may be
// as before because `bodkin apply ID` was killed. `words`: its id or a unique beginning; nullopt if
// they are neither. Error, for the user: they are the beginning of several.
Result<std::optional<ProposalRow>> change_to_apply(const std::string& words);

// The old lines of a reply that was applied are gone, and its new ones alone prove nothing. But if
// `place` turns the texts before one of our own changes into exactly the present ones, that was the
// change: the files as they were and are, and each hunk as already applied. Nullopt: no change in
// the log did that. `placed`: its result for the present texts. If it can be placed, it was applied
// before only if it only adds lines, and only changes of the same files count.
std::optional<ApplyReport> applied_before(const ConfinedFolder& folder, const ApplyReport& placed,
                                          const std::function<ApplyReport(const Files&)>& place);

}  // namespace bodkin
