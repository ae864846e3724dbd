#include "lsp/editor/bridged_editor.h"

namespace bodkin::lsp {

Result<Diagnostics> BridgedEditor::diagnostics(std::string_view path, const Task& task) {
  return loop_.call(task.stop, [this, path = std::string(path)] {
    const Document* document = documents_.find_path(path);
    return bridge_.current(path, document ? std::optional(document->version) : std::nullopt);
  });
}

Result<Snapshot> BridgedEditor::text_now(std::string_view path, const Task& task) {
  auto now = loop_.call(task.stop, [this, path = std::string(path)]() -> Result<Snapshot> {
    const Document* document = documents_.find_path(path);
    if (!document || document->lost) return fail(Error::Code::not_found, path + " is not open");
    return Snapshot{document->path, document->version, document->text};
  });
  if (!now) return std::unexpected(now.error());
  return *std::move(now);
}

Result<Decision> BridgedEditor::permit(const Permission& permission, const Task& task) {
  const auto id = std::make_shared<std::string>();  // the loop's thread only
  auto decision = loop_.wait_for<Decision>(task.stop, [this, permission, id](const auto& give) {
    *id = questions_.ask(permission, [give](Decision decision) { give(std::move(decision)); });
  });
  if (!decision) loop_.post([this, id] { questions_.withdraw(*id); });
  return decision;
}

Result<std::string> BridgedEditor::ask_words(const std::string& question, const Task& task) {
  const auto can_ask = loop_.call(task.stop, [this] { return can_.input; });
  if (!can_ask) return std::unexpected(can_ask.error());
  if (!*can_ask) return Editor::ask_words(question, task);
  return loop_.wait_for<std::string>(task.stop, [this, question](const auto& give) {
    client_.input("bodkin", question, [give](const std::string& words) { give(words); });
  });
}

}  // namespace bodkin::lsp
