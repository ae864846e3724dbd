#include "lsp/mcp/delivery.h"

#include "agent/support/shown_text.h"
#include "agent/support/utf8.h"
#include "lsp/handover/runtime_socket.h"

namespace bodkin::mcp {

namespace {

using handover::Answer;
using State = Delivery::State;

// Why the editor cannot take them, as the end of a sentence; empty: it can.
std::string why_not_handed(const std::vector<ChangedFile>& files, bool moves_files) {
  size_t bytes = 0;
  for (const ChangedFile& file : files) {
    if (!moves_files && (!file.after || file.rename_to))
      return "the editor does not let bodkin move or remove files";
    for (const auto& text : {std::optional(file.path), file.rename_to,
                             file.before.transform(&Text::str), file.after.transform(&Text::str)}) {
      if (!text) continue;
      if (valid_utf8(*text) != *text) return file.path + " is not UTF-8 text";
      bytes += text->size();
    }
  }
  // JSON takes more bytes than the text: usually a few, and at most six for one.
  return bytes > handover::kMaxBytes / 6 ? "it is too large for the editor" : "";
}

Delivery written_to_disk(const ToolCall& call, Writing& writing,
                         const std::vector<FileWrite>& writes) {
  const std::lock_guard lock(call.shared.changing);
  if (call.task.stop.stop_requested()) return {State::refused, "it was cancelled", ""};
  if (const auto done = writing.write(writes); !done)
    return {State::refused, done.error().message, ""};
  const std::string& in_place = writing.in_place_words();
  return {State::done, "written to the disk", in_place.empty() ? "" : in_place + ".\n"};
}

constexpr const char* kSays = "bodkin in the editor: ";

Delivery told(const Answer& answer, const std::string& why_this_one) {
  switch (answer.state) {
    case Answer::State::refused:
      return {State::refused, kSays + without_period(answer.words), ""};
    case Answer::State::unknown:
      return {State::unknown, kSays + without_period(answer.words), ""};
    case Answer::State::applied:
      break;
  }
  std::string notes = why_this_one;
  if (!answer.is_saved)
    notes +=
        "Applied in the editor (not saved): programs and your own tools see the old text on the "
        "disk until the user saves it.\n";
  if (!answer.is_exact) notes += "The text has other changes, too; read it again.\n";
  return {State::done,
          answer.is_saved ? "applied in the editor, which has saved it"
                          : "applied in the editor (not saved)",
          std::move(notes)};
}

}  // namespace

// Decides: whether an edit of `bodkin mcp` goes to an editor or to the disk.
Delivery deliver(const ToolCall& call, Writing& writing, const std::vector<ChangedFile>& files,
                 const std::vector<FileWrite>& writes, const LoggedAs& logged) {
  const ConfinedFolder& folder = call.served.folder;
  const Editors& editors = call.served.editors;
  if (editors.empty()) return written_to_disk(call, writing, writes);
  std::vector<ChangedFile> handed;
  std::vector<std::string> paths;  // with links followed
  std::string unsaved, is_new;
  for (const ChangedFile& file : files) {
    const auto path = folder.resolve(file.path);
    const auto to = folder.resolve(file.last_path());
    if (!path || !to) return {State::refused, (path ? to : path).error().message, ""};
    paths.push_back(*path);
    for (const std::string& each : {*path, *to}) {
      if (const std::string why = editors.why_unknown(each); !why.empty())
        return {State::refused, each + ": " + why, ""};
      if (editors.unsaved(each)) unsaved = each;
    }
    if (!file.before) {
      is_new = *path;
      continue;
    }
    ChangedFile& there = handed.emplace_back(file);
    there.path = *path;
    if (there.rename_to) there.rename_to = *to;
  }
  const auto choice = editors.choose(paths);
  if (!choice) return {State::refused, without_period(choice.error().message), ""};
  std::string why_disk;
  if (!is_new.empty() || !*choice)
    why_disk = "not all of these files are open there";
  else
    why_disk = why_not_handed(handed, (*choice)->moves_files);
  if (why_disk.empty()) {
    if (call.task.stop.stop_requested()) return {State::refused, "it was cancelled", ""};
    if (call.task.report) call.task.report({Progress::Kind::status, "Waiting for the editor"});
    writing.let_signals_through();
    const auto answer =
        editors.hand(**choice, {"", std::move(handed), logged.id, logged.undoes}, call.task);
    if (answer) return told(*answer, (*choice)->why);
    why_disk = "bodkin has just exited there";
  }
  if (unsaved.empty()) return written_to_disk(call, writing, writes);
  return {State::refused,
          unsaved + " has unsaved text in the editor, but " + why_disk +
              "; change it alone, or let the user save it first",
          ""};
}

}  // namespace bodkin::mcp
