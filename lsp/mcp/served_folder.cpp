#include "lsp/mcp/served_folder.h"

#include <fmt/format.h>

#include <filesystem>

#include "agent/platform/files.h"
#include "agent/platform/paths.h"
#include "agent/rpc/uri.h"
#include "agent/support/path_text.h"
#include "agent/support/program.h"
#include "agent/support/real_path.h"
#include "agent/support/user_folders.h"
#include "grammars/syntax_tree.h"
#include "lsp/mcp/known_home.h"
#include "lsp/workspace/trust.h"

namespace bodkin::mcp {

namespace fs = std::filesystem;

namespace {

constexpr int64_t kLargest = int64_t{32} << 20;  // bytes of a file

// $HOME, and the one that the system knows: an agent may have started bodkin without $HOME or with
// one of its own.
bool contains_home(const std::string& folder) {
  const std::string given = home_folder(), known = known_home();
  return (!given.empty() && lies_in(given, folder)) || (!known.empty() && lies_in(known, folder));
}

}  // namespace

Result<std::string> servable(const std::string& folder) {
  std::error_code error;
  const fs::path real = os::canonical(folder, error);
  if (error || !fs::is_directory(real, error))
    return fail(Error::Code::not_found, folder + " is not a folder.");
  if (os::root_of(os::text_of(real)) == os::text_of(real) || contains_home(os::text_of(real))) {
    return fail(Error::Code::invalid_input,
                os::text_of(real) +
                    " is not served, because it contains all of your files; open a project "
                    "folder, or start bodkin mcp --root DIR.");
  }
  return os::text_of(real);
}

Result<std::unique_ptr<ServedFolder>> ServedFolder::open(const std::string& root,
                                                         const Task& task) {
  auto folder = ConfinedFolder::open(root);
  if (!folder) return std::unexpected(folder.error());
  never_run_from(folder->path());
  return std::make_unique<ServedFolder>(*std::move(folder), task);
}

ServedFolder::ServedFolder(ConfinedFolder confined, const Task& task)
    : folder(std::move(confined)),
      settings(lsp::own_settings()),
      syntax(make_syntax()),
      gate(limits, conversation, nullptr) {
  limits.permissions = settings.permissions();
  may_show = limits.permissions.rule_for("read", "").access == Access::allow;
  documents.add_folder({rpc::uri_of_path(folder.path()), "workspace"});
  is_trusted = lsp::Trust(settings.list("workspace.trusted")).covers(documents.roots());
  set_symbols(nullptr, task);
}

Result<void> ServedFolder::look_at_editors(const Task& task) {
  auto found = Editors::query(folder.path(), task);
  if (!found) return std::unexpected(found.error());
  editors = *std::move(found);
  documents = {};
  documents.add_folder({rpc::uri_of_path(folder.path()), "workspace"});
  for (const handover::OpenFile& file : editors.all_unsaved()) {
    if (!file.unsaved) continue;
    documents.open({.uri = rpc::uri_of_path(join_path(folder.path(), file.path)),
                    .language_id = "",
                    .text = *file.unsaved});
  }
  set_symbols(nullptr, task);
  return {};
}

void ServedFolder::set_symbols(std::shared_ptr<const SymbolIndex> symbols, const Task& task) {
  shown.reset();
  draft.reset();
  guard.reset();
  disk = std::make_unique<lsp::EditorWorkspace>(documents, std::move(symbols), is_trusted);
  guard = std::make_unique<GuardedWorkspace>(*disk, task);
  draft = std::make_unique<Draft>(*guard);
  shown = std::make_unique<RedactedWorkspace>(*draft, withheld);
}

std::string ServedFolder::inside(std::string path) const {
  if (path.empty()) return path;
  auto named = FolderFiles(folder).inside(path);
  if (!named) return path;
  std::string normal = os::text_of(fs::path(*named).lexically_normal());
  while (normal.size() > std::max<size_t>(os::root_of(normal).size(), 1) && normal.ends_with('/'))
    normal.pop_back();
  // Through a link, ".." may lead elsewhere: then the path means what it says, or nothing.
  const auto same = folder.resolve(*named), other = folder.resolve(normal);
  return same && other && *same == *other ? normal : *named;
}

std::optional<Text> ServedFiles::read(std::string_view path) const {
  if (served_.guard->is_private(path)) {
    refused_ = fmt::format(
        "{} is private (.bodkinignore or the built-in list); bodkin neither shows nor changes it.",
        path);
    return std::nullopt;
  }
  os::FileStatus status{};
  const auto resolved = served_.folder.resolve(path);
  if (resolved && os::fstatat(served_.folder.number(), resolved->c_str(), &status, 0) == 0 &&
      S_ISREG(status.st_mode) && status.st_size > kLargest) {
    refused_ = fmt::format("{} is larger than 32 MB; bodkin does not change it.", path);
    return std::nullopt;
  }
  const handover::OpenFile* const open = resolved ? served_.editors.unsaved(*resolved) : nullptr;
  if (open && open->unsaved) return Text(*open->unsaved);
  return files_.read(path);
}

std::string ServedFiles::why_unreadable(std::string_view path) const {
  if (refused_.starts_with(fmt::format("{} is ", path)))
    return refused_.substr(0, refused_.find_last_not_of('.') + 1);
  return files_.why_unreadable(path);
}

std::vector<std::string> ServedFiles::paths() const {
  std::vector<std::string> paths = files_.paths();
  std::erase_if(paths, [&](const std::string& path) { return served_.guard->is_private(path); });
  return paths;
}

}  // namespace bodkin::mcp
